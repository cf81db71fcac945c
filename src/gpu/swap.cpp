// See swap.h.
#include "gpu/swap.h"

#include <skipper/error.h>

#include "kernel/swap.h"

namespace skipper::gpu {

Swap::Swap(bool complex, bool wide, int device)
    : complex_(complex), wide_(wide), kernel_(trace::PlainKernel::swap, complex, wide, device) {}

template <class V>
void Swap::launch(std::vector<SwapDim> const& dims, DevicePointer a, DevicePointer b, Stream stream) const {
  kernel::SwapArgs<V> args{};
  args.a = reinterpret_cast<V*>(a);
  args.b = reinterpret_cast<V*>(b);
  args.row = dims.back().size;
  args.pieces = kernel::swap_pieces(args.row);
  Index rows = 1;
  for (std::size_t d = 0; d < kernel::swap_dims; ++d) {
    SwapDim const dim = d + 1 < dims.size() ? dims[dims.size() - 2 - d] : SwapDim{};
    rows *= args.size[d] = dim.size;
    args.a_stride[d] = dim.a;
    args.b_stride[d] = dim.b;
  }
  kernel_.launch(rows * args.pieces, kernel::swap_threads, args, stream);
}

void Swap::run(std::vector<SwapDim> const& dims, DevicePointer a, DevicePointer b, Stream stream) const {
  if (dims.empty() || dims.size() > kernel::swap_dims + 1 || dims.back().a != 1 || dims.back().b != 1)
    throw Error("problem", "has boxes to swap that are not rows of neighbours in at most " +
                               std::to_string(kernel::swap_dims + 1) +
                               " dimensions; choose another exchange");
  auto const go = [&]<class V>(V) { launch<V>(dims, a, b, stream); };
  if (complex_)
    wide_ ? go(kernel::Complex<double>()) : go(kernel::Complex<float>());
  else
    wide_ ? go(double()) : go(float());
}

}  // namespace skipper::gpu
