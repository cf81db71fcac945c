// mpirun -n N test_mpi_plan: distributed plans over MPI against the transform on one rank, which every rank computes for
// itself; direct stores and messages, several placements, more ranks than elements.
#include <skipper/distributed.h>
#include <skipper/mpi.h>
#include <skipper/plan.h>

#include <cmath>
#include <complex>
#include <type_traits>
#include <vector>

#include "check.h"
#include "support/quick.h"
#include "support/scalars.h"
#include "support/untyped.h"

namespace {

using namespace skipper;

/// Reals of the element at this place of the global input.
template <class T>
T value(std::int64_t element, int part) {
  using Computed = std::conditional_t<sizeof(T) == 8, double, float>;
  return T(Computed(std::sin(0.7 * double(element) + 1.3 * part) + 0.1));
}

template <class T>
void expect_right(Problem const& problem, DistributedSettings const& settings,
                  std::shared_ptr<Communicator> const& communicator) {
  int const in_parts = problem.kind == Kind::r2c ? 1 : 2, out_parts = problem.kind == Kind::c2r ? 1 : 2;
  std::vector<T> global(std::size_t(in_bytes(problem)) / sizeof(T)),
      expected(std::size_t(out_bytes(problem)) / sizeof(T));
  for (std::size_t i = 0; i < global.size(); ++i)
    global[i] = value<T>(std::int64_t(i) / in_parts, int(i) % in_parts);
  PlanSettings on_cpu;
  on_cpu.device = Device("cpu");
  on_cpu.cpu.threads = 1;
  Plan(problem, on_cpu)
      .execute(skipper::testing::untyped(global.data()), skipper::testing::untyped(expected.data()));

  DistributedPlan const plan(problem, communicator, settings);
  std::vector<T> in(std::size_t(plan.in_elements() * in_parts)),
      out(std::size_t(plan.out_elements() * out_parts));
  each_element(plan.in_box(), in_sizes(problem), [&](std::int64_t here, std::int64_t there) {
    for (int part = 0; part < in_parts; ++part)
      in[std::size_t(here * in_parts + part)] = global[std::size_t(there * in_parts + part)];
  });
  for (int repeat = 0; repeat < 3; ++repeat)
    plan.execute(skipper::testing::untyped(in.data()), skipper::testing::untyped(out.data()));
  double difference = 0, size = 0;
  each_element(plan.out_box(), out_sizes(problem), [&](std::int64_t here, std::int64_t there) {
    for (int part = 0; part < out_parts; ++part) {
      double const x = double(out[std::size_t(here * out_parts + part)]),
                   y = double(expected[std::size_t(there * out_parts + part)]);
      difference += (x - y) * (x - y);
      size += y * y;
    }
  });
  double const error = std::sqrt(difference / std::max(size, 1e-300));
  bool const narrow = is_16_bit(problem.precision);
  expect(error < (sizeof(T) == 8 ? 1e-14
                  : narrow       ? testing::allowed_once_rounded(problem.precision)
                                 : 1e-6),
         text(problem) + ": error " + std::to_string(error) + "\n" + plan.describe());
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    auto const communicator = mpi_communicator(MPI_COMM_WORLD, std::chrono::seconds(60));
    std::size_t number = 0;
    for (ExchangeMethod const method : {ExchangeMethod::automatic, ExchangeMethod::messages}) {
      DistributedSettings settings, any;
      settings.exchange = any.exchange = method;
      any.any_output = true;
      any.pieces = 3;
      auto const check = [&](auto number_of_type, Problem const& problem, DistributedSettings const& by) {
        if (testing::takes(number++, 2)) expect_right<decltype(number_of_type)>(problem, by, communicator);
      };
      check(float(), c2c({24, 20, 18}), settings);
      check(double(), c2c({24, 20, 18}, 2, Precision::f64, Direction::inverse), any);
      check(float(), r2c({17, 16, 30}), any);
      check(double(), c2r({9, 16, 21}, 1, Precision::f64), settings);
      check(Half(), c2c({24, 20, 18}, 1, Precision::f16), settings);
      check(Half(), r2c({17, 16, 30}, 1, Precision::f16), any);
      check(Half(), c2r({9, 16, 21}, 1, Precision::f16), settings);
      check(BFloat16(), c2c({24, 20, 18}, 1, Precision::bf16), settings);
      check(BFloat16(), r2c({17, 16, 30}, 1, Precision::bf16), any);
      // Fewer elements than ranks.
      check(float(), c2c({3, 5}), settings);
      check(double(), c2c({1, 2}, 1, Precision::f64), any);
      check(float(), c2c({1}), settings);
      ++number;  // with SKIPPER_QUICK=1 the other half by the next method
    }
  } catch (std::exception const& e) {
    expect(false, e.what());
  }
  return finish();
}
