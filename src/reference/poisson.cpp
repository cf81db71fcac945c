// See poisson.h. Unknown i of an axis stands for a width w[i], with gaps g to its neighbours, and its second derivative is
// ((u[i+1] - u[i]) / g[i+1] - (u[i] - u[i-1]) / g[i]) / w[i]. Weighted by the widths these matrices are symmetric, so for a mode v with
// eigenvalue e the weighted sums have <v, f> = e <v, phi>.
#include "reference/poisson.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "reference/accuracy.h"

namespace skipper::reference {
namespace {

using Index = std::int64_t;
using Numbers = std::vector<double>;

bool is_periodic(PoissonAxis const& a) { return a.low == Boundary::periodic; }

bool is_on_nodes(PoissonAxis const& a) { return a.centring == Centring::node && !is_periodic(a); }

/// From unknown to unknown of a uniform axis.
double spacing_of(PoissonAxis const& a) {
  double const ends = double(a.low == Boundary::dirichlet) + double(a.high == Boundary::dirichlet);
  return a.length / (is_on_nodes(a) ? double(a.size) + ends - 1 : double(a.size));
}

/// Gaps below unknown 0 .. n - 1 and above the last; infinite where nothing flows.
struct Grid {
  Numbers width, gap;
};

Grid uniform_grid(PoissonAxis const& a) {
  auto const n = std::size_t(a.size);
  bool const nodes = is_on_nodes(a);
  double const h = spacing_of(a);
  Grid g{Numbers(n, h), Numbers(n + 1, h)};
  auto const end = [&](Boundary side, double& width, double& gap) {
    if (side == Boundary::neumann) gap = INFINITY, width *= nodes ? 0.5 : 1;
    if (side == Boundary::dirichlet && !nodes) gap = h / 2;
  };
  end(a.low, g.width.front(), g.gap.front());
  end(a.high, g.width.back(), g.gap.back());
  return g;
}

Grid stretched_grid(PoissonAxis const& a) {
  auto const n = std::size_t(a.size);
  Numbers const& x = a.coordinates;
  bool const low = a.low == Boundary::dirichlet, high = a.high == Boundary::dirichlet;
  Grid g{Numbers(n), Numbers(n + 1, INFINITY)};
  if (a.centring == Centring::cell) {
    for (std::size_t i = 0; i < n; ++i) g.width[i] = x[i + 1] - x[i];
    for (std::size_t i = 1; i < n; ++i) g.gap[i] = (g.width[i - 1] + g.width[i]) / 2;
    if (low) g.gap[0] = g.width[0] / 2;
    if (high) g.gap[n] = g.width[n - 1] / 2;
    return g;
  }
  std::size_t const before = low ? 1 : 0;  // nodes before unknown 0
  for (std::size_t i = 0; i <= n; ++i)
    if (i + before > 0 && i + before < x.size()) g.gap[i] = x[i + before] - x[i + before - 1];
  auto const half = [](double gap) { return std::isinf(gap) ? 0 : gap / 2; };
  for (std::size_t i = 0; i < n; ++i) g.width[i] = half(g.gap[i]) + half(g.gap[i + 1]);
  return g;
}

Grid grid_of(PoissonAxis const& a) { return a.coordinates.empty() ? uniform_grid(a) : stretched_grid(a); }

/// A mode of an axis: its value at each unknown, and its eigenvalue.
struct Mode {
  Numbers values;
  double eigenvalue;
};

/// Mode k, counted from the smallest eigenvalue; of a periodic axis turned by a phase, where none of them vanishes. Angles are
/// reduced as integers, so that those of high modes are exact too.
Mode mode_of(PoissonAxis const& a, Symbols symbols, Index k, double phase) {
  bool const sine = a.low == Boundary::dirichlet, nodes = a.centring == Centring::node;
  double const h = spacing_of(a);
  Index const intervals = Index(std::llround(a.length / h));
  // Twice as many as there are: half waves along the axis, and spacings from its low end to an unknown.
  Index const half_waves = is_periodic(a) ? 4 * k : a.low != a.high ? 2 * k + 1 : sine ? 2 * k + 2 : 2 * k;
  auto const angle = [&](Index place) {
    return std::numbers::pi * double(half_waves * place % (8 * intervals)) / double(4 * intervals);
  };
  double const w = std::numbers::pi / 2 * double(half_waves) / a.length;
  bool const spectral = symbols == Symbols::spectral && !a.tridiagonal;
  Mode m{{}, spectral ? -w * w : -std::pow(2 / h * std::sin(w * h / 2), 2)};
  for (Index i = 0; i < a.size; ++i) {
    double const x = angle(2 * i + (!nodes ? 1 : sine ? 2 : 0));
    m.values.push_back(is_periodic(a) ? std::cos(x - phase) : sine ? std::sin(x) : std::cos(x));
  }
  return m;
}

template <class T>
class SolutionCheck {
 public:
  SolutionCheck(PoissonProblem const& p, T const* f, std::vector<Faces<T>> const& faces, T const* phi,
                double defect)
      : p_(p), phi_(phi) {
    for (PoissonAxis const& a : p.axes) {
      grids_.push_back(grid_of(a));
      count_ *= std::size_t(a.size);
    }
    right_.assign(f, f + count_);
    for (double const x : right_) terms_.push_back(std::fabs(x) + std::fabs(defect));
    for (std::size_t a = 0; a < faces.size(); ++a) subtract(a, faces[a]);
    for (double& x : right_) x -= defect;
    for (std::size_t i = 0; i < count_; ++i) {
      largest_term_ = std::max(largest_term_, terms_[i]);
      largest_phi_ = std::max(largest_phi_, std::fabs(double(phi[i])));
      bad_ = bad_ || std::isnan(double(phi[i]));
    }
  }

  PoissonCheck result() const {
    if (bad_) return {INFINITY, INFINITY, INFINITY};
    bool const stretched = std::any_of(p_.axes.begin(), p_.axes.end(),
                                       [](PoissonAxis const& a) { return !a.coordinates.empty(); });
    return {p_.symbols == Symbols::second_order ? equation() : 0, stretched ? 0 : modes(), mean()};
  }

 private:
  static constexpr double epsilon = std::numeric_limits<T>::epsilon();

  Index inner(std::size_t axis) const {
    Index n = 1;
    for (std::size_t a = axis + 1; a < p_.axes.size(); ++a) n *= p_.axes[a].size;
    return n;
  }

  /// What values on the two sides of an axis make of zero, off the right side.
  void subtract(std::size_t axis, Faces<T> const& values) {
    PoissonAxis const& a = p_.axes[axis];
    Grid const& g = grids_[axis];
    Index const in = inner(axis), block = in * a.size;
    auto const side = [&](std::vector<T> const& given, Boundary boundary, Index i, double gap, double sign) {
      if (given.empty()) return;
      double const width = g.width[std::size_t(i)];
      double const factor = boundary == Boundary::dirichlet ? 1 / (gap * width) : sign / width;
      for (Index o = 0; o < Index(count_) / block; ++o)
        for (Index j = 0; j < in; ++j) {
          std::size_t const at = given.size() == 1 ? 0 : std::size_t(o * in + j);
          auto const point = std::size_t(o * block + i * in + j);
          right_[point] -= factor * double(given[at]);
          terms_[point] += std::fabs(factor * double(given[at]));
        }
    };
    side(values.low, a.low, 0, g.gap.front(), -1);
    side(values.high, a.high, a.size - 1, g.gap.back(), 1);
  }

  /// The largest residual of the equation.
  double equation() const {
    Numbers rest(count_), norm(count_, std::fabs(p_.shift));
    for (std::size_t i = 0; i < count_; ++i) rest[i] = p_.shift * double(phi_[i]) - right_[i];
    for (std::size_t axis = 0; axis < p_.axes.size(); ++axis) {
      PoissonAxis const& a = p_.axes[axis];
      Grid const& g = grids_[axis];
      Index const n = a.size, in = inner(axis);
      for (Index at = 0; at < Index(count_); ++at) {
        Index const i = at / in % n;
        double const u = double(phi_[at]), width = g.width[std::size_t(i)];
        auto const beyond = [&](Index end) { return is_periodic(a) ? double(phi_[at + end * in]) : 0.0; };
        double const before = i > 0 ? double(phi_[at - in]) : beyond(n - 1);
        double const after = i + 1 < n ? double(phi_[at + in]) : beyond(1 - n);
        double const below = 1 / (g.gap[std::size_t(i)] * width),
                     above = 1 / (g.gap[std::size_t(i) + 1] * width);
        rest[std::size_t(at)] += below * (before - u) + above * (after - u);
        norm[std::size_t(at)] += 2 * (below + above);
      }
    }
    double worst = 0;
    for (std::size_t i = 0; i < count_; ++i)
      worst = std::max(worst, std::fabs(rest[i]) / (20 * epsilon * likely(norm[i])));
    return worst;
  }
  double likely(double norm) const { return std::max(norm * largest_phi_ + largest_term_, 1e-300); }

  /// The first mode of all, the last one, and some between, most of them low ones.
  double modes() const {
    std::mt19937_64 random(11);
    double worst = 0;
    for (int m = 0; m < 10; ++m) {
      std::vector<Mode> mode;
      for (std::size_t a = 0; a < p_.axes.size(); ++a) {
        Index const count = is_periodic(p_.axes[a]) ? p_.axes[a].size / 2 + 1 : p_.axes[a].size;
        Index const few = m % 2 == 0 ? std::min<Index>(count, 4) : count;
        Index const k = m == 0 ? 0 : m == 1 ? count - 1 : Index(random() % std::uint64_t(few));
        mode.push_back(
            mode_of(p_.axes[a], p_.symbols, k, (0.5 + double(random() % 4)) * std::numbers::pi / 4));
      }
      worst = std::max(worst, mode_defect(mode));
    }
    return worst;
  }

  /// Weighted by widths; ff are the squares of the right side's terms.
  struct Sums {
    double f = 0, phi = 0, ff = 0, phiphi = 0, vv = 0;
    void add(Sums const& o) { f += o.f, phi += o.phi, ff += o.ff, phiphi += o.phiphi, vv += o.vv; }
  };
  double mode_defect(std::vector<Mode> const& mode) const {
    double eigenvalue = p_.shift, norm = std::fabs(p_.shift);
    for (std::size_t a = 0; a < mode.size(); ++a) {
      eigenvalue += mode[a].eigenvalue;
      norm += 4 / std::pow(spacing_of(p_.axes[a]), 2);
    }
    Sums const s = sums(mode, 0, 0, 1, 1);
    double const unit = 16 * allowed_l2(c2c({Index(count_)}, 1, p_.precision));
    double const f = std::sqrt(s.ff), phi = std::sqrt(s.phiphi);
    double const allowed =  // eliminations are in double, and exact to the size of the matrix
        (unit * (std::fabs(eigenvalue) * phi + f) + 0x1p-48 * norm * phi) * std::sqrt(s.vv);
    return std::fabs(eigenvalue * s.phi - s.f) / std::max(allowed, 1e-300);
  }
  /// Of the part that begins at `at`, with the product so far of values and of widths.
  Sums sums(std::vector<Mode> const& mode, std::size_t axis, Index at, double v, double w) const {
    Sums all;
    if (axis == mode.size()) {
      double const f = right_[std::size_t(at)], phi = double(phi_[at]), terms = terms_[std::size_t(at)];
      return {w * v * f, w * v * phi, w * terms * terms, w * phi * phi, w * v * v};
    }
    for (Index i = 0; i < p_.axes[axis].size; ++i)
      all.add(sums(mode, axis + 1, at + i * inner(axis), v * mode[axis].values[std::size_t(i)],
                   w * grids_[axis].width[std::size_t(i)]));
    return all;
  }

  /// Where phi is determined up to a constant: its mean, or where it is pinned its first point.
  double mean() const {
    bool const singular =
        p_.shift == 0 && std::none_of(p_.axes.begin(), p_.axes.end(), [](PoissonAxis const& a) {
          return a.low == Boundary::dirichlet || a.high == Boundary::dirichlet;
        });
    if (!singular) return 0;
    if (p_.zero_mode == ZeroMode::pin) return phi_[0] == 0 ? 0 : INFINITY;
    std::vector<Mode> ones;
    for (PoissonAxis const& a : p_.axes) ones.push_back({Numbers(std::size_t(a.size), 1), 0});
    Sums const s = sums(ones, 0, 0, 1, 1);
    double const unit = 16 * allowed_l2(c2c({Index(count_)}, 1, p_.precision));
    return std::fabs(s.phi) / std::max(unit * std::sqrt(s.phiphi * s.vv), 1e-300);
  }

  PoissonProblem const& p_;
  T const* phi_;
  std::vector<Grid> grids_;
  std::size_t count_ = 1;
  Numbers right_;  // without what flows in, and without the defect
  Numbers terms_;  // the sizes of what it is a sum of
  double largest_term_ = 0, largest_phi_ = 0;
  bool bad_ = false;
};

}  // namespace

template <class T>
PoissonCheck poisson_check(PoissonProblem const& problem, T const* f, std::vector<Faces<T>> const& faces,
                           T const* phi, double defect) {
  return SolutionCheck<T>(problem, f, faces, phi, defect).result();
}

template PoissonCheck poisson_check(PoissonProblem const&, float const*, std::vector<Faces<float>> const&,
                                    float const*, double);
template PoissonCheck poisson_check(PoissonProblem const&, double const*, std::vector<Faces<double>> const&,
                                    double const*, double);

}  // namespace skipper::reference
