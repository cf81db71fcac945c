// Kernels that are no sweeps, on the fake driver: found by their names, run under the emulator.
#include <cstring>
#include <type_traits>

#include "emulator/emulator.h"
#include "gpu/fake_driver/world.h"
#include "kernel/columns.h"
#include "kernel/divide.h"
#include "kernel/faces.h"
#include "kernel/levels.h"
#include "kernel/swap.h"

namespace skipper::fake_driver {
namespace {

struct Plain {
  std::size_t bytes = 0;
  int threads = 0, shared = 0;
  void (*run)(void const* arguments, kernel::Wide blocks) = nullptr;
};

template <class Args, int threads, auto body, int shared = 0>
Plain plain() {
  return {sizeof(Args), threads, shared, [](void const* arguments, kernel::Wide blocks) {
            Args args;
            std::memcpy(static_cast<void*>(&args), arguments, sizeof args);
            emulator::run_grid({blocks, 1, threads, shared}, emulator::Checks::none(),
                               [&](emulator::EmulatedBlock& block) { body(block, args); });
          }};
}

template <class V>
Plain of(std::string const& kernel) {
  using Block = emulator::EmulatedBlock;
  if (kernel == "columns_kernel")
    return plain<kernel::ColumnArgs<V>, kernel::column_threads, kernel::solve_columns<V, Block>,
                 kernel::column_shared(sizeof(kernel::widened(V{})) / sizeof(double))>();
  if (kernel == "strided_columns_kernel")
    return plain<kernel::StridedColumnArgs<V>, kernel::column_threads,
                 kernel::solve_strided_columns<V, Block>,
                 kernel::column_shared(sizeof(kernel::widened(V{})) / sizeof(double))>();
  if (kernel == "divide_kernel")
    return plain<kernel::DivideArgs<V>, kernel::divide_threads, kernel::divide<V, Block>>();
  if (kernel == "swap_kernel")
    return plain<kernel::SwapArgs<V>, kernel::swap_threads, kernel::swap_boxes<V, Block>>();
  if constexpr (std::is_floating_point_v<V>) {
    if (kernel == "lower_kernel")
      return plain<kernel::LowerArgs<V>, kernel::level_threads, kernel::lower<V, Block>>();
    if (kernel == "add_face_kernel")
      return plain<kernel::FaceArgs<V>, kernel::face_threads, kernel::add_face<V, Block>>();
    if (kernel == "largest_kernel")
      return plain<kernel::LargestArgs<V>, kernel::level_threads, kernel::largest<V, Block>>();
  }
  return {};
}

Plain known(std::string const& name) {
  std::string const space = "skipper::kernel::";
  std::size_t const open = name.find('<');
  if (!name.starts_with(space) || open == name.npos) return {};
  std::string const kernel = name.substr(space.size(), open - space.size()),
                    type = name.substr(open + 1, name.rfind('>') - open - 1);
  if (type == "float") return of<float>(kernel);
  if (type == "double") return of<double>(kernel);
  if (type == space + "Complex<float>") return of<kernel::Complex<float>>(kernel);
  if (type == space + "Complex<double>") return of<kernel::Complex<double>>(kernel);
  return {};
}

}  // namespace

std::size_t plain_bytes(std::string const& name) { return known(name).bytes; }

bool plain_launch(std::string const& name, unsigned blocks, unsigned threads, unsigned shared) {
  return blocks > 0 && int(threads) == known(name).threads && int(shared) == known(name).shared;
}

int run_plain(std::string const& name, void const* arguments, kernel::Wide blocks) {
  void* array = nullptr;  // the first argument is one
  std::memcpy(&array, arguments, sizeof array);
  if (holder(Address(reinterpret_cast<std::uintptr_t>(array))) == world().memory.end())
    return illegal_address;
  known(name).run(arguments, blocks);
  mark_all_written();
  ++world().ran;
  return success;
}

}  // namespace skipper::fake_driver
