// See convolution.h. Runs on the kernels of the build's own instruction set, so that tables do not depend on the
// one that is chosen later.
#include "cpu/convolution.h"

#include "cpu/host.h"
#include "cpu/radices.h"

namespace skipper::cpu {

std::vector<std::complex<double>> spectrum(std::vector<std::complex<double>> const& b, double factor) {
  Kernels const& plain = kernels<double>(*variants().front());
  Index const n = static_cast<Index>(b.size()), columns = least_lanes(plain);
  LineSpec spec;
  spec.n = n;
  spec.scale = factor;
  spec.single = !line_radices(n, columns, sizeof(double)).empty();
  auto const line = make_smooth<double>(spec, plain);
  Index const width = spec.single ? 1 : columns;
  std::vector<double> data(2 * n * width, 0.0), scratch(line->scratch(1, width));
  for (Index j = 0; j < n; ++j) data[2 * j * width] = b[j].real(), data[2 * j * width + 1] = b[j].imag();
  Tile<double> tile;
  tile.in = tile.out = data.data();
  tile.in_step = tile.out_step = 2 * width;
  tile.columns = width;
  tile.scratch = scratch.data();
  line->run(tile);
  std::vector<std::complex<double>> result(n);
  for (Index k = 0; k < n; ++k) result[k] = {data[2 * k * width], data[2 * k * width + 1]};
  return result;
}

}  // namespace skipper::cpu
