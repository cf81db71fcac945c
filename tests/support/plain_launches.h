#pragma once
// Launches of the kernels that are no sweeps, on random numbers: their arguments, the arrays that these point to, and the text, for
// the emulator and for whatever runs the same kernel in another form. One that is made again with the same seed is equal.
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "emulator/emulator.h"
#include "kernel/divide.h"
#include "kernel/faces.h"
#include "kernel/levels.h"
#include "kernel/swap.h"
#include "support/column_systems.h"
#include "support/uniform.h"
#include "trace/arguments.h"
#include "trace/plain.h"

namespace skipper::testing {

using kernel::Complex;
using kernel::Wide;

/// What a launch does with an array.
struct ArrayUse {
  bool is_read = false, is_written = false, is_table = false;
  bool is_unset = false;  // when it begins
};

class PlainArray {
 public:
  PlainArray(std::string name, std::size_t bytes, int element, bool is_double, ArrayUse use)
      : name(std::move(name)),
        is_double(is_double),
        use(use),
        units_(bytes / sizeof(Unit) + 1),
        bytes_(bytes),
        element_(element) {
    std::memset(units_.data(), 0xff, units_.size() * sizeof(Unit));
  }
  std::byte* data() const { return const_cast<std::byte*>(units_.data()->bytes); }
  std::size_t bytes() const { return bytes_; }
  emulator::Array as(emulator::Use how) const {
    return {how, reinterpret_cast<std::uintptr_t>(data()), Wide(bytes_) / element_, element_};
  }

  std::string name;
  bool is_double;  // of numbers in double precision
  ArrayUse use;

 private:
  struct alignas(256) Unit {
    std::byte bytes[256];
  };
  std::vector<Unit> units_;
  std::size_t bytes_;
  int element_;  // bytes of what is read or written at once
};

struct PlainLaunch {
  trace::PlainKernel kernel;
  ir::Type real = ir::Type::f32;
  bool is_complex = false;
  emulator::Grid grid;
  std::vector<PlainArray> arrays;
  emulator::Body text;
  std::vector<std::int64_t> arguments;  // bit patterns, in the order of the kernel's parameters
  std::string argument_bytes;           // the same as the host's struct
};

template <class V>
PlainLaunch launch_on(trace::PlainKernel kernel, emulator::Grid grid) {
  return {kernel,
          sizeof(kernel::RealOf<V>) == 8 ? ir::Type::f64 : ir::Type::f32,
          sizeof(V) != sizeof(kernel::RealOf<V>),
          grid,
          {},
          {},
          {},
          {}};
}

template <class Args>
void set_arguments(PlainLaunch& launch, Args const& args,
                   void (*text)(emulator::EmulatedBlock&, Args const&)) {
  launch.text = [args, text](emulator::EmulatedBlock& block) { text(block, args); };
  launch.arguments = trace::arguments(args);
  launch.argument_bytes.assign(reinterpret_cast<char const*>(&args), sizeof args);
}

/// An array that holds these numbers; no numbers: that many which nobody has set.
template <class E>
E* add_array(PlainLaunch& launch, char const* name, std::vector<E> const& numbers, ArrayUse use) {
  launch.arrays.emplace_back(name, numbers.size() * sizeof(E), int(sizeof(E)),
                             sizeof(kernel::RealOf<E>) == sizeof(double), use);
  std::byte* const data = launch.arrays.back().data();
  if (!use.is_unset && !numbers.empty()) std::memcpy(data, numbers.data(), numbers.size() * sizeof(E));
  return reinterpret_cast<E*>(data);
}

/// From -1 to 1.
template <class V>
std::vector<V> random_numbers(Wide count, std::uint64_t seed) {
  using T = kernel::RealOf<V>;
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  std::vector<V> all(static_cast<std::size_t>(count));
  auto* const reals = reinterpret_cast<T*>(all.data());
  for (std::size_t i = 0; i < all.size() * sizeof(V) / sizeof(T); ++i) reals[i] = Uniform<T>()(random);
  return all;
}

struct ColumnShape {
  int rows = 1;
  Wide columns = 1, blocks = 1;  // at most so many at once
  bool singular = false, in_place = false;
  int prefetch_distance = 0;
  Wide inner = 1;         // strided: neighbouring columns
  bool by_bases = false;  // strided: the output is in two arrays
};
inline std::string text(ColumnShape const& s) {
  return std::to_string(s.rows) + " rows, " + std::to_string(s.columns) + " columns, inner " +
         std::to_string(s.inner) + ", " + std::to_string(s.blocks) + " blocks, prefetch distance " +
         std::to_string(s.prefetch_distance) + (s.singular ? ", singular" : "") +
         (s.in_place ? ", in place" : "") + (s.by_bases ? ", by bases" : "");
}

/// What dense and strided columns have in common: all but where they are stored.
template <class V>
PlainLaunch columns_launch(trace::PlainKernel kernel, ColumnShape const& shape) {
  constexpr int parts = sizeof(V) / sizeof(kernel::RealOf<V>);
  return launch_on<V>(kernel, {kernel::column_grid(shape.columns, shape.singular, shape.blocks), 1,
                               kernel::column_threads, kernel::column_shared(parts)});
}
template <class V>
kernel::ColumnArgs<V> column_args(PlainLaunch& launch, ColumnShape const& shape, V const* in, V* out) {
  constexpr int parts = sizeof(V) / sizeof(kernel::RealOf<V>);
  ColumnSystems const systems(shape.rows, shape.columns);
  ArrayUse const table{.is_table = true};
  std::vector<double> const kept(std::size_t(launch.grid.tiles * kernel::column_kept(shape.rows, parts)));
  auto args = systems.args<V>(in, out, nullptr, nullptr, shape.prefetch_distance);
  args.matrix = add_array(launch, "the matrix", systems.matrix, table);
  args.widths = add_array(launch, "the widths", systems.widths, table);
  args.across = add_array(launch, "across", systems.across, table);
  args.kept =
      add_array(launch, "what is kept", kept, {.is_read = true, .is_written = true, .is_unset = true});
  if (shape.singular)
    args.constant =
        add_array(launch, "the mean", std::vector<double>(1), {.is_written = true, .is_unset = true});
  return args;
}

template <class V>
PlainLaunch dense_columns(ColumnShape const& shape, std::uint64_t seed) {
  PlainLaunch launch = columns_launch<V>(trace::PlainKernel::columns, shape);
  auto const numbers = random_numbers<V>(shape.rows * shape.columns, seed);
  V* const in = add_array(launch, "the input", numbers, {.is_read = true, .is_written = shape.in_place});
  V* const out =
      shape.in_place ? in : add_array(launch, "the output", numbers, {.is_written = true, .is_unset = true});
  auto const args = column_args<V>(launch, shape, in, out);
  set_arguments(launch, args, kernel::solve_columns<V, emulator::EmulatedBlock>);
  return launch;
}

/// From [outer][rows][inner] to [rows][outer][inner]; by bases the second half of that is in another array.
template <class V>
PlainLaunch strided_columns(ColumnShape const& shape, std::uint64_t seed) {
  PlainLaunch launch = columns_launch<V>(trace::PlainKernel::strided_columns, shape);
  Wide const all = shape.rows * shape.columns, unit = (all + 1) / 2;
  ArrayUse const output{.is_written = true, .is_unset = true};
  auto const numbers = random_numbers<V>(all, seed);
  V* const in = add_array(launch, "the input", numbers, {.is_read = true});
  V *const low = add_array(launch, "the output", numbers, output), *const high = add_array(
                                                                       launch, "the output's second half",
                                                                       numbers, output);
  kernel::StridedColumnArgs<V> args{column_args<V>(launch, shape, in, shape.by_bases ? nullptr : low),
                                    {shape.inner, shape.inner, 1, shape.rows * shape.inner},
                                    {shape.columns, shape.inner, 1, shape.inner},
                                    nullptr,
                                    shape.by_bases ? unit : 0,
                                    0.5};
  if (shape.by_bases)
    args.bases =
        add_array(launch, "the base addresses",
                  std::vector<unsigned long long>{reinterpret_cast<unsigned long long>(low),
                                                  reinterpret_cast<unsigned long long>(high) -
                                                      static_cast<unsigned long long>(unit) * sizeof(V)},
                  {.is_table = true});
  set_arguments(launch, args, kernel::solve_strided_columns<V, emulator::EmulatedBlock>);
  return launch;
}

/// Of at most four dimensions, fastest first. The sum of their first symbols is zero.
template <class V>
PlainLaunch division(std::vector<Wide> const& sizes, std::uint64_t seed) {
  kernel::DivideArgs<V> args{};
  args.count = 1;
  std::vector<double> symbols;
  for (std::size_t d = 0; d < kernel::divide_dims; ++d) {
    args.size[d] = d < sizes.size() ? sizes[d] : 1;
    args.first[d] = Wide(symbols.size());
    args.count *= args.size[d];
    for (Wide i = 0; i < args.size[d]; ++i) symbols.push_back(-double(i) * double(d + 1));
  }
  PlainLaunch launch = launch_on<V>(
      trace::PlainKernel::divide,
      {(args.count + kernel::divide_threads - 1) / kernel::divide_threads, 1, kernel::divide_threads, 0});
  args.data = add_array(launch, "the data", random_numbers<V>(args.count, seed),
                        {.is_read = true, .is_written = true});
  args.constant_mode =
      add_array(launch, "the constant mode", std::vector<V>(1), {.is_written = true, .is_unset = true});
  args.symbols = add_array(launch, "the symbols", symbols, {.is_table = true});
  set_arguments(launch, args, kernel::divide<V, emulator::EmulatedBlock>);
  return launch;
}

/// Of rows of so many elements; the other sizes fastest first. Rows of one side are apart by three elements more.
template <class V>
PlainLaunch exchange(Wide row, std::vector<Wide> const& sizes, std::uint64_t seed) {
  kernel::SwapArgs<V> args{};
  args.row = row;
  args.pieces = kernel::swap_pieces(row);
  Wide rows = 1, a = row + 3, b = row;
  for (std::size_t d = 0; d < kernel::swap_dims; ++d) {
    args.size[d] = d < sizes.size() ? sizes[d] : 1;
    args.a_stride[d] = a;
    args.b_stride[d] = b;
    rows *= args.size[d];
    a *= args.size[d];
    b *= args.size[d];
  }
  PlainLaunch launch =
      launch_on<V>(trace::PlainKernel::swap, {rows * args.pieces, 1, kernel::swap_threads, 0});
  ArrayUse const both{.is_read = true, .is_written = true};
  args.a = add_array(launch, "one box", random_numbers<V>(a, seed), both);
  args.b = add_array(launch, "the other box", random_numbers<V>(b, seed + 1), both);
  set_arguments(launch, args, kernel::swap_boxes<V, emulator::EmulatedBlock>);
  return launch;
}

inline Wide level_blocks(Wide count) { return (count + kernel::level_threads - 1) / kernel::level_threads; }

/// By a number of an array, or by one that is an argument.
template <class T>
PlainLaunch lowered(Wide count, bool by_array, std::uint64_t seed) {
  PlainLaunch launch =
      launch_on<T>(trace::PlainKernel::lower, {level_blocks(count), 1, kernel::level_threads, 0});
  kernel::LowerArgs<T> args{};
  args.to = add_array(launch, "the output", std::vector<T>(std::size_t(count)),
                      {.is_written = true, .is_unset = true});
  args.from = add_array(launch, "the input", random_numbers<T>(count, seed), {.is_read = true});
  if (by_array)
    args.level = add_array(launch, "the level", random_numbers<T>(1, seed + 1), {.is_read = true});
  args.count = count;
  args.amount = T(by_array ? 0 : 0.3);
  set_arguments(launch, args, kernel::lower<T, emulator::EmulatedBlock>);
  return launch;
}

template <class T>
PlainLaunch largest(Wide count, Wide blocks, std::uint64_t seed) {
  PlainLaunch launch = launch_on<T>(trace::PlainKernel::largest, {blocks, 1, kernel::level_threads, 0});
  kernel::LargestArgs<T> args{};
  args.count = count;
  args.threads = blocks * kernel::level_threads;
  args.largest = add_array(launch, "the largest", std::vector<T>(std::size_t(args.threads)),
                           {.is_written = true, .is_unset = true});
  args.data = add_array(launch, "the data", random_numbers<T>(count, seed), {.is_read = true});
  set_arguments(launch, args, kernel::largest<T, emulator::EmulatedBlock>);
  return launch;
}

template <class T>
PlainLaunch face(Wide outer, Wide inner, std::uint64_t seed) {
  Wide const count = outer * inner;
  PlainLaunch launch =
      launch_on<T>(trace::PlainKernel::add_face,
                   {(count + kernel::face_threads - 1) / kernel::face_threads, 1, kernel::face_threads, 0});
  kernel::FaceArgs<T> args{};
  args.count = count;
  args.inner = inner;
  args.pitch = 3 * inner;
  args.data = add_array(launch, "the data", random_numbers<T>(3 * count, seed),
                        {.is_read = true, .is_written = true});
  args.values = add_array(launch, "the values", random_numbers<T>(count, seed + 1), {.is_read = true});
  set_arguments(launch, args, kernel::add_face<T, emulator::EmulatedBlock>);
  return launch;
}

}  // namespace skipper::testing
