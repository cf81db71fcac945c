// A lab (decision 0040): do bulk copies (TMA) bring a tile on chip and back faster than a sweep's own loads and stores,
// and does a block that goes through many tiles gain by loading the next one early? Each kernel reads a tile, takes it
// through butterflies and exchanges as kernel/sweep.h does, and writes it; each is checked against steps through global
// memory. Prints time over a copy of the same 1 GiB, median of 20.
//   for p in 1 2 3 4 5 6 7 8 9; do nvcc -O3 -arch=sm_90a -std=c++20 -DLAB_PART=$p -o bulk$p bench/gpu/bulk.cu & done; wait
//   for p in 1 2 3 4 5 6 7 8 9; do ./bulk$p; done
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bulk_kernels.cuh"

/// One step through global memory: what the kernels above must come to.
template <class T>
__global__ void plain(float2 const* in, float2* out, float2 const* roots, int step) {
  long const id = long(blockIdx.x) * blockDim.x + threadIdx.x, block = id / T::columns;
  int const j = id % T::columns, rank = block % T::ranks;
  float2 v[T::radix];
  for (int r = 0; r < T::radix; r++) {
    int const i = T::take_place(j, r);
    v[r] = in[step == 0 ? T::origin(block / T::ranks, rank) + T::offset(i) : block * T::count + i];
  }
  butterfly(v);
  if (step < T::exchanges) twiddle(v, roots + step * T::radix * 64, j);
  for (int r = 0; r < T::radix; r++) {
    int const i = T::take_place(j, r), place = T::put_place(step, j, r);
    long to = block * T::count + place;
    if (step == T::exchanges) to = T::origin(block / T::ranks, rank) + T::offset(i);
    else if (T::remote(step)) to = (block - rank + T::hop(j, r)) * T::count + rank * T::part + T::hop_place(j, r);
    out[to] = v[r];
  }
}
__global__ void compare(float2 const* a, float2 const* b, int* wrong) {
  long const i = long(blockIdx.x) * blockDim.x + threadIdx.x;
  float const far = hypotf(a[i].x - b[i].x, a[i].y - b[i].y);
  if (!(far <= 1e-4f * (1 + hypotf(b[i].x, b[i].y)))) atomicAdd(wrong, 1);
}
__global__ void noise(float2* x) {
  long const i = long(blockIdx.x) * blockDim.x + threadIdx.x;
  unsigned const a = unsigned(i) * 2654435761u, b = (a ^ a >> 15) * 2246822519u;
  x[i] = {float(a >> 8) / (1 << 24) - .5f, float(b >> 8) / (1 << 24) - .5f};
}
__global__ void copy(float4 const* in, float4* out) {
  long const i = long(blockIdx.x) * 4 * blockDim.x + threadIdx.x;
  float4 v[4];
#pragma unroll
  for (int k = 0; k < 4; k++) v[k] = in[i + k * blockDim.x];
#pragma unroll
  for (int k = 0; k < 4; k++) out[i + k * blockDim.x] = v[k];
}

void check(cudaError_t error, char const* what) {
  if (error != cudaSuccess) fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error)), exit(1);
}

struct Lab {
  float2 *in, *out, *right, *scratch, *roots;
  int* wrong;
  double copied = 0, best_now = 0;
  decltype(&cuTensorMapEncodeTiled) encode;

  template <class F>
  static double median_ms(F launch) {
    static cudaEvent_t begin = [] { cudaEvent_t e; cudaEventCreate(&e); return e; }();
    static cudaEvent_t end = [] { cudaEvent_t e; cudaEventCreate(&e); return e; }();
    std::vector<float> times(20);
    launch(), launch();
    for (float& time : times) {
      cudaEventRecord(begin), launch(), cudaEventRecord(end);
      check(cudaEventSynchronize(end), "launch");
      cudaEventElapsedTime(&time, begin, end);
    }
    std::nth_element(times.begin(), times.begin() + 10, times.end());
    return times[10];
  }

  Lab() {
    for (float2** array : {&in, &out, &right, &scratch}) check(cudaMalloc(array, 8 * elements), "1 GiB");
    std::vector<float2> turns(3 * 24 * 64);
    for (size_t i = 0; i < turns.size(); i++) turns[i] = {cosf(float(i)), sinf(float(i))};
    check(cudaMalloc(&roots, 8 * turns.size()), "roots");
    check(cudaMemcpy(roots, turns.data(), 8 * turns.size(), cudaMemcpyHostToDevice), "roots");
    check(cudaMalloc(&wrong, 4), "count");
    check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", reinterpret_cast<void**>(&encode), 12000, 0),
          "cuTensorMapEncodeTiled");
    noise<<<elements / 256, 256>>>(in);
    copied = median_ms([&] { copy<<<elements / 2 / 1024, 256>>>((float4*)in, (float4*)out); });
    double const driver = median_ms([&] { cudaMemcpyAsync(out, in, 8 * elements, cudaMemcpyDeviceToDevice); });
    printf("copy %.3f ms, cudaMemcpy %.3f ms\n", copied, driver);
  }

  template <class T>
  CUtensorMap map_of(float2* array) const {
    CUtensorMap map{};
    if constexpr (T::pitch == 0) return map;
    constexpr cuuint64_t pitch = std::max(1L, T::pitch), extents[] = {2 * pitch, elements / pitch};
    constexpr cuuint64_t strides[] = {8 * pitch};
    cuuint32_t const box[] = {2 * T::segment, 256}, steps[] = {1, 1};
    if (encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, array, extents, strides, box, steps,
               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
      printf("no tensor map\n");
    return map;
  }

  /// `Most` blocks an SM, or as many as its shared memory holds.
  template <class T, class Way, int Most>
  void measure(char const* name) {
    constexpr int shared = 8 * (T::padded + Way::two * T::count), fit = 233472 / (shared + 1040);
    if constexpr (fit > 0) {
      auto const kernel = work<T, Way, std::min(fit, Most)>;
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared), "shared memory");
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, T::ranks > 8), "cluster");
      cudaLaunchAttribute cluster{.id = cudaLaunchAttributeClusterDimension};
      cluster.val.clusterDim = {T::ranks, 1, 1};
      cudaLaunchConfig_t config{.gridDim = unsigned(T::tiles * T::ranks), .blockDim = T::threads,
                                .dynamicSmemBytes = shared, .attrs = &cluster, .numAttrs = T::ranks > 1};
      cudaFuncAttributes facts;
      check(cudaFuncGetAttributes(&facts, kernel), name);
      int at_once = 0;
      check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, kernel, T::threads, shared), name);
      int const an_sm = at_once;
      at_once *= 132;
      if (T::ranks > 1) check(cudaOccupancyMaxActiveClusters(&at_once, kernel, &config), name);
      if (Way::late || Way::two || Way::goes_on) config.gridDim = at_once * T::ranks;
      auto const in_map = map_of<T>(in), out_map = map_of<T>(out);
      auto const launch = [&] {
        check(cudaLaunchKernelEx(&config, kernel, (float2 const*)in, out, (float2 const*)roots,
                                 std::max(1, int(.16 * at_once)), in_map, out_map),
              name);
      };
      cudaMemset(out, 0xff, 8 * elements), cudaMemset(wrong, 0, 4);
      double const time = median_ms(launch) / copied;
      compare<<<T::tiles * T::ranks * T::count / 256, 256>>>(out, right, wrong);
      int off = 0;
      check(cudaMemcpy(&off, wrong, 4, cudaMemcpyDeviceToHost), name);
      if (!Way::bulk && !Way::out && (best_now == 0 || time < best_now)) best_now = time;
      printf("  %-24s %.3f  %+5.1f %%  %d blocks an SM, %3d at once, %3d registers, %zu spilled%s\n", name, time,
             100 * (time / best_now - 1), an_sm, at_once, facts.numRegs, facts.localSizeBytes,
             off ? "  WRONG" : "");
      if (off) printf("    %d elements differ\n", off);
    }
  }

  template <class T>
  void expect(char const* what) {
    for (int step = 0; step <= T::exchanges; step++) {
      auto const turn = [&](int s) { return (T::exchanges - s) % 2 ? scratch : right; };
      plain<T><<<T::tiles * T::ranks * T::columns / 64, 64>>>(step ? turn(step - 1) : in, turn(step), roots, step);
    }
    check(cudaDeviceSynchronize(), "plain");
    printf("%s: %d KB, %d threads of %d x %d, %d exchanges\n", what, T::bytes / 1024, T::threads, T::held, T::radix,
           T::exchanges);
    best_now = 0;
  }

  /// The ways of now first: the others are printed against the better of them.
  template <class T, int Most>
  void measure_all(char const* what) {
    expect<T>(what);
    measure<T, Loads, Most>("a loads");
    measure<T, LoadsAsk, Most>("a loads, ask");
    if constexpr (T::ranks == 1) measure<T, LoadsAskOut, Most>("a loads, ask, bulk out");
    measure<T, Two, Most>("b two buffers");
    measure<T, Bulk, Most>("c bulk");
    measure<T, BulkAsk, Most>("c bulk, ask");
    measure<T, Late, Most>("e late");
    measure<T, LateAsk, Most>("e late, ask");
    if constexpr (T::pitch == 0) {
      measure<T, TwoOut, Most>("d two buffers, bulk out");
      measure<T, BulkOut, Most>("d bulk, bulk out");
    } else {
      measure<T, Map<Two>, Most>("b two buffers, map");
      measure<T, Map<TwoOut>, Most>("d two buffers, map, out");
      measure<T, Map<Bulk>, Most>("c map");
      measure<T, Map<BulkOut>, Most>("d map, out");
      measure<T, Map<Late>, Most>("e late, map");
    }
    fflush(stdout);
  }

  template <class T>
  void measure_cluster(char const* what) {
    expect<T>(what);
    measure<T, Loads, 3>("a loads");
    measure<T, LoadsAsk, 3>("a loads, ask");
    measure<T, Map<Late>, 3>("e late, map");
    measure<T, Map<LateAsk>, 3>("e late, map, ask");
    measure<T, LateCopies, 3>("e late, cp.async");
    measure<T, GoesOn, 3>("f loads, goes on");
    measure<T, GoesOnAsk, 3>("f loads, goes on, ask");
    fflush(stdout);
  }
};

/// Nine parts, which nvcc compiles side by side.
template <int Part>
void measure_part(Lab& lab) {
  if constexpr (Part == 1) {
    lab.measure_all<Tile<16, 1, 256, 2>, 4>("4096");
    lab.measure_all<Tile<16, 1, 512, 1>, 2>("8192");
  } else if constexpr (Part == 2) {
    lab.measure_all<Tile<16, 1, 512, 2>, 2>("8192");
    lab.measure_all<Tile<16, 1, 512, 3>, 2>("8192");
  } else if constexpr (Part == 3) {
    lab.measure_all<Tile<24, 1, 576, 1>, 1>("24^3");
    lab.measure_all<Tile<24, 1, 576, 2>, 1>("24^3");
  } else if constexpr (Part == 4) {
    lab.measure_all<Tile<16, 1, 1024, 2>, 1>("2^14");
    lab.measure_all<Tile<16, 1, 1024, 3>, 1>("2^14");
  } else if constexpr (Part == 5) {
    lab.measure_all<Tile<16, 1, 512, 2, 1, 16, 512 * 512>, 2>("columns of 512^3");
    lab.measure_all<Tile<16, 2, 256, 2, 1, 16, 512 * 512>, 3>("columns of 512^3");
  } else if constexpr (Part == 6) {
    lab.measure_all<Tile<16, 4, 128, 3, 8, 32, 256>, 3>("2^16 in 8 blocks");
    lab.measure_all<Tile<16, 4, 128, 3, 16, 16, 256>, 3>("2^17 in 16 blocks");
  } else if constexpr (Part == 7) {
    lab.measure_all<Tile<16, 2, 256, 3, 8, 32, 256>, 3>("2^16 in 8 blocks");
    lab.measure_all<Tile<16, 4, 128, 2>, 3>("8192");
  } else if constexpr (Part == 8) {
    lab.measure_cluster<Tile<16, 4, 128, 3, 8, 32, 256, Hop::result>>("2^16, hops by results");
    lab.measure_cluster<Tile<16, 4, 128, 3, 16, 16, 256, Hop::result>>("2^17, hops by results");
  } else {
    lab.measure_cluster<Tile<16, 4, 128, 3, 8, 32, 256, Hop::warp>>("2^16, hops by warps");
    lab.measure_cluster<Tile<16, 4, 128, 3, 16, 16, 256, Hop::warp>>("2^17, hops by warps");
  }
}

int main() {
  Lab lab;
  measure_part<LAB_PART>(lab);
}
