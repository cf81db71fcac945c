// What must not change a bit of any kind of problem: the number of threads, and the number of cores that the machine is said
// to have. Workspaces and outputs begin as memory that nobody wrote.
#include <gtest/gtest.h>
#include <skipper/bfloat16.h>
#include <skipper/half.h>

#include <cstring>
#include <random>

#include "base/kinds.h"
#include "cpu/oracle.h"
#include "cpu/shapes.h"

namespace skipper::cpu::testing {
namespace {

/// The problem with zeros around its inputs and without some of its outputs.
Problem partial(Problem p) {
  for (std::size_t i = 0; i < p.axes.size(); ++i) {
    Problem const whole = p;
    Axis& axis = p.axes[i];
    axis.in_count = in_size(whole, i) / 2 + 1;
    axis.out_first = out_size(whole, i) / 3;
    axis.out_count = (out_size(whole, i) + 1) / 2;
  }
  return dense_layout(p);
}

std::vector<Problem> all_kinds(Precision precision) {
  std::vector<Problem> all = shapes(precision);
  for (AxisKind kind : real_axis_kinds)
    for (Index n : {33, 64, 181}) all.push_back(r2r({n}, {kind}, n == 33 ? 70 : 9, precision));
  for (Problem const& p : {c2c({60}, 300, precision), r2c({60}, 300, precision), c2r({60}, 300, precision),
                           r2c({67}, 8, precision), c2c({40, 50}, 3, precision)})
    all.push_back(p);
  std::size_t const whole = all.size();
  for (std::size_t i = 0; i < whole; ++i)
    if (all[i].axes[0].in_stride != 1) all.push_back(partial(all[i]));
  for (std::size_t i = 0; i < whole; i += 5)
    if (all[i].batch.size() < 2) all.push_back(in_place(all[i]));
  return all;
}

/// Lines that are long where there is little cache.
std::vector<Problem> long_lines(Precision precision) {
  std::vector<Problem> all;
  for (Index n : {6561, 8192, 8190, 10007, 2 * 3001}) {
    all.push_back(c2c({n}, n % 2 ? 1 : 7, precision));
    all.push_back(r2c({n}, n % 2 ? 5 : 1, precision));
    all.push_back(c2r({n}, 1, precision));
    all.push_back(partial(c2c({n}, 2, precision)));
    all.push_back(in_place(c2c({n}, 6, precision)));
  }
  for (AxisKind kind : real_axis_kinds)
    for (Index n : {8963, 9000}) all.push_back(r2r({n}, {kind}, 1, precision));
  return all;
}

template <class S>
std::vector<S> result(Problem const& p, Machine const& machine, int threads) {
  std::mt19937 random(3);
  skipper::testing::Uniform<double> uniform;
  std::vector<S> in(static_cast<std::size_t>(in_bytes(p)) / sizeof(S));
  for (S& x : in) x = S(static_cast<float>(uniform(random)));
  std::vector<S> out = unset<S>(std::max(in_bytes(p), out_bytes(p)) / static_cast<Index>(sizeof(S)));
  bool const inside = p.placement == Placement::in_place;
  if (inside) std::copy(in.begin(), in.end(), out.begin());
  execute_unset(Transform(p, machine, {threads, ""}), inside ? out.data() : in.data(), out.data());
  return out;
}

template <class S>
void expect_same_bits(Problem const& p, Machine machine) {
  std::vector<S> const expected = result<S>(p, machine, 1);
  each_output(p, [&](Index i) { ASSERT_FALSE(std::isnan(double(expected[i]))) << text(p) << " at " << i; });
  auto const compare = [&](std::vector<S> const& got, char const* what, int count) {
    EXPECT_EQ(std::memcmp(got.data(), expected.data(), sizeof(S) * got.size()), 0)
        << count << what << text(p) << "\n"
        << Transform(p, machine, {1, ""}).describe();
  };
  for (int threads : {2, 3, 5, 16}) compare(result<S>(p, machine, threads), " threads: ", threads);
  for (int cores : {1, 2, 16, 64}) {
    machine.sms = cores;
    compare(result<S>(p, machine, 3), " cores: ", cores);
  }
}

void expect_same_bits(std::vector<Problem> const& problems, Index l2_bytes, std::size_t sample) {
  Machine machine = host_machine();
  machine.l2_bytes = l2_bytes;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!takes(i, sample)) continue;
    Problem const& p = problems[i];
    if (p.precision == Precision::f32) expect_same_bits<float>(p, machine);
    if (p.precision == Precision::f64) expect_same_bits<double>(p, machine);
    if (p.precision == Precision::f16) expect_same_bits<Half>(p, machine);
    if (p.precision == Precision::bf16) expect_same_bits<BFloat16>(p, machine);
  }
}

Precision const precisions[] = {Precision::f32, Precision::f64, Precision::f16, Precision::bf16};

TEST(SameBits, OfAllKinds) {
  for (Precision precision : precisions) expect_same_bits(all_kinds(precision), Index(1) << 20, 7);
}

TEST(SameBits, OfAllKindsWithLittleCache) {
  for (Precision precision : precisions) expect_same_bits(all_kinds(precision), Index(1) << 14, 11);
}

TEST(SameBits, OfLongLines) {
  for (Precision precision : precisions) expect_same_bits(long_lines(precision), Index(1) << 16, 7);
}

}  // namespace
}  // namespace skipper::cpu::testing
