// Problems by their fields in C, and what is made of them: plans, streamed plans, Poisson solvers, candidates.
#include <gtest/gtest.h>
#include <skipper/skipper.h>
#include <skipper/skipper_c.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

skipper_axis axis(long long size, int kind = SKIPPER_AXIS_FOURIER) {
  skipper_axis result = {};
  result.size = size;
  result.kind = kind;
  return result;
}

skipper_problem problem_of(std::vector<skipper_axis> const& axes, int kind, int precision = SKIPPER_F64) {
  skipper_problem result = skipper_problem_default();
  result.kind = kind;
  result.precision = precision;
  result.direction = kind == SKIPPER_C2R ? SKIPPER_INVERSE : SKIPPER_FORWARD;
  result.rank = int(axes.size());
  result.axes = axes.data();
  return result;
}

skipper_plan_settings on_cpu() {
  skipper_plan_settings settings = {};
  settings.device = "cpu";
  settings.cpu.threads = 1;
  return settings;
}

/// The first line that the plan says of itself is its problem.
std::string problem_text(skipper_problem const& problem) {
  skipper_plan_settings const settings = on_cpu();
  skipper_plan* plan = nullptr;
  EXPECT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_OK) << skipper_message();
  if (!plan) return "";
  char text[4096];
  EXPECT_EQ(skipper_describe(plan, text, sizeof text, nullptr), SKIPPER_OK);
  skipper_plan_destroy(plan);
  return std::string(text, std::strcspn(text, "\n"));
}

TEST(CProblem, FieldsAreThoseOfTheText) {
  EXPECT_TRUE(problem_text(problem_of({axis(8), axis(6)}, SKIPPER_C2C)).starts_with("c2c f64 forward 8x6"));
  std::vector<skipper_axis> const kinds = {axis(9, SKIPPER_AXIS_DCT1), axis(8, SKIPPER_AXIS_DCT2),
                                           axis(7, SKIPPER_AXIS_DST4)};
  EXPECT_TRUE(
      problem_text(problem_of(kinds, SKIPPER_R2R)).starts_with("r2r f64 forward 9x8x7 kinds dct1,dct2,dst4"));

  std::vector<skipper_axis> const mixed = {axis(8), axis(5, SKIPPER_AXIS_DST2)};
  skipper_problem some = problem_of(mixed, SKIPPER_R2C, SKIPPER_F32);
  skipper_dim const many = {3, 0, 0};
  some.batch_rank = 1, some.batch = &many;
  some.norm = SKIPPER_NORM_ORTHO;
  some.scale = 0.5;
  EXPECT_TRUE(
      problem_text(some).starts_with("r2c f32 forward 8x5 kinds fourier,dst2 batch 3 scale 0.5 norm ortho"))
      << problem_text(some);

  std::vector<skipper_axis> columns = {axis(60)};
  columns[0].in_stride = columns[0].out_stride = 8;
  skipper_problem strided = problem_of(columns, SKIPPER_C2C, SKIPPER_F32);
  skipper_dim const eight = {8, 1, 1};
  strided.batch_rank = 1, strided.batch = &eight;
  strided.in_place = 1;
  EXPECT_TRUE(problem_text(strided).starts_with("c2c f32 forward 60 batch 8 in 8/1 out 8/1 in-place"))
      << problem_text(strided);

  std::vector<skipper_axis> padded = {axis(64), axis(128)};
  padded[0].in_count = 40, padded[1].in_count = 100, padded[1].out_count = 20;
  EXPECT_TRUE(problem_text(problem_of(padded, SKIPPER_R2C, SKIPPER_F32))
                  .starts_with("r2c f32 forward 64x128 load 40x100 keep 0+0x0+20"));

  std::vector<skipper_axis> const line = {axis(64)};
  skipper_problem reversed = problem_of(line, SKIPPER_C2C);
  reversed.order = SKIPPER_ORDER_REVERSED;
  EXPECT_TRUE(problem_text(reversed).starts_with("c2c f64 forward 64 reversed"));
}

TEST(CProblem, FourierAxesByTheirSizes) {
  long long const shape[] = {8, 6};
  skipper_problem problem = skipper_problem_default();
  problem.rank = 2, problem.shape = shape;
  EXPECT_TRUE(problem_text(problem).starts_with("c2c f32 forward 8x6")) << problem_text(problem);
  skipper_dim batch = skipper_dim_default();
  batch.size = 3;
  problem.batch_rank = 1, problem.batch = &batch, problem.kind = SKIPPER_R2C;
  EXPECT_TRUE(problem_text(problem).starts_with("r2c f32 forward 8x6 batch 3")) << problem_text(problem);
}

// Zeros are what the functions give, but where they say otherwise.
TEST(CProblem, StructsBeginWithTheirDefaults) {
  EXPECT_EQ(skipper_axis_default().size, 1);
  EXPECT_EQ(skipper_dim_default().size, 1);
  EXPECT_EQ(skipper_problem_default().scale, 1);
  EXPECT_EQ(skipper_poisson_axis_default().length, 1);
  EXPECT_EQ(skipper_convolution_problem_default().batch, 1);
  skipper_plan_settings const settings = skipper_plan_settings_default();
  EXPECT_EQ(settings.device, nullptr);
  EXPECT_EQ(settings.cpu.threads, 0);
  EXPECT_EQ(settings.gpu.program, nullptr);
  EXPECT_EQ(skipper_execute_settings_default().workspace, nullptr);
  EXPECT_EQ(skipper_solve_settings_default().high, nullptr);
  EXPECT_EQ(skipper_stream_settings_default().memory_limit, 0);
  EXPECT_EQ(skipper_distributed_settings_default().pieces, 0);
}

TEST(CProblem, CosinesAndBackWithWorkspace) {
  std::vector<skipper_axis> const axes = {axis(6, SKIPPER_AXIS_DCT2), axis(10, SKIPPER_AXIS_DST1)};
  skipper_problem const problem = problem_of(axes, SKIPPER_R2R);
  skipper_plan_settings const settings = on_cpu();
  skipper_plan *plan = nullptr, *inverse = nullptr;
  ASSERT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_OK) << skipper_message();
  ASSERT_EQ(skipper_plan_create_inverse(&inverse, plan), SKIPPER_OK) << skipper_message();
  std::vector<double> in(60), out(60), right(60), back(60);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = std::sin(double(i * i));
  long long bytes = 0;
  ASSERT_EQ(skipper_workspace_bytes(plan, &bytes), SKIPPER_OK);
  struct alignas(64) Line {
    char bytes[64];
  };
  std::vector<Line> workspace(std::size_t(bytes) / 64 + 1);
  skipper_execute_settings with = skipper_execute_settings_default();
  with.workspace = workspace.data();
  ASSERT_EQ(skipper_execute_on(plan, in.data(), out.data(), &with), SKIPPER_OK);
  ASSERT_EQ(skipper_execute(inverse, out.data(), back.data()), SKIPPER_OK);
  skipper::Plan(
      skipper::r2r({6, 10}, {skipper::AxisKind::dct2, skipper::AxisKind::dst1}, 1, skipper::Precision::f64))
      .execute(in.data(), right.data());
  for (std::size_t i = 0; i < in.size(); ++i) {
    EXPECT_NEAR(out[i], right[i], 1e-13);
    EXPECT_NEAR(back[i], in[i], 1e-13);
  }
  skipper_plan_destroy(plan);
  skipper_plan_destroy(inverse);
}

/// What is in the place of the workspace would be written to: a stream, which a CPU has none of, is refused as such.
TEST(CProblem, AStreamIsNotTakenForWorkspace) {
  int not_a_stream = 0;
  skipper_execute_settings on_stream = skipper_execute_settings_default();
  on_stream.stream = &not_a_stream;
  skipper_solve_settings solve_on_stream = {};
  solve_on_stream.stream = &not_a_stream;
  auto const refused = [](int code) {
    return code == SKIPPER_BAD_ARGUMENT && std::string(skipper_message()).starts_with("stream:");
  };
  double in[16] = {}, out[16] = {};
  skipper_plan* plan = nullptr;
  skipper_plan_settings const settings = on_cpu();
  ASSERT_EQ(skipper_plan_create_text(&plan, "c2c f64 forward 8", &settings), SKIPPER_OK);
  EXPECT_TRUE(refused(skipper_execute_on(plan, in, out, &on_stream))) << skipper_message();
  skipper_plan_destroy(plan);

  skipper_stream_settings through = skipper_stream_settings_default();
  through.device = "cpu";
  skipper_stream_plan* stream_plan = nullptr;
  skipper_axis const line = axis(8);
  skipper_problem problem = skipper_problem_default();
  problem.precision = SKIPPER_F64, problem.rank = 1, problem.axes = &line;
  ASSERT_EQ(skipper_stream_plan_create(&stream_plan, &problem, &through), SKIPPER_OK);
  EXPECT_TRUE(refused(skipper_stream_plan_execute_on(stream_plan, in, out, &on_stream))) << skipper_message();
  skipper_stream_plan_destroy(stream_plan);

  skipper_convolution* convolution = nullptr;
  long long const shape = 8, kernel_shape = 1;
  double const kernel = 2;
  skipper_convolution_problem response = skipper_convolution_problem_default();
  response.precision = SKIPPER_F64, response.rank = 1;
  response.shape = &shape, response.kernel_shape = &kernel_shape;
  ASSERT_EQ(skipper_convolution_create(&convolution, &response, &kernel, &settings), SKIPPER_OK);
  EXPECT_TRUE(refused(skipper_convolve_on(convolution, in, out, &on_stream))) << skipper_message();
  skipper_convolution_destroy(convolution);

  skipper_poisson_axis side = skipper_poisson_axis_default();
  side.size = 8;
  skipper_poisson_problem box = skipper_poisson_problem_default();
  box.precision = SKIPPER_F64, box.rank = 1, box.axes = &side, box.shift = -1;
  skipper_poisson* poisson = nullptr;
  ASSERT_EQ(skipper_poisson_create(&poisson, &box, &settings), SKIPPER_OK);
  EXPECT_TRUE(refused(skipper_poisson_solve_on(poisson, in, out, &solve_on_stream, nullptr)))
      << skipper_message();
  skipper_poisson_destroy(poisson);

  skipper_stream_poisson* streamed = nullptr;
  ASSERT_EQ(skipper_stream_poisson_create(&streamed, &box, &through), SKIPPER_OK);
  EXPECT_TRUE(refused(skipper_stream_poisson_solve_on(streamed, in, out, &solve_on_stream, nullptr)))
      << skipper_message();
  skipper_stream_poisson_destroy(streamed);

  skipper_communicator* alone = nullptr;
  ASSERT_EQ(skipper_communicators_create_threads(&alone, 1, 0), SKIPPER_OK);
  skipper_distributed* ranks = nullptr;
  ASSERT_EQ(skipper_distributed_create_text(&ranks, "c2c f64 forward 8", alone, nullptr), SKIPPER_OK);
  EXPECT_TRUE(refused(skipper_distributed_execute_on(ranks, in, out, &on_stream))) << skipper_message();
  skipper_distributed_destroy(ranks);
  skipper_communicator_destroy(alone);

  ASSERT_EQ(skipper_communicators_create_threads(&alone, 1, 0), SKIPPER_OK);
  skipper_distributed_poisson* solver = nullptr;
  ASSERT_EQ(skipper_distributed_poisson_create(&solver, &box, alone, nullptr), SKIPPER_OK);
  EXPECT_TRUE(refused(skipper_distributed_poisson_solve_on(solver, in, out, &solve_on_stream, nullptr)))
      << skipper_message();
  skipper_distributed_poisson_destroy(solver);
  skipper_communicator_destroy(alone);
}

TEST(CProblem, RefusesByName) {
  skipper_plan* plan = nullptr;
  std::vector<skipper_axis> axes = {axis(8), axis(6)};
  auto const refused = [&](std::string const& argument, std::function<void(skipper_problem&)> const& change) {
    skipper_problem problem = problem_of(axes, SKIPPER_C2C);
    change(problem);
    skipper_plan_settings const settings = on_cpu();
    EXPECT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_BAD_ARGUMENT) << argument;
    EXPECT_TRUE(std::string(skipper_message()).starts_with(argument + ":")) << skipper_message();
    EXPECT_EQ(plan, nullptr);
  };
  refused("kind", [](auto& p) { p.kind = 4; });
  refused("precision", [](auto& p) { p.precision = 0; });
  refused("direction", [](auto& p) { p.direction = 0; });
  refused("direction", [](auto& p) { p.kind = SKIPPER_C2R; });
  refused("rank", [](auto& p) { p.rank = 0; });
  refused("rank", [](auto& p) { p.rank = 65; });
  refused("axes", [](auto& p) { p.axes = nullptr; });
  refused("batch_rank", [](auto& p) { p.batch_rank = -1; });
  refused("batch", [](auto& p) { p.batch_rank = 1; });
  long long const sizes[] = {8, 6};
  refused("shape", [&](auto& p) { p.shape = sizes; });
  skipper_dim const many = {3, 0, 0};
  refused("batch", [&](auto& p) { p.batch = &many; });
  refused("in_place", [](auto& p) { p.in_place = -1; });
  refused("order", [](auto& p) { p.order = 3; });
  refused("norm", [](auto& p) { p.norm = 2; });
  refused("scale", [](auto& p) { p.scale = NAN; });
  refused("axes[0].kind", [](auto& p) { p.kind = SKIPPER_R2R; });
  axes[1].kind = 10;
  refused("axes[1].kind", [](auto&) {});
  axes[1] = axis(6);
  axes[1].in_stride = axes[1].out_stride = -1;
  axes[0].in_stride = axes[0].out_stride = 6;
  refused("axes[1].in_stride", [](auto&) {});
  EXPECT_NE(std::string(skipper_message()).find("negative strides are not supported"), std::string::npos);

  // Strides of one side alone are not silently taken for a constant input, or for outputs in one place.
  axes = {axis(8), axis(6)};
  axes[1].in_stride = 1;
  refused("axes[1].in_stride", [](auto&) {});
  EXPECT_NE(std::string(skipper_message()).find("all strides of the output are 0"), std::string::npos);
  axes = {axis(8), axis(6)};
  skipper_dim const batch = {2, 0, 48};
  refused("batch[0].out_stride", [&](auto& p) { p.batch_rank = 1, p.batch = &batch; });
  EXPECT_NE(std::string(skipper_message()).find("all strides of the input are 0"), std::string::npos);
  skipper_communicator* alone = nullptr;
  ASSERT_EQ(skipper_communicators_create_threads(&alone, 1, 0), SKIPPER_OK);
  axes[1].in_stride = axes[1].out_stride = 1, axes[0].in_stride = axes[0].out_stride = 6;
  skipper_problem const strided = problem_of(axes, SKIPPER_C2C);
  skipper_distributed* ranks = nullptr;
  EXPECT_EQ(skipper_distributed_create(&ranks, &strided, alone, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_TRUE(std::string(skipper_message()).starts_with("axes[0].in_stride:")) << skipper_message();
  skipper_communicator_destroy(alone);

  skipper_problem const problem = problem_of(axes, SKIPPER_C2C);
  skipper_plan_settings settings = on_cpu();
  settings.gpu.host_arrays = 3;
  EXPECT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_BAD_ARGUMENT);
  settings = on_cpu();
  settings.gpu.tuning = "file";
  EXPECT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_BAD_ARGUMENT);
  EXPECT_TRUE(std::string(skipper_message()).starts_with("gpu.tuning:")) << skipper_message();
  settings = on_cpu();
  settings.cpu.instruction_set = "abacus";
  EXPECT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_plan_create(nullptr, &problem, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_plan_create(&plan, nullptr, nullptr), SKIPPER_BAD_ARGUMENT);
}

void run_in_turn(int tasks, skipper_task_function task, void* context, void* data) {
  ++*static_cast<int*>(data);
  for (int i = 0; i < tasks; ++i) task(i, context);
}

TEST(CProblem, ExecutorOfOnePlan) {
  std::vector<skipper_axis> const axes = {axis(256), axis(256)};
  skipper_problem const problem = problem_of(axes, SKIPPER_C2C);
  int calls = 0;
  skipper_plan_settings settings = on_cpu();
  settings.cpu.threads = 0;
  settings.cpu.executor.run = run_in_turn, settings.cpu.executor.threads = 2,
  settings.cpu.executor.data = &calls;
  skipper_plan* plan = nullptr;
  ASSERT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_OK) << skipper_message();
  std::vector<std::complex<double>> in(256 * 256, 1.0), out(in.size());
  ASSERT_EQ(skipper_execute(plan, in.data(), out.data()), SKIPPER_OK);
  EXPECT_GT(calls, 0);
  EXPECT_EQ(out[0].real(), 256 * 256);
  skipper_plan_destroy(plan);
}

int stop_after(long long done, long long all, void* data) {
  EXPECT_LE(done, all);
  return done < *static_cast<long long*>(data);
}

TEST(CProblem, MoreDataThanMemory) {
  std::vector<skipper_axis> const axes = {axis(32), axis(32), axis(32)};
  skipper_problem const problem = problem_of(axes, SKIPPER_C2C, SKIPPER_F32);
  long long most = 1 << 30;
  skipper_stream_settings settings = {};
  settings.device = "cpu";
  settings.memory_limit = 128 << 10;  // half of the data
  settings.cpu.threads = 1;
  settings.progress = stop_after;
  settings.progress_data = &most;
  skipper_stream_plan* plan = nullptr;
  ASSERT_EQ(skipper_stream_plan_create(&plan, &problem, &settings), SKIPPER_OK) << skipper_message();
  int trips = 0;
  long long device_bytes = 0, workspace_bytes = -1, needed = 0;
  ASSERT_EQ(skipper_stream_plan_costs(plan, &trips, &device_bytes), SKIPPER_OK);
  EXPECT_EQ(trips, 2);
  EXPECT_LE(device_bytes, settings.memory_limit);
  ASSERT_EQ(skipper_stream_plan_workspace_bytes(plan, &workspace_bytes), SKIPPER_OK);
  EXPECT_GE(workspace_bytes, 0);
  EXPECT_EQ(skipper_stream_plan_describe(plan, nullptr, 0, &needed), SKIPPER_OK);
  EXPECT_GT(needed, 1);
  std::vector<std::complex<float>> in(32 * 32 * 32, 1.0f), out(in.size());
  ASSERT_EQ(skipper_stream_plan_execute(plan, in.data(), out.data()), SKIPPER_OK) << skipper_message();
  EXPECT_EQ(out[0].real(), 32 * 32 * 32);
  most = 1;
  EXPECT_EQ(skipper_stream_plan_execute(plan, in.data(), out.data()), SKIPPER_CANCELLED);
  EXPECT_EQ(skipper_stream_plan_execute(plan, nullptr, out.data()), SKIPPER_BAD_ARGUMENT);
  skipper_stream_plan_destroy(plan);
  settings.strategy = 3;
  EXPECT_EQ(skipper_stream_plan_create(&plan, &problem, &settings), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
  skipper_stream_plan_destroy(nullptr);
}

TEST(CProblem, Poisson) {
  skipper_poisson_axis const axes[] = {
      {6, 6.0, SKIPPER_BOUNDARY_DIRICHLET, SKIPPER_BOUNDARY_DIRICHLET, SKIPPER_CENTRING_NODE, 0, 0, nullptr},
      {4, 4.0, SKIPPER_BOUNDARY_PERIODIC, SKIPPER_BOUNDARY_PERIODIC, SKIPPER_CENTRING_CELL, 0, 0, nullptr}};
  skipper_plan_settings settings = on_cpu();
  skipper_poisson* poisson = nullptr;
  skipper_poisson_problem problem = skipper_poisson_problem_default();
  problem.precision = SKIPPER_F64, problem.rank = 2, problem.axes = axes;
  ASSERT_EQ(skipper_poisson_create(&poisson, &problem, &settings), SKIPPER_OK) << skipper_message();
  long long bytes = 0, needed = 0;
  ASSERT_EQ(skipper_poisson_workspace_bytes(poisson, &bytes), SKIPPER_OK);
  EXPECT_EQ(skipper_poisson_describe(poisson, nullptr, 0, &needed), SKIPPER_OK);
  EXPECT_GT(needed, 1);
  struct alignas(64) Line {
    char bytes[64];
  };
  std::vector<Line> workspace(std::size_t(bytes) / 64 + 1);
  double const values[] = {7, 7, 7, 7};  // at the high end; 0 at the low one: a straight line
  void const* const high[] = {values, nullptr};
  std::vector<double> f(24, 0.0), phi(24);
  double defect = 1;
  skipper_solve_settings with = {};
  with.high = high, with.workspace = workspace.data();
  ASSERT_EQ(skipper_poisson_solve_on(poisson, f.data(), phi.data(), &with, &defect), SKIPPER_OK)
      << skipper_message();
  EXPECT_EQ(defect, 0);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_NEAR(phi[i], double(1 + i / 4), 1e-12);
  ASSERT_EQ(skipper_poisson_solve(poisson, f.data(), phi.data(), nullptr), SKIPPER_OK);
  EXPECT_NEAR(phi[0], 0, 1e-13);
  EXPECT_EQ(skipper_poisson_solve(poisson, nullptr, phi.data(), nullptr), SKIPPER_BAD_ARGUMENT);
  skipper_poisson_destroy(poisson);

  settings.gpu.program = "text";
  EXPECT_EQ(skipper_poisson_create(&poisson, &problem, &settings), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(poisson, nullptr);
  problem.is_complex = 1;  // only where arrays are streamed
  settings.gpu.program = nullptr;
  EXPECT_EQ(skipper_poisson_create(&poisson, &problem, &settings), SKIPPER_BAD_ARGUMENT);
  EXPECT_TRUE(std::string(skipper_message()).starts_with("complex:")) << skipper_message();
}

TEST(CProblem, PoissonRefusesByName) {
  auto const refused = [&](std::string const& argument,
                           std::function<void(skipper_poisson_problem&)> const& change) {
    skipper_poisson_axis axis = {};
    axis.size = 8, axis.length = 1;
    skipper_poisson_problem problem = skipper_poisson_problem_default();
    problem.rank = 1, problem.axes = &axis;
    change(problem);
    skipper_plan_settings const settings = on_cpu();
    skipper_poisson* poisson = nullptr;
    EXPECT_EQ(skipper_poisson_create(&poisson, &problem, &settings), SKIPPER_BAD_ARGUMENT) << argument;
    EXPECT_TRUE(std::string(skipper_message()).starts_with(argument + ":")) << skipper_message();
    EXPECT_EQ(poisson, nullptr);
  };
  refused("precision", [](auto& p) { p.precision = 0; });
  refused("is_complex", [](auto& p) { p.is_complex = 2; });
  refused("rank", [](auto& p) { p.rank = 0; });
  refused("rank", [](auto& p) { p.rank = 4; });
  refused("axes", [](auto& p) { p.axes = nullptr; });
  refused("shift", [](auto& p) { p.shift = NAN; });
  double const grid[9] = {};
  skipper_poisson_axis uncounted = skipper_poisson_axis_default();
  uncounted.size = 8, uncounted.coordinates = grid;
  refused("axes[0].coordinates", [&](auto& p) { p.axes = &uncounted; });
  refused("symbols", [](auto& p) { p.symbols = 2; });
  refused("zero_mode", [](auto& p) { p.zero_mode = -1; });
  skipper_poisson* poisson = nullptr;
  EXPECT_EQ(skipper_poisson_create(&poisson, nullptr, nullptr), SKIPPER_BAD_ARGUMENT);
  skipper_stream_poisson* streamed = nullptr;
  EXPECT_EQ(skipper_stream_poisson_create(&streamed, nullptr, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_poisson_create(nullptr, nullptr, nullptr), SKIPPER_BAD_ARGUMENT);
}

TEST(CProblem, ConvolutionsRefuseByName) {
  float const kernel[] = {1, 2};
  auto const refused = [&](std::string const& argument,
                           std::function<void(skipper_convolution_problem&)> const& change) {
    long long const shape = 8, kernel_shape = 2;
    skipper_convolution_problem problem = skipper_convolution_problem_default();
    problem.rank = 1, problem.shape = &shape, problem.kernel_shape = &kernel_shape;
    change(problem);
    skipper_plan_settings const settings = on_cpu();
    skipper_convolution* convolution = nullptr;
    EXPECT_EQ(skipper_convolution_create(&convolution, &problem, kernel, &settings), SKIPPER_BAD_ARGUMENT)
        << argument;
    EXPECT_TRUE(std::string(skipper_message()).starts_with(argument + ":")) << skipper_message();
    EXPECT_EQ(convolution, nullptr);
  };
  refused("precision", [](auto& p) { p.precision = 33; });
  refused("is_complex", [](auto& p) { p.is_complex = 2; });
  refused("rank", [](auto& p) { p.rank = 0; });
  refused("rank", [](auto& p) { p.rank = 65; });
  refused("shape", [](auto& p) { p.shape = nullptr; });
  refused("kernel_shape", [](auto& p) { p.kernel_shape = nullptr; });
  refused("mode", [](auto& p) { p.mode = 5; });
  refused("mode", [](auto& p) { p.mode = 0; });
  refused("mode", [](auto& p) { p.mode = -1; });
  refused("correlate", [](auto& p) { p.correlate = -1; });
  refused("batch", [](auto& p) { p.batch = 0; });
  refused("kernels", [](auto& p) { p.kernels = 2; });
  refused("scale", [](auto& p) { p.scale = NAN; });
  skipper_convolution* convolution = nullptr;
  EXPECT_EQ(skipper_convolution_create(&convolution, nullptr, kernel, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_convolution_create(nullptr, nullptr, kernel, nullptr), SKIPPER_BAD_ARGUMENT);
}

TEST(CProblem, PoissonThroughLittleMemory) {
  skipper_poisson_axis axes[2] = {};
  axes[0].size = axes[1].size = 32;
  axes[0].length = axes[1].length = 32;
  axes[0].low = axes[0].high = SKIPPER_BOUNDARY_DIRICHLET, axes[0].centring = SKIPPER_CENTRING_NODE;
  skipper_poisson_problem problem = skipper_poisson_problem_default();
  problem.precision = SKIPPER_F64, problem.rank = 2, problem.axes = axes;
  skipper_stream_settings settings = {};
  settings.device = "cpu";
  settings.memory_limit = 6 << 10;
  skipper_stream_poisson* poisson = nullptr;
  ASSERT_EQ(skipper_stream_poisson_create(&poisson, &problem, &settings), SKIPPER_OK) << skipper_message();
  int trips = 0;
  long long device_bytes = 0, workspace_bytes = -1, needed = 0;
  ASSERT_EQ(skipper_stream_poisson_costs(poisson, &trips, &device_bytes), SKIPPER_OK);
  EXPECT_EQ(trips, 3);
  EXPECT_GT(device_bytes, 0);
  EXPECT_LE(device_bytes, settings.memory_limit);
  ASSERT_EQ(skipper_stream_poisson_workspace_bytes(poisson, &workspace_bytes), SKIPPER_OK);
  EXPECT_GE(workspace_bytes, 0);
  EXPECT_EQ(skipper_stream_poisson_describe(poisson, nullptr, 0, &needed), SKIPPER_OK);
  EXPECT_GT(needed, 1);
  std::vector<double> const values(32, 33.0);  // at the high end; 0 at the low one: a straight line
  void const* const high[] = {values.data(), nullptr};
  std::vector<double> f(32 * 32, 0.0), phi(f.size());
  skipper_solve_settings with = {};
  with.high = high;
  double defect = 1;
  ASSERT_EQ(skipper_stream_poisson_solve_on(poisson, f.data(), phi.data(), &with, &defect), SKIPPER_OK)
      << skipper_message();
  EXPECT_EQ(defect, 0);
  for (std::size_t i = 0; i < phi.size(); ++i) EXPECT_NEAR(phi[i], double(1 + i / 32), 1e-11);
  EXPECT_EQ(skipper_stream_poisson_solve(poisson, f.data(), nullptr, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_stream_poisson_costs(nullptr, &trips, nullptr), SKIPPER_BAD_ARGUMENT);
  skipper_stream_poisson_destroy(poisson);
  settings.memory_limit = 1;
  EXPECT_EQ(skipper_stream_poisson_create(&poisson, &problem, &settings), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(poisson, nullptr);
}

TEST(CProblem, PoissonOfComplexArraysThroughLittleMemory) {
  skipper_poisson_axis axes[2] = {};
  axes[0].size = axes[1].size = 16;
  axes[0].length = axes[1].length = 1;
  skipper_stream_settings settings = {};
  settings.device = "cpu";
  settings.cpu.threads = 1;
  skipper_stream_poisson* poisson = nullptr;
  skipper_poisson_problem problem = skipper_poisson_problem_default();
  problem.precision = SKIPPER_F64, problem.is_complex = 1;
  problem.rank = 2, problem.axes = axes;
  problem.shift = -1, problem.symbols = SKIPPER_SYMBOLS_SPECTRAL;
  ASSERT_EQ(skipper_stream_poisson_create(&poisson, &problem, &settings), SKIPPER_OK) << skipper_message();
  std::vector<std::complex<double>> f(256, {3, -2}), phi(256);
  ASSERT_EQ(skipper_stream_poisson_solve(poisson, f.data(), phi.data(), nullptr), SKIPPER_OK)
      << skipper_message();
  EXPECT_NEAR(std::abs(phi[77] - std::complex<double>(-3, 2)), 0, 1e-13);
  void const* const values[] = {nullptr, nullptr};
  skipper_solve_settings with = {};
  with.low = values;
  EXPECT_EQ(skipper_stream_poisson_solve_on(poisson, f.data(), phi.data(), &with, nullptr),
            SKIPPER_BAD_ARGUMENT);
  EXPECT_TRUE(std::string(skipper_message()).starts_with("low:")) << skipper_message();
  skipper_stream_poisson_destroy(poisson);
}

TEST(CProblem, CandidatesForAMachineThatIsNotHere) {
  std::vector<skipper_axis> const axes = {axis(512), axis(512), axis(512)};
  skipper_problem const problem = problem_of(axes, SKIPPER_C2C, SKIPPER_F32);
  skipper_candidates* candidates = nullptr;
  skipper_planning_options options = skipper_planning_options_default();
  options.max_candidates = 2;
  ASSERT_EQ(skipper_candidates_create(&candidates, &problem, "h200", &options), SKIPPER_OK)
      << skipper_message();
  int count = 0;
  ASSERT_EQ(skipper_candidates_count(candidates, &count), SKIPPER_OK);
  EXPECT_GE(count, 1);
  EXPECT_LE(count, 2);
  char text[4096];
  ASSERT_EQ(skipper_candidates_text(candidates, 0, text, sizeof text, nullptr), SKIPPER_OK);
  skipper::PlannedProgram const best =
      skipper::planned(skipper::c2c({512, 512, 512}), "h200", {.max_candidates = 2}).front();
  EXPECT_EQ(std::string(text), best.text);
  skipper_candidate candidate = {};
  ASSERT_EQ(skipper_candidates_get(candidates, 0, &candidate), SKIPPER_OK);
  EXPECT_EQ(candidate.estimate, best.estimate);
  EXPECT_EQ(candidate.seconds, best.seconds);
  ASSERT_EQ(std::size_t(candidate.sweeps), best.sweeps.size());
  skipper_planned_sweep sweep = {};
  ASSERT_EQ(skipper_candidates_get_sweep(candidates, 0, 1, &sweep), SKIPPER_OK);
  EXPECT_EQ(sweep.estimate, best.sweeps[1].estimate);
  EXPECT_EQ(sweep.blocks, best.sweeps[1].blocks);
  EXPECT_EQ(sweep.tile_bytes, best.sweeps[1].tile_bytes);
  EXPECT_EQ(sweep.read_segment_bytes, best.sweeps[1].read_segment_bytes);
  EXPECT_EQ(sweep.write_segment_bytes, best.sweeps[1].write_segment_bytes);
  EXPECT_EQ(sweep.l2_block_bytes, best.sweeps[1].l2_block_bytes);
  EXPECT_EQ(skipper_candidates_get_sweep(candidates, 0, candidate.sweeps, &sweep), SKIPPER_BAD_ARGUMENT);
  EXPECT_TRUE(std::string(skipper_message()).starts_with("sweep:")) << skipper_message();
  EXPECT_EQ(skipper_candidates_get(candidates, count, &candidate), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_candidates_text(candidates, -1, text, sizeof text, nullptr), SKIPPER_BAD_ARGUMENT);
  skipper_candidates_destroy(candidates);
  EXPECT_EQ(skipper_candidates_create(&candidates, &problem, "abacus", nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_candidates_create(&candidates, &problem, nullptr, nullptr), SKIPPER_BAD_ARGUMENT);
  options.max_candidates = 0;
  EXPECT_EQ(skipper_candidates_create(&candidates, &problem, "h200", &options), SKIPPER_BAD_ARGUMENT);
  options.max_candidates = 1, options.clusters = 2;
  EXPECT_EQ(skipper_candidates_create(&candidates, &problem, "h200", &options), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_keep_tuned("file", "cpu", nullptr, 0), SKIPPER_NO_DEVICE);
  int devices = 0;
  ASSERT_EQ(skipper_device_count(&devices), SKIPPER_OK);
  ASSERT_GE(devices, 1);
  ASSERT_EQ(skipper_device_name(devices - 1, text, sizeof text, nullptr), SKIPPER_OK);
  EXPECT_STREQ(text, "cpu");
  EXPECT_EQ(skipper_device_name(devices, text, sizeof text, nullptr), SKIPPER_BAD_ARGUMENT);
}

TEST(CProblem, DevicesAndMachinesTellTheirFacts) {
  auto const told = [](auto call) {
    char text[4096] = "";
    EXPECT_EQ(call(text, (long long)sizeof text, nullptr), SKIPPER_OK) << skipper_message();
    return std::string(text);
  };
  auto const all = skipper::devices();
  int const last = int(all.size()) - 1;
  EXPECT_EQ(told([&](auto... rest) { return skipper_device_title(last, rest...); }), all.back().title);
  std::string const sets = told([&](auto... rest) { return skipper_device_instruction_sets(last, rest...); });
  EXPECT_TRUE((sets + " ").starts_with(all.back().instruction_sets.front() + " ")) << sets;
  std::string const missing = told([](auto... rest) { return skipper_missing_for_gpu(rest...); });
  EXPECT_EQ(missing.empty(), skipper::missing_for_gpu().empty());
  int machines = 0;
  ASSERT_EQ(skipper_machine_count(&machines), SKIPPER_OK);
  EXPECT_EQ(std::size_t(machines), skipper::machine_names().size());
  EXPECT_EQ(told([](auto... rest) { return skipper_machine_name(0, rest...); }),
            skipper::machine_names().front());
  EXPECT_EQ(told([](auto... rest) { return skipper_machine_text("h200", rest...); }),
            skipper::machine_text("h200"));
  char text[8];
  EXPECT_EQ(skipper_machine_name(machines, text, sizeof text, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_machine_text(nullptr, text, sizeof text, nullptr), SKIPPER_BAD_ARGUMENT);
}

/// A problem goes to text, to fields, to its inverse and into a plan, and is the same all the way.
TEST(CProblem, ProblemsReadBack) {
  for (char const* const line :
       {"c2c f32 forward 8x6 batch 3 scale 0.5", "r2r bf16 forward 9x8 kinds dct1,dst4 norm ortho",
        "r2c f64 forward 64x128 load 40x100 keep 0+0x0+20",
        "c2c f16 inverse 60 batch 8 in 8/1 out 8/1 in-place", "c2c f64 forward 64 reversed"}) {
    skipper_problem problem, again;
    skipper_axis axes[SKIPPER_MAX_RANK];
    skipper_dim batch[SKIPPER_MAX_RANK];
    ASSERT_EQ(skipper_problem_read(line, &problem, axes, batch), SKIPPER_OK) << skipper_message();
    char text[512];
    ASSERT_EQ(skipper_problem_text(&problem, text, sizeof text, nullptr), SKIPPER_OK);
    EXPECT_STREQ(text, line);
    EXPECT_EQ(skipper_problem_check(&problem), SKIPPER_OK);
    long long in = 0, out = 0;
    ASSERT_EQ(skipper_problem_bytes(&problem, &in, &out), SKIPPER_OK);
    EXPECT_EQ(in, skipper::in_bytes(skipper::parse_problem(line)));
    EXPECT_EQ(out, skipper::out_bytes(skipper::parse_problem(line)));
    skipper_plan_settings const settings = on_cpu();
    skipper_plan* plan = nullptr;
    ASSERT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_OK) << skipper_message();
    skipper_axis more_axes[SKIPPER_MAX_RANK];
    skipper_dim more_batch[SKIPPER_MAX_RANK];
    ASSERT_EQ(skipper_plan_problem(plan, &again, more_axes, more_batch), SKIPPER_OK);
    ASSERT_EQ(skipper_problem_text(&again, text, sizeof text, nullptr), SKIPPER_OK);
    EXPECT_STREQ(text, line);
    skipper_plan_destroy(plan);
  }
  skipper_problem problem = skipper_problem_default(), inverse;
  long long const shape[] = {8, 6};
  problem.kind = SKIPPER_R2C, problem.rank = 2, problem.shape = shape;
  skipper_axis axes[SKIPPER_MAX_RANK];
  skipper_dim batch[SKIPPER_MAX_RANK];
  ASSERT_EQ(skipper_problem_inverse(&problem, &inverse, axes, batch), SKIPPER_OK) << skipper_message();
  EXPECT_EQ(inverse.kind, SKIPPER_C2R);
  EXPECT_EQ(inverse.direction, SKIPPER_INVERSE);
  EXPECT_EQ(inverse.scale, 1.0 / 48);
  EXPECT_EQ(axes[0].in_stride, 4);
  problem.scale = 0;
  EXPECT_EQ(skipper_problem_inverse(&problem, &inverse, axes, batch), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_problem_read("c2c f99", &inverse, axes, batch), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_problem_read("c2c f32 forward 8", &inverse, nullptr, batch), SKIPPER_BAD_ARGUMENT);
  problem.rank = 0;
  EXPECT_EQ(skipper_problem_check(&problem), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_problem_bytes(&problem, nullptr, nullptr), SKIPPER_BAD_ARGUMENT);
}

TEST(CProblem, NumbersInSixteenBits) {
  float const values[] = {1, -0.5f, 1e30f, 3.14159f};
  unsigned short halves[4], brains[4];
  float back[4], brains_back[4];
  ASSERT_EQ(skipper_f16_from_f32(values, halves, 4), SKIPPER_OK);
  ASSERT_EQ(skipper_bf16_from_f32(values, brains, 4), SKIPPER_OK);
  ASSERT_EQ(skipper_f32_from_f16(halves, back, 4), SKIPPER_OK);
  ASSERT_EQ(skipper_f32_from_bf16(brains, brains_back, 4), SKIPPER_OK);
  EXPECT_EQ(halves[0], 0x3c00);
  EXPECT_EQ(brains[0], 0x3f80);
  EXPECT_EQ(back[1], -0.5f);
  EXPECT_TRUE(std::isinf(back[2]));
  EXPECT_NEAR(brains_back[2], 1e30f, 4e27f);
  EXPECT_NEAR(back[3], values[3], 2e-3);
  EXPECT_EQ(skipper_f16_from_f32(values, halves, -1), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_f32_from_f16(nullptr, back, 1), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_f32_from_f16(nullptr, nullptr, 0), SKIPPER_OK);
}

TEST(CProblem, EverythingTellsItsDevice) {
  char text[16];
  auto const on_the_cpu = [&](int code) { return code == SKIPPER_OK && std::string(text) == "cpu"; };
  long long const shape[] = {8}, kernel_shape[] = {1};
  float const kernel = 1;
  skipper_plan_settings const settings = on_cpu();
  skipper_stream_settings through = skipper_stream_settings_default();
  through.device = "cpu";
  skipper_problem problem = skipper_problem_default();
  problem.rank = 1, problem.shape = shape;
  skipper_convolution_problem response = skipper_convolution_problem_default();
  response.rank = 1, response.shape = shape, response.kernel_shape = kernel_shape;
  skipper_poisson_axis side = skipper_poisson_axis_default();
  side.size = 8;
  skipper_poisson_problem box = skipper_poisson_problem_default();
  box.rank = 1, box.axes = &side;
  skipper_plan* plan = nullptr;
  skipper_stream_plan* stream_plan = nullptr;
  skipper_convolution* convolution = nullptr;
  skipper_poisson* poisson = nullptr;
  skipper_stream_poisson* stream_poisson = nullptr;
  ASSERT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_OK);
  ASSERT_EQ(skipper_stream_plan_create(&stream_plan, &problem, &through), SKIPPER_OK);
  ASSERT_EQ(skipper_convolution_create(&convolution, &response, &kernel, &settings), SKIPPER_OK);
  ASSERT_EQ(skipper_poisson_create(&poisson, &box, &settings), SKIPPER_OK);
  ASSERT_EQ(skipper_stream_poisson_create(&stream_poisson, &box, &through), SKIPPER_OK);
  EXPECT_TRUE(on_the_cpu(skipper_plan_device(plan, text, sizeof text, nullptr)));
  EXPECT_TRUE(on_the_cpu(skipper_stream_plan_device(stream_plan, text, sizeof text, nullptr)));
  EXPECT_TRUE(on_the_cpu(skipper_convolution_device(convolution, text, sizeof text, nullptr)));
  EXPECT_TRUE(on_the_cpu(skipper_poisson_device(poisson, text, sizeof text, nullptr)));
  EXPECT_TRUE(on_the_cpu(skipper_stream_poisson_device(stream_poisson, text, sizeof text, nullptr)));
  skipper_plan_destroy(plan);
  skipper_stream_plan_destroy(stream_plan);
  skipper_convolution_destroy(convolution);
  skipper_poisson_destroy(poisson);
  skipper_stream_poisson_destroy(stream_poisson);

  int singular = -1;
  ASSERT_EQ(skipper_poisson_is_singular(&box, &singular), SKIPPER_OK);
  EXPECT_EQ(singular, 1);
  side.low = side.high = SKIPPER_BOUNDARY_DIRICHLET;
  ASSERT_EQ(skipper_poisson_is_singular(&box, &singular), SKIPPER_OK);
  EXPECT_EQ(singular, 0);
  double points[8];
  ASSERT_EQ(skipper_poisson_points(&side, points), SKIPPER_OK);
  EXPECT_EQ(points[0], 1.0 / 16);
  side.size = 0;
  EXPECT_EQ(skipper_poisson_points(&side, points), SKIPPER_BAD_ARGUMENT);
}

TEST(CProblem, DistributedPlansToo) {
  std::vector<skipper_axis> const axes = {axis(6, SKIPPER_AXIS_DCT2), axis(10, SKIPPER_AXIS_DST1)};
  skipper_problem const problem = problem_of(axes, SKIPPER_R2R);
  skipper_communicator* alone = nullptr;
  ASSERT_EQ(skipper_communicators_create_threads(&alone, 1, 60000), SKIPPER_OK);
  skipper_distributed* plan = nullptr;
  ASSERT_EQ(skipper_distributed_create(&plan, &problem, alone, nullptr), SKIPPER_OK) << skipper_message();
  std::vector<double> in(60), out(60), right(60);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = std::sin(double(i * i));
  ASSERT_EQ(skipper_distributed_execute(plan, in.data(), out.data()), SKIPPER_OK) << skipper_message();
  skipper::Plan(
      skipper::r2r({6, 10}, {skipper::AxisKind::dct2, skipper::AxisKind::dst1}, 1, skipper::Precision::f64))
      .execute(in.data(), right.data());
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_NEAR(out[i], right[i], 1e-13);
  skipper_distributed_destroy(plan);
  EXPECT_EQ(skipper_distributed_create(&plan, nullptr, alone, nullptr), SKIPPER_BAD_ARGUMENT);
  skipper_communicator_destroy(alone);
}

}  // namespace
