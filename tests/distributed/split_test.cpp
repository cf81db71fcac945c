// One long axis over several ranks: its digits, its programs, and transforms over threads against those on one rank.
#include "distributed/split.h"

#include <gtest/gtest.h>
#include <skipper/plan.h>

#include <cmath>
#include <complex>
#include <numeric>
#include <random>
#include <thread>

#include "distributed/choice.h"
#include "support/quick.h"
#include "support/uniform.h"
#include "support/untyped.h"

namespace skipper::distributed {
namespace {

using testing::quick;
using testing::takes;

constexpr AxisOrder natural = AxisOrder::natural, permuted = AxisOrder::permuted;

/// Links that take no time, so that sharing the work always pays.
char const* const free_links = "links free ranks_per_node 64 node 0 1e18 network 0 1e18";

Wanted wanted(Problem const& problem, Index ranks, AxisOrder in = natural, AxisOrder out = natural) {
  return {problem, ranks, {}, {}, false, in, out, links(free_links), 1e10, 0};
}

TEST(SplitAxis, DigitsShareOutEvenlyAndArePlainForPrimes) {
  EXPECT_TRUE(digit_pairs(97, 4).empty());
  EXPECT_TRUE(digit_pairs(1, 4).empty());
  EXPECT_EQ(digit_pairs(1 << 20, 8).front(), (std::pair<Index, Index>(1024, 1024)));
  EXPECT_EQ(digit_pairs(64 * 81, 8).front(), (std::pair<Index, Index>(72, 72)));
  EXPECT_EQ(digit_pairs(2 * 3 * 5 * 7, 5).front().first % 5, 0);
  for (Index n : {4, 36, 210, 1000, 1 << 16})
    for (auto const& [a, b] : digit_pairs(n, 3)) {
      EXPECT_EQ(a * b, n);
      EXPECT_GT(std::min(a, b), 1);
    }
}

TEST(SplitAxis, OnlyAxesShortOfLinesAreSplit) {
  EXPECT_EQ(axis_short_of_lines(c2c({4096}), 2), 0u);
  EXPECT_EQ(axis_short_of_lines(c2c({4096}), 1), std::nullopt);
  EXPECT_EQ(axis_short_of_lines(c2c({4096}, 8), 8), std::nullopt);
  EXPECT_EQ(axis_short_of_lines(c2c({3, 4096, 2}), 7), 1u);
  EXPECT_EQ(axis_short_of_lines(c2c({3, 4096, 2}), 6), std::nullopt);
  EXPECT_FALSE(chosen(wanted(c2c({64, 64, 64}), 8)).program.split);
  EXPECT_TRUE(chosen(wanted(c2c({4096}), 8)).program.split);
  EXPECT_FALSE(chosen(wanted(c2c({4099}), 8)).program.split);  // a prime
}

TEST(SplitAxis, ItIsSplitWhereThatIsFasterOnly) {
  auto const splits = [](Index n, char const* joined, Index ranks = 8) {
    Wanted w = wanted(c2c({n}), ranks);
    w.links = links(joined);
    return chosen(w).program.split.has_value();
  };
  EXPECT_TRUE(splits(1 << 24, "host"));
  EXPECT_TRUE(splits(1 << 24, "infiniband"));
  EXPECT_TRUE(splits(1 << 22, "host", 2));
  EXPECT_FALSE(splits(16, "host"));  // latencies of three exchanges instead of two
}

TEST(SplitAxis, PermutedOrdersSpareAnExchangeEach) {
  for (Direction const direction : {Direction::forward, Direction::inverse}) {
    Problem const p = c2c({1 << 16}, 1, Precision::f32, direction);
    EXPECT_EQ(chosen(wanted(p, 4)).program.exchanges(), 3);
    EXPECT_EQ(chosen(wanted(p, 4, natural, permuted)).program.exchanges(), 2);
    EXPECT_EQ(chosen(wanted(p, 4, permuted, natural)).program.exchanges(), 2);
    EXPECT_EQ(chosen(wanted(p, 4, permuted, permuted)).program.exchanges(), 1);
  }
}

Distribution end_of(Program const& program, bool input) {
  return input ? program.stages.front().cut : cut_after(program, program.stages.size() - 1);
}

/// The elements of the global array that a side's ranks have, one after the other.
std::vector<Index> elements_of(Program const& program, bool input) {
  std::vector<Index> all;
  Distribution const cut = end_of(program, input);
  for (Index r = 0; r < program.ranks; ++r)
    for (Index i = 0; i < volume(cut.box(r)); ++i)
      all.push_back(global_index(program.split, program.problem, input, cut.sizes(), cut.box(r), i));
  return all;
}

/// Every exchange gives every element to one rank.
void expect_complete(Program const& program) {
  for (std::size_t s = 0; s + 1 < program.stages.size(); ++s) {
    Distribution const from = sent_cut(program, s), to = received_cut(program, s);
    Index sent = 0;
    for (Index r = 0; r < program.ranks; ++r)
      to.meet(from.box(r), [&](Index peer, Box const& part) {
        EXPECT_EQ(intersection(part, to.box(peer)), part);
        sent += volume(part);
      });
    EXPECT_EQ(sent, volume(whole_box(to.sizes())));
  }
}

TEST(SplitAxis, EveryElementIsOnOneRankAndTextsReadBack) {
  int split = 0;
  for (Index const n : {4, 6, 36, 60, 97, 210, 256})
    for (Index ranks = 1; ranks <= 8; ranks += quick() ? 2 + ranks % 3 / 2 : 1)
      for (AxisOrder const in : {natural, permuted})
        for (AxisOrder const out : {natural, permuted})
          for (Problem const& p :
               {c2c({n}), c2c({n}, 2, Precision::f64, Direction::inverse), c2c({2, n, 2}), c2c({n, 3})}) {
            Wanted w = wanted(p, ranks, in, out);
            w.any_output = n == 36;
            Program const program = chosen(w).program;
            SCOPED_TRACE(text(program));
            ASSERT_NO_THROW(check(program));
            EXPECT_EQ(parse_program(text(program), p, ranks), program);
            expect_complete(program);
            for (bool const input : {true, false}) {
              std::vector<Index> all = elements_of(program, input), expected(all.size());
              std::sort(all.begin(), all.end());
              std::iota(expected.begin(), expected.end(), Index(0));
              EXPECT_EQ(all, expected);
              EXPECT_EQ(Index(all.size()), volume(whole_box(in_sizes(p))));
            }
            split += program.split.has_value();
          }
  EXPECT_GT(split, quick() ? 70 : 200);
}

/// Boxes of contiguous parts of random lengths, some of them empty, in a random order of ranks.
std::vector<Box> random_parts(Index n, Index ranks, std::mt19937& random) {
  std::vector<Index> ends{0, n};
  while (Index(ends.size()) <= ranks) ends.push_back(Index(random() % std::uint64_t(n + 1)));
  std::sort(ends.begin(), ends.end());
  std::vector<Box> boxes;
  for (std::size_t r = 0; r + 1 < ends.size(); ++r)
    boxes.push_back(ends[r] == ends[r + 1] ? Box{{0}, {0}} : Box{{ends[r]}, {ends[r + 1] - ends[r]}});
  std::shuffle(boxes.begin(), boxes.end(), random);
  return boxes;
}

TEST(SplitAxis, BoxesOfAnyLengthAreThoseOfStagesOfTheAxis) {
  std::mt19937 random(3);
  int split = 0;
  for (int i = 0; i < 200; ++i) {
    Index const n = 64 + Index(random() % 1000), ranks = 2 + Index(random() % 7);
    Problem const p = c2c({n}, 1, Precision::f32, i % 3 ? Direction::forward : Direction::inverse);
    Wanted w = wanted(p, ranks, natural, i % 4 ? natural : permuted);
    w.in = random_parts(n, ranks, random);
    if (i % 4 && i % 5) w.out = random_parts(n, ranks, random);
    Program const program = chosen(w).program;
    SCOPED_TRACE(text(program));
    ASSERT_NO_THROW(check(program));
    EXPECT_EQ(parse_program(text(program), p, ranks), program);
    expect_complete(program);
    for (Index r = 0; r < ranks; ++r) {
      EXPECT_EQ(caller_box(program, true, r), w.in[std::size_t(r)]);
      if (!w.out.empty()) {
        EXPECT_EQ(caller_box(program, false, r), w.out[std::size_t(r)]);
      }
    }
    split += program.split.has_value();
  }
  EXPECT_GT(split, 60);
}

TEST(SplitAxis, DigitsLieAsTheGuideDrawsThem) {
  Wanted w = wanted(c2c({16}), 2, natural, permuted);
  w.pieces = 1;
  Program const program = chosen(w).program;
  EXPECT_EQ(text(program),
            "c2c f32 forward 16 over 2 ranks split 0 4x4 permuted_out\ngrid 2x1\ngrid 1x2 axes 0\n"
            "grid 2x1 axes 1");
  EXPECT_EQ(elements_of(program, false),
            (std::vector<Index>{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}));
  EXPECT_EQ(caller_box(program, true, 1), (Box{{8}, {8}}));
  EXPECT_EQ(caller_box(program, false, 1), (Box{{2, 0}, {2, 4}}));
}

TEST(SplitAxis, WhatIsLeftPermutedIsTakenPermuted) {
  for (Index const n : {6, 36, 60, 128, 210})
    for (Index ranks = 2; ranks <= 8; ++ranks)
      for (Direction const direction : {Direction::forward, Direction::inverse}) {
        Direction const other = direction == Direction::forward ? Direction::inverse : Direction::forward;
        Program const there =
            chosen(wanted(c2c({n}, 1, Precision::f32, direction), ranks, natural, permuted)).program;
        Program const back =
            chosen(wanted(c2c({n}, 1, Precision::f32, other), ranks, permuted, natural)).program;
        for (Index r = 0; r < ranks; ++r)
          EXPECT_EQ(caller_box(there, false, r), caller_box(back, true, r)) << text(there) << text(back);
        EXPECT_EQ(elements_of(there, false), elements_of(back, true)) << text(there) << text(back);
      }
}

std::string fault(Wanted const& w) {
  try {
    chosen(w);
    return "";
  } catch (Error const& e) {
    return e.what();
  }
}

TEST(SplitAxis, WhatDoesNotGoTogetherIsRefused) {
  auto const has = [](std::string const& message, char const* words) {
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  has(fault(wanted(r2c({64}), 4, natural, permuted)), "out_order: is permuted but axis 0 is the halved one");
  has(fault(wanted(r2r({64}, {AxisKind::dct2}), 4, permuted)),
      "in_order: is permuted but axis 0 is no Fourier");
  Wanted boxes = wanted(c2c({64}), 4, natural, permuted);
  boxes.out = slabs({64}, 4);
  has(fault(boxes), "out: has boxes but out_order is permuted");
  EXPECT_EQ(fault(wanted(c2c({67}), 4, natural, permuted)), "");
}

TEST(SplitAxis, TextsThatAreWrongAreRefused) {
  std::string const head = "c2c f32 forward 64 over 4 ranks split 0 ";
  std::string const good = head + "8x8 permuted_out\ngrid 4x1\ngrid 1x4 axes 0\ngrid 4x1 axes 1";
  EXPECT_EQ(text(parse_program(good)), good);
  for (
      std::string const& bad : {
          head + "8x9 permuted_out\ngrid 4x1\ngrid 1x4 axes 0\ngrid 4x1 axes 1",
          head + "1x64 permuted_out\ngrid 1x4\ngrid 1x4 axes 0\ngrid 1x1 axes 1",
          head + "8 permuted_out\ngrid 4x1\ngrid 1x4 axes 0\ngrid 4x1 axes 1",
          head + "8x8 permuted_out permuted_out\ngrid 4x1\ngrid 1x4 axes 0\ngrid 4x1 axes 1",
          head + "8x8\ngrid 4x1\ngrid 1x4 axes 0\ngrid 4x1 axes 1",               // no boxes of the axis
          head + "8x8 permuted_out\ngrid 1x4\ngrid 1x4 axes 0\ngrid 4x1 axes 1",  // of the input
          head + "8x8 permuted_out\ngrid 4x1 axes 1\ngrid 1x4 axes 0\ngrid 4x1",  // the second digit first
          head +
              "8x8 permuted_out\ngrid 4x1\ngrid 4\ngrid 1x4 axes 0\ngrid 4x1 axes 1",  // amid stages of digits
          head +
              "8x8 permuted_out\ngrid 4\ngrid 1x4 axes 0\ngrid 4x1 axes 1",  // beside a stage that transforms
          head + "8x8 permuted_out\ngrid 4x1\ngrid 1x4 axes 0\ngrid 4x1 axes 1\ngrid 4",
          head + "8x8 permuted_out\ngrid 1x1 axes 0,1",                                 // both at once
          std::string("c2c f32 forward 64 over 4 ranks split 1 8x8\ngrid 1x1 axes 0"),  // no such axis
          std::string("r2c f32 64 over 2 ranks split 0 8x8\ngrid 1x1 axes 0\ngrid 2x1 axes 1"),
      })
    EXPECT_THROW(parse_program(bad), Error) << bad;
}

// Runs over threads.

template <class T>
std::vector<std::complex<T>> random_numbers(Index count, unsigned seed) {
  std::mt19937 random(seed);
  skipper::testing::Uniform<T> value;
  std::vector<std::complex<T>> x(static_cast<std::size_t>(count));
  for (auto& v : x) v = {value(random), value(random)};
  return x;
}

void on_ranks(int ranks, std::function<void(std::shared_ptr<Communicator> const&)> const& body) {
  auto const communicators = thread_communicators(ranks, std::chrono::seconds(60));
  std::vector<std::string> errors(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  for (int r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      try {
        body(communicators[std::size_t(r)]);
      } catch (std::exception const& e) {
        errors[std::size_t(r)] = e.what();
      }
    });
  for (auto& t : threads) t.join();
  for (std::string const& e : errors) EXPECT_EQ(e, "");
}

template <class T>
double error_of(std::vector<std::complex<T>> const& a, std::vector<std::complex<T>> const& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += double(std::norm(a[i] - b[i]));
    size += double(std::norm(b[i]));
  }
  return std::sqrt(difference / size);
}

/// The transform of a dense global array over ranks, by the indices that the plan tells; how often it was split is counted.
template <class T>
std::vector<std::complex<T>> over_ranks(Problem const& p, int ranks, DistributedSettings const& settings,
                                        std::vector<std::complex<T>> const& global, int& split) {
  std::vector<std::complex<T>> result(global.size(), {T(777), T(0)});
  std::atomic<int> counted = 0;
  on_ranks(ranks, [&](std::shared_ptr<Communicator> const& communicator) {
    DistributedPlan const plan(p, communicator, settings);
    bool const in_place = p.placement == Placement::in_place;
    Index const ins = volume(plan.in_box()), outs = volume(plan.out_box());
    EXPECT_EQ(ins, plan.in_elements());
    EXPECT_EQ(outs, plan.out_elements());
    std::vector<std::complex<T>> in(std::size_t(std::max<Index>(1, in_place ? std::max(ins, outs) : ins))),
        out(std::size_t(std::max<Index>(1, outs)));
    for (int again = 0; again < 3; ++again) {
      for (Index i = 0; i < ins; ++i) in[std::size_t(i)] = global[std::size_t(plan.in_index(i))];
      plan.execute(testing::untyped(in.data()), testing::untyped(in_place ? in.data() : out.data()));
    }
    auto const& done = in_place ? in : out;
    for (Index i = 0; i < outs; ++i) result[std::size_t(plan.out_index(i))] = done[std::size_t(i)];
    if (communicator->rank() == 0 && plan.split()) ++counted;
  });
  split += counted;
  return result;
}

template <class T>
int expect_right(Problem const& p, int ranks, DistributedSettings settings) {
  SCOPED_TRACE(text(p) + " over " + std::to_string(ranks));
  if (settings.links.empty()) settings.links = free_links;
  auto const global = random_numbers<T>(volume(whole_box(in_sizes(p))), unsigned(ranks));
  std::vector<std::complex<T>> expected(global.size());
  Problem single = p;
  single.placement = Placement::out_of_place;
  PlanSettings cpu;
  cpu.device = Device("cpu");
  Plan(dense_layout(single), cpu).execute(testing::untyped(global.data()), testing::untyped(expected.data()));
  int split = 0;
  EXPECT_LT(error_of(over_ranks<T>(p, ranks, settings, global, split), expected),
            sizeof(T) == 8 ? 1e-14 : 1e-6);
  return split;
}

TEST(SplitAxisRuns, EveryNumberOfRanksAndEveryOrderIsRight) {
  int split = 0, expected = 0;
  std::size_t number = 0;
  for (int ranks = 1; ranks <= 8; ++ranks)
    for (AxisOrder const in : {natural, permuted})
      for (AxisOrder const out : {natural, permuted}) {
        ++number;  // with SKIPPER_QUICK=1 by one method, then the other
        for (ExchangeMethod const method : {ExchangeMethod::automatic, ExchangeMethod::messages}) {
          if (!takes(number++, 2) || (quick() && (ranks == 4 || ranks > 6))) continue;
          if (ranks > 1) expected += 3;
          DistributedSettings settings;
          settings.in_order = in;
          settings.out_order = out;
          settings.exchange = method;
          settings.pieces = 1 + ranks % 3;
          split += expect_right<float>(c2c({1000}), ranks, settings);
          split += expect_right<double>(c2c({36}, 1, Precision::f64, Direction::inverse), ranks, settings);
          split += expect_right<float>(in_place(c2c({210}, 1, Precision::f32, Direction::inverse)), ranks,
                                       settings);
          split += expect_right<double>(c2c({127 * 6}, 2, Precision::f64), ranks, settings);
          expect_right<float>(c2c({101}), ranks, settings);
        }
      }
  EXPECT_GT(split, expected);
}

TEST(SplitAxisRuns, LongAxesBesideShortOnesAreRight) {
  int split = 0;
  for (int const ranks : {5, 8})
    for (AxisOrder const out : {natural, permuted}) {
      DistributedSettings settings;
      settings.out_order = out;
      for (bool const any : {false, true}) {
        settings.any_output = any;
        split += expect_right<float>(c2c({3, 128}), ranks, settings);
        split += expect_right<double>(c2c({240, 4}, 1, Precision::f64), ranks, settings);
        split += expect_right<float>(c2c({2, 90, 2}, 1, Precision::f32, Direction::inverse), ranks, settings);
      }
    }
  EXPECT_GE(split, 16);  // all that are permuted, and some that are not
}

TEST(SplitAxisRuns, SpectraOfRealsStayPermutedAlongAnAxisThatIsNotHalved) {
  Problem const p = r2c({120, 4}, 1, Precision::f64);
  std::vector<double> global(120 * 4);
  std::iota(global.begin(), global.end(), -7.0);
  std::vector<std::complex<double>> expected(120 * 3), result(expected.size());
  PlanSettings cpu;
  cpu.device = Device("cpu");
  Plan(p, cpu).execute(testing::untyped(global.data()), testing::untyped(expected.data()));
  for (int const ranks : {5, 8}) {
    std::vector<double> again(global.size());
    on_ranks(ranks, [&](std::shared_ptr<Communicator> const& communicator) {
      DistributedSettings out, in;
      out.out_order = in.in_order = permuted;
      DistributedPlan const there(p, communicator, out);
      Problem inverse = c2r({120, 4}, 1, Precision::f64);
      inverse.scale = 1.0 / 480;
      DistributedPlan const back(inverse, communicator, in);
      ASSERT_TRUE(there.split() && back.split());
      EXPECT_EQ(there.split()->first, back.split()->second);
      ASSERT_EQ(there.out_box(), back.in_box());
      std::vector<double> x(std::size_t(there.in_elements()) + 1), y(std::size_t(back.out_elements()) + 1);
      std::vector<std::complex<double>> spectrum(std::size_t(there.out_elements()) + 1);
      for (Index i = 0; i < there.in_elements(); ++i)
        x[std::size_t(i)] = global[std::size_t(there.in_index(i))];
      there.execute(testing::untyped(x.data()), testing::untyped(spectrum.data()));
      for (Index i = 0; i < there.out_elements(); ++i)
        result[std::size_t(there.out_index(i))] = spectrum[std::size_t(i)];
      back.execute(testing::untyped(spectrum.data()), testing::untyped(y.data()));
      for (Index i = 0; i < back.out_elements(); ++i)
        again[std::size_t(back.out_index(i))] = y[std::size_t(i)];
    });
    EXPECT_LT(error_of(result, expected), 1e-14);
    for (std::size_t i = 0; i < global.size(); ++i) EXPECT_NEAR(again[i], global[i], 1e-10);
  }
}

TEST(SplitAxisRuns, BoxesOfWholeRowsAreTaken) {
  DistributedSettings settings;
  settings.in = bricks({2, 64}, {1, 8}, 8);  // the batch whole, as FFTW-MPI's howmany has it
  EXPECT_EQ(expect_right<float>(c2c({64}, 2), 8, settings), 1);
  settings.in = slabs({64}, 4);
  settings.out = {{{0}, {8}}, {{8}, {24}}, {{32}, {32}}, {{0}, {0}}};
  EXPECT_EQ(expect_right<double>(c2c({64}, 1, Precision::f64), 4, settings), 1);
}

TEST(SplitAxisRuns, BoxesOfAnyLengthAreRight) {
  std::mt19937 random(5);
  int split = 0;
  for (int i = 0; i < (quick() ? 16 : 40); ++i) {
    int const ranks = 3 + i % 6;
    Index const n = Index(std::vector<int>{210, 1000, 1024, 101}[std::size_t(i % 4)]);
    DistributedSettings settings;
    settings.exchange = i % 2 ? ExchangeMethod::messages : ExchangeMethod::automatic;
    settings.in = random_parts(n, ranks, random);
    if (i % 3)
      settings.out = random_parts(n, ranks, random);
    else if (i % 6)
      settings.out_order = permuted;
    Problem const p = c2c({n}, 1, Precision::f64, i % 5 ? Direction::forward : Direction::inverse);
    split += expect_right<double>(i % 7 ? p : in_place(p), ranks, settings);
  }
  EXPECT_GT(split, quick() ? 4 : 10);
  DistributedSettings settings;
  settings.in = slabs({2, 50, 3}, 7, 1);  // seven or eight of fifty points, the batch whole
  settings.out_order = permuted;
  EXPECT_EQ(expect_right<float>(c2c({50, 3}, 2), 7, settings), 1);
}

TEST(SplitAxisRuns, LongLinesAreRight) {
  DistributedSettings settings;
  settings.cpu.threads = 2;
  EXPECT_EQ(expect_right<float>(c2c({quick() ? 1 << 16 : 1 << 18}), 3, settings), 1);
  settings.out_order = permuted;
  EXPECT_EQ(expect_right<double>(c2c({quick() ? 3 << 14 : 3 << 16}, 1, Precision::f64), 4, settings), 1);
  Problem scaled = c2c({1 << 15});
  scaled.scale = 0.25;
  scaled.norm = Norm::ortho;
  EXPECT_EQ(expect_right<float>(scaled, 4, settings), 1);
}

TEST(SplitAxisRuns, PermutedThereAndBackIsTheIdentity) {
  for (int const ranks : {1, 2, 3, 6})
    for (Index const n : {96, 97, 210}) {
      auto const global = random_numbers<double>(n, 5);
      on_ranks(ranks, [&](std::shared_ptr<Communicator> const& communicator) {
        DistributedSettings out, in;
        out.out_order = in.in_order = permuted;
        DistributedPlan const there(c2c({n}, 1, Precision::f64), communicator, out);
        Problem inverse = c2c({n}, 1, Precision::f64, Direction::inverse);
        inverse.scale = 1.0 / double(n);
        DistributedPlan const back(inverse, communicator, in);
        ASSERT_EQ(there.out_box(), back.in_box());
        ASSERT_EQ(there.out_order(), back.in_order());
        std::vector<std::complex<double>> x(std::size_t(there.in_elements()) + 1),
            spectrum(std::size_t(there.out_elements()) + 1), y(std::size_t(back.out_elements()) + 1);
        for (Index i = 0; i < there.in_elements(); ++i)
          x[std::size_t(i)] = global[std::size_t(there.in_index(i))];
        there.execute(testing::untyped(x.data()), testing::untyped(spectrum.data()));
        back.execute(testing::untyped(spectrum.data()), testing::untyped(y.data()));
        for (Index i = 0; i < there.out_elements(); ++i) EXPECT_EQ(there.out_index(i), back.in_index(i));
        for (Index i = 0; i < back.out_elements(); ++i)
          EXPECT_LT(std::abs(y[std::size_t(i)] - global[std::size_t(back.out_index(i))]), 1e-14);
      });
    }
}

TEST(SplitAxisRuns, RanksAgreeOnOrdersAndIndicesAreChecked) {
  auto const communicators = thread_communicators(2, std::chrono::seconds(60));
  std::vector<std::thread> threads;
  std::vector<std::string> errors(2);
  for (std::size_t r : {0u, 1u})
    threads.emplace_back([&, r] {
      try {
        DistributedPlan(c2c({64}), communicators[r], {.out_order = r == 0 ? natural : permuted});
      } catch (Error const& e) {
        errors[r] = e.what();
      }
    });
  for (auto& t : threads) t.join();
  for (std::string const& e : errors)
    EXPECT_NE(e.find("out_order: is 'natural' on rank 0 but 'permuted' on rank 1"), std::string::npos) << e;
  DistributedPlan const one(c2c({64}), thread_communicators(1)[0]);
  EXPECT_EQ(one.in_index(63), 63);
  EXPECT_THROW(one.in_index(64), Error);
  EXPECT_THROW(one.out_index(1, 0), Error);
}

}  // namespace
}  // namespace skipper::distributed
