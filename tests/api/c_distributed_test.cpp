// The C interface to distributed plans and Poisson problems: the same results as on one rank, and errors as codes.
#include <gtest/gtest.h>

#include <skipper/distributed.h>
#include <skipper/plan.h>
#include <skipper/distributed_planning.h>
#include <skipper/poisson.h>
#include <skipper/skipper_c.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

/// Runs body(communicator, rank) on a thread a rank.
void on_ranks(int ranks, std::function<void(skipper_communicator*, int)> const& body,
              long long milliseconds = 60000) {
  std::vector<skipper_communicator*> communicators(static_cast<std::size_t>(ranks), nullptr);
  ASSERT_EQ(skipper_communicators_create_threads(communicators.data(), ranks, milliseconds), SKIPPER_OK);
  std::vector<std::thread> threads;
  for (int r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      body(communicators[std::size_t(r)], r);
      skipper_communicator_destroy(communicators[std::size_t(r)]);
    });
  for (std::thread& t : threads) t.join();
}

/// use(place in the box, place in the array) for every element of a box of three dimensions.
void each_element(long long const* first, long long const* size, long long const* sizes,
                  std::function<void(std::size_t, std::size_t)> const& use) {
  std::size_t here = 0;
  for (long long i = 0; i < size[0]; ++i)
    for (long long j = 0; j < size[1]; ++j)
      for (long long k = 0; k < size[2]; ++k)
        use(here++, std::size_t(((first[0] + i) * sizes[1] + first[1] + j) * sizes[2] + first[2] + k));
}

std::string told(std::function<int(char*, long long, long long*)> const& describe) {
  long long needed = 0;
  EXPECT_EQ(describe(nullptr, 0, &needed), SKIPPER_OK);
  std::string text(static_cast<std::size_t>(needed), ' ');
  EXPECT_EQ(describe(text.data(), needed, nullptr), SKIPPER_OK);
  return text.substr(0, text.size() - 1);
}

TEST(CDistributed, ComputesWhatPlansCompute) {
  long long const in_sizes[] = {6, 8, 10}, out_sizes[] = {6, 8, 6};
  std::vector<double> f(480);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = std::sin(double(i * i));
  std::vector<std::complex<double>> expected(288), result(288);
  skipper::Problem problem = skipper::r2c({6, 8, 10}, 1, skipper::Precision::f64);
  problem.scale = 0.5;
  skipper::Plan(problem).execute(f.data(), expected.data());
  std::mutex mutex;
  on_ranks(3, [&](skipper_communicator* communicator, int rank) {
    int own = -1, ranks = 0, dimensions = 0, exchanges = 0;
    EXPECT_EQ(skipper_communicator_rank(communicator, &own, &ranks), SKIPPER_OK);
    EXPECT_EQ(own, rank);
    EXPECT_EQ(ranks, 3);
    long long const in_first[] = {0, 0, 0}, in_size[] = {6, 8, 10}, none[] = {0, 0, 0};
    skipper_distributed_settings settings = {};
    settings.in_first = in_first;  // all of it on rank 1
    settings.in_size = rank == 1 ? in_size : none;
    settings.any_output = rank < 3;
    settings.exchange = SKIPPER_EXCHANGE_MESSAGES;
    settings.pieces = 2;
    skipper_distributed* plan = nullptr;
    skipper_problem given = skipper_problem_default();
    given.kind = SKIPPER_R2C, given.precision = SKIPPER_F64, given.scale = 0.5;
    given.rank = 3, given.shape = in_sizes;
    ASSERT_EQ(skipper_distributed_create(&plan, &given, communicator, &settings), SKIPPER_OK)
        << skipper_message();
    long long first[3], size[3], in = -1, out = -1, sent = -1, memory = -1;
    EXPECT_EQ(skipper_distributed_dimensions(plan, &dimensions), SKIPPER_OK);
    EXPECT_EQ(dimensions, 3);
    EXPECT_EQ(skipper_distributed_in_box(plan, 1, first, size), SKIPPER_OK);
    EXPECT_EQ(size[2], 10);
    EXPECT_EQ(skipper_distributed_elements(plan, &in, &out), SKIPPER_OK);
    EXPECT_EQ(in, rank == 1 ? 480 : 0);
    EXPECT_EQ(skipper_distributed_costs(plan, &exchanges, &sent, &memory), SKIPPER_OK);
    EXPECT_EQ(skipper_distributed_costs(plan, nullptr, nullptr, nullptr), SKIPPER_OK);
    EXPECT_GE(sent, 0);
    EXPECT_EQ(skipper_distributed_out_box(plan, rank, first, size), SKIPPER_OK);
    EXPECT_EQ(out, size[0] * size[1] * size[2]);
    std::vector<std::complex<double>> mine(static_cast<std::size_t>(out) + 1);
    EXPECT_EQ(skipper_distributed_execute(plan, in ? f.data() : nullptr, mine.data()), SKIPPER_OK)
        << skipper_message();
    std::string const text = told([&](char* t, long long n, long long* needed) {
      return skipper_distributed_describe(plan, t, n, needed);
    });
    skipper_distributed_destroy(plan);

    settings = {};  // the program says it all
    settings.program = text.c_str();
    ASSERT_EQ(
        skipper_distributed_create_text(&plan, "r2c f64 forward 6x8x10 scale 0.5", communicator, &settings),
        SKIPPER_OK)
        << skipper_message();
    int again = -1;
    EXPECT_EQ(skipper_distributed_costs(plan, &again, nullptr, nullptr), SKIPPER_OK);
    EXPECT_EQ(again, exchanges);
    skipper_distributed_destroy(plan);
    std::lock_guard const lock(mutex);
    each_element(first, size, out_sizes,
                 [&](std::size_t here, std::size_t there) { result[there] = mine[here]; });
  });
  for (std::size_t i = 0; i < result.size(); ++i) EXPECT_NEAR(std::abs(result[i] - expected[i]), 0, 1e-12);
}

TEST(CDistributed, ALongAxisIsSplitAndItsSpectrumStaysPermuted) {
  std::vector<std::complex<float>> f(96), expected(96), result(96);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = {float(std::sin(double(i * i))), float(i % 5)};
  skipper::Plan({96}).execute(f.data(), expected.data());
  on_ranks(3, [&](skipper_communicator* communicator, int rank) {
    skipper_distributed_settings settings = {};
    settings.out_order = SKIPPER_AXIS_ORDER_PERMUTED;
    skipper_distributed* plan = nullptr;
    ASSERT_EQ(skipper_distributed_create_text(&plan, "c2c f32 forward 96", communicator, &settings),
              SKIPPER_OK)
        << skipper_message();
    int axis = 7, dimensions = 0, exchanges = 0;
    long long first = 0, second = 0, in = 0, out = 0, index = -1, begin[2], size[2];
    EXPECT_EQ(skipper_distributed_split(plan, &axis, &first, &second), SKIPPER_OK);
    EXPECT_EQ(skipper_distributed_split(plan, &axis, nullptr, nullptr), SKIPPER_OK);
    EXPECT_EQ(axis, 0);
    EXPECT_EQ(first * second, 96);
    EXPECT_EQ(skipper_distributed_dimensions(plan, &dimensions), SKIPPER_OK);
    EXPECT_EQ(dimensions, 2);
    EXPECT_EQ(skipper_distributed_out_box(plan, rank, begin, size), SKIPPER_OK);
    EXPECT_EQ(size[1], second);
    EXPECT_EQ(skipper_distributed_costs(plan, &exchanges, nullptr, nullptr), SKIPPER_OK);
    EXPECT_EQ(exchanges, 2);
    EXPECT_EQ(skipper_distributed_elements(plan, &in, &out), SKIPPER_OK);
    EXPECT_EQ(out, size[0] * size[1]);
    std::vector<std::complex<float>> x(static_cast<std::size_t>(in) + 1),
        y(static_cast<std::size_t>(out) + 1);
    for (long long i = 0; i < in; ++i) {
      EXPECT_EQ(skipper_distributed_in_index(plan, rank, i, &index), SKIPPER_OK);
      x[std::size_t(i)] = f[std::size_t(index)];
    }
    EXPECT_EQ(skipper_distributed_execute(plan, x.data(), y.data()), SKIPPER_OK) << skipper_message();
    for (long long i = 0; i < out; ++i) {
      EXPECT_EQ(skipper_distributed_out_index(plan, rank, i, &index), SKIPPER_OK);
      EXPECT_EQ(index, begin[0] + i / second + first * (i % second));  // k = k1 + first k2
      result[std::size_t(index)] = y[std::size_t(i)];
    }
    EXPECT_EQ(skipper_distributed_out_index(plan, rank, out, &index), SKIPPER_BAD_ARGUMENT);
    EXPECT_EQ(skipper_distributed_split(plan, nullptr, &first, &second), SKIPPER_BAD_ARGUMENT);
    skipper_distributed_destroy(plan);
  });
  for (std::size_t i = 0; i < result.size(); ++i) EXPECT_NEAR(std::abs(result[i] - expected[i]), 0, 1e-4);
}

/// What every rank is told, where rank `wrong` hands in something else than the others.
void expect_refused(char const* what, std::function<void(skipper_distributed_settings&)> const& spoil,
                    char const* problem = "c2c f32 forward 8x6") {
  on_ranks(2, [&](skipper_communicator* communicator, int rank) {
    skipper_distributed_settings settings = {};
    if (rank == 1) spoil(settings);
    skipper_distributed* plan = reinterpret_cast<skipper_distributed*>(64);
    EXPECT_EQ(skipper_distributed_create_text(&plan, rank == 1 ? problem : "c2c f32 forward 8x6",
                                              communicator, &settings),
              SKIPPER_BAD_ARGUMENT);
    EXPECT_EQ(plan, nullptr);
    EXPECT_NE(std::strstr(skipper_message(), what), nullptr) << skipper_message();
  });
}

TEST(CDistributed, ErrorsAreCodesAndMessagesOnAllRanks) {
  static long long const first[] = {0, 0}, size[] = {8, 6};
  expect_refused("exchange: is 7", [](auto& s) { s.exchange = 7; });
  expect_refused("exchange: is -1", [](auto& s) { s.exchange = -1; });
  expect_refused("streams", [](auto& s) { s.gpu.streams = 3; });
  expect_refused("any_output: is 2", [](auto& s) { s.any_output = 2; });
  expect_refused("in_order: is 2", [](auto& s) { s.in_order = 2; });
  expect_refused("out_order: is 'natural' on rank 0 but 'permuted' on rank 1",
                 [](auto& s) { s.out_order = SKIPPER_AXIS_ORDER_PERMUTED; });
  expect_refused("pieces", [](auto& s) { s.pieces = -1; });
  expect_refused("in: has a first index or a size", [](auto& s) { s.in_first = first; });
  expect_refused("out: has a first index or a size", [](auto& s) { s.out_size = size; });
  expect_refused("links", [](auto& s) { s.links = "string"; });
  expect_refused("program", [](auto& s) { s.program = "nothing"; });
  expect_refused("in: is '0' on rank 0 but '1' on rank 1", [](auto& s) {
    s.in_first = first;
    s.in_size = size;
  });
  expect_refused(
      "axes", [](auto&) {}, "c2c f32 forward 8x7");
  expect_refused(
      "problem", [](auto&) {}, nullptr);
  on_ranks(2, [](skipper_communicator* communicator, int) {
    EXPECT_EQ(skipper_distributed_create_text(nullptr, "c2c f32 forward 8x6", communicator, nullptr),
              SKIPPER_BAD_ARGUMENT);
    EXPECT_NE(std::strstr(skipper_message(), "plan: is a null pointer"), nullptr) << skipper_message();
  });
}

TEST(CDistributed, TellsTheTimesOfStages) {
  on_ranks(2, [&](skipper_communicator* communicator, int) {
    long long const shape[] = {16, 16};
    skipper_problem problem = skipper_problem_default();
    problem.rank = 2, problem.shape = shape;
    skipper_distributed* plan = nullptr;
    ASSERT_EQ(skipper_distributed_create(&plan, &problem, communicator, nullptr), SKIPPER_OK);
    long long in = 0, out = 0;
    ASSERT_EQ(skipper_distributed_elements(plan, &in, &out), SKIPPER_OK);
    std::vector<std::complex<float>> x(static_cast<std::size_t>(in), 1), y(static_cast<std::size_t>(out));
    skipper_stage_times times[8] = {};
    int stages = 0;
    times[1].transform_seconds = -1;
    ASSERT_EQ(skipper_distributed_execute_timed(plan, x.data(), y.data(), nullptr, times, 1, &stages),
              SKIPPER_OK)
        << skipper_message();
    EXPECT_GE(stages, 2);
    EXPECT_EQ(times[1].transform_seconds, -1) << "there was room for one";
    ASSERT_EQ(skipper_distributed_execute_timed(plan, x.data(), y.data(), nullptr, times, 8, nullptr),
              SKIPPER_OK);
    double total = 0;
    for (int s = 0; s < stages; ++s)
      total += times[s].transform_seconds + times[s].move_seconds + times[s].wait_seconds;
    EXPECT_GT(total, 0);
    EXPECT_EQ(skipper_distributed_execute_timed(plan, x.data(), y.data(), nullptr, nullptr, 0, &stages),
              SKIPPER_OK);
    skipper_rank_arrays const arrays = skipper_rank_arrays_default();
    EXPECT_EQ(skipper_distributed_execute_ranks(plan, &arrays, 1), SKIPPER_BAD_ARGUMENT);
    skipper_distributed_destroy(plan);
  });
}

TEST(CDistributed, PredictsWithoutRanks) {
  long long const shape[] = {512, 512, 512};
  skipper_problem problem = skipper_problem_default();
  problem.rank = 3, problem.shape = shape;
  skipper_distributed_settings settings = skipper_distributed_settings_default();
  settings.links = "nvlink";
  skipper_planned_ranks* planned = nullptr;
  ASSERT_EQ(skipper_planned_ranks_create(&planned, &problem, "h200", 8, &settings), SKIPPER_OK)
      << skipper_message();
  skipper::DistributedSettings same;
  same.links = "nvlink";
  skipper::PlannedRanks const expected =
      skipper::planned_ranks(skipper::c2c({512, 512, 512}), 8, "h200", same);
  skipper_planned_costs costs = {};
  ASSERT_EQ(skipper_planned_ranks_get(planned, &costs), SKIPPER_OK);
  EXPECT_EQ(costs.seconds, expected.seconds);
  EXPECT_EQ(costs.rank_bandwidth, expected.rank_bandwidth);
  EXPECT_EQ(costs.array_bytes, expected.array_bytes);
  EXPECT_EQ(costs.buffer_bytes, expected.buffer_bytes);
  ASSERT_EQ(std::size_t(costs.stages), expected.stages.size());
  skipper_planned_stage stage = {};
  ASSERT_EQ(skipper_planned_ranks_get_stage(planned, 0, &stage), SKIPPER_OK);
  EXPECT_EQ(stage.transform_seconds, expected.stages[0].transform_seconds);
  EXPECT_EQ(stage.exchange_seconds, expected.stages[0].exchange_seconds);
  EXPECT_EQ(stage.seconds, expected.stages[0].seconds);
  EXPECT_EQ(stage.node_bytes, expected.stages[0].node_bytes);
  EXPECT_EQ(stage.network_bytes, expected.stages[0].network_bytes);
  EXPECT_EQ(stage.messages, expected.stages[0].messages);
  EXPECT_EQ(skipper_planned_ranks_get_stage(planned, costs.stages, &stage), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(told([&](char* t, long long n, long long* needed) {
              return skipper_planned_ranks_text(planned, t, n, needed);
            }),
            expected.text);
  EXPECT_EQ(told([&](char* t, long long n, long long* needed) {
              return skipper_planned_ranks_links(planned, t, n, needed);
            }),
            expected.links);
  skipper_planned_ranks_destroy(planned);
  EXPECT_EQ(skipper_planned_ranks_create(&planned, &problem, "h200", 0, &settings), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(planned, nullptr);
  EXPECT_EQ(skipper_planned_ranks_create(&planned, &problem, nullptr, 8, &settings), SKIPPER_BAD_ARGUMENT);
  int count = 0;
  ASSERT_EQ(skipper_links_count(&count), SKIPPER_OK);
  EXPECT_EQ(std::size_t(count), skipper::links_names().size());
  char text[64];
  ASSERT_EQ(skipper_links_name(0, text, sizeof text, nullptr), SKIPPER_OK);
  EXPECT_EQ(text, skipper::links_names()[0]);
  EXPECT_EQ(skipper_links_name(count, text, sizeof text, nullptr), SKIPPER_BAD_ARGUMENT);
}

TEST(CDistributed, WhatIsMissingIsRefused) {
  long long const shape[] = {8};
  long long n = 0;
  int i = 0;
  char text[4];
  skipper_communicator* communicator = nullptr;
  skipper_distributed* plan = nullptr;
  EXPECT_EQ(skipper_communicators_create_threads(nullptr, 1, 0), SKIPPER_BAD_ARGUMENT);
  for (int const ranks : {0, -1, 1 << 30})
    EXPECT_EQ(skipper_communicators_create_threads(&communicator, ranks, 0), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_communicators_create_threads(&communicator, 1, -1), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_communicator_rank(nullptr, &i, &i), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_distributed_create_text(&plan, "c2c f32 forward 8", nullptr, nullptr),
            SKIPPER_BAD_ARGUMENT);
  EXPECT_NE(std::strstr(skipper_message(), "communicator: is a null pointer"), nullptr);
  ASSERT_EQ(skipper_communicators_create_threads(&communicator, 1, 9223372036854775807ll), SKIPPER_OK);
  EXPECT_EQ(skipper_communicator_rank(communicator, nullptr, &i), SKIPPER_BAD_ARGUMENT);
  skipper_distributed_settings settings = {};
  settings.device = "abacus";
  skipper_communicator* lost = nullptr;
  ASSERT_EQ(skipper_communicators_create_threads(&lost, 1, 0), SKIPPER_OK);
  EXPECT_EQ(skipper_distributed_create_text(&plan, "c2c f32 forward 8", lost, &settings), SKIPPER_NO_DEVICE);
  skipper_communicator_destroy(lost);
  skipper_problem given = skipper_problem_default();
  given.rank = 1, given.shape = shape;
  ASSERT_EQ(skipper_distributed_create(&plan, &given, communicator, nullptr), SKIPPER_OK)
      << skipper_message();
  EXPECT_EQ(skipper_distributed_in_box(plan, 1, &n, &n), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_distributed_in_box(plan, 0, nullptr, &n), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_distributed_out_box(plan, 0, &n, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_distributed_elements(plan, nullptr, &n), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_distributed_dimensions(plan, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_distributed_describe(plan, nullptr, 4, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_distributed_describe(plan, text, 4, nullptr), SKIPPER_OK);
  EXPECT_STREQ(text, "c2c");
  EXPECT_EQ(skipper_distributed_execute(plan, nullptr, text), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_distributed_execute(nullptr, text, text), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_distributed_costs(nullptr, &i, &n, &n), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_distributed_workspace_bytes(plan, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_distributed_workspace_bytes(plan, &n), SKIPPER_OK);
  EXPECT_EQ(n, 0);
  skipper_communicator_destroy(communicator);  // the plan keeps what it needs
  EXPECT_EQ(skipper_distributed_elements(plan, &n, &n), SKIPPER_OK);
  skipper_distributed_destroy(plan);
  skipper_distributed_destroy(nullptr);
  skipper_communicator_destroy(nullptr);
  skipper_distributed_poisson_destroy(nullptr);
}

template <class T>
void expect_solved() {
  long long const sizes[] = {7, 6, 8};
  std::vector<double> const faces_of_cells = {0, 1, 2.5, 3, 4, 5.5, 7};
  std::vector<T> f(336), result(336), expected(336), low(48, T(0.25)), high(56);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = T(std::cos(double(i * i)));
  for (std::size_t i = 0; i < high.size(); ++i) high[i] = T(std::sin(double(i)));
  skipper::PoissonProblem problem;
  problem.precision = sizeof(T) == 8 ? skipper::Precision::f64 : skipper::Precision::f32;
  problem.axes = {{7, 2.0, skipper::Boundary::neumann, skipper::Boundary::dirichlet, skipper::Centring::node},
                  {6, 1.0, skipper::Boundary::dirichlet, skipper::Boundary::neumann, skipper::Centring::cell,
                   false, faces_of_cells},
                  {8}};
  problem.shift = -0.5;
  skipper::Poisson(problem).solve(f.data(), expected.data(), {.faces = {{low, {}}, {{}, high}, {}}});
  std::mutex mutex;
  on_ranks(3, [&](skipper_communicator* communicator, int rank) {
    skipper_poisson_axis const axes[] = {
        {7, 2.0, SKIPPER_BOUNDARY_NEUMANN, SKIPPER_BOUNDARY_DIRICHLET, SKIPPER_CENTRING_NODE, 0, 0, nullptr},
        {6, 1.0, SKIPPER_BOUNDARY_DIRICHLET, SKIPPER_BOUNDARY_NEUMANN, SKIPPER_CENTRING_CELL, 0, 7,
         faces_of_cells.data()},
        {8, 1.0, SKIPPER_BOUNDARY_PERIODIC, SKIPPER_BOUNDARY_PERIODIC, SKIPPER_CENTRING_CELL, 0, 0, nullptr}};
    skipper_distributed_poisson* poisson = nullptr;
    skipper_poisson_problem given = skipper_poisson_problem_default();
    given.precision = int(sizeof(T)) * 8;
    given.rank = 3, given.axes = axes, given.shift = -0.5;
    ASSERT_EQ(skipper_distributed_poisson_create(&poisson, &given, communicator, nullptr), SKIPPER_OK)
        << skipper_message();
    long long first[3], size[3], in = 0, out = 0, sent = 0;
    int exchanges = 0;
    EXPECT_EQ(skipper_distributed_poisson_in_box(poisson, rank, first, size), SKIPPER_OK);
    EXPECT_EQ(skipper_distributed_poisson_elements(poisson, &in, &out), SKIPPER_OK);
    EXPECT_EQ(in, size[0] * size[1] * size[2]);
    EXPECT_EQ(skipper_distributed_poisson_costs(poisson, &exchanges, &sent, nullptr), SKIPPER_OK);
    EXPECT_GE(exchanges, 2);
    EXPECT_GT(sent, 0);
    EXPECT_NE(told([&](char* t, long long n, long long* needed) {
                return skipper_distributed_poisson_describe(poisson, t, n, needed);
              }).find("over 3 ranks"),
              std::string::npos);
    std::vector<T> mine(static_cast<std::size_t>(in)), my_high(static_cast<std::size_t>(size[0] * 8));
    each_element(first, size, sizes, [&](std::size_t here, std::size_t there) { mine[here] = f[there]; });
    for (std::size_t i = 0; i < my_high.size(); ++i) my_high[i] = high[std::size_t(first[0]) * 8 + i];
    void const* const lows[] = {low.data(), nullptr, nullptr};
    void const* const highs[] = {nullptr, my_high.data(), nullptr};
    double defect = -1;
    skipper_solve_settings with = {};
    with.low = lows, with.high = highs;
    EXPECT_EQ(skipper_distributed_poisson_solve_on(poisson, mine.data(), mine.data(), &with, &defect),
              SKIPPER_OK)
        << skipper_message();
    EXPECT_EQ(defect, 0);
    EXPECT_EQ(skipper_distributed_poisson_out_box(poisson, rank, first, size), SKIPPER_OK);
    skipper_distributed_poisson_destroy(poisson);
    std::lock_guard const lock(mutex);
    each_element(first, size, sizes,
                 [&](std::size_t here, std::size_t there) { result[there] = mine[here]; });
  });
  for (std::size_t i = 0; i < result.size(); ++i)
    EXPECT_NEAR(result[i], expected[i], sizeof(T) == 8 ? 1e-12 : 1e-5);
}

TEST(CDistributed, SolvesWhatPoissonSolves) {
  expect_solved<float>();
  expect_solved<double>();
}

TEST(CDistributed, PoissonErrorsAreCodesAndMessages) {
  auto const refused = [](std::function<void(skipper_poisson_axis*, skipper_poisson_problem&)> const& spoil) {
    skipper_communicator* communicator = nullptr;
    EXPECT_EQ(skipper_communicators_create_threads(&communicator, 1, 0), SKIPPER_OK);
    skipper_poisson_axis axes[] = {{8, 1.0, 0, 0, 0, 0, 0, nullptr}, {8, 1.0, 1, 1, 0, 0, 0, nullptr}};
    skipper_poisson_problem problem = skipper_poisson_problem_default();
    problem.rank = 2, problem.axes = axes;
    spoil(axes, problem);
    skipper_distributed_poisson* poisson = nullptr;
    int const code = skipper_distributed_poisson_create(&poisson, &problem, communicator, nullptr);
    skipper_communicator_destroy(communicator);
    skipper_distributed_poisson_destroy(poisson);
    return code == SKIPPER_OK ? std::string("taken") : std::string(skipper_message());
  };
  auto const has = [](std::string const& text, char const* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_EQ(refused([](auto*, auto&) {}), "taken");
  EXPECT_TRUE(has(refused([](auto*, auto& p) { p.precision = 7; }), "precision"));
  EXPECT_TRUE(has(refused([](auto*, auto& p) { p.precision = SKIPPER_F16; }), "precision: is f16"));
  EXPECT_TRUE(has(refused([](auto*, auto& p) { p.precision = SKIPPER_BF16; }), "precision: is bf16"));
  EXPECT_TRUE(has(refused([](auto*, auto& p) { p.rank = 4; }), "rank: is 4"));
  EXPECT_TRUE(has(refused([](auto*, auto& p) { p.symbols = 2; }), "symbols"));
  EXPECT_TRUE(has(refused([](auto*, auto& p) { p.zero_mode = 3; }), "zero_mode"));
  EXPECT_TRUE(has(refused([](auto* a, auto&) { a[1].low = 3; }), "axes[1].low"));
  EXPECT_TRUE(has(refused([](auto* a, auto&) { a[0].high = -1; }), "axes[0].high"));
  EXPECT_TRUE(has(refused([](auto* a, auto&) { a[0].centring = 2; }), "axes[0].centring"));
  EXPECT_TRUE(has(refused([](auto* a, auto&) { a[0].tridiagonal = 2; }), "axes[0].tridiagonal"));
  EXPECT_TRUE(has(refused([](auto* a, auto&) { a[1].coordinates_count = 9; }), "axes[1].coordinates"));
  EXPECT_TRUE(
      has(refused([](auto* a, auto&) { a[1].coordinates_count = 1ll << 60; }), "axes[1].coordinates_count"));
  EXPECT_TRUE(has(refused([](auto* a, auto&) { a[1].size = 0; }), "axes[1].size"));
  EXPECT_TRUE(has(refused([](auto*, auto& p) { p.is_complex = 1; }), "complex: is set"));
  EXPECT_TRUE(has(refused([](auto*, auto& p) { p.is_complex = 2; }), "is_complex"));
  EXPECT_TRUE(has(refused([](auto*, auto& p) { p.axes = nullptr; }), "axes"));
  double defect = 0;
  EXPECT_EQ(skipper_distributed_poisson_solve(nullptr, &defect, &defect, &defect), SKIPPER_BAD_ARGUMENT);
}

}  // namespace
