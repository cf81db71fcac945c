// See whole_check.h. A transform is added up by its dimensions as they lie in memory, by halves, so that rounding of the sums stays
// below that of the transform.
#include "reference/whole_check.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <thread>
#include <vector>

#include "base/kinds.h"
#include "reference/accuracy.h"
#include "reference/axis_weights.h"
#include "reference/scalars.h"

namespace skipper::reference {
namespace {

using Wide = std::complex<double>;
using Index = std::int64_t;

struct Sum {
  Wide value{};
  double squares = 0;
  Sum& operator+=(Sum const& o) {
    value += o.value, squares += o.squares;
    return *this;
  }
};

/// One dimension of a side: its weights, and the scalars from one element to the next.
struct Dimension {
  std::vector<Wide> weights;
  Index stride = 1;
};

/// One side of all transforms: scalars of T, one or two an element.
template <class T>
class Side {
 public:
  Side() = default;
  Side(bool real, std::vector<Dimension> dimensions) : real_(real), dimensions_(std::move(dimensions)) {
    std::stable_sort(dimensions_.begin(), dimensions_.end(),
                     [](Dimension const& a, Dimension const& b) { return a.stride > b.stride; });
  }
  Sum sum(T const* at) const { return sum(0, 0, size(0), at); }
  Index size(std::size_t d) const { return Index(dimensions_[d].weights.size()); }
  /// The part of it that has these indices of the slowest dimension.
  Sum part(T const* at, Index begin, Index end) const { return sum(0, begin, end, at); }

 private:
  Sum sum(std::size_t d, Index begin, Index end, T const* at) const {
    Dimension const& dimension = dimensions_[d];
    Sum total;
    if (end - begin > 64) {
      Index const middle = (begin + end) / 2;
      total = sum(d, begin, middle, at);
      return total += sum(d, middle, end, at);
    }
    Wide const* const w = dimension.weights.data();
    bool const last = d + 1 == dimensions_.size();
    if (last && real_) {
      for (Index i = begin; i < end; ++i) {
        double const x(at[i * dimension.stride]);
        total += {{w[i].real() * x, w[i].imag() * x}, x * x};
      }
    } else if (last) {
      for (Index i = begin; i < end; ++i) {
        T const* const here = at + i * dimension.stride;
        double const re(here[0]), im(here[1]);
        total +=
            {{w[i].real() * re - w[i].imag() * im, w[i].real() * im + w[i].imag() * re}, re * re + im * im};
      }
    } else {
      for (Index i = begin; i < end; ++i) {
        Sum const inner = sum(d + 1, 0, size(d + 1), at + i * dimension.stride);
        total += {w[i] * inner.value, inner.squares};
      }
    }
    return total;
  }

  bool real_ = false;
  std::vector<Dimension> dimensions_;
};

/// Work on 0 .. count - 1, shared out to threads in runs; each has a result of its own.
template <class Work>
double largest(Index count, int threads, Work const& work) {
  Index const all = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  Index const team = std::min(all, count), run = std::max<Index>(1, count / (team * 8));
  std::atomic<Index> next = 0;
  std::vector<double> worst(std::size_t(team), 0);
  auto const take = [&](double& mine) {
    for (Index begin; (begin = next.fetch_add(run)) < count;)
      for (Index i = begin; i < std::min(count, begin + run); ++i) {
        double const d = work(i);
        mine = std::isnan(d) ? INFINITY : std::max(mine, d);
      }
  };
  if (team == 1) {
    take(worst[0]);
  } else {
    std::vector<std::jthread> others;
    for (double& mine : worst) others.emplace_back([&] { take(mine); });
  }
  return *std::max_element(worst.begin(), worst.end());
}

template <class T>
class Check {
 public:
  explicit Check(Problem const& problem)
      : problem_(problem), real_in_(facts(problem.kind).real_in), real_out_(facts(problem.kind).real_out) {
    std::vector<Dimension> in, out;
    for (std::size_t a = 0; a < problem.axes.size(); ++a) {
      AxisWeights w = axis_weights(problem, a, false);
      in.push_back({std::move(w.in), problem.axes[a].in_stride * (real_in_ ? 1 : 2)});
      out.push_back({std::move(w.out), problem.axes[a].out_stride * (real_out_ ? 1 : 2)});
      gain_ *= w.gain * double(out_size(problem, a));
    }
    in_ = {real_in_, std::move(in)}, out_ = {real_out_, std::move(out)};
    if (problem.kind == Kind::c2r) behind_ = {real_in_, behind()};
    gain_ *= whole_scale(problem) * whole_scale(problem);
  }

  Index transforms() const {
    Index n = 1;
    for (Dim const& d : problem_.batch) n *= d.size;
    return n;
  }

  double defect(Index transform, T const* in, T const* out, int threads) const {
    for (std::size_t d = problem_.batch.size(); d-- > 0; transform /= problem_.batch[d].size) {
      Index const i = transform % problem_.batch[d].size;
      in += i * problem_.batch[d].in_stride * (real_in_ ? 1 : 2);
      out += i * problem_.batch[d].out_stride * (real_out_ ? 1 : 2);
    }
    Sum const x = whole(in_, in, threads), y = whole(out_, out, threads);
    // c2r takes real parts: Re Y = (Y + Y*) / 2, and Y* has the conjugate weights.
    Wide const expected =
        problem_.kind == Kind::c2r ? 0.5 * (x.value + std::conj(whole(behind_, in, threads).value)) : x.value;
    double const size = std::sqrt(std::max(y.squares, gain_ * x.squares));
    double outputs = 1;
    for (std::size_t a = 0; a < problem_.axes.size(); ++a) outputs *= double(out_size(problem_, a));
    double const least =
        problem_.precision == Precision::f16 ? 0x1p-24 * std::sqrt(outputs) : 0;  // of subnormals
    double const likely = 8 * (allowed_l2(problem_) * size + least);
    return std::abs(y.value - whole_scale(problem_) * expected) / std::max(likely, 1e-300);
  }

 private:
  /// The inputs by the conjugate weights.
  std::vector<Dimension> behind() const {
    std::vector<Dimension> all;
    for (std::size_t a = 0; a < problem_.axes.size(); ++a)
      all.push_back({axis_weights(problem_, a, true).in, problem_.axes[a].in_stride * (real_in_ ? 1 : 2)});
    return all;
  }
  /// Long ones by several threads.
  Sum whole(Side<T> const& side, T const* at, int threads) const {
    if (threads == 1) return side.sum(at);
    Index const n = side.size(0), parts = std::min<Index>(n, 256);
    std::vector<Sum> sums(static_cast<std::size_t>(parts));
    largest(parts, threads, [&](Index p) {
      sums[std::size_t(p)] = side.part(at, p * n / parts, (p + 1) * n / parts);
      return 0.0;
    });
    Sum total;
    for (Sum const& s : sums) total += s;
    return total;
  }

  Problem const& problem_;
  bool real_in_, real_out_;
  Side<T> in_, behind_, out_;
  double gain_ = 1;
};

template <class T>
WholeCheck checked(Problem const& problem, T const* in, T const* out, int threads) {
  Check<T> const check(problem);
  Index const count = check.transforms();
  if (count < 64) {
    bool const few = in_bytes(problem) / count < (1 << 20);
    double worst = 0;
    for (Index i = 0; i < count; ++i) {
      double const d = check.defect(i, in, out, few ? 1 : threads);
      worst = std::isnan(d) ? INFINITY : std::max(worst, d);
    }
    return {count, worst};
  }
  return {count, largest(count, threads, [&](Index i) { return check.defect(i, in, out, 1); })};
}

}  // namespace

WholeCheck whole_check(Problem const& problem, void const* in, void const* out, int threads) {
  if (problem.order != Order::natural) return {};
  return with_scalar(problem.precision, [&]<class Scalar>(Scalar) {
    return checked(problem, static_cast<Scalar const*>(in), static_cast<Scalar const*>(out), threads);
  });
}

}  // namespace skipper::reference
