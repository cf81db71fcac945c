#pragma once
// The kernels of the lab bulk.cu: a tile comes on chip, goes through butterflies and exchanges as in kernel/sweep.h and is
// written, the copies issued in several ways.
#include <cuda.h>

constexpr long elements = 1L << 27;  // 1 GiB of complex numbers

/// What decides which block of a cluster an element goes to in the remote exchange: which butterfly of its thread it comes
/// from, which of its results it is (as in the sweeps of now), or its warp.
enum class Hop { butterfly, result, warp };

/// A block has `Threads` threads of `Held` butterflies of `Radix` elements; a tile is that, in each block of a cluster.
/// Its elements lie in segments `Pitch` apart, or in one run where that is 0.
template <int Radix, int Held, int Threads, int Exchanges, int Ranks = 1, int Segment = 0, long Pitch = 0,
          Hop Hops = Hop::butterfly>
struct Tile {
  static constexpr int radix = Radix, held = Held, threads = Threads, exchanges = Exchanges, ranks = Ranks;
  static constexpr int columns = Held * Threads, count = Radix * columns, bytes = 8 * count;
  static constexpr int padded = (count + count / Radix + 15) / 16 * 16;
  static constexpr int segment = Pitch ? Segment : count, rows = count / segment;
  static constexpr long pitch = Pitch, tiles = elements / count / Ranks;
  static constexpr int part = count / Ranks;  // what each block gives to each in the remote exchange
  static_assert(Threads % Radix == 0 && Threads % 64 == 0 && Threads % (Pitch ? Segment : 1) == 0);
  static_assert(Ranks == 1 || (Threads * Radix % part == 0 && part % (Radix * Radix) == 0));

  static __host__ __device__ long origin(long tile, int rank) {
    return !Pitch ? tile * count : Ranks == 1 ? tile * segment : tile * Ranks * count + rank * segment;
  }
  static constexpr __host__ __device__ long offset(int i) { return long(i / segment) * Pitch + i % segment; }
  static constexpr __host__ __device__ bool remote(int e) { return Ranks > 1 && e == 1; }
  static constexpr __host__ __device__ int span(int e) { return e % 2 ? Radix : 1; }
  /// Where exchange e puts result r of butterfly j, and takes element r of it.
  static constexpr __host__ __device__ int put_place(int e, int j, int r) {
    return j / span(e) * span(e) * Radix + j % span(e) + r * span(e);
  }
  /// The block that gets result r of butterfly j in the remote exchange, and where among what it gets from this one.
  static constexpr __host__ __device__ int hop(int j, int r) {
    return Hops == Hop::butterfly ? put_place(1, j, r) / part : Hops == Hop::result ? r % Ranks : j / 32 % Ranks;
  }
  static constexpr __host__ __device__ int hop_place(int j, int r) {
    return Hops == Hop::butterfly ? put_place(1, j, r) % part
           : Hops == Hop::result  ? r / Ranks * columns + j
                                  : j / 32 / Ranks * 32 * Radix + r * 32 + j % 32;
  }
  static constexpr __host__ __device__ int take_place(int j, int r) { return r * columns + j; }

  // The same, padded by one in Radix, for butterfly m of a thread: a share of the thread, and one known beforehand.
  static constexpr __device__ int pad(int place) { return place + place / Radix; }
  static __device__ int put_share(int e, int t) {
    return e % 2 ? t / Radix * (Radix * Radix + Radix) + t % Radix : t * (Radix + 1);
  }
  static constexpr __device__ int put_known(int e, int m, int r) {
    return m * Threads * (Radix + 1) + (e % 2 ? r * (Radix + 1) : r);
  }
};

/// How a tile comes and goes. `late`: persistent in one buffer, the next tile's load issued when the last exchange is
/// over; `two`: persistent, and it is issued into a second buffer when this one is in registers; `goes_on`: persistent by
/// plain loads after the stores; `copies`: the threads issue them, 16 bytes each (cp.async).
struct Loads {
  static constexpr bool bulk = false, late = false, two = false, by_map = false, out = false, asks = false;
  static constexpr bool goes_on = false, copies = false;
};
struct LoadsAsk : Loads { static constexpr bool asks = true; };
struct LoadsAskOut : LoadsAsk { static constexpr bool out = true; };
struct Bulk : Loads { static constexpr bool bulk = true; };
struct BulkAsk : Bulk { static constexpr bool asks = true; };
struct BulkOut : Bulk { static constexpr bool out = true; };
struct Late : Bulk { static constexpr bool late = true; };
struct LateAsk : Late { static constexpr bool asks = true; };
struct LateCopies : Late { static constexpr bool copies = true; };
struct GoesOn : Loads { static constexpr bool goes_on = true; };
struct GoesOnAsk : GoesOn { static constexpr bool asks = true; };
struct Two : Bulk { static constexpr bool two = true; };
struct TwoOut : Two { static constexpr bool out = true; };
/// By one tensor copy for 256 rows instead of one bulk copy a row.
template <class Way>
struct Map : Way { static constexpr bool by_map = true; };

__device__ float2 operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ float2 operator-(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
__device__ float2 operator*(float2 a, float2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
__device__ float2 turned(float2 a) { return {a.y, -a.x}; }

/// P-point transforms of elements D apart, each followed by rotations, all by one angle: the work counts, not the result.
template <int R, int P, int D>
__device__ void pass(float2 (&v)[R]) {
#pragma unroll
  for (int i = 0; i < R / P; i++) {
    float2* const x = v + i / D * D * P + i % D;
    if constexpr (P == 4) {
      float2 const s = x[0] + x[2 * D], t = x[0] - x[2 * D], u = x[D] + x[3 * D], w = turned(x[D] - x[3 * D]);
      x[0] = s + u, x[D] = t + w, x[2 * D] = s - u, x[3 * D] = t - w;
    } else if constexpr (P == 3) {
      float2 const s = x[D] + x[2 * D], d = turned(x[D] - x[2 * D]) * float2{.8660254f, 0};
      float2 const m = x[0] - s * float2{.5f, 0};
      x[0] = x[0] + s, x[D] = m + d, x[2 * D] = m - d;
    } else {
      float2 const d = x[0] - x[D];
      x[0] = x[0] + x[D], x[D] = d;
    }
    if (i % D)
#pragma unroll
      for (int k = 1; k < P; k++) x[k * D] = x[k * D] * float2{.8f, -.6f};
  }
}
__device__ void butterfly(float2 (&v)[16]) { pass<16, 4, 4>(v), pass<16, 4, 1>(v); }
__device__ void butterfly(float2 (&v)[24]) { pass<24, 4, 6>(v), pass<24, 2, 3>(v), pass<24, 3, 1>(v); }

template <int R>
__device__ void twiddle(float2 (&v)[R], float2 const* roots, int j) {
#pragma unroll
  for (int r = 1; r < R; r++) v[r] = v[r] * __ldg(roots + r * 64 + j % 64);
}

__device__ unsigned shared_address(void const* p) { return unsigned(__cvta_generic_to_shared(p)); }
__device__ void sync_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ void wait_for_reads() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
/// Gives up in the end, so that a wrong kernel is seen instead of hanging.
__device__ void wait(unsigned barrier, unsigned parity) {
  for (unsigned done = 0, turn = 0; !done && turn < 100000; turn++)
    asm volatile("{ .reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(barrier), "r"(parity)
                 : "memory");
}

/// Issues the copies of a whole tile; every thread calls it, after a barrier that follows the last use of the place.
template <class T, class Way>
__device__ void fetch(unsigned barrier, float2* to, float2 const* in, CUtensorMap const* map, long tile, int rank) {
  int const t = threadIdx.x;
  if constexpr (Way::copies) {
    float2 const* const from = in + T::origin(tile, rank) + T::offset(2 * t);
#pragma unroll
    for (int i = 0; i < T::count; i += 2 * T::threads)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to + i + 2 * t)),
                   "l"(from + T::offset(i))
                   : "memory");
    return;
  }
  fence_async();
  if (t == 0)
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(T::bytes) : "memory");
  if constexpr (Way::by_map) {
    int const x = T::ranks == 1 ? tile * T::segment : rank * T::segment, y = T::ranks == 1 ? 0 : tile * T::rows;
    if (t == 0)
      for (int row = 0; row < T::rows; row += 256)
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
                "r"(shared_address(to + row * T::segment)), "l"(map), "r"(2 * x), "r"(y + row), "r"(barrier)
            : "memory");
  } else {
    for (int row = t; row < T::rows; row += T::threads)
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                       shared_address(to + row * T::segment)),
                   "l"(in + T::origin(tile, rank) + row * T::pitch), "r"(8 * T::segment), "r"(barrier)
                   : "memory");
  }
}

template <class T, class Way>
__device__ void send(float2* out, float2 const* from, CUtensorMap const* map, long tile, int rank) {
  int const t = threadIdx.x;
  if constexpr (Way::by_map) {
    int const x = T::ranks == 1 ? tile * T::segment : rank * T::segment, y = T::ranks == 1 ? 0 : tile * T::rows;
    if (t == 0)
      for (int row = 0; row < T::rows; row += 256)
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map),
                     "r"(2 * x), "r"(y + row), "r"(shared_address(from + row * T::segment))
                     : "memory");
  } else {
    for (int row = t; row < T::rows; row += T::threads)
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                       out + T::origin(tile, rank) + row * T::pitch),
                   "r"(shared_address(from + row * T::segment)), "r"(8 * T::segment)
                   : "memory");
  }
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// A line of 128 bytes of a tile to come for each turn of each thread (decision 0028).
template <class T>
__device__ void ask(float2 const* in, long tile, int rank) {
  if (tile >= T::tiles) return;
  for (int i = 16 * threadIdx.x; i < T::count; i += 16 * T::threads)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(in + T::origin(tile, rank) + T::offset(i)));
}

/// Result r of butterfly m. What r adds to the place is known, so is the block where butterflies or results decide it.
template <class T>
__device__ void put_remote(float2* room, int m, int r, int rank, float2 x) {
  int const j = m * T::threads + threadIdx.x;
  int const share = T::pad(rank * T::part) + T::pad(T::hop_place(j, 0));
  int const known = T::hop_place(0, r) + T::hop_place(0, r) / T::radix;
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(room)), "r"(T::hop(j, r)));
  asm volatile("st.shared::cluster.v2.f32 [%0], {%1, %2};" ::"r"(there + 8 * share + 8 * known), "f"(x.x), "f"(x.y)
               : "memory");
}

template <class T, class Way, int Blocks>
__global__ void __launch_bounds__(T::threads, Blocks)
    work(float2 const* in, float2* out, float2 const* roots, int ahead, __grid_constant__ CUtensorMap const in_map,
         __grid_constant__ CUtensorMap const out_map) {
  extern __shared__ __align__(128) float2 room[];  // [padded], exchanges; where there are two [count], the next tile
  __shared__ unsigned long long arrived;
  constexpr int R = T::radix, M = T::held;
  constexpr bool persistent = Way::late || Way::two || Way::goes_on;
  float2* const landing = Way::two ? room + T::padded : room;
  unsigned const barrier = shared_address(&arrived);
  int const t = threadIdx.x, rank = blockIdx.x % T::ranks;
  long const stride = persistent ? gridDim.x / T::ranks : T::tiles;
  unsigned parity = 0;
  if constexpr (Way::bulk) {
    if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
    fence_async();
    __syncthreads();
    fetch<T, Way>(barrier, landing, in, &in_map, blockIdx.x / T::ranks, rank);
  }
  for (long tile = blockIdx.x / T::ranks; tile < T::tiles; tile += stride) {
    float2 v[M][R];
    asm volatile("" : "+l"(roots));  // factors do not stay in registers from tile to tile
    long const next = tile + stride, origin = T::origin(tile, rank);
    bool const asks_first = Way::asks && !persistent && (Blocks == 1 || Way::bulk);
    if (asks_first) ask<T>(in, tile + ahead, rank);
    if constexpr (Way::copies) {
      asm volatile("cp.async.wait_all;" ::: "memory");
      __syncthreads();
    } else if constexpr (Way::bulk) {
      wait(barrier, parity), parity ^= 1;
    }
#pragma unroll
    for (int q = 0; q < M * R; q++) {
      int const known = T::take_place(q / R * T::threads, q % R);
      v[q / R][q % R] = Way::bulk ? landing[t + known] : in[origin + T::offset(t) + T::offset(known)];
    }
    if (Way::asks && !asks_first && !persistent) ask<T>(in, tile + ahead, rank);
    if (Way::out && persistent) wait_for_reads();
    if (Way::bulk || persistent) __syncthreads();  // all have taken their elements
    if (Way::two && next < T::tiles) fetch<T, Way>(barrier, landing, in, &in_map, next, rank);
#pragma unroll
    for (int e = 0; e < T::exchanges; e++) {
#pragma unroll
      for (int m = 0; m < M; m++) butterfly(v[m]), twiddle(v[m], roots + e * R * 64, t);
      if (T::remote(e)) sync_cluster();
      else if (e > 0) __syncthreads();
#pragma unroll
      for (int q = 0; q < M * R; q++) {
        if (T::remote(e)) put_remote<T>(room, q / R, q % R, rank, v[q / R][q % R]);
        else room[T::put_share(e, t) + T::put_known(e, q / R, q % R)] = v[q / R][q % R];
      }
      if (T::remote(e)) sync_cluster();
      else __syncthreads();
      if (Way::asks && persistent && e == T::exchanges - 2) ask<T>(in, next, rank);
#pragma unroll
      for (int q = 0; q < M * R; q++)
        v[q / R][q % R] = room[T::pad(t) + T::pad(T::take_place(q / R * T::threads, q % R))];
    }
    if (Way::late || Way::out) __syncthreads();
    if (Way::late && next < T::tiles) fetch<T, Way>(barrier, room, in, &in_map, next, rank);
#pragma unroll
    for (int m = 0; m < M; m++) butterfly(v[m]);
#pragma unroll
    for (int q = 0; q < M * R; q++) {
      int const known = T::take_place(q / R * T::threads, q % R);
      if (Way::out) room[t + known] = v[q / R][q % R];
      else out[origin + T::offset(t) + T::offset(known)] = v[q / R][q % R];
    }
    if constexpr (Way::out) {
      fence_async();
      __syncthreads();
      send<T, Way>(out, room, &out_map, tile, rank);
    }
  }
  if (Way::out) wait_for_reads();
}
