// See verify_real.h.
#include "support/verify_real.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "reference/transform.h"
#include "support/compare.h"
#include "support/outputs.h"
#include "support/verify.h"

namespace skipper::testing {
namespace {

template <class T>
class RealRun {
 public:
  using R = Beyond<T>;

  RealRun(Program const& program, Machine const& machine, std::uint64_t seed)
      : program_(program), p_(program.problem), machine_(machine), random_(seed) {}

  void run() {
    bool const in_place = p_.placement == Placement::in_place;
    auto const elements = [&](std::int64_t bytes) { return (bytes + 2 * sizeof(T) - 1) / (2 * sizeof(T)); };
    std::size_t const room =
        in_place ? elements(std::max(in_bytes(p_), out_bytes(p_))) : elements(in_bytes(p_));
    Array<T> const input = random_array<T>(Index(room), random_);
    Array<T> in = input, out = unset_array<T>(in_place ? 0 : elements(out_bytes(p_)));
    for (SweepRun const& run : run_program<T>(program_, in, out, machine_))
      verify_counts(run, element_bytes(p_));
    bool const preserved = std::memcmp(in.data(), input.data(), in.size() * sizeof(in[0])) == 0;
    EXPECT_TRUE(in_place || preserved) << "the input was not preserved";
    compare_all(input, in_place ? in : out);
    if (!in_place) verify_written(p_, out);
  }

 private:
  bool real(bool output) const {
    return (output ? out_element_bytes(p_) : in_element_bytes(p_)) == sizeof(T);
  }

  reference::Complex<R> at(Array<T> const& x, Index place, bool output) const {
    auto const* const t = reinterpret_cast<T const*>(x.data());
    if (real(output)) return {R(double(t[place])), R(0.0)};
    return {R(double(t[2 * place])), R(double(t[2 * place + 1]))};
  }

  static double squared(reference::Complex<R> const& z) {
    double const re = reference::rounded(z.re), im = reference::rounded(z.im);
    return re * re + im * im;
  }

  void compare_all(Array<T> const& in, Array<T> const& out) {
    Index batch = 1;
    for (Dim const& d : p_.batch) batch *= d.size;
    double error = 0, norm = 0;
    for (Index l = 0; l < std::min<Index>(batch, 4); ++l) {
      Index const b = l == 0 ? 0 : l == 1 ? batch - 1 : Index(random_() % std::uint64_t(batch));
      std::vector<reference::Complex<R>> x;
      for (Index place : places(p_, b, false)) x.push_back(at(in, place, false));
      auto const expected = reference::transformed(p_, std::move(x));
      auto const where = places(p_, b, true);
      ASSERT_EQ(expected.size(), where.size());
      for (std::size_t i = 0; i < where.size(); ++i) {
        auto const difference = at(out, where[i], true) - expected[i];
        error += squared(difference);
        norm += squared(expected[i]);
      }
    }
    EXPECT_LE(std::sqrt(error / std::max(norm, 1e-300)), allowed_error(p_));
  }

  Program const& program_;
  Problem const& p_;
  Machine const& machine_;
  std::mt19937_64 random_;
};

}  // namespace

void verify_real(Program const& program, Machine const& machine, std::uint64_t seed) {
  SCOPED_TRACE(text(program) + "seed " + std::to_string(seed));
  try {
    if (program.problem.precision == Precision::f32)
      RealRun<float>(program, machine, seed).run();
    else
      RealRun<double>(program, machine, seed).run();
  } catch (std::exception const& e) {
    ADD_FAILURE() << e.what();
  }
}

}  // namespace skipper::testing
