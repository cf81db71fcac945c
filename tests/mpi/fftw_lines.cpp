// mpirun -n N test_mpi_fftw_lines: one long axis over the ranks against FFTW-MPI's 1-D transforms: both ways, both precisions,
// lengths that divide and lengths that do not, a prime, both ends in natural order and permuted, in FFTW's boxes and in ours.
#include <skipper/mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <type_traits>

#include "check.h"
#include "fftw_mpi.h"
#include "support/quick.h"
#include "support/untyped.h"

namespace {

using namespace skipper;

template <class T>
using Line = std::vector<std::complex<T>>;

/// The whole line on every rank, of the parts that ranks have put into lines of zeros.
template <class T>
Line<T> together(Line<T> mine) {
  Line<T> all(mine.size());
  MPI_Allreduce(mine.data(), all.data(), int(2 * mine.size()), sizeof(T) == 8 ? MPI_DOUBLE : MPI_FLOAT,
                MPI_SUM, MPI_COMM_WORLD);
  return all;
}

template <class T>
struct Theirs {
  Line<T> line;
  Box in, out;  // of this rank
};

template <class T>
Theirs<T> by_fftw(Line<T> const& x, Direction direction) {
  using F = Fftw<T>;
  int const sign = direction == Direction::forward ? FFTW_FORWARD : FFTW_BACKWARD;
  std::ptrdiff_t ni = 0, first_i = 0, no = 0, first_o = 0;
  std::ptrdiff_t const room = F::local_size_of_line(std::ptrdiff_t(x.size()), MPI_COMM_WORLD, sign,
                                                    FFTW_ESTIMATE, &ni, &first_i, &no, &first_o);
  Line<T> in(std::size_t(room) + 1), out(in.size()), result(x.size());
  auto const complex = [](Line<T>& line) { return reinterpret_cast<typename F::Complex*>(line.data()); };
  auto const plan =
      F::line(std::ptrdiff_t(x.size()), complex(in), complex(out), MPI_COMM_WORLD, sign, FFTW_ESTIMATE);
  std::copy_n(x.begin() + first_i, ni, in.begin());
  F::execute(plan);
  F::destroy(plan);
  std::copy_n(out.begin(), no, result.begin() + first_o);
  auto const box = [](std::ptrdiff_t first, std::ptrdiff_t size) {
    return size > 0 ? Box{{first}, {size}} : Box{{0}, {0}};
  };
  return {together(result), box(first_i, ni), box(first_o, no)};
}

/// The line over the ranks; `split` is told whether it was.
template <class T>
Line<T> by_us(Line<T> const& x, Problem const& problem, DistributedSettings const& settings,
              std::shared_ptr<Communicator> const& communicator, bool& split) {
  DistributedPlan const plan(problem, communicator, settings);
  Line<T> in(std::size_t(plan.in_elements()) + 1), out(std::size_t(plan.out_elements()) + 1),
      result(x.size());
  for (std::int64_t i = 0; i < plan.in_elements(); ++i) in[std::size_t(i)] = x[std::size_t(plan.in_index(i))];
  plan.execute(skipper::testing::untyped(in.data()), skipper::testing::untyped(out.data()));
  for (std::int64_t i = 0; i < plan.out_elements(); ++i)
    result[std::size_t(plan.out_index(i))] = out[std::size_t(i)];
  split = plan.split().has_value();
  return together(result);
}

template <class T>
double distance(Line<T> const& a, Line<T> const& b) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error += double(std::norm(a[i] - b[i]));
    size += double(std::norm(b[i]));
  }
  return std::sqrt(error / size);
}

template <class T>
void compare(std::int64_t n, std::shared_ptr<Communicator> const& communicator) {
  Precision const precision = std::is_same_v<T, double> ? Precision::f64 : Precision::f32;
  double const bound = std::is_same_v<T, double> ? 1e-14 : 1e-6;
  Line<T> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = {T(std::sin(0.7 * double(i)) + 0.1), T(std::sin(0.7 * double(i) + 1.3))};
  for (Direction const direction : {Direction::forward, Direction::inverse}) {
    Theirs<T> const theirs = by_fftw(x, direction);
    for (ExchangeMethod const method : {ExchangeMethod::automatic, ExchangeMethod::messages})
      for (AxisOrder const in : {AxisOrder::natural, AxisOrder::permuted})
        for (AxisOrder const out : {AxisOrder::natural, AxisOrder::permuted}) {
          DistributedSettings settings;
          settings.in_order = in;
          settings.out_order = out;
          settings.exchange = method;
          settings.links = "links free ranks_per_node 64 node 0 1e18 network 0 1e18";  // so that it is split
          bool const as_theirs =
              method == ExchangeMethod::automatic;  // the same boxes, or those that we choose
          if (as_theirs && in == AxisOrder::natural) settings.in = {theirs.in};
          if (as_theirs && out == AxisOrder::natural) settings.out = {theirs.out};
          bool split = false;
          double const error = distance(
              by_us(x, c2c({n}, 1, precision, direction), settings, communicator, split), theirs.line);
          expect(error < bound, std::to_string(n) + " points: off FFTW-MPI by " + std::to_string(error));
          bool const permuted = in == AxisOrder::permuted || out == AxisOrder::permuted;
          bool const pays =
              communicator->size() > 1 && (permuted || (communicator->size() > 2 && !as_theirs));
          expect(!pays || n == 101 || split, std::to_string(n) + " points: not split");
        }
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    auto const communicator = mpi_communicator(MPI_COMM_WORLD, std::chrono::seconds(60));
    Fftw<float>::init();
    Fftw<double>::init();
    std::size_t number = 0;
    for (std::int64_t const n : {101, 210, 1000, 4096, 1 << 16}) {
      if (testing::quick() && n > 4096) continue;
      if (testing::takes(number++, 2)) compare<float>(n, communicator);
      if (testing::takes(number++, 2)) compare<double>(n, communicator);
      ++number;  // with SKIPPER_QUICK=1 the other precision is next
    }
  } catch (std::exception const& e) {
    expect(false, e.what());
  }
  return finish();
}
