// No less exact than FFTW, within a factor of 1.5, where FFTW is installed: it is opened at run time and never linked.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "cpu/oracle.h"

namespace skipper::cpu::testing {
namespace {

/// FFTW's functions of one precision; `prefix` is "fftw" or "fftwf".
struct Fftw {
  using Plan = void*;
  Plan (*dft)(int, int const*, void*, void*, int, unsigned) = nullptr;
  Plan (*r2c)(int, int const*, void*, void*, unsigned) = nullptr;
  Plan (*c2r)(int, int const*, void*, void*, unsigned) = nullptr;
  Plan (*r2r)(int, int const*, void*, void*, int const*, unsigned) = nullptr;
  void (*execute)(Plan) = nullptr;
  void (*destroy)(Plan) = nullptr;

  explicit Fftw(std::string const& letter) {
    void* const library = dlopen(("libfftw3" + letter + ".so.3").c_str(), RTLD_NOW);
    if (!library) return;
    auto find = [&](auto& entry, char const* name) {
      entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(
          dlsym(library, ("fftw" + letter + "_" + name).c_str()));
    };
    find(dft, "plan_dft"), find(r2c, "plan_dft_r2c"), find(c2r, "plan_dft_c2r");
    find(r2r, "plan_r2r");
    find(execute, "execute"), find(destroy, "destroy_plan");
  }
};

template <class T>
double fftw_error(Problem const& p, Fftw const& f, unsigned seed) {
  return error_by<T>(
      p,
      [&](T const* in, T* out) {
        std::vector<int> n;
        for (Axis const& a : p.axes) n.push_back(static_cast<int>(a.size));
        int const rank = static_cast<int>(n.size());
        std::vector<T> copy(in, in + in_bytes(p) / sizeof(T));  // c2r destroys what it reads
        constexpr unsigned estimate = 1u << 6;
        std::vector<int> kinds;
        for (Axis const& a : p.axes) kinds.push_back(facts(a.kind).fftw);
        Fftw::Plan const plan =
            p.kind == Kind::r2r   ? f.r2r(rank, n.data(), copy.data(), out, kinds.data(), estimate)
            : p.kind == Kind::r2c ? f.r2c(rank, n.data(), copy.data(), out, estimate)
            : p.kind == Kind::c2r ? f.c2r(rank, n.data(), copy.data(), out, estimate)
                                  : f.dft(rank, n.data(), copy.data(), out,
                                          p.direction == Direction::forward ? -1 : 1, estimate);
        f.execute(plan);
        f.destroy(plan);
      },
      seed);
}

template <class T>
void compare(Precision precision, Fftw const& f) {
  std::vector<Problem> problems;
  for (Index n : {2,  3,   4,   5,   8,   12,  15,  16,  17,   30,   31,   32,   34,   60,
                  64, 100, 101, 119, 128, 243, 256, 509, 1000, 1009, 1024, 1111, 2018, 2048}) {
    if (quick() && n > 600) continue;
    problems.push_back(c2c({n}, 1, precision));
    problems.push_back(r2c({n}, 1, precision));
    problems.push_back(c2r({n}, 1, precision));
  }
  for (std::vector<Index> const& shape : {std::vector<Index>{32, 48}, {17, 64}, {12, 16, 20}}) {
    problems.push_back(c2c(shape, 1, precision, Direction::inverse));
    problems.push_back(r2c(shape, 1, precision));
    problems.push_back(c2r(shape, 1, precision));
  }
  for (AxisKind kind : real_axis_kinds)  // the same definitions: both are near the reference
    for (std::vector<Index> const& shape : {std::vector<Index>{2}, {9}, {16}, {31}, {100}, {128}, {12, 15}})
      problems.push_back(r2r(shape, std::vector<AxisKind>(shape.size(), kind), 1, precision));
  for (Problem const& p : problems) {
    double ours = 0, theirs = 0;  // over several inputs: one alone may be lucky
    int const seeds = p.axes[0].size < 200 ? 8 : 2;
    for (int seed = 1; seed <= seeds; ++seed) {
      ours += std::pow(error_of(p, {1, ""}, seed), 2);
      theirs += std::pow(fftw_error<T>(p, f, seed), 2);
    }
    // A few lengths need no rounding but that of sums; there both are allowed one.
    double const floor = std::numeric_limits<T>::epsilon() / 4;
    EXPECT_LE(std::sqrt(ours / seeds), 1.5 * std::sqrt(theirs / seeds) + floor) << text(p);
  }
}

TEST(Fftw, IsNoMoreExact) {
  Fftw const f32("f"), f64("");
  if (!f32.execute || !f64.execute) GTEST_SKIP() << "FFTW is not installed";
  compare<float>(Precision::f32, f32);
  compare<double>(Precision::f64, f64);
}

}  // namespace
}  // namespace skipper::cpu::testing
