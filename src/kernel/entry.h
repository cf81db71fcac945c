#pragma once
// The CUDA side of the kernel text: a Block whose answers are instructions, and the kernel that NVRTC compiles for one spec.
// Only this file, fused_entry.h and plain_entry.h say __global__. It uses what NVRTC has built in and no header of CUDA or std.
#include "kernel/block.h"
#include "kernel/sweep.h"

namespace skipper::kernel {

/// The built-in type of a complex number's size: one number moves as one access of 8 or 16 bytes.
template <class T>
struct PairOf;
template <>
struct PairOf<float> {
  using type = float2;
};
template <>
struct PairOf<double> {
  using type = double2;
};
template <class T>
using Pair = typename PairOf<T>::type;

extern __shared__ __align__(16) unsigned char shared_memory[];

/// With hints, what is read or written once goes through L2 without driving out what stays there.
template <int Ranks, bool ReadStreaming = false, bool WriteStreaming = false>
class CudaBlock {
#ifdef __CUDA_ARCH__
  static_assert(Ranks == 1 || __CUDA_ARCH__ >= 900, "clusters of blocks need sm_90 or newer");
#endif

 public:
  int thread() const { return threadIdx.x; }

  int cluster_rank() const {
    unsigned cluster_rank = 0;
    if constexpr (Ranks > 1) asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(cluster_rank));
    return cluster_rank;
  }

  /// The grid's second dimension is for more tiles than the first can count (2^31 - 1).
  Wide tile() const { return (blockIdx.x + static_cast<unsigned long long>(gridDim.x) * blockIdx.y) / Ranks; }

  Wide tiles() const { return gridDim.x * static_cast<unsigned long long>(gridDim.y) / Ranks; }

  template <class E>
  void prefetch(E const* in, Wide offset) const {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(in + offset)));
  }

  /// The next sweep's blocks come as soon as there is room, and wait for the end of all of this one's.
  void trigger_dependents() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
  }
  bool wait_for_previous() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
    return true;
  }
  void poll_previous() const {}

  template <class E>
  void discard(E const* in, Wide offset) const {
    asm volatile("discard.global.L2 [%0], 128;" ::"l"(__cvta_generic_to_global(in + offset)) : "memory");
  }

  /// What is done by the threads of a condition alone.
  static bool only(bool yes) { return yes; }
  template <class F, class G>
  static void either(bool yes, F f, G g) {
    if (yes)
      f();
    else
      g();
  }
  template <class From, class Below, class Step, class F>
  static void loop(From from, Below below, Step step, F f) {
    for (From i = from; i < below; i += step) f(i);
  }
  template <class N, class F>
  static void in_rounds(N n, F f) {
    kernel::in_rounds(n, f);
  }

  void sync() const { __syncthreads(); }

  /// What any block wrote into another's shared memory before is seen after.
  void sync_cluster() const {
    if constexpr (Ranks > 1)
      asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                       : "memory");
    else
      sync();
  }

  void sync_warp() const { __syncwarp(); }

  /// Keeps the compiler from taking an even place plus a part for bits that do not overlap, which it would add for each access
  /// instead of once.
  int opaque(int x) const {
    asm("" : "+r"(x));
    return x;
  }
  Wide opaque(Wide x) const {
    asm("" : "+l"(x));
    return x;
  }

  /// Tensor cores: those of sm_80 take eight rows at a time.
  template <int K>
  void multiply_add(double (&sums)[4], double const* left, double const* right) const {
    static_assert(K == 1 || K == 4);
#if __CUDA_ARCH__ >= 900
    if constexpr (K == 4)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, "
          "%11}, "
          "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
          : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3])
          : "d"(left[0]), "d"(left[1]), "d"(left[2]), "d"(left[3]), "d"(left[4]), "d"(left[5]), "d"(left[6]),
            "d"(left[7]), "d"(right[0]), "d"(right[1]), "d"(right[2]), "d"(right[3]));
    else
      asm volatile(
          "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, "
          "%3};"
          : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3])
          : "d"(left[0]), "d"(left[1]), "d"(right[0]));
#else
    repeat(Const<K>{}, [&](int i) {
      repeat(Const<2>{}, [&](int h) {
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                     : "+d"(sums[2 * h]), "+d"(sums[2 * h + 1])
                     : "d"(left[2 * i + h]), "d"(right[i]));
      });
    });
#endif
  }

  template <class T>
  void put(int place, Complex<T> x) const {
    shared<T>()[place] = {x.re, x.im};
  }

  template <class T>
  void put_remote(int cluster_rank, int place, Complex<T> x) const {
    if constexpr (Ranks > 1) {
      unsigned const there = remote<T>(cluster_rank, place);
      if constexpr (sizeof(T) == 4)
        asm volatile("st.shared::cluster.v2.f32 [%0], {%1, %2};" ::"r"(there), "f"(x.re), "f"(x.im)
                     : "memory");
      else
        asm volatile("st.shared::cluster.v2.f64 [%0], {%1, %2};" ::"r"(there), "d"(x.re), "d"(x.im)
                     : "memory");
    } else {
      put(place, x);
    }
  }

  template <class T>
  Complex<T> take(int place) const {
    return complex<T>(shared<T>()[place]);
  }

  /// In f32 one access of 16 bytes.
  template <class T>
  void put_two(int place, Complex<T> x, Complex<T> y) const {
    if constexpr (sizeof(T) == 4) {
      *reinterpret_cast<float4*>(shared<T>() + place) = {x.re, x.im, y.re, y.im};
    } else {
      put(place, x);
      put(place + 1, y);
    }
  }
  template <class T>
  Two<T> take_two(int place) const {
    if constexpr (sizeof(T) == 4) {
      float4 const both = *reinterpret_cast<float4 const*>(shared<T>() + place);
      return {{both.x, both.y}, {both.z, both.w}};
    } else {
      return {take<T>(place), take<T>(place + 1)};
    }
  }

  /// By generic addresses, so that threads that read here and there stay together.
  template <class T>
  Complex<T> take_remote(int cluster_rank, int place) const {
    if constexpr (Ranks > 1) {
      auto const here = reinterpret_cast<unsigned long long>(shared_memory);
      unsigned long long there;
      asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(here), "r"(cluster_rank));
      return complex<T>(
          reinterpret_cast<Pair<T> const*>(cluster_rank == this->cluster_rank() ? here : there)[place]);
    } else {
      return take<T>(place);
    }
  }

  template <class T>
  void put_real(int place, T x) const {
    reinterpret_cast<T*>(shared_memory)[place] = x;
  }
  template <class T>
  T take_real(int place) const {
    return reinterpret_cast<T*>(shared_memory)[place];
  }

  template <class T>
  Complex<T> load(Complex<T> const* in, Wide offset) const {
    auto const* const at = reinterpret_cast<Pair<T> const*>(in) + offset;
    if constexpr (ReadStreaming)
      return complex<T>(__ldcs(at));
    else
      return complex<T>(*at);
  }

  template <class T>
  void store(Complex<T>* out, Wide offset, Complex<T> x) const {
    auto* const at = reinterpret_cast<Pair<T>*>(out) + offset;
    if constexpr (WriteStreaming)
      __stcs(at, Pair<T>{x.re, x.im});
    else
      *at = {x.re, x.im};
  }

  template <class T>
  T load(T const* in, Wide offset) const {
    return in[offset];
  }

  template <class T>
  void store(T* out, Wide offset, T x) const {
    out[offset] = x;
  }

  /// Two numbers of 16 bits are one word, the real part its lower half.
  template <SixteenBit S>
  Complex<float> load(Complex<S> const* in, Wide offset) const {
    unsigned const pair = reinterpret_cast<unsigned const*>(in)[offset];
    return {widened(S{static_cast<unsigned short>(pair)}),
            widened(S{static_cast<unsigned short>(pair >> 16)})};
  }
  template <SixteenBit S>
  void store(Complex<S>* out, Wide offset, Complex<float> x) const {
    reinterpret_cast<unsigned*>(out)[offset] = rounded(x, S{});
  }
  template <SixteenBit S>
  float load(S const* in, Wide offset) const {
    return widened(in[offset]);
  }
  template <SixteenBit S>
  void store(S* out, Wide offset, float x) const {
    out[offset].bits = rounded(x, S{});
  }

  /// Through the read-only path. Data may not go there: in place, other blocks write the array that this one reads.
  template <class T>
  Complex<T> root(Complex<T> const* roots, Wide offset) const {
    return complex<T>(__ldg(reinterpret_cast<Pair<T> const*>(roots) + offset));
  }
  /// Without the care for zeros, infinities and tiny numbers that a division takes. The double's begins with 20 bits.
  float reciprocal(float x) const {
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
  }
  double reciprocal(double x) const {
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    r = r + r * (1 - x * r);
    return r + r * (1 - x * r);
  }

  int root(int const* places, Wide offset) const { return __ldg(places + offset); }
  unsigned long long root(unsigned long long const* bases, Wide offset) const {
    return __ldg(bases + offset);
  }
  float root(float const* reals, Wide offset) const { return __ldg(reals + offset); }
  double root(double const* reals, Wide offset) const { return __ldg(reals + offset); }

 private:
  /// The address of a place in another block's shared memory; its first part is the same for all of one rank.
  template <class T>
  static unsigned remote(int cluster_rank, int place) {
    unsigned const here = __cvta_generic_to_shared(shared_memory);
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(cluster_rank));
    return there + place * sizeof(Pair<T>);
  }
  static float widened(Half half) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(half.bits));
    return x;
  }
  static float widened(BFloat16 x) { return __uint_as_float(unsigned(x.bits) << 16); }
  static unsigned rounded(float x, Half) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
  }
  static unsigned rounded(float x, BFloat16) {
#if __CUDA_ARCH__ >= 800
    unsigned short bits;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
#else
    unsigned const bits = __float_as_uint(x);
    return x != x ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
#endif
  }
  template <class S>
  static unsigned rounded(Complex<float> x, S s) {
    return rounded(x.re, s) | rounded(x.im, s) << 16;
  }
#if __CUDA_ARCH__ >= 800
  static unsigned rounded(Complex<float> x, BFloat16) {
    unsigned pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(x.im), "f"(x.re));
    return pair;
  }
#endif
  template <class T>
  static Pair<T>* shared() {
    return reinterpret_cast<Pair<T>*>(shared_memory);
  }
  template <class T>
  static Complex<T> complex(Pair<T> pair) {
    return {pair.x, pair.y};
  }
};

/// A block with the functions of a user: the source of a kernel that has some names them in a struct (plan/spec_text.h).
template <class Base, class User>
class UserBlock : public Base {
 public:
  template <class V>
  V on_load(V x, Wide place, void* data) const {
    return User::load(x, place, data);
  }
  template <class V>
  V on_store(V x, Wide place, void* data) const {
    return User::store(x, place, data);
  }
};
struct NoUser {
  template <class V>
  static V load(V x, Wide, void*) {
    return x;
  }
  template <class V>
  static V store(V x, Wide, void*) {
    return x;
  }
};

static_assert(BlockOf<UserBlock<CudaBlock<1>, NoUser>, float> &&
              BlockOf<UserBlock<CudaBlock<1>, NoUser>, double>);

template <class T, SweepSpec const& S, class User>
void run_sweep(Args<T> const& args) {
  UserBlock<CudaBlock<S.cluster_ranks, S.flow.read_streaming, S.flow.write_streaming>, User> block;
  sweep<T>(Named<S>{}, block, args);
}

template <class T, SweepSpec const& S, class User = NoUser>
requires(S.cluster_ranks == 1) __global__ void __launch_bounds__(S.threads, S.resident)
    sweep_kernel(Args<T> args) {
  run_sweep<T, S, User>(args);
}

/// The same for a cluster. Knowing its size spares the launch an attribute, and each cluster barrier a branch.
template <class T, SweepSpec const& S, class User = NoUser>
requires(S.cluster_ranks > 1) __global__ void
#if __CUDA_ARCH__ >= 900
    __cluster_dims__(S.cluster_ranks, 1, 1)
#endif
        __launch_bounds__(S.threads, S.resident) sweep_kernel(Args<T> args) {
  run_sweep<T, S, User>(args);
}

}  // namespace skipper::kernel
