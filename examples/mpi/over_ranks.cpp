// mpirun -n 4 over_ranks: a 3-D transform of an array that is spread over processes, there and back. Every rank holds a slab of the
// input; the spectrum stays where the plan leaves it, which saves an exchange, and the way back begins there.
#include <mpi.h>
#include <skipper/distributed.h>
#include <skipper/mpi.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

namespace {

using Complex = std::complex<float>;

// What the user's array has at a place: here a wave that goes three times around along the first axis.
Complex value(std::int64_t x, std::int64_t n) {
  return std::polar(1.0f, float(2 * M_PI) * 3 * float(x) / float(n));
}

int transform(std::int64_t n) {
  auto const world = skipper::mpi_communicator(MPI_COMM_WORLD);

  skipper::DistributedSettings settings;
  settings.any_output = true;
  skipper::DistributedPlan const forward(skipper::c2c({n, n, n}), world, settings);

  // The inverse takes each rank's box of the spectrum as it lies, and brings back the boxes of the input. It is scaled by 1/N.
  skipper::Problem back = skipper::c2c({n, n, n}, 1, skipper::Precision::f32, skipper::Direction::inverse);
  back.scale = 1.0 / double(n * n * n);
  skipper::DistributedSettings backwards;
  backwards.in = {forward.out_box()};
  backwards.out = {forward.in_box()};
  skipper::DistributedPlan const inverse(back, world, backwards);

  std::vector<Complex> in(std::size_t(forward.in_elements())), spectrum(std::size_t(forward.out_elements()));
  skipper::Box const& box = forward.in_box();
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = value(box.first[0] + std::int64_t(i) / (box.size[1] * box.size[2]), n);
  std::vector<Complex> const kept = in;
  forward.execute(in.data(), spectrum.data());

  // All of the wave is in one number of the spectrum, at (3, 0, 0).
  double elsewhere = 0, wave = 0;
  skipper::Box const& out = forward.out_box();
  for (std::size_t i = 0; i < spectrum.size(); ++i) {
    std::int64_t const k[3] = {out.first[0] + std::int64_t(i) / (out.size[1] * out.size[2]),
                               out.first[1] + std::int64_t(i) / out.size[2] % out.size[1],
                               out.first[2] + std::int64_t(i) % out.size[2]};
    bool const here = k[0] == 3 && k[1] == 0 && k[2] == 0;
    (here ? wave : elsewhere) += std::norm(std::complex<double>(spectrum[i]));
  }
  inverse.execute(spectrum.data(), in.data());
  double difference = 0;
  for (std::size_t i = 0; i < in.size(); ++i) difference += std::norm(std::complex<double>(in[i] - kept[i]));

  double mine[3] = {wave, elsewhere, difference}, all[3];
  MPI_Allreduce(mine, all, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  double const points = double(n * n * n), error = std::sqrt(all[2] / points);
  bool const good =
      std::abs(std::sqrt(all[0]) / points - 1) < 1e-5 && std::sqrt(all[1]) < 1e-5 * points && error < 1e-5;
  if (world->rank() == 0)
    std::printf("%lld^3 over %d ranks, %d exchange%s: error there and back %.1e, %s\n",
                static_cast<long long>(n), world->size(), forward.exchanges(),
                forward.exchanges() == 1 ? "" : "s", error, good ? "good" : "WRONG");
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int code = 1;
  try {
    code = transform(48);
  } catch (skipper::Error const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return code;
}
