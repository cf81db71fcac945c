// See divide.h.
#include "gpu/divide.h"

#include <skipper/error.h>

#include "kernel/divide.h"

namespace skipper::gpu {
namespace {

std::vector<double> and_zero(std::vector<double> symbols) {
  symbols.push_back(0);
  return symbols;
}

}  // namespace

Divide::Divide(std::vector<double> const& symbols, bool complex, bool wide, int device)
    : complex_(complex),
      wide_(wide),
      zero_(Index(symbols.size())),
      kernel_(trace::PlainKernel::divide, complex, wide, device),
      symbols_(uploaded(and_zero(symbols))) {}

template <class V>
void Divide::launch(std::vector<Dim> const& dims, DevicePointer data, DevicePointer constant_mode,
                    Stream stream) const {
  kernel::DivideArgs<V> args{};
  args.data = reinterpret_cast<V*>(data);
  args.constant_mode = reinterpret_cast<V*>(constant_mode);
  args.symbols = reinterpret_cast<double const*>(symbols_.at());
  args.count = 1;
  for (std::size_t d = 0; d < kernel::divide_dims; ++d) {
    Dim const dim = d < dims.size() ? dims[d] : Dim{1, zero_};
    args.count *= args.size[d] = dim.size;
    args.first[d] = dim.first;
  }
  kernel_.launch((args.count + kernel::divide_threads - 1) / kernel::divide_threads, kernel::divide_threads,
                 args, stream);
}

void Divide::run(std::vector<Dim> const& dims, DevicePointer data, DevicePointer constant_mode,
                 Stream stream) const {
  if (dims.size() > kernel::divide_dims)
    throw Error("problem", "has more than " + std::to_string(kernel::divide_dims) + " dimensions to divide");
  if (complex_)
    wide_ ? launch<kernel::Complex<double>>(dims, data, constant_mode, stream)
          : launch<kernel::Complex<float>>(dims, data, constant_mode, stream);
  else
    wide_ ? launch<double>(dims, data, constant_mode, stream)
          : launch<float>(dims, data, constant_mode, stream);
}

}  // namespace skipper::gpu
