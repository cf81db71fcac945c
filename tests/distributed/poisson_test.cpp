// Poisson problems over threads against the solver on one rank.
#include <gtest/gtest.h>
#include <skipper/distributed_poisson.h>

#include <mutex>
#include <thread>

#include "distributed/on_ranks.h"
#include "poisson/spread.h"
#include "support/poisson_problems.h"
#include "support/quick.h"

namespace skipper {
namespace {

using namespace testing;

/// What all ranks say of a solver, which must be the same.
struct Told {
  int exchanges = 0;
  std::string program;
};

template <class T>
Told expect_right(PoissonProblem const& p, int ranks, DistributedSettings const& settings,
                  Input<T> const& input) {
  std::vector<T> expected(input.f.size()), result(input.f.size());
  double const defect = Poisson(p).solve(input.f.data(), expected.data(), {.faces = input.faces}).defect;
  auto const communicators = thread_communicators(ranks, std::chrono::seconds(60));
  Told told;
  std::mutex mutex;
  std::vector<Index> const sizes = sizes_of(p);
  auto const errors = on_ranks(ranks, [&](int r) {
    DistributedPoisson const poisson(p, communicators[std::size_t(r)], settings);
    std::vector<T> f(static_cast<std::size_t>(poisson.in_elements())),
        phi(static_cast<std::size_t>(poisson.out_elements()));
    each_element(poisson.in_box(), sizes,
                 [&](std::size_t here, std::size_t there) { f[here] = input.f[there]; });
    std::vector<Faces<T>> faces = input.faces;
    for (std::size_t a = 0; a < faces.size(); ++a) {
      faces[a].low = beside(faces[a].low, sizes, poisson.in_box(), a);
      faces[a].high = beside(faces[a].high, sizes, poisson.in_box(), a);
    }
    PoissonResult found;
    for (int repeat = 0; repeat < 3; ++repeat) found = poisson.solve(f.data(), phi.data(), {.faces = faces});
    std::lock_guard const lock(mutex);
    EXPECT_NEAR(found.defect, defect, (sizeof(T) == 8 ? 1e-13 : 1e-5) * (1 + std::fabs(defect)));
    EXPECT_TRUE(told.program.empty() || told.program == poisson.describe());
    told = {poisson.exchanges(), poisson.describe()};
    each_element(poisson.out_box(), sizes,
                 [&](std::size_t here, std::size_t there) { result[there] = phi[here]; });
  });
  for (std::string const& e : errors) EXPECT_EQ(e, "");
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    difference += std::pow(double(result[i]) - double(expected[i]), 2);
    size += std::pow(double(expected[i]), 2);
  }
  EXPECT_LT(std::sqrt(difference / std::max(size, 1e-300)), sizeof(T) == 8 ? 1e-12 : 2e-5) << told.program;
  return told;
}

template <class T>
Told expect_right(PoissonProblem const& p, int ranks, DistributedSettings const& settings,
                  std::mt19937& random) {
  return expect_right(p, ranks, settings, random_input<T>(p, random, p.symbols == Symbols::second_order));
}

Told expect_right(PoissonProblem const& p, int ranks, DistributedSettings const& settings,
                  std::mt19937& random) {
  SCOPED_TRACE(text_of(p) + " over " + std::to_string(ranks));
  return p.precision == Precision::f64 ? expect_right<double>(p, ranks, settings, random)
                                       : expect_right<float>(p, ranks, settings, random);
}

TEST(DistributedPoisson, EveryNumberOfRanksIsRight) {
  std::mt19937 random(5);
  Boundary const n = Boundary::neumann, d = Boundary::dirichlet, o = Boundary::periodic;
  for (int ranks = 1; ranks <= 12; ranks += testing::quick() ? 3 : 1) {
    PoissonProblem p;
    p.axes = {axis(12, o, o), axis(10, n, n), axis(7, o, o)};
    expect_right(p, ranks, {}, random);
    p.precision = Precision::f64;
    p.axes = {axis(11, n, d), axis(9, o, o), axis(8, d, d, Centring::node)};
    expect_right(p, ranks, {.exchange = ExchangeMethod::messages, .pieces = 3}, random);
    p.axes = {axis(13, n, n, Centring::node, true), axis(6, o, o), axis(10, o, o)};
    expect_right(p, ranks, {}, random);
    p.axes = {axis(9, o, o), axis(7, n, n)};
    expect_right(p, ranks, {.exchange = ExchangeMethod::direct}, random);
  }
}

TEST(DistributedPoisson, RandomProblemsAreRight) {
  std::mt19937 random(23);
  for (int i = 0, all = testing::quick() ? 30 : 200; i < all; ++i) {
    DistributedSettings settings;
    settings.exchange = random() % 2 ? ExchangeMethod::messages : ExchangeMethod::automatic;
    settings.any_output = random() % 4 == 0;
    settings.cpu.threads = int(random() % 4);
    expect_right(random_problem(random), 1 + int(random() % 8), settings, random);
  }
}

TEST(DistributedPoisson, RandomBoxesAreRight) {
  std::mt19937 random(29);
  for (int i = 0, all = testing::quick() ? 25 : 150; i < all; ++i) {
    PoissonProblem const p = random_problem(random);
    int const ranks = 1 + int(random() % 6);
    DistributedSettings settings;
    settings.in = random_bricks(sizes_of(p), ranks, random);
    if (random() % 2) settings.out = random_bricks(sizes_of(p), ranks, random);
    expect_right(p, ranks, settings, random);
  }
}

int exchanges(PoissonProblem const& p, int ranks, std::size_t in, std::size_t out) {
  std::vector<Index> const sizes = sizes_of(p);
  return poisson::spread_program(
             p, {slabs(sizes, ranks, in), slabs(sizes, ranks, out), false, distributed::links("host"), 0})
      .program.exchanges();
}

TEST(DistributedPoisson, SlabsOfAnyAxisAreRight) {
  std::mt19937 random(31);
  for (int mix = 0; mix < 27; ++mix)
    for (std::size_t cut = 0; cut < 3; ++cut) {
      if (testing::quick() && cut != std::size_t(mix + mix / 3 + mix / 9) % 3) continue;
      PoissonProblem const p = mixed({8, 9, 10}, mix, int(random() % 4) - 1);
      expect_right(p, 4, {.in = slabs(sizes_of(p), 4, cut)}, random);
    }
}

/// Of all mixes of boundaries, cut along any axis: what is left is done in one stage, there and back. To slabs of another axis it takes one more
/// at most: where a third axis is swept, which must be whole in that stage, or where that is less work.
TEST(DistributedPoisson, SlabsTakeTwoExchanges) {
  for (int mix = 0; mix < 27; ++mix) {
    if (!testing::takes(std::size_t(mix), 9)) continue;
    for (std::size_t in = 0; in < 3; ++in)
      for (std::size_t out = 0; out < 3; ++out)
        for (int swept = -1; swept < 3; ++swept) {
          PoissonProblem const p = mixed({240, 200, 256}, mix, swept);
          int const found = exchanges(p, 4, in, out);
          EXPECT_TRUE(found == 2 || (in != out && found == 3))
              << found << " of " << text_of(p) << " from " << in << " to " << out;
        }
  }
}

TEST(DistributedPoisson, PlanesAndCubesTakeTwoExchanges) {
  std::mt19937 random(37);
  PoissonProblem p;
  p.axes = {{16}, {12}};
  EXPECT_EQ(expect_right(p, 4, {}, random).exchanges, 2);
  EXPECT_EQ(expect_right(p, 1, {}, random).exchanges, 0);
  p.axes = {{4}, {16}, {16}};
  // More ranks than planes: pencils.
  Told const told = expect_right(p, 8, {}, random);
  EXPECT_NE(told.program.find("grid 2x4x1 axes 2"), std::string::npos) << told.program;
  p.axes = {{64}, {64}, {64}};
  Told const cube = expect_right(p, 4, {.pieces = 1}, random);
  EXPECT_EQ(
      cube.program,
      "r2c f32 forward 64x64x64 over 4 ranks\ngrid 4x1x1 axes 1,2\ngrid 1x4x1 axes 0 back 0\ngrid 4x1x1 "
      "back 1,2");
}

TEST(DistributedPoisson, OutputsCutOtherwiseAreRight) {
  std::mt19937 random(41);
  for (int mix = 0; mix < 27; mix += 4)
    for (std::size_t cut = 0; cut < 9; ++cut) {
      if (!testing::takes(cut + std::size_t(mix), 3)) continue;
      PoissonProblem const p = mixed({16, 10, 12}, mix, int(random() % 4) - 1);
      std::vector<Index> const sizes = sizes_of(p);
      expect_right(p, 3, {.in = slabs(sizes, 3, cut / 3), .out = slabs(sizes, 3, cut % 3)}, random);
    }
}

TEST(DistributedPoisson, ProgramsRunByTheirText) {
  std::mt19937 random(43);
  PoissonProblem p;
  p.axes = {{8}, {6}, {5}};
  for (std::size_t cut = 0; cut < 3; ++cut) {
    Told const told = expect_right(p, 4, {.in = slabs(sizes_of(p), 4, cut)}, random);
    EXPECT_EQ(expect_right(p, 4, {.program = told.program}, random).program, told.program);
  }
  auto const refused = [&](std::string const& program) {
    try {
      DistributedPoisson(p, thread_communicators(1)[0], {.program = program});
    } catch (Error const& e) {
      return std::string(e.what());
    }
    return std::string("taken");
  };
  std::string const head = "r2c f32 forward 8x6x5 over 1 ranks\n";
  EXPECT_EQ(refused(head + "grid 1x1x1 axes 0,1,2 back 0,1,2"), "taken");
  EXPECT_NE(refused(head + "grid 1x1x1 axes 0,1,2").find("does not go back"), std::string::npos);
  EXPECT_NE(refused(head + "grid 1x1x1 axes 1,2 back 1,2").find("before all axes"), std::string::npos);
  EXPECT_NE(refused(head + "grid 1x1x1 axes 0,1,2 back 1").find("not undo all"), std::string::npos);
  EXPECT_NE(refused(head + "grid 1x1x1 axes 0,1,2 back 2\ngrid 1x1x1 back 0,1").find("r2c undoes last"),
            std::string::npos);
  EXPECT_NE(refused("order 2,1,0\n" + head + "grid 1x1x1 axes 0,1,2 back 0,1,2").find("order of axes"),
            std::string::npos);
  EXPECT_NE(
      refused("r2c f32 forward 8x6x6 over 1 ranks\ngrid 1x1x1 axes 0,1,2 back 0,1,2").find("the problem is"),
      std::string::npos);
  EXPECT_NE(
      refused("r2c f32 forward 8x6x5 over 2 ranks\ngrid 1x1x1 axes 0,1,2 back 0,1,2").find("for 2 ranks"),
      std::string::npos);
  p.axes[1] = axis(6, Boundary::neumann, Boundary::dirichlet, Centring::cell, true);
  std::string const kinds = "r2c f32 forward 8x6x5 kinds fourier,dct4,fourier over 1 ranks\n";
  EXPECT_EQ(refused(kinds + "grid 1x1x1 axes 0,2\ngrid 1x1x1 axes 1 back 1\ngrid 1x1x1 back 0,2"), "taken");
  EXPECT_NE(refused(kinds + "grid 1x1x1 axes 1,2\ngrid 1x1x1 axes 0 back 0,1,2").find("is tridiagonal"),
            std::string::npos);
  EXPECT_NE(refused(kinds + "grid 1x1x1 axes 0,1,2 back 0,2\ngrid 1x1x1 back 1").find("is tridiagonal"),
            std::string::npos);
}

TEST(DistributedPoisson, TransformsRefuseRoundTrips) {
  EXPECT_THROW(DistributedPlan(c2c({4, 4}), thread_communicators(1)[0],
                               {.program = "c2c f32 forward 4x4 over 1 ranks\ngrid 1x1 axes 0,1 back 0,1"}),
               Error);
}

TEST(DistributedPoisson, AllRanksHearThatThereIsNoSolutionAndGoOn) {
  for (bool const swept : {false, true}) {
    PoissonProblem p;
    p.precision = Precision::f64;
    p.zero_mode = ZeroMode::error;
    p.axes = {axis(9, Boundary::neumann, Boundary::neumann, Centring::node, swept), {8}};
    auto const communicators = thread_communicators(3, std::chrono::seconds(60));
    std::vector<double> phis;
    std::mutex mutex;
    std::vector<std::string> told(3);
    auto const errors = on_ranks(3, [&](int r) {
      DistributedPoisson const poisson(p, communicators[std::size_t(r)]);
      std::size_t const n = std::size_t(poisson.in_elements());
      std::vector<double> f(n, 1.0), phi(n, 7.0);
      try {
        poisson.solve(f.data(), phi.data());
      } catch (Error const& e) {
        told[std::size_t(r)] = e.what();
      }
      for (double const x : phi) EXPECT_EQ(x, 7.0);
      for (std::size_t i = 0; i < n; ++i) f[i] = i % 8 < 4 ? 1 : -1;
      poisson.solve(f.data(), phi.data());
      std::lock_guard const lock(mutex);
      phis.insert(phis.end(), phi.begin(), phi.end());
    });
    for (std::string const& e : errors) EXPECT_EQ(e, "");
    for (std::string const& e : told) EXPECT_NE(e.find("f: has the mean 1 "), std::string::npos) << e;
    double sum = 0, most = 0;
    for (double const x : phis) sum += x, most = std::max(most, std::fabs(x));
    EXPECT_GT(most, 0.01);
    EXPECT_LT(std::fabs(sum), 1e-12);
  }
}

TEST(DistributedPoisson, ArraysMayBeOne) {
  PoissonProblem p;
  p.axes = {{12}, {8}, {6}};
  std::mt19937 random(47);
  Input<float> const input = random_input<float>(p, random, false);
  std::vector<float> expected(input.f.size());
  Poisson(p).solve(input.f.data(), expected.data());
  for (int const ranks : {1, 4}) {
    auto const communicators = thread_communicators(ranks, std::chrono::seconds(60));
    auto const errors = on_ranks(ranks, [&](int r) {
      DistributedPoisson const poisson(p, communicators[std::size_t(r)]);
      std::vector<float> data(static_cast<std::size_t>(poisson.in_elements()));
      each_element(poisson.in_box(), sizes_of(p),
                   [&](std::size_t here, std::size_t there) { data[here] = input.f[there]; });
      poisson.solve(data.data(), data.data());
      each_element(poisson.out_box(), sizes_of(p), [&](std::size_t here, std::size_t there) {
        EXPECT_NEAR(data[here], expected[there], 1e-5);
      });
    });
    for (std::string const& e : errors) EXPECT_EQ(e, "");
  }
}

/// What every rank is told where they differ in one thing, or where one of them errs.
std::vector<std::string> told_by(
    int ranks, std::function<void(int, PoissonProblem&, DistributedSettings&)> const& change) {
  auto const communicators = thread_communicators(ranks, std::chrono::seconds(60));
  return on_ranks(ranks, [&](int r) {
    PoissonProblem p;
    p.axes = {{8}, {6}, axis(5, Boundary::dirichlet, Boundary::neumann)};
    DistributedSettings settings;
    change(r, p, settings);
    DistributedPoisson(p, communicators[std::size_t(r)], settings);
  });
}

TEST(DistributedPoisson, ErrorsAreTheSameOnAllRanks) {
  auto const expect_all = [](std::vector<std::string> const& errors, std::string const& what) {
    for (std::string const& e : errors) EXPECT_NE(e.find(what), std::string::npos) << e;
  };
  expect_all(told_by(3, [](int r, auto& p, auto&) { p.axes[2].length = r == 2 ? 2 : 1; }), "axes[2]: is '");
  expect_all(told_by(3, [](int r, auto& p, auto&) { p.shift = r == 1 ? -1 : 0; }),
             "shift: is '0' on rank 0 but '-1' on rank 1");
  expect_all(told_by(2,
                     [](int r, auto& p, auto&) {
                       if (r == 1) p.axes.pop_back();
                     }),
             "'none' on rank 1");
  expect_all(told_by(2, [](int r, auto&, auto& s) { s.pieces = r; }), "pieces");
  expect_all(told_by(2, [](int, auto& p, auto&) { p.complex = true; }), "complex: is set");
  expect_all(told_by(2, [](int, auto& p, auto&) { p.axes[0].size = 0; }), "axes[0].size");
  expect_all(told_by(2, [](int, auto& p, auto&) { p.precision = Precision::f16; }), "precision: is f16");
  expect_all(told_by(2, [](int, auto&, auto& s) { s.exchange = ExchangeMethod::fused; }),
             "exchange: is one of GPUs");
  expect_all(told_by(2, [](int, auto&, auto& s) { s.pieces = 2000; }), "pieces: is 2000");
  expect_all(told_by(2,
                     [](int, auto& p, auto& s) {
                       s.in = slabs({8, 6, 5}, 2);
                       s.in[1].size[0] = 3;
                       p.shift = 0;
                     }),
             "in: the boxes hold 210 of 240");
  // (2 pi / 1)^2, spectral, of a periodic axis, while the others are constant: on one rank only.
  expect_all(told_by(4,
                     [](int, auto& p, auto&) {
                       p.axes[2] = {5};
                       p.symbols = Symbols::spectral;
                       p.shift = 4 * M_PI * M_PI;
                     }),
             "is an eigenvalue");
}

TEST(DistributedPoisson, ARankThatFailsEndsTheOthers) {
  for (bool const faces : {false, true}) {
    auto const communicators = thread_communicators(3, std::chrono::seconds(60));
    auto const errors = on_ranks(3, [&](int r) {
      PoissonProblem p;
      p.axes = {{9}, {8}};
      DistributedPoisson const poisson(p, communicators[std::size_t(r)]);
      std::vector<float> f(static_cast<std::size_t>(poisson.in_elements())), phi(f.size());
      std::vector<Faces<float>> given;
      if (faces && r == 1) given.resize(1);
      poisson.solve(!faces && r == 1 ? nullptr : f.data(), phi.data(), {.faces = given});
    });
    EXPECT_NE(errors[1].find(faces ? "faces: has 1 entries" : "f: is a null pointer"), std::string::npos)
        << errors[1];
    for (int r : {0, 2})
      EXPECT_NE(errors[std::size_t(r)].find("rank 1 failed"), std::string::npos) << errors[std::size_t(r)];
  }
}

TEST(DistributedPoisson, WrongArraysRanksAndMovedFromSolversAreRefused) {
  PoissonProblem p;
  p.axes = {{8}, {8}};
  DistributedPoisson poisson(p, thread_communicators(1)[0]);
  std::vector<double> wide(64);
  EXPECT_THROW(poisson.in_box(1), Error);
  EXPECT_THROW(poisson.out_box(-1), Error);
  EXPECT_THROW(poisson.solve(wide.data(), wide.data()), Error);
  DistributedPoisson const other = std::move(poisson);
  EXPECT_THROW(poisson.describe(), Error);
  EXPECT_EQ(other.exchanges(), 0);
  EXPECT_EQ(other.sent_bytes(), 0);
  EXPECT_EQ(other.memory_bytes(), 8 * 5 * 8);  // the spectrum, 8 x 5 complex numbers
  EXPECT_THROW(DistributedPoisson(p, nullptr), Error);
}

/// Of ways that send about as much, a GPU takes the one whose middle is a fused inverse.
TEST(DistributedPoisson, GpusLeaveOneAxisForTheMiddle) {
  PoissonProblem p;
  p.axes = {{512}, axis(512, Boundary::neumann, Boundary::neumann), {512}};
  poisson::SpreadRequest request{
      slabs({512, 512, 512}, 8), {}, false, distributed::links("nvlink"), 1, 4e12, false};
  auto const middle = [&] {
    auto const program = poisson::spread_program(p, request).program;
    return program.stages[middle_stage(program)].axes.size();
  };
  EXPECT_EQ(middle(), 2u);
  request.fused_inverses = true;
  EXPECT_EQ(middle(), 1u);
  p.shift = 1;  // no fused inverse
  EXPECT_EQ(middle(), 2u);
}

/// Pencils of many ranks make one axis whole after the other, and are planned in seconds.
TEST(DistributedPoisson, PencilsTakeFourExchanges) {
  PoissonProblem p;
  p.axes = {{2048}, {2048}, {2048}};
  auto const program = poisson::spread_program(
      p, {pencils({2048, 2048, 2048}, 4096, 2), {}, false, distributed::links("infiniband"), 0});
  EXPECT_EQ(program.program.exchanges(), 4) << poisson::text(program);
}

}  // namespace
}  // namespace skipper
