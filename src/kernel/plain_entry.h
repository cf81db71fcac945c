#pragma once
// The CUDA side of the kernels that are no sweeps. Sizes are arguments, so there is one kernel for each number type.
#include "kernel/columns.h"
#include "kernel/divide.h"
#include "kernel/entry.h"
#include "kernel/faces.h"
#include "kernel/levels.h"
#include "kernel/swap.h"

namespace skipper::kernel {

template <class V>
__global__ void __launch_bounds__(column_threads, column_blocks) columns_kernel(ColumnArgs<V> args) {
  CudaBlock<1> block;
  solve_columns(block, args);
}

template <class V>
__global__ void __launch_bounds__(column_threads, column_blocks)
    strided_columns_kernel(StridedColumnArgs<V> args) {
  CudaBlock<1> block;
  solve_strided_columns(block, args);
}

template <class V>
__global__ void __launch_bounds__(divide_threads) divide_kernel(DivideArgs<V> args) {
  CudaBlock<1> block;
  divide(block, args);
}

template <class V>
__global__ void __launch_bounds__(swap_threads) swap_kernel(SwapArgs<V> args) {
  CudaBlock<1> block;
  swap_boxes(block, args);
}

template <class T>
__global__ void __launch_bounds__(level_threads) lower_kernel(LowerArgs<T> args) {
  CudaBlock<1> block;
  lower(block, args);
}

template <class T>
__global__ void __launch_bounds__(face_threads) add_face_kernel(FaceArgs<T> args) {
  CudaBlock<1> block;
  add_face(block, args);
}

template <class T>
__global__ void __launch_bounds__(level_threads) largest_kernel(LargestArgs<T> args) {
  CudaBlock<1> block;
  largest(block, args);
}

}  // namespace skipper::kernel
