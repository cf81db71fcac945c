// The C interface on the fake driver: convolutions and Poisson problems on a stream with workspace, and functions in
// CUDA C++.
#include <skipper/skipper_c.h>

#include <memory>

#include "gpu/fake_driver/fixture.h"

namespace skipper::testing {
namespace {

class CInterfaceOnGpu : public FakeDriver {};

TEST_F(CInterfaceOnGpu, Convolves) {
  skipper_convolution* c = nullptr;
  long long const shape = 3, kernel_shape = 2;
  float const kernel[] = {1, 10};
  skipper_convolution_problem problem = skipper_convolution_problem_default();
  problem.rank = 1, problem.shape = &shape, problem.kernel_shape = &kernel_shape;
  skipper_plan_settings settings = {};
  settings.device = "cuda:0";
  ASSERT_EQ(skipper_convolution_create(&c, &problem, kernel, &settings), SKIPPER_OK) << skipper_message();
  long long bytes = -1;
  ASSERT_EQ(skipper_convolution_workspace_bytes(c, &bytes), SKIPPER_OK);
  EXPECT_GE(bytes, 0);
  DeviceArray<float> in(std::vector<float>{1, 2, 3}), out(4);
  ASSERT_EQ(skipper_convolve_on(c, in.data(), out.data(), nullptr), SKIPPER_OK) << skipper_message();
  float const exact[] = {1, 12, 23, 30};
  auto const got = out.values();
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(got[i], exact[i], 1e-5);
  skipper_convolution_destroy(c);
  settings.device = "cuda:9";
  EXPECT_EQ(skipper_convolution_create(&c, &problem, kernel, &settings), SKIPPER_NO_DEVICE);
}

/// The work waits in the stream, with workspace that is taken for it until it has done.
TEST_F(CInterfaceOnGpu, TakesAStreamWithoutWorkspace) {
  skipper_axis axis = {};
  axis.size = 4096;
  skipper_problem problem = skipper_problem_default();
  problem.rank = 1;
  problem.axes = &axis;
  skipper_plan_settings settings = {};
  settings.device = "cuda:0";
  settings.gpu.program =
      "{X(64,64,64,4096,tw)} with X2%16 on block in -> work [X1/16 X2 X1%16]\n"
      "{X(64,64,1,64,no-tw)} with X1%16 on block work -> out\n";
  skipper_plan* plan = nullptr;
  ASSERT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_OK) << skipper_message();
  DeviceArray<std::complex<float>> in(std::vector<std::complex<float>>(4096, 1)), out(4096);
  long long bytes = 0;
  ASSERT_EQ(skipper_workspace_bytes(plan, &bytes), SKIPPER_OK);
  ASSERT_GT(bytes, 0);
  skipper_execute_settings with = {};
  cuStreamCreate(&with.stream, 1);
  std::size_t const before = fake_driver::allocated();
  ASSERT_EQ(skipper_execute_on(plan, in.data(), out.data(), &with), SKIPPER_OK) << skipper_message();
  EXPECT_EQ(fake_driver::allocated(), before + std::size_t(bytes));
  cuStreamSynchronize(with.stream);
  EXPECT_EQ(fake_driver::allocated(), before);
  EXPECT_NEAR(out.values()[0].real(), 4096, 1e-2);
  cuStreamDestroy_v2(with.stream);
  skipper_plan_destroy(plan);
}

TEST_F(CInterfaceOnGpu, SolvesPoissonProblemsOverRanks) {
  skipper_communicator* alone = nullptr;
  ASSERT_EQ(skipper_communicators_create_threads(&alone, 1, 60000), SKIPPER_OK);
  skipper_poisson_axis const axes[] = {
      {6, 6.0, SKIPPER_BOUNDARY_DIRICHLET, SKIPPER_BOUNDARY_DIRICHLET, SKIPPER_CENTRING_NODE, 1, 0, nullptr},
      {4, 4.0, SKIPPER_BOUNDARY_PERIODIC, SKIPPER_BOUNDARY_PERIODIC, SKIPPER_CENTRING_CELL, 0, 0, nullptr}};
  skipper_distributed_settings settings = {};
  settings.device = "cuda:0";
  skipper_distributed_poisson* poisson = nullptr;
  skipper_poisson_problem problem = skipper_poisson_problem_default();
  problem.precision = SKIPPER_F64, problem.rank = 2, problem.axes = axes;
  ASSERT_EQ(skipper_distributed_poisson_create(&poisson, &problem, alone, &settings), SKIPPER_OK)
      << skipper_message();
  long long bytes = 0;
  EXPECT_EQ(skipper_distributed_poisson_workspace_bytes(poisson, nullptr), SKIPPER_BAD_ARGUMENT);
  ASSERT_EQ(skipper_distributed_poisson_workspace_bytes(poisson, &bytes), SKIPPER_OK);
  ASSERT_GT(bytes, 0);
  DeviceArray<double> f(std::vector<double>(24, 0)), phi(24), work(std::size_t(bytes) / 8);
  // phi is 7 at the high end and 0 at the low one: a straight line.
  double const values[] = {7, 7, 7, 7};
  void const* const high[] = {values, nullptr};
  double defect = 1;
  skipper_solve_settings with = {};
  with.high = high, with.workspace = work.data();
  ASSERT_EQ(skipper_distributed_poisson_solve_on(poisson, f.data(), phi.data(), &with, &defect), SKIPPER_OK)
      << skipper_message();
  EXPECT_EQ(defect, 0);
  auto const got = phi.values();
  for (std::size_t i = 0; i < 24; ++i) EXPECT_NEAR(got[i], double(1 + i / 4), 1e-12);
  std::vector<double> host(24);
  EXPECT_EQ(skipper_distributed_poisson_solve(poisson, host.data(), phi.data(), &defect),
            SKIPPER_BAD_ARGUMENT);
  skipper_distributed_poisson_destroy(poisson);
  skipper_communicator_destroy(alone);
}

/// GPUs of this process are ranks of one plan; here one stands for two.
TEST_F(CInterfaceOnGpu, TransformsOverSeveralGpus) {
  long long const shape[] = {8, 8, 8};
  skipper_problem problem = skipper_problem_default();
  problem.rank = 3, problem.shape = shape;
  char const* const devices[] = {"cuda:0", "cuda:0"};
  // All boxes, one after the other: the input lies on rank 1 alone.
  long long const first[] = {0, 0, 0, 0, 0, 0}, size[] = {0, 8, 8, 8, 8, 8};
  skipper_distributed_settings settings = skipper_distributed_settings_default();
  settings.in_first = first, settings.in_size = size, settings.any_output = 1;
  skipper_distributed* plan = nullptr;
  ASSERT_EQ(skipper_distributed_create_devices(&plan, &problem, devices, 2, &settings), SKIPPER_OK)
      << skipper_message();
  skipper_rank_arrays arrays[2] = {skipper_rank_arrays_default(), skipper_rank_arrays_default()};
  std::vector<std::unique_ptr<DeviceArray<std::complex<float>>>> ins, outs;
  long long all_in = 0, all_out = 0;
  std::vector<std::size_t> sizes;
  for (int r = 0; r < 2; ++r) {
    long long in = 0, out = 0, bytes = -1;
    ASSERT_EQ(skipper_distributed_rank_elements(plan, r, &in, &out), SKIPPER_OK);
    EXPECT_EQ(in, r == 1 ? 512 : 0);
    ASSERT_EQ(skipper_distributed_rank_workspace_bytes(plan, r, &bytes), SKIPPER_OK);
    EXPECT_GE(bytes, 0);
    all_in += in, all_out += out;
    sizes.push_back(std::size_t(out));
    ins.push_back(std::make_unique<DeviceArray<std::complex<float>>>(
        std::vector<std::complex<float>>(std::size_t(in) + 1, 1)));
    outs.push_back(std::make_unique<DeviceArray<std::complex<float>>>(std::size_t(out) + 1));
    arrays[r].in = ins.back()->data(), arrays[r].out = outs.back()->data();
  }
  EXPECT_EQ(all_in, 512);
  EXPECT_EQ(all_out, 512);
  EXPECT_EQ(skipper_distributed_execute_ranks(plan, arrays, 1), SKIPPER_BAD_ARGUMENT);
  EXPECT_TRUE(std::string(skipper_message()).starts_with("ranks:")) << skipper_message();
  EXPECT_EQ(skipper_distributed_execute_ranks(plan, nullptr, 2), SKIPPER_BAD_ARGUMENT);
  ASSERT_EQ(skipper_distributed_execute_ranks(plan, arrays, 2), SKIPPER_OK) << skipper_message();
  float total = 0;
  for (std::size_t r = 0; r < 2; ++r) {
    auto const values = outs[r]->values();  // one more than there are
    for (std::size_t i = 0; i < sizes[r]; ++i) total += std::abs(values[i]);
  }
  EXPECT_NEAR(total, 512, 1e-3) << "all ones have one frequency";
  EXPECT_EQ(skipper_distributed_rank_elements(plan, 2, &all_in, &all_out), SKIPPER_BAD_ARGUMENT);
  skipper_distributed_destroy(plan);

  settings.device = "cuda:0";
  EXPECT_EQ(skipper_distributed_create_devices(&plan, &problem, devices, 2, &settings), SKIPPER_NO_DEVICE);
  EXPECT_EQ(skipper_distributed_create_devices(&plan, &problem, devices, 0, nullptr), SKIPPER_BAD_ARGUMENT);
  char const* const none[] = {nullptr};
  EXPECT_EQ(skipper_distributed_create_devices(&plan, &problem, none, 1, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_TRUE(std::string(skipper_message()).starts_with("devices[0]:")) << skipper_message();

  int exchange = -1;
  ASSERT_EQ(skipper_kept_exchange(devices, 2, &exchange), SKIPPER_OK);
  EXPECT_EQ(exchange, SKIPPER_EXCHANGE_FUSED);
  ASSERT_EQ(skipper_keep_exchange(devices, 2, SKIPPER_EXCHANGE_DIRECT), SKIPPER_OK);
  ASSERT_EQ(skipper_kept_exchange(devices, 2, &exchange), SKIPPER_OK);
  EXPECT_EQ(exchange, SKIPPER_EXCHANGE_DIRECT);
  EXPECT_EQ(skipper_keep_exchange(devices, 2, 9), SKIPPER_BAD_ARGUMENT);
}

TEST_F(CInterfaceOnGpu, SolvesPoissonProblemsOverSeveralGpus) {
  skipper_poisson_axis axes[2] = {skipper_poisson_axis_default(), skipper_poisson_axis_default()};
  axes[0].size = axes[1].size = 8;
  skipper_poisson_problem problem = skipper_poisson_problem_default();
  problem.rank = 2, problem.axes = axes, problem.shift = -1;
  char const* const devices[] = {"cuda:0", "cuda:0"};
  skipper_distributed_poisson* poisson = nullptr;
  ASSERT_EQ(skipper_distributed_poisson_create_devices(&poisson, &problem, devices, 2, nullptr), SKIPPER_OK)
      << skipper_message();
  skipper_poisson_rank_arrays arrays[2] = {skipper_poisson_rank_arrays_default(),
                                           skipper_poisson_rank_arrays_default()};
  std::vector<std::unique_ptr<DeviceArray<float>>> fs, phis;
  for (int r = 0; r < 2; ++r) {
    long long in = 0, out = 0, bytes = -1;
    ASSERT_EQ(skipper_distributed_poisson_rank_elements(poisson, r, &in, &out), SKIPPER_OK);
    EXPECT_EQ(in, 32);
    ASSERT_EQ(skipper_distributed_poisson_rank_workspace_bytes(poisson, r, &bytes), SKIPPER_OK);
    EXPECT_GE(bytes, 0);
    fs.push_back(std::make_unique<DeviceArray<float>>(std::vector<float>(std::size_t(in), 3)));
    phis.push_back(std::make_unique<DeviceArray<float>>(std::size_t(out)));
    arrays[r].f = fs.back()->data(), arrays[r].phi = phis.back()->data();
  }
  double defect = 1;
  ASSERT_EQ(skipper_distributed_poisson_solve_ranks(poisson, arrays, 2, &defect), SKIPPER_OK)
      << skipper_message();
  EXPECT_EQ(defect, 0);
  for (auto const& phi : phis)
    for (float const x : phi->values()) EXPECT_NEAR(x, -3, 1e-5);
  EXPECT_EQ(skipper_distributed_poisson_solve_ranks(poisson, arrays, 3, nullptr), SKIPPER_BAD_ARGUMENT);
  skipper_distributed_poisson_destroy(poisson);
}

TEST_F(CInterfaceOnGpu, CallsFunctionsInCuda) {
  skipper_plan* plan = nullptr;
  skipper_axis axis = {};
  axis.size = 4;
  skipper_problem problem = skipper_problem_default();
  problem.rank = 1;
  problem.axes = &axis;
  skipper_plan_settings settings = {};
  settings.device = "cuda:0";
  settings.callbacks.cuda_load =
      "Value on_load(Value x, long long place, void*) { return x * float(place + 1); }";
  ASSERT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_OK) << skipper_message();
  DeviceArray<std::complex<float>> in(std::vector<std::complex<float>>(4, 1)), out(4);
  ASSERT_EQ(skipper_execute_on(plan, in.data(), out.data(), nullptr), SKIPPER_OK) << skipper_message();
  EXPECT_NEAR(out.values()[0].real(), 10, 1e-5);
  skipper_plan_destroy(plan);
  settings.cpu.threads = 2;  // of a CPU
  EXPECT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_BAD_ARGUMENT);
  EXPECT_NE(std::string(skipper_message()).find("cpu.threads"), std::string::npos) << skipper_message();
  EXPECT_EQ(skipper_plan_create(&plan, nullptr, &settings), SKIPPER_BAD_ARGUMENT);
}

TEST_F(CInterfaceOnGpu, SolvesPoissonProblemsOnAStream) {
  skipper_poisson_axis const axes[] = {
      {6, 6.0, SKIPPER_BOUNDARY_DIRICHLET, SKIPPER_BOUNDARY_DIRICHLET, SKIPPER_CENTRING_NODE, 1, 0, nullptr},
      {4, 4.0, SKIPPER_BOUNDARY_PERIODIC, SKIPPER_BOUNDARY_PERIODIC, SKIPPER_CENTRING_CELL, 0, 0, nullptr}};
  skipper_plan_settings settings = {};
  settings.device = "cuda:0";
  skipper_poisson* poisson = nullptr;
  skipper_poisson_problem problem = skipper_poisson_problem_default();
  problem.precision = SKIPPER_F64, problem.rank = 2, problem.axes = axes;
  ASSERT_EQ(skipper_poisson_create(&poisson, &problem, &settings), SKIPPER_OK) << skipper_message();
  long long bytes = 0;
  ASSERT_EQ(skipper_poisson_workspace_bytes(poisson, &bytes), SKIPPER_OK);
  ASSERT_GT(bytes, 0);
  DeviceArray<double> f(std::vector<double>(24, 0)), phi(24);
  DeviceArray<char> work{std::size_t(bytes)};
  double const values[] = {7, 7, 7, 7};  // at the high end; 0 at the low one: a straight line
  void const* const high[] = {values, nullptr};
  void* stream = nullptr;
  cuStreamCreate(&stream, 1);
  double defect = 1;
  skipper_solve_settings with = {};
  with.high = high, with.workspace = work.data(), with.stream = stream;
  ASSERT_EQ(skipper_poisson_solve_on(poisson, f.data(), phi.data(), &with, &defect), SKIPPER_OK)
      << skipper_message();
  EXPECT_EQ(defect, 0);
  auto const got = phi.values();
  for (std::size_t i = 0; i < 24; ++i) EXPECT_NEAR(got[i], double(1 + i / 4), 1e-12);
  cuStreamDestroy_v2(stream);
  skipper_poisson_destroy(poisson);
}

TEST_F(CInterfaceOnGpu, RunsCandidatesAndKeepsTheBest) {
  skipper_axis axis = {};
  axis.size = 256;
  skipper_problem problem = skipper_problem_default();
  problem.rank = 1;
  problem.axes = &axis;
  char machine[1024], name[16];
  int devices = 0;
  ASSERT_EQ(skipper_device_count(&devices), SKIPPER_OK);
  ASSERT_GE(devices, 2);
  ASSERT_EQ(skipper_device_name(0, name, sizeof name, nullptr), SKIPPER_OK);
  EXPECT_STREQ(name, "cuda:0");
  ASSERT_EQ(skipper_device_machine(0, machine, sizeof machine, nullptr), SKIPPER_OK);
  skipper_candidates* candidates = nullptr;
  ASSERT_EQ(skipper_candidates_create(&candidates, &problem, machine, nullptr), SKIPPER_OK)
      << skipper_message();
  int count = 0;
  ASSERT_EQ(skipper_candidates_count(candidates, &count), SKIPPER_OK);
  ASSERT_GE(count, 1);
  std::vector<char> text(65536);
  ASSERT_EQ(skipper_candidates_text(candidates, 0, text.data(), (long long)text.size(), nullptr), SKIPPER_OK);
  skipper_candidate candidate = {};
  ASSERT_EQ(skipper_candidates_get(candidates, 0, &candidate), SKIPPER_OK);
  EXPECT_GT(candidate.estimate, 0);
  EXPECT_EQ(skipper_candidates_text(candidates, count, text.data(), 0, nullptr), SKIPPER_BAD_ARGUMENT);

  skipper_plan_settings settings = {};
  settings.device = "cuda:0";
  settings.gpu.program = text.data();
  skipper_plan* plan = nullptr;
  ASSERT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_OK) << skipper_message();
  skipper_plan_destroy(plan);

  std::string const file = (folder_ / "tuned.txt").string();
  char const* const programs[] = {text.data()};
  ASSERT_EQ(skipper_keep_tuned(file.c_str(), "cuda:0", programs, 1), SKIPPER_OK) << skipper_message();
  settings.gpu.program = nullptr;
  settings.gpu.tuning = file.c_str();
  ASSERT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_OK) << skipper_message();
  char description[4096];
  ASSERT_EQ(skipper_describe(plan, description, sizeof description, nullptr), SKIPPER_OK);
  EXPECT_NE(std::string(description).find("tuned: " + file), std::string::npos) << description;
  skipper_plan_destroy(plan);
  skipper_candidates_destroy(candidates);
}

}  // namespace
}  // namespace skipper::testing
