// See convolution.h. Spectra are computed by the kernels of the build's plain instruction set, so that tables do not depend on
// the instruction set of a plan.
#include "cpu/convolution.h"

#include <algorithm>

#include "base/numbers.h"
#include "cpu/host.h"
#include "cpu/pool.h"
#include "cpu/radices.h"
#include "cpu/schedule.h"

namespace skipper::cpu {
namespace {

Kernels const& plain_kernels() { return kernels<double>(*variants().front()); }

std::unique_ptr<Line<double> const> plain_line(Index n, bool single, double scale, int threads) {
  TableMaker tables(plain_kernels(), threads, TableMaker::Mode::make);
  return make_smooth<double>({n, single, Direction::forward, scale}, tables);
}

/// The first pass of fill_spectrum_rows(): columns of n1, and the twiddles.
template <class T>
void put_columns(Index n1, Index n2, Index rows, Sequence const& sequence, int threads, T* at) {
  constexpr Index width = 16;
  auto const line = plain_line(n1, false, 1, threads);
  RootSource const roots(n1 * n2);
  parallel_for((n2 + width - 1) / width, threads, [&](int, Index begin, Index end) {
    std::vector<double> data(2 * n1 * width), buffer(line->buffer_size(1, width));
    Tile<double> tile;
    tile.in = tile.out = data.data();
    tile.in_step = tile.out_step = 2 * width;
    tile.columns = width;
    tile.buffer = buffer.data();
    for (Index j2 = begin * width; j2 < std::min(end * width, n2); j2 += width) {
      Index const valid = std::min(width, n2 - j2);
      if (valid < width) std::fill(data.begin(), data.end(), 0.0);
      for (Index j1 = 0; j1 < n1; ++j1) sequence(j1 * n2 + j2, valid, data.data() + 2 * j1 * width);
      line->run(tile);
      for (Index k1 = 0; k1 < rows; ++k1)
        for (Index q = 0; q < valid; ++q) {
          std::complex<double> const w = roots.at<T>(k1 * (j2 + q));
          double const* const x = data.data() + 2 * (k1 * width + q);
          T* const y = at + 2 * (k1 * n2 + j2 + q);
          y[0] = static_cast<T>(x[0] * w.real() - x[1] * w.imag());
          y[1] = static_cast<T>(x[0] * w.imag() + x[1] * w.real());
        }
    }
  });
}

/// A short spectrum in one transform: [m] in double.
std::vector<double> whole_spectrum(Index m, Sequence const& sequence, double factor) {
  Index const columns = least_lanes(plain_kernels());
  bool const single = !line_radices(m, columns, sizeof(double)).empty();
  auto const line = plain_line(m, single, factor, 1);
  Index const width = single ? 1 : columns;
  std::vector<double> natural(2 * m), data(2 * m * width, 0.0), buffer(line->buffer_size(1, width));
  sequence(0, m, natural.data());
  for (Index j = 0; j < m; ++j) std::copy_n(&natural[2 * j], 2, &data[2 * j * width]);
  Tile<double> tile;
  tile.in = tile.out = data.data();
  tile.in_step = tile.out_step = 2 * width;
  tile.columns = width;
  tile.buffer = buffer.data();
  line->run(tile);
  for (Index k = 0; k < m; ++k) std::copy_n(&data[2 * k * width], 2, &natural[2 * k]);
  return natural;
}

}  // namespace

template <class T>
void fill_spectrum_rows(Index n1, Index n2, Index rows, Sequence const& sequence, double factor, int threads,
                        T* at) {
  put_columns<T>(n1, n2, rows, sequence, threads, at);
  auto const line = plain_line(n2, true, factor, threads);
  parallel_for(rows, threads, [&](int, Index begin, Index end) {
    std::vector<double> data(2 * n2), buffer(line->buffer_size(1, 1));
    Tile<double> tile;
    tile.in = tile.out = data.data();
    tile.buffer = buffer.data();
    for (Index k1 = begin; k1 < end; ++k1) {
      T* const row = at + 2 * k1 * n2;
      std::copy_n(row, 2 * n2, data.data());
      line->run(tile);
      std::transform(data.begin(), data.end(), row, [](double x) { return static_cast<T>(x); });
    }
  });
}

template <class T>
Table<T> spectrum_table(Index m, Sequence const& sequence, double factor, TableMaker& tables) {
  constexpr Index one_go = 1 << 15;
  return tables.make_whole<T>(2 * m, [&](T* at) {
    TwoFactors const factors = m > one_go ? factor_long_line(m) : TwoFactors{m, 1};
    if (factors.second == 1 ||
        line_radices(factors.second, least_lanes(plain_kernels()), sizeof(double)).empty()) {
      auto const all = whole_spectrum(m, sequence, factor);
      std::transform(all.begin(), all.end(), at, [](double x) { return static_cast<T>(x); });
      return;
    }
    Index const n1 = factors.first, n2 = factors.second;
    Table<T> rows(2 * m);
    fill_spectrum_rows<T>(n1, n2, n1, sequence, factor, tables.threads(), rows.data());
    for (Index k2 = 0; k2 < n2; ++k2)
      for (Index k1 = 0; k1 < n1; ++k1)
        std::copy_n(rows.data() + 2 * (k1 * n2 + k2), 2, at + 2 * (k1 + n1 * k2));
  });
}

template <class T, class S>
void fill_chirp(RootSource const& roots, Index n, Index first, Index count, bool conjugate, S* at) {
  Index const order = 2 * n;
  Index exponent = mulmod(first, first, order), odd = (2 * (first % n) + 1) % order;  // (j+1)^2 - j^2
  for (Index i = 0; i < count; ++i) {
    std::complex<double> const w = roots.at<T>(exponent);
    at[2 * i] = static_cast<S>(w.real());
    at[2 * i + 1] = static_cast<S>(conjugate ? 0.0 - w.imag() : w.imag());
    exponent = exponent < order - odd ? exponent + odd : exponent - (order - odd);
    odd = odd < order - 2 ? odd + 2 : odd + 2 - order;
  }
}

template <class T>
Sequence chirp_sequence(RootSource const& roots, ChirpSequence const& c) {
  return [&roots, c](Index first, Index count, double* at) {
    Index const end = first + count, reflected = std::max(c.results, c.m - c.points + 1);
    for (Index j = first; j < end;) {
      double* const to = at + 2 * (j - first);
      Index const stop = std::min(end, j < c.results ? c.results : j < reflected ? reflected : c.m);
      if (j < c.results) {
        fill_chirp<T>(roots, c.n, j, stop - j, c.forward, to);
      } else if (j < reflected) {
        std::fill_n(to, 2 * (stop - j), 0.0);
      } else {
        fill_chirp<T>(roots, c.n, c.m - stop + 1, stop - j, c.forward, to);
        auto* const numbers = reinterpret_cast<std::complex<double>*>(to);
        std::reverse(numbers, numbers + (stop - j));
      }
      j = stop;
    }
  };
}

GeneratorPowers::GeneratorPowers(Index p, TableMaker& tables) : count_(p - 1) {
  Index const g = tables.counting() ? 1 : generator(p);
  if (p < Index(1) << 32) {
    narrow_ = tables.make<std::uint32_t>(count_, 1, [&](Index begin, Index end, std::uint32_t* at) {
      auto power = static_cast<std::uint64_t>(powmod(g, begin, p));
      for (Index j = begin; j < end; ++j, power = power * std::uint64_t(g) % std::uint64_t(p))
        *at++ = static_cast<std::uint32_t>(power);
    });
  } else {
    wide_ = tables.make<Index>(count_, 1, [&](Index begin, Index end, Index* at) {
      Index power = powmod(g, begin, p);
      for (Index j = begin; j < end; ++j, power = mulmod(power, g, p)) *at++ = power;
    });
  }
}

template <class T>
Sequence rader_sequence(RootSource const& roots, GeneratorPowers const& powers, bool forward) {
  return [&roots, &powers, forward](Index first, Index count, double* at) {
    for (Index q = first; q < first + count; ++q) {
      std::complex<double> const w = roots.at<T>(powers.inverse(q));
      *at++ = w.real();
      *at++ = forward ? w.imag() : 0.0 - w.imag();
    }
  };
}

template void fill_spectrum_rows(Index, Index, Index, Sequence const&, double, int, float*);
template void fill_spectrum_rows(Index, Index, Index, Sequence const&, double, int, double*);
template Table<float> spectrum_table(Index, Sequence const&, double, TableMaker&);
template Table<double> spectrum_table(Index, Sequence const&, double, TableMaker&);
template void fill_chirp<float>(RootSource const&, Index, Index, Index, bool, float*);
template void fill_chirp<double>(RootSource const&, Index, Index, Index, bool, double*);
template Sequence chirp_sequence<float>(RootSource const&, ChirpSequence const&);
template Sequence chirp_sequence<double>(RootSource const&, ChirpSequence const&);
template Sequence rader_sequence<float>(RootSource const&, GeneratorPowers const&, bool);
template Sequence rader_sequence<double>(RootSource const&, GeneratorPowers const&, bool);

}  // namespace skipper::cpu
