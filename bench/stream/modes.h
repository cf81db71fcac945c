// A sum of a few modes, in many transforms at once: an input whose spectrum is known everywhere, and so is the solution of
// Poisson's equation with it.
#pragma once

#include <skipper/problem.h>

#include <cmath>
#include <complex>
#include <mutex>
#include <vector>

#include "bench/stream/machine.h"

namespace skipper::bench {

using Number = std::complex<float>;

/// exp(2 pi i (k . r)) for a few k, each with an amplitude of its own.
class Modes {
 public:
  explicit Modes(Problem const& p) {
    std::size_t batch = 1;
    for (Dim const& d : p.batch) batch *= std::size_t(d.size);
    shape_ = {batch};
    for (Axis const& a : p.axes) shape_.push_back(std::size_t(a.size));
    for (std::size_t m = 0; m < 4; ++m) {
      places_.emplace_back();
      for (std::size_t a = 1; a < shape_.size(); ++a)
        places_.back().push_back((m * (shape_[a] / 3 + 1) + a) % shape_[a]);
    }
  }

  std::size_t count() const {
    std::size_t n = 1;
    for (std::size_t s : shape_) n *= s;
    return n;
  }

  /// What the three-point Laplacian on a periodic box of length 1 multiplies mode m by.
  double eigenvalue(std::size_t m) const {
    double sum = 0;
    for (std::size_t a = 1; a < shape_.size(); ++a)
      sum -=
          std::pow(2 * double(shape_[a]) * std::sin(M_PI * double(places_[m][a - 1]) / double(shape_[a])), 2);
    return sum;
  }

  /// With mode m times its eigenvalue where that is asked for.
  void fill(Number* data, bool laplacian = false) const {
    auto const rows = waves();
    each_line([&](std::vector<std::size_t> const& index, std::size_t at) {
      std::vector<std::complex<double>> const values = line(rows, index, laplacian);
      std::copy(values.begin(), values.end(), data + at);
    });
  }

  /// The largest difference to what fill() gives, or to its spectrum, over the largest number in it.
  double error_of_values(Number const* data) const {
    auto const rows = waves();
    return worst(data, 1, [&](std::vector<std::size_t> const& index) { return line(rows, index, false); }) /
           16;
  }
  double error_of_spectrum(Number const* data) const {
    return worst(data, double(count() / shape_[0]),
                 [&](std::vector<std::size_t> const& index) {
                   std::vector<std::complex<double>> right(shape_.back());
                   for (std::size_t m = 0; m < places_.size(); ++m)
                     if (std::equal(index.begin() + 1, index.end(), places_[m].begin()))
                       right[places_[m].back()] += amplitude(m, index[0]);
                   return right;
                 }) /
           4;
  }

 private:
  using Waves = std::vector<std::vector<std::complex<double>>>;  // of the last axis, one a mode

  static std::complex<double> amplitude(std::size_t mode, std::size_t batch) {
    return {1 + double(mode), double(batch % 7) - double(mode)};
  }
  static std::complex<double> wave(std::size_t k, std::size_t n) {
    return std::polar(1.0, 2 * M_PI * double(k) / double(n));
  }
  Waves waves() const {
    Waves all;
    std::size_t const n = shape_.back();
    for (auto const& k : places_) {
      all.emplace_back();
      for (std::size_t x = 0; x < n; ++x) all.back().push_back(wave(k.back() * x % n, n));
    }
    return all;
  }
  std::vector<std::complex<double>> line(Waves const& rows, std::vector<std::size_t> const& index,
                                         bool laplacian) const {
    std::vector<std::complex<double>> values(shape_.back());
    for (std::size_t m = 0; m < places_.size(); ++m) {
      std::complex<double> factor = amplitude(m, index[0]) * (laplacian ? eigenvalue(m) : 1.0);
      for (std::size_t a = 1; a < index.size(); ++a)
        factor *= wave(places_[m][a - 1] * index[a] % shape_[a], shape_[a]);
      for (std::size_t x = 0; x < values.size(); ++x) values[x] += factor * rows[m][x];
    }
    return values;
  }

  /// body(indices but the last, offset) for all lines along the last axis.
  template <class Body>
  void each_line(Body const& body) const {
    std::size_t const length = shape_.back();
    on_all_cores(count() / length, [&](std::size_t at) {
      std::vector<std::size_t> index(shape_.size() - 1);
      for (std::size_t a = shape_.size() - 1, rest = at; a-- > 0; rest /= shape_[a])
        index[a] = rest % shape_[a];
      body(index, at * length);
    });
  }

  template <class Right>
  double worst(Number const* data, double scale, Right const& right) const {
    std::mutex mutex;
    double all = 0;
    each_line([&](std::vector<std::size_t> const& index, std::size_t at) {
      auto const values = right(index);
      double here = 0;
      for (std::size_t x = 0; x < values.size(); ++x) {
        double const off = std::abs(std::complex<double>(data[at + x]) / scale - values[x]);
        here = off > here || std::isnan(off) ? off : here;
      }
      std::lock_guard lock(mutex);
      all = here > all || std::isnan(here) ? here : all;
    });
    return all;
  }

  std::vector<std::size_t> shape_;  // the batch first
  std::vector<std::vector<std::size_t>> places_;
};

}  // namespace skipper::bench
