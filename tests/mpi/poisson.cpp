// mpirun -n N test_mpi_poisson: Poisson problems over MPI against the solver on one rank, in C++ and by the C interface, whose
// communicators are made from those of C and of Fortran.
#include <skipper/distributed_poisson.h>
#include <skipper/mpi.h>
#include <skipper/mpi_c.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

using namespace skipper;
int failures = 0;

void expect(bool good, std::string const& what) {
  if (good) return;
  ++failures;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fprintf(stderr, "rank %d: %s\n", rank, what.c_str());
}

/// use(place in the box, place in the dense global array) for every element of a box.
template <class Use>
void each_element(Box const& box, PoissonProblem const& problem, Use use) {
  std::vector<std::int64_t> sizes;
  for (PoissonAxis const& axis : problem.axes) sizes.push_back(axis.size);
  std::vector<std::int64_t> const dense = dense_strides(sizes);
  std::int64_t all = 1;
  for (std::int64_t const n : box.size) all *= n;
  for (std::int64_t i = 0; i < all; ++i) {
    std::int64_t rest = i, at = 0;
    for (std::size_t d = sizes.size(); d-- > 0;) {
      at += (box.first[d] + rest % box.size[d]) * dense[d];
      rest /= box.size[d];
    }
    use(std::size_t(i), std::size_t(at));
  }
}

template <class T>
struct Expected {
  std::vector<T> f, phi;
  double defect = 0;
};

template <class T>
Expected<T> expected_of(PoissonProblem const& problem) {
  std::size_t all = 1;
  for (PoissonAxis const& axis : problem.axes) all *= std::size_t(axis.size);
  Expected<T> result{std::vector<T>(all), std::vector<T>(all), 0};
  for (std::size_t i = 0; i < all; ++i) result.f[i] = T(std::sin(0.7 * double(i * i % 1013)) + 0.1);
  result.defect = Poisson(problem).solve(result.f.data(), result.phi.data()).defect;
  return result;
}

template <class T>
void expect_same(std::vector<T> const& phi, Box const& box, PoissonProblem const& problem,
                 Expected<T> const& expected, std::string const& what) {
  double difference = 0, size = 0;
  each_element(box, problem, [&](std::size_t here, std::size_t there) {
    double const x = double(phi[here]), y = double(expected.phi[there]);
    difference += (x - y) * (x - y);
    size += y * y;
  });
  double const error = std::sqrt(difference / std::max(size, 1e-300));
  expect(error < (sizeof(T) == 8 ? 1e-12 : 2e-5), what + ": error " + std::to_string(error));
}

template <class T>
void expect_right(PoissonProblem const& problem, DistributedSettings const& settings,
                  std::shared_ptr<Communicator> const& communicator) {
  Expected<T> const expected = expected_of<T>(problem);
  DistributedPoisson const poisson(problem, communicator, settings);
  std::vector<T> f(static_cast<std::size_t>(poisson.in_elements())),
      phi(static_cast<std::size_t>(poisson.out_elements()));
  each_element(poisson.in_box(), problem,
               [&](std::size_t here, std::size_t there) { f[here] = expected.f[there]; });
  double defect = 0;
  for (int repeat = 0; repeat < 3; ++repeat) defect = poisson.solve(f.data(), phi.data()).defect;
  expect(std::fabs(defect - expected.defect) < (sizeof(T) == 8 ? 1e-13 : 1e-5),
         "the defect is " + std::to_string(defect));
  expect_same(phi, poisson.out_box(), problem, expected, poisson.describe());
}

/// The same problem by the C interface.
void expect_right_in_c(skipper_communicator* communicator) {
  PoissonProblem problem;
  problem.precision = Precision::f64;
  problem.axes = {{20}, {18}};
  Expected<double> const expected = expected_of<double>(problem);
  skipper_poisson_axis const axes[] = {{20, 1, 0, 0, 0, 0, 0, nullptr}, {18, 1, 0, 0, 0, 0, 0, nullptr}};
  skipper_distributed_poisson* poisson = nullptr;
  int rank = 0, ranks = 0;
  expect(skipper_communicator_rank(communicator, &rank, &ranks) == SKIPPER_OK, skipper_message());
  skipper_poisson_problem given = skipper_poisson_problem_default();
  given.precision = SKIPPER_F64;
  given.rank = 2, given.axes = axes;
  if (skipper_distributed_poisson_create(&poisson, &given, communicator, nullptr) != SKIPPER_OK)
    return expect(false, skipper_message());
  long long first[2], size[2], in = 0, out = 0;
  expect(skipper_distributed_poisson_in_box(poisson, rank, first, size) == SKIPPER_OK, skipper_message());
  expect(skipper_distributed_poisson_elements(poisson, &in, &out) == SKIPPER_OK, skipper_message());
  std::vector<double> f(static_cast<std::size_t>(in)), phi(static_cast<std::size_t>(out));
  Box const box{{first[0], first[1]}, {size[0], size[1]}};
  each_element(box, problem, [&](std::size_t here, std::size_t there) { f[here] = expected.f[there]; });
  double defect = 0;
  expect(skipper_distributed_poisson_solve(poisson, f.data(), phi.data(), &defect) == SKIPPER_OK,
         skipper_message());
  expect(std::fabs(defect - expected.defect) < 1e-13, "the defect is " + std::to_string(defect));
  expect_same(phi, box, problem, expected, "in C");
  skipper_distributed_poisson_destroy(poisson);
}

void expect_communicators_in_c() {
  skipper_communicator* communicator = nullptr;
  expect(skipper_mpi_communicator(&communicator, MPI_COMM_WORLD, 60000) == SKIPPER_OK, skipper_message());
  expect_right_in_c(communicator);
  skipper_communicator_destroy(communicator);
  expect(skipper_mpi_communicator_fortran(&communicator, MPI_Comm_c2f(MPI_COMM_WORLD), 0) == SKIPPER_OK,
         skipper_message());
  expect_right_in_c(communicator);
  skipper_communicator_destroy(communicator);
  expect(skipper_mpi_communicator(&communicator, MPI_COMM_NULL, 0) == SKIPPER_BAD_ARGUMENT &&
             std::strstr(skipper_message(), "MPI_COMM_NULL") && !communicator,
         "a communicator of nobody is told as '" + std::string(skipper_message()) + "'");
  expect(skipper_mpi_communicator(&communicator, MPI_COMM_WORLD, -1) == SKIPPER_BAD_ARGUMENT &&
             std::strstr(skipper_message(), "milliseconds"),
         "a negative time is told as '" + std::string(skipper_message()) + "'");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    auto const communicator = mpi_communicator(MPI_COMM_WORLD, std::chrono::seconds(60));
    for (ExchangeMethod const method : {ExchangeMethod::automatic, ExchangeMethod::messages}) {
      DistributedSettings settings;
      settings.exchange = method;
      PoissonProblem problem;
      problem.axes = {{16}, {18}, {20}};
      expect_right<float>(problem, settings, communicator);
      problem.precision = Precision::f64;
      problem.zero_mode = ZeroMode::pin;
      problem.axes[0] = {17, 1, Boundary::neumann, Boundary::neumann, Centring::cell, true, {}};
      expect_right<double>(problem, settings, communicator);
      problem.axes[2] = {11, 1, Boundary::dirichlet, Boundary::neumann, Centring::node, false, {}};
      expect_right<double>(problem, settings, communicator);
    }
    expect_communicators_in_c();
  } catch (std::exception const& e) {
    expect(false, e.what());
  }
  int all = 0;
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
