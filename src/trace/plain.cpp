// See plain.h.
#include "trace/plain.h"

#include <skipper/error.h>

#include "trace/arguments.h"
#include "trace/block.h"

// Behind what it is recorded with.
#include "kernel/columns.h"
#include "kernel/divide.h"
#include "kernel/faces.h"
#include "kernel/levels.h"
#include "kernel/swap.h"

namespace skipper::trace {
namespace {

constexpr std::int64_t max_blocks = std::int64_t(1) << 30;  // of a launch (gpu/plain.cpp)

/// Records a text whose arguments on the host are HostArgs.
template <class HostArgs, class Args>
ir::Kernel recorded(ir::Kernel header, ir::Type real, void (*text)(Block&, Args const&)) {
  header.parameters = parameters<HostArgs>();
  ir::Builder builder(std::move(header), real, max_blocks);
  Block block;
  Args args;
  each_field(args, Arguments());
  text(block, args);
  return builder.finish();
}

/// V is what the text computes with, Host the same number on the host.
template <class V, class Host>
ir::Kernel of_numbers(PlainKernel kernel, ir::Type real) {
  using namespace kernel;
  constexpr bool is_complex = IsPair<V>::value;
  ir::Kernel columns{.name = "columns", .threads = column_threads, .resident = column_blocks};
  columns.shared_bytes = column_shared(is_complex ? 2 : 1);
  switch (kernel) {
    case PlainKernel::columns:
      return recorded<ColumnArgs<Host>>(columns, real, solve_columns<V, Block>);
    case PlainKernel::strided_columns:
      columns.name = "strided_columns";
      return recorded<StridedColumnArgs<Host>>(columns, real, solve_strided_columns<V, Block>);
    case PlainKernel::divide:
      return recorded<DivideArgs<Host>>({.name = "divide", .threads = divide_threads}, real,
                                        divide<V, Block>);
    case PlainKernel::swap:
      return recorded<SwapArgs<Host>>({.name = "swap", .threads = swap_threads}, real, swap_boxes<V, Block>);
    default:
      break;
  }
  if constexpr (!is_complex) switch (kernel) {
      case PlainKernel::lower:
        return recorded<LowerArgs<Host>>({.name = "lower", .threads = level_threads}, real, lower<V, Block>);
      case PlainKernel::largest:
        return recorded<LargestArgs<Host>>({.name = "largest", .threads = level_threads}, real,
                                           largest<V, Block>);
      case PlainKernel::add_face:
        return recorded<FaceArgs<Host>>({.name = "add_face", .threads = face_threads}, real,
                                        add_face<V, Block>);
      default:
        break;
    }
  throw Error("kernel", "is of real numbers only");
}

}  // namespace

bool takes_complex(PlainKernel kernel) {
  return kernel != PlainKernel::lower && kernel != PlainKernel::largest && kernel != PlainKernel::add_face;
}

ir::Kernel trace_plain(PlainKernel kernel, ir::Type real, bool is_complex) {
  bool const is_wide = real == ir::Type::f64;
  if (is_complex)
    return is_wide ? of_numbers<Complex<Real>, Complex<double>>(kernel, real)
                   : of_numbers<Complex<Real>, Complex<float>>(kernel, real);
  return is_wide ? of_numbers<Real, double>(kernel, real) : of_numbers<Real, float>(kernel, real);
}

}  // namespace skipper::trace
