// mpirun -n N test_mpi_fftw: results against those of FFTW-MPI on the same slabs: c2c both ways, r2c and c2r, both precisions, 2-D and
// 3-D, uneven and empty slabs, the spectrum as the data came and transposed.
#include <skipper/mpi.h>

#include <cmath>
#include <type_traits>

#include "check.h"
#include "fftw_mpi.h"
#include "support/untyped.h"

namespace {

using namespace skipper;

/// FFTW's slabs of this rank: of the first dimension where data are as they came, of the second where they are transposed.
struct Slabs {
  std::ptrdiff_t elements = 0;  // complex numbers that its arrays need
  std::ptrdiff_t n0 = 0, first0 = 0, n1 = 0, first1 = 0;
};

template <class T>
struct Comparison {
  Problem problem;
  std::vector<std::ptrdiff_t> shape;
  bool transposed;
  Slabs slabs = {};

  /// The box of this rank on the side that is transposed, or on the other.
  Box box(std::vector<std::int64_t> const& sizes, bool is_transposed) const {
    Box all{std::vector<std::int64_t>(sizes.size(), 0), sizes};
    std::size_t const cut = is_transposed ? 1 : 0;
    all.first[cut] = is_transposed ? slabs.first1 : slabs.first0;
    all.size[cut] = is_transposed ? slabs.n1 : slabs.n0;
    if (all.size[cut] == 0)
      all = {std::vector<std::int64_t>(sizes.size(), 0), std::vector<std::int64_t>(sizes.size(), 0)};
    return all;
  }

  /// Where FFTW has an element of a box, in elements: transposed it counts the second dimension first, and it pads rows of reals.
  std::ptrdiff_t place(Box const& box, std::int64_t element, bool is_transposed, bool is_real) const {
    std::vector<std::int64_t> at(box.size.size());
    for (std::size_t d = at.size(); d-- > 0; element /= box.size[d]) at[d] = element % box.size[d];
    std::vector<std::int64_t> sizes = box.size;
    if (is_real) sizes.back() = 2 * (shape.back() / 2 + 1);
    if (is_transposed) {
      std::swap(at[0], at[1]);
      std::swap(sizes[0], sizes[1]);
    }
    std::ptrdiff_t index = 0;
    for (std::size_t d = 0; d < at.size(); ++d) index = index * sizes[d] + at[d];
    return index;
  }

  void run(std::shared_ptr<Communicator> const& communicator) {
    using F = Fftw<T>;
    bool const to_complex = problem.kind == Kind::r2c, to_real = problem.kind == Kind::c2r;
    // The spectrum is what may be transposed: c2r takes such a one.
    bool const in_transposed = transposed && to_real, out_transposed = transposed && !to_real;
    std::vector<std::ptrdiff_t> complex_shape = shape;
    if (to_complex || to_real) complex_shape.back() = shape.back() / 2 + 1;
    slabs.elements = F::local_size(int(shape.size()), complex_shape.data(), MPI_COMM_WORLD, &slabs.n0,
                                   &slabs.first0, &slabs.n1, &slabs.first1);
    std::vector<T> fftw_in(std::size_t(2 * slabs.elements) + 2), fftw_out(fftw_in.size());
    auto const complex = [](std::vector<T>& data) {
      return reinterpret_cast<typename F::Complex*>(data.data());
    };
    unsigned const flags = FFTW_ESTIMATE | (in_transposed ? FFTW_MPI_TRANSPOSED_IN : 0u) |
                           (out_transposed ? FFTW_MPI_TRANSPOSED_OUT : 0u);
    int const rank = int(shape.size());
    auto const plan =
        to_complex
            ? F::to_complex(rank, shape.data(), fftw_in.data(), complex(fftw_out), MPI_COMM_WORLD, flags)
        : to_real ? F::to_real(rank, shape.data(), complex(fftw_in), fftw_out.data(), MPI_COMM_WORLD, flags)
                  : F::complex(rank, shape.data(), complex(fftw_in), complex(fftw_out), MPI_COMM_WORLD,
                               problem.direction == Direction::forward ? FFTW_FORWARD : FFTW_BACKWARD, flags);

    DistributedSettings settings;
    settings.in.push_back(box(in_sizes(problem), in_transposed));
    settings.out.push_back(box(out_sizes(problem), out_transposed));
    DistributedPlan const ours(problem, communicator, settings);
    std::size_t const in_parts = to_complex ? 1 : 2, out_parts = to_real ? 1 : 2;
    std::vector<T> in(std::size_t(ours.in_elements()) * in_parts),
        out(std::size_t(ours.out_elements()) * out_parts);
    each_element(ours.in_box(), in_sizes(problem), [&](std::int64_t here, std::int64_t there) {
      std::size_t const theirs =
          std::size_t(place(ours.in_box(), here, in_transposed, to_complex)) * in_parts;
      for (std::size_t part = 0; part < in_parts; ++part)
        in[std::size_t(here) * in_parts + part] = fftw_in[theirs + part] =
            T(std::sin(0.7 * double(there) + 1.3 * double(part)) + 0.1);
    });
    ours.execute(skipper::testing::untyped(in.data()), skipper::testing::untyped(out.data()));
    F::execute(plan);  // may spoil its input
    F::destroy(plan);

    double sums[2] = {0, 0}, all[2] = {0, 0};
    each_element(ours.out_box(), out_sizes(problem), [&](std::int64_t here, std::int64_t) {
      std::size_t const theirs =
          std::size_t(place(ours.out_box(), here, out_transposed, to_real)) * out_parts;
      for (std::size_t part = 0; part < out_parts; ++part) {
        double const x = double(out[std::size_t(here) * out_parts + part]),
                     y = double(fftw_out[theirs + part]);
        sums[0] += (x - y) * (x - y);
        sums[1] += y * y;
      }
    });
    MPI_Allreduce(sums, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double const error = std::sqrt(all[0] / all[1]);
    expect(error < (std::is_same_v<T, double> ? 1e-14 : 1e-6),
           text(problem) + (transposed ? " transposed" : "") + ": off FFTW-MPI by " + std::to_string(error));
  }
};

template <class T>
void compare(std::shared_ptr<Communicator> const& communicator) {
  Fftw<T>::init();
  Precision const precision = std::is_same_v<T, double> ? Precision::f64 : Precision::f32;
  for (std::vector<std::int64_t> const& shape : {std::vector<std::int64_t>{13, 10, 12}, {5, 6, 9}, {12, 7}})
    for (bool const transposed : {false, true}) {
      std::vector<std::ptrdiff_t> const n(shape.begin(), shape.end());
      for (Direction const direction : {Direction::forward, Direction::inverse}) {
        Problem complex = c2c(shape, 1, precision, direction);
        complex.scale = 1;  // FFTW scales no inverse
        Comparison<T>{complex, n, transposed}.run(communicator);
      }
      Problem real = c2r(shape, 1, precision);
      real.scale = 1;
      Comparison<T>{r2c(shape, 1, precision), n, transposed}.run(communicator);
      Comparison<T>{real, n, transposed}.run(communicator);
    }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    auto const communicator = mpi_communicator(MPI_COMM_WORLD, std::chrono::seconds(60));
    compare<float>(communicator);
    compare<double>(communicator);
  } catch (std::exception const& e) {
    expect(false, e.what());
  }
  return finish();
}
