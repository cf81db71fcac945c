// The kernels that are no sweeps, under all checks of the emulator and as NVRTC compiles them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "emulator/emulator.h"
#include "kernel/divide.h"
#include "kernel/faces.h"
#include "kernel/levels.h"
#include "kernel/swap.h"
#include "support/column_systems.h"
#include "support/uniform.h"

namespace skipper::testing {
namespace {

using kernel::Complex;
using kernel::Wide;

double norm(double x) { return x * x; }
template <class T>
double norm(Complex<T> x) {
  return double(x.re) * double(x.re) + double(x.im) * double(x.im);
}

template <class V>
void set(V& to, double re, double) {
  to = V(re);
}
template <class T>
void set(Complex<T>& to, double re, double im) {
  to = {T(re), T(im)};
}

/// What is left of the equations, over the right side: column 0 is singular and loses its mean.
template <class V>
void expect_solved(int rows, Wide columns, double close, Wide most) {
  auto const place = [&](Wide row, Wide column) { return std::size_t(row * columns + column); };
  SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
  ColumnSystems const systems(rows, columns);
  std::mt19937 random(1);
  Uniform<double> uniform;
  std::vector<V> f(std::size_t(rows * columns)), x(f.size());
  for (int i = 0; i < rows; ++i)
    for (Wide j = 0; j < columns; ++j) set(f[place(i, j)], uniform(random) + 0.5, j ? uniform(random) : 0);
  constexpr int parts = sizeof(kernel::widened(V{})) / sizeof(double);
  Wide const blocks = kernel::column_grid(columns, true, most);
  std::vector<double> kept(std::size_t(blocks * kernel::column_kept(rows, parts)));
  double mean = 77;
  auto const args = systems.args<V>(f.data(), x.data(), kept.data(), &mean, int(most));
  emulator::run_grid(
      {blocks, 1, kernel::column_threads, kernel::column_shared(parts)}, emulator::Checks::all(),
      [&](emulator::EmulatedBlock& block) { kernel::solve_columns(block, args); },
      {emulator::loadable(f.data(), Wide(f.size())), emulator::storable(x.data(), Wide(x.size())),
       emulator::loadable(static_cast<double const*>(kept.data()), Wide(kept.size())),
       emulator::storable(kept.data(), Wide(kept.size())), emulator::storable(&mean, 1),
       emulator::root_table(systems.matrix.data(), Wide(systems.matrix.size())),
       emulator::root_table(systems.widths.data(), Wide(systems.widths.size())),
       emulator::root_table(systems.across.data(), Wide(systems.across.size()))});
  double sum = 0, level = 0, off = 0, whole = 0;
  for (int i = 0; i < rows; ++i) {
    double const width = systems.widths[std::size_t(i)];
    auto first = kernel::widened(f[place(i, 0)]), value = kernel::widened(x[place(i, 0)]);
    sum += width * kernel::part(first, 0);
    level += width * kernel::part(value, 0);
  }
  EXPECT_NEAR(mean, sum / systems.length, 1e-12);
  EXPECT_NEAR(level / systems.length, 0, close * rows);
  for (int i = 0; i < rows; ++i)
    for (Wide j = 0; j < columns; ++j) {
      double const* const row = &systems.matrix[std::size_t(i) * 4];
      auto const at = [&](int k) { return kernel::widened(x[place(k, j)]); };
      auto left = (row[1] + systems.across[std::size_t(j)]) * at(i);
      if (i > 0) left = left + row[0] * at(i - 1);
      if (i + 1 < rows) left = left + row[2] * at(i + 1);
      auto right = kernel::widened(f[place(i, j)]);
      if (j == 0) kernel::part(right, 0) -= mean;
      off += norm(left - right);
      whole += norm(right);
    }
  EXPECT_LE(off, close * close * whole);
}

TEST(PlainKernels, ColumnsAreSolved) {
  for (int rows : {1, 2, 8, 9, 15, 16, 17, 40, 64, 81})
    for (Wide columns : {1, 5, 130}) {
      Wide const most = 1 + rows % 4;  // tiles take turns in so many blocks
      expect_solved<double>(rows, columns, 1e-13, most);
      expect_solved<Complex<double>>(rows, columns, 1e-13, most);
      expect_solved<float>(rows, columns, 1e-5, most);
      expect_solved<Complex<float>>(rows, columns, 1e-5, most);
    }
}

/// Columns that stand anywhere, stored by base addresses, are solved to the last bit as those of a dense array.
TEST(PlainKernels, StridedColumnsAreThoseOfADenseArray) {
  int const rows = 19;
  Wide const inner = 7, outer = 6, columns = inner * outer, all = rows * columns;
  ColumnSystems const systems(rows, columns);
  std::vector<float> f(static_cast<std::size_t>(all)), dense(f.size()), transposed(f.size()),
      stored(f.size());
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = float(std::sin(double(3 * i)));
  // From [rows][outer][inner] to [outer][rows][inner], half of which are in one array and half in another.
  for (Wide i = 0; i < rows; ++i)
    for (Wide c = 0; c < columns; ++c)
      transposed[std::size_t((c / inner * rows + i) * inner + c % inner)] = f[std::size_t(i * columns + c)];
  Wide const unit = all / 2, blocks = kernel::column_grid(columns, true, 2);
  std::vector<float> low(std::size_t(unit) + 3), high(low.size());
  std::vector<unsigned long long> const bases = {reinterpret_cast<unsigned long long>(low.data()),
                                                 reinterpret_cast<unsigned long long>(high.data()) -
                                                     static_cast<unsigned long long>(unit) * sizeof(float)};
  std::vector<double> kept(std::size_t(blocks * kernel::column_kept(rows, 1)));
  double mean = 0, other_mean = 1;
  auto args = systems.args<float>(f.data(), dense.data(), kept.data(), &mean, 0);
  auto const run = [&](auto&& body) {
    emulator::run_grid({blocks, 1, kernel::column_threads, kernel::column_shared(1)},
                       emulator::Checks::none(), body);
  };
  run([&](emulator::EmulatedBlock& block) { kernel::solve_columns(block, args); });
  args.in = transposed.data();
  args.out = nullptr;
  args.constant = &other_mean;
  kernel::ColumnPlaces const places{inner, inner, 1, rows * inner};
  kernel::StridedColumnArgs<float> const strided{args, places, places, bases.data(), unit, 0.5};
  run([&](emulator::EmulatedBlock& block) { kernel::solve_strided_columns(block, strided); });
  EXPECT_EQ(mean, other_mean);
  for (Wide i = 0; i < rows; ++i)
    for (Wide c = 0; c < columns; ++c) {
      Wide const at = (c / inner * rows + i) * inner + c % inner;
      float const found = at < unit ? low[std::size_t(at)] : high[std::size_t(at - unit)];
      EXPECT_EQ(found, dense[std::size_t(i * columns + c)] / 2) << i << " " << c;
    }
}

TEST(PlainKernels, FacesAreAddedToTheirLayer) {
  std::vector<float> data(4 * 3 * 100), values(4 * 100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i + 1);
  Wide const count = Wide(data.size());
  kernel::FaceArgs<float> const args{data.data() + 200, values.data(), 400, 100, 300};
  emulator::run_grid({2, 1, kernel::face_threads, 0}, emulator::Checks::all(),
                     [&](emulator::EmulatedBlock& block) { kernel::add_face(block, args); },
                     {emulator::loadable(static_cast<float const*>(data.data()), count),
                      emulator::storable(data.data(), count),
                      emulator::loadable(static_cast<float const*>(values.data()), 400)});
  for (std::size_t i = 0; i < data.size(); ++i)
    EXPECT_EQ(data[i], i / 100 % 3 == 2 ? values[i / 300 * 100 + i % 100] : 0) << i;
}

TEST(PlainKernels, DivideBySums) {
  std::vector<double> const symbols = {0, 1, 2, 0, 10, 0, 100, 200, 300, 400, 0};
  std::vector<Complex<float>> data(3 * 2 * 3);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = {float(i + 1), 1};
  auto const before = data;
  Complex<float> constant{};
  // The slowest dimension has the symbols 0 (at 5), 100, 200.
  kernel::DivideArgs<Complex<float>> const args{data.data(),       &constant,    symbols.data(),
                                                Wide(data.size()), {3, 2, 3, 1}, {0, 3, 5, 10}};
  emulator::run_grid({1, 1, kernel::divide_threads, 0}, emulator::Checks::all(),
                     [&](emulator::EmulatedBlock& block) { kernel::divide(block, args); },
                     {emulator::loadable(static_cast<Complex<float> const*>(data.data()), Wide(data.size())),
                      emulator::storable(data.data(), Wide(data.size())), emulator::storable(&constant, 1),
                      emulator::root_table(symbols.data(), Wide(symbols.size()))});
  EXPECT_EQ(constant.re, 1);
  EXPECT_EQ(data[0].re, 0);
  for (std::size_t i = 1; i < data.size(); ++i) {
    double const symbol = double(i % 3) + 10 * double(i / 3 % 2) + 100 * double(i / 6);
    EXPECT_FLOAT_EQ(data[i].re, float(before[i].re / symbol)) << i;
  }
}

TEST(PlainKernels, LevelsAndLargest) {
  std::vector<double> from(3 * kernel::level_threads + 7), to(from.size()),
      most(2 * kernel::level_threads, -1);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = 5 + std::sin(double(i));
  from[600] = -77;
  double const* const given = from.data();
  Wide const count = Wide(from.size());
  auto const run = [&](Wide blocks, auto&& body) {
    emulator::run_grid({blocks, 1, kernel::level_threads, 0}, emulator::Checks::all(), body,
                       {emulator::loadable(given, count), emulator::storable(to.data(), count),
                        emulator::storable(most.data(), Wide(most.size()))});
  };
  kernel::LowerArgs<double> const lowered{to.data(), given, given, count};
  run(4, [&](emulator::EmulatedBlock& block) { kernel::lower(block, lowered); });
  for (std::size_t i = 0; i < from.size(); ++i) EXPECT_EQ(to[i], from[i] - from[0]);
  kernel::LowerArgs<double> const copied{to.data(), given, nullptr, count};
  run(4, [&](emulator::EmulatedBlock& block) { kernel::lower(block, copied); });
  EXPECT_EQ(to, from);
  kernel::LowerArgs<double> const by_two{to.data(), given, nullptr, count, 2};
  run(4, [&](emulator::EmulatedBlock& block) { kernel::lower(block, by_two); });
  for (std::size_t i = 0; i < from.size(); ++i) EXPECT_EQ(to[i], from[i] - 2);
  kernel::LargestArgs<double> const searched{most.data(), given, count, Wide(most.size())};
  run(2, [&](emulator::EmulatedBlock& block) { kernel::largest(block, searched); });
  EXPECT_EQ(*std::max_element(most.begin(), most.end()), 77);
  EXPECT_GE(*std::min_element(most.begin(), most.end()), 0);
}

TEST(PlainKernels, BoxesAreSwapped) {
  // Of 3 x 2 rows: in a the rows are 5000 apart, in b 2000 and planes 6000.
  Wide const row = 1500, of_a = 3 * 2 * 5000, of_b = 3 * 6000;
  std::vector<Complex<float>> a(of_a), b(of_b);
  for (Wide i = 0; i < of_a; ++i) a[std::size_t(i)] = {float(i), 1};
  for (Wide i = 0; i < of_b; ++i) b[std::size_t(i)] = {float(i), 2};
  kernel::SwapArgs<Complex<float>> const args{
      a.data() + 10,          b.data() + 20,        row, kernel::swap_pieces(row), {2, 3, 1, 1, 1},
      {5000, 10000, 0, 0, 0}, {2000, 6000, 0, 0, 0}};
  auto const all = [](std::vector<Complex<float>>& x, Wide first) {
    Complex<float> const* const given = x.data() + first;
    return std::pair(emulator::loadable(given, Wide(x.size()) - first),
                     emulator::storable(x.data() + first, Wide(x.size()) - first));
  };
  auto const [load_a, store_a] = all(a, 10);
  auto const [load_b, store_b] = all(b, 20);
  emulator::run_grid({6 * args.pieces, 1, kernel::swap_threads, 0}, emulator::Checks::all(),
                     [&](emulator::EmulatedBlock& block) { kernel::swap_boxes(block, args); },
                     {load_a, store_a, load_b, store_b});
  std::size_t moved = 0;
  for (Wide plane = 0; plane < 3; ++plane)
    for (Wide line = 0; line < 2; ++line)
      for (Wide i = 0; i < row; ++i) {
        Wide const x = 10 + plane * 10000 + line * 5000 + i, y = 20 + plane * 6000 + line * 2000 + i;
        ASSERT_EQ(a[std::size_t(x)].re, float(y));
        ASSERT_EQ(b[std::size_t(y)].re, float(x));
      }
  for (auto const& x : a) moved += x.im == 2;
  for (auto const& y : b) moved += y.im == 1;
  EXPECT_EQ(moved, std::size_t(2 * 6 * row));
}

}  // namespace
}  // namespace skipper::testing
