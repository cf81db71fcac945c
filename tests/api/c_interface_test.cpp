// The C interface: codes, messages per thread, and the same results as the C++ one.
#include <gtest/gtest.h>

#include <skipper/plan.h>
#include <skipper/skipper_c.h>

#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace {

skipper_plan_settings on_cpu(int threads = 1) {
  skipper_plan_settings settings = skipper_plan_settings_default();
  settings.device = "cpu";
  settings.cpu.threads = threads;
  return settings;
}

/// Of dense Fourier axes; the shape is the caller's.
skipper_problem dense(std::vector<long long> const& shape, int kind, int precision,
                      int direction = SKIPPER_FORWARD) {
  skipper_problem problem = skipper_problem_default();
  problem.kind = kind, problem.precision = precision, problem.direction = direction;
  problem.rank = int(shape.size()), problem.shape = shape.data();
  return problem;
}

TEST(CInterface, ComputesWhatPlansCompute) {
  std::vector<long long> const shape = {6, 10};
  skipper_problem given = dense(shape, SKIPPER_C2C, SKIPPER_F64, SKIPPER_INVERSE);
  skipper_dim many = skipper_dim_default();
  many.size = 3;
  given.batch_rank = 1, given.batch = &many;
  given.scale = 0.5;
  skipper_plan_settings const settings = on_cpu();
  skipper_plan* plan = nullptr;
  ASSERT_EQ(skipper_plan_create(&plan, &given, &settings), SKIPPER_OK) << skipper_message();
  std::vector<std::complex<double>> in(180), out(180), expected(180), back(180);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = {double(i % 13), double(i % 7)};
  ASSERT_EQ(skipper_execute(plan, in.data(), out.data()), SKIPPER_OK);
  skipper::Problem problem = skipper::c2c({6, 10}, 3, skipper::Precision::f64, skipper::Direction::inverse);
  problem.scale = 0.5;
  skipper::Plan(problem).execute(in.data(), expected.data());
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_NEAR(std::abs(out[i] - expected[i]), 0, 1e-12);

  long long bytes = -1, in_bytes = 0, out_bytes = 0, needed = 0;
  EXPECT_EQ(skipper_workspace_bytes(plan, &bytes), SKIPPER_OK);
  EXPECT_EQ(bytes, (long long)skipper::Plan(problem).workspace_bytes());
  EXPECT_EQ(skipper_array_bytes(plan, &in_bytes, &out_bytes), SKIPPER_OK);
  EXPECT_EQ(in_bytes, 180 * 16);
  EXPECT_EQ(out_bytes, 180 * 16);

  char text[8] = "xxxxxxx";
  EXPECT_EQ(skipper_describe(plan, text, sizeof text, &needed), SKIPPER_OK);
  EXPECT_EQ(std::strlen(text), 7u);
  EXPECT_GT(needed, 8);
  EXPECT_EQ(skipper_describe(plan, nullptr, 0, &needed), SKIPPER_OK);

  skipper_plan* inverse = nullptr;
  ASSERT_EQ(skipper_plan_create_inverse(&inverse, plan), SKIPPER_OK);
  ASSERT_EQ(skipper_execute_on(inverse, out.data(), back.data(), nullptr), SKIPPER_OK);
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_NEAR(std::abs(in[i] - back[i]), 0, 1e-12);
  skipper_plan_destroy(plan);
  skipper_plan_destroy(inverse);
  skipper_plan_destroy(nullptr);
}

TEST(CInterface, HartleyTransformsByText) {
  skipper_plan *plan = nullptr, *inverse = nullptr;
  skipper_plan_settings const settings = on_cpu();
  ASSERT_EQ(skipper_plan_create_text(&plan, "r2r f64 forward 4 kinds dht", &settings), SKIPPER_OK);
  double const x[] = {1, 2, 3, 5}, exact[] = {11, -5, -3, 1};  // sums of x times cas(0), cas(pi/2), ..
  double y[4], back[4];
  ASSERT_EQ(skipper_execute(plan, x, y), SKIPPER_OK);
  ASSERT_EQ(skipper_plan_create_inverse(&inverse, plan), SKIPPER_OK);
  ASSERT_EQ(skipper_execute(inverse, y, back), SKIPPER_OK);
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(y[k], exact[k], 1e-14);
    EXPECT_NEAR(back[k], x[k], 1e-14);
  }
  skipper_plan_destroy(plan);
  skipper_plan_destroy(inverse);
}

TEST(CInterface, ComputesInSixteenBitStorage) {
  std::vector<long long> const shape = {12};
  skipper_plan_settings const settings = on_cpu();
  for (auto const& [precision, name, one] :
       {std::tuple(SKIPPER_F16, "f16", std::uint16_t(0x3c00)), {SKIPPER_BF16, "bf16", 0x3f80}}) {
    skipper_plan* plan = nullptr;
    skipper_problem const given = dense(shape, SKIPPER_R2C, precision);
    ASSERT_EQ(skipper_plan_create(&plan, &given, &settings), SKIPPER_OK);
    std::vector<std::uint16_t> impulse(12), out(14);
    impulse[0] = one;
    long long in_bytes = 0, out_bytes = 0, needed = 0;
    EXPECT_EQ(skipper_array_bytes(plan, &in_bytes, &out_bytes), SKIPPER_OK);
    EXPECT_EQ(in_bytes, 24);
    EXPECT_EQ(out_bytes, 28);
    ASSERT_EQ(skipper_execute(plan, impulse.data(), out.data()), SKIPPER_OK);
    for (std::size_t i = 0; i < 14; ++i) EXPECT_EQ(out[i] & 0x7fff, i % 2 == 0 ? one : 0) << name;  // or -0
    char text[200];
    EXPECT_EQ(skipper_describe(plan, text, sizeof text, &needed), SKIPPER_OK);
    EXPECT_NE(std::strstr(text, (std::string("r2c ") + name + " forward 12").c_str()), nullptr) << text;
    skipper_plan_destroy(plan);
  }
}

TEST(CInterface, ErrorsAreCodesAndMessages) {
  std::vector<long long> const shape = {6, -1};
  skipper_plan* plan = reinterpret_cast<skipper_plan*>(1);
  skipper_problem problem = dense(shape, SKIPPER_C2C, SKIPPER_F32);
  EXPECT_EQ(skipper_plan_create(&plan, &problem, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
  EXPECT_NE(std::strstr(skipper_message(), "axes[1].size"), nullptr) << skipper_message();
  problem.rank = 1;
  skipper_plan_settings settings = skipper_plan_settings_default();
  settings.device = "cuda:0";
  EXPECT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_NO_DEVICE);
  problem.kind = SKIPPER_R2C, problem.direction = SKIPPER_INVERSE;
  EXPECT_EQ(skipper_plan_create(&plan, &problem, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_NE(std::strstr(skipper_message(), "direction"), nullptr) << skipper_message();
  problem.direction = SKIPPER_FORWARD;
  EXPECT_EQ(skipper_plan_create(nullptr, &problem, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_plan_create_text(&plan, "c2c f99", nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_plan_create_text(&plan, nullptr, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_execute(nullptr, shape.data(), plan), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_workspace_bytes(nullptr, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_NE(skipper_message()[0], 0);
}

TEST(CInterface, MessagesBelongToTheirThread) {
  skipper_plan* plan = nullptr;
  EXPECT_EQ(skipper_plan_create_text(&plan, "here", nullptr), SKIPPER_BAD_ARGUMENT);
  std::string const mine = skipper_message();
  std::thread([] { EXPECT_STREQ(skipper_message(), ""); }).join();
  EXPECT_EQ(skipper_message(), mine);
}

skipper_axis line(long long size, int kind = SKIPPER_AXIS_FOURIER) {
  skipper_axis axis = {};
  axis.size = size;
  axis.kind = kind;
  return axis;
}

skipper_problem lines(skipper_axis const& axis, int precision) {
  skipper_problem problem = skipper_problem_default();
  problem.precision = precision;
  problem.rank = 1;
  problem.axes = &axis;
  return problem;
}

void doubled(void* values, long long count, long long const*, int, void* data) {
  for (long long i = 0; i < 2 * count; ++i) static_cast<double*>(values)[i] *= *static_cast<double*>(data);
}

TEST(CInterface, FunctionsOnLoadAndStore) {
  skipper_plan* plan = nullptr;
  double factor = 2;
  skipper_axis const axis = line(4);
  skipper_problem const problem = lines(axis, SKIPPER_F64);
  skipper_plan_settings settings = {};
  settings.device = "cpu";
  settings.callbacks.load = doubled;
  settings.callbacks.load_data = &factor;
  ASSERT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_OK) << skipper_message();
  double in[8] = {1, 0, 1, 0, 1, 0, 1, 0}, out[8];
  ASSERT_EQ(skipper_execute(plan, in, out), SKIPPER_OK);
  EXPECT_EQ(out[0], 8);
  EXPECT_EQ(in[0], 1);
  skipper_plan_destroy(plan);
}

TEST(CInterface, TellsWhereTheTimeOfPlanningWent) {
  skipper_plan* plan = nullptr;
  skipper_plan_settings const settings = on_cpu();
  ASSERT_EQ(skipper_plan_create_text(&plan, "c2c f32 forward 64x64", &settings), SKIPPER_OK);
  int count = 0;
  ASSERT_EQ(skipper_plan_timing_count(plan, &count), SKIPPER_OK);
  ASSERT_GT(count, 0);
  for (int i = 0; i < count; ++i) {
    char name[64];
    long long needed = 0;
    double seconds = -1;
    ASSERT_EQ(skipper_plan_timing(plan, i, name, sizeof name, &needed, &seconds), SKIPPER_OK);
    EXPECT_EQ(needed, (long long)std::strlen(name) + 1);
    EXPECT_GT(needed, 1);
    EXPECT_GE(seconds, 0);
    EXPECT_EQ(skipper_plan_timing(plan, i, name, sizeof name, nullptr, nullptr), SKIPPER_OK);
  }
  for (int const i : {-1, count})
    EXPECT_EQ(skipper_plan_timing(plan, i, nullptr, 0, nullptr, nullptr), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_plan_timing_count(nullptr, &count), SKIPPER_BAD_ARGUMENT);
  EXPECT_EQ(skipper_plan_timing_count(plan, nullptr), SKIPPER_BAD_ARGUMENT);
  skipper_plan_destroy(plan);
}

TEST(CInterface, Convolves) {
  skipper_convolution* c = nullptr;
  long long const shape = 3, kernel_shape = 2;
  float const kernel[] = {1, 10}, in[] = {1, 2, 3};
  skipper_convolution_problem problem = skipper_convolution_problem_default();
  problem.rank = 1, problem.shape = &shape, problem.kernel_shape = &kernel_shape;
  skipper_plan_settings settings = {};
  settings.device = "cpu", settings.cpu.threads = 1;
  ASSERT_EQ(skipper_convolution_create(&c, &problem, kernel, &settings), SKIPPER_OK) << skipper_message();
  long long size = 0;
  ASSERT_EQ(skipper_convolution_out_shape(c, &size), SKIPPER_OK);
  EXPECT_EQ(size, 4);
  float out[4];
  ASSERT_EQ(skipper_convolve(c, in, out), SKIPPER_OK);
  float const exact[] = {1, 12, 23, 30};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(out[i], exact[i], 1e-5);
  skipper_convolution_destroy(c);
}

void throws(void*, long long, long long const*, int, void*) { throw std::runtime_error("of the user"); }
void throws_a_number(void*, long long, long long const*, int, void*) { throw 7; }
void throws_bad_alloc(void*, long long, long long const*, int, void*) { throw std::bad_alloc(); }

// It is not "a fault of Skipper", nor one of an argument, nor a lack of memory of Skipper's.
TEST(CInterface, WhatAUsersFunctionThrowsHasACodeOfItsOwn) {
  std::vector<double> x(2 * 64 * 64), y(x.size());
  skipper_axis const axis = line(64);
  skipper_dim const many = {64, 0, 0};
  skipper_problem problem = lines(axis, SKIPPER_F64);
  problem.batch_rank = 1;
  problem.batch = &many;
  for (auto const function : {throws, throws_a_number, throws_bad_alloc})
    for (int const threads : {1, 4})
      for (bool const load : {true, false}) {
        skipper_plan* plan = nullptr;
        skipper_plan_settings settings = {};
        settings.device = "cpu";
        settings.cpu.threads = threads;
        (load ? settings.callbacks.load : settings.callbacks.store) = function;
        ASSERT_EQ(skipper_plan_create(&plan, &problem, &settings), SKIPPER_OK) << skipper_message();
        EXPECT_EQ(skipper_execute(plan, x.data(), y.data()), SKIPPER_CALLBACK);
        std::string const said = skipper_message();
        EXPECT_NE(said.find("a function that was handed in threw"), std::string::npos) << said;
        EXPECT_EQ(said.find("of the user") != std::string::npos, function == throws) << said;
        skipper_plan_destroy(plan);
      }
}

}  // namespace
