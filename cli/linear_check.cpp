// See linear_check.h.
#include "linear_check.h"

#include <skipper/plan.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <random>

#include "format.h"
#include "reference/accuracy.h"
#include "reference/axis.h"
#include "scalars.h"

namespace skipper::cli {
namespace {

using Wide = std::complex<double>;
using Vector = std::vector<Wide>;

constexpr std::int64_t longest_by_definition = 8192;
constexpr std::int64_t elements_of_a_thread = 1 << 24;

bool is_complex(Problem const& problem, bool input) {
  if (problem.kind == Kind::c2c) return true;
  return problem.kind == (input ? Kind::c2r : Kind::r2c);
}

Vector transformed(Vector const& r, Direction direction) {
  PlanSettings settings;
  settings.device = Device("cpu");
  Vector s(r.size());
  Plan(c2c({std::int64_t(r.size())}, 1, Precision::f64, direction), settings).execute(r.data(), s.data());
  return s;
}

// The transposed matrix of an axis that is no Fourier axis, times r.
Vector transposed_terms(Problem const& problem, std::size_t a, Vector const& r) {
  Axis const& axis = problem.axes[a];
  if (axis.size > longest_by_definition)
    throw Error("axes",
                formatted("has a {} axis of {} points; results over ranks are verified for at most {}",
                          name(axis.kind), axis.size, longest_by_definition));
  reference::AxisDefinition<double> const definition(problem, a);
  Vector s(r.size());
  for (std::int64_t k = 0; k < axis.size; ++k)
    definition.each_term(k, [&](std::int64_t j, reference::Complex<double> const& w) {
      s[std::size_t(j)] += r[std::size_t(k)] * w.re;
    });
  return s;
}

template <class Scalar>
Wide widened(Scalar x) {
  return double(x);
}
template <class Scalar>
Wide widened(Pair<Scalar> x) {
  return Wide(x);
}

template <class Element>
struct Summing {
  std::vector<Vector> const& weights;
  Box const& box;
  std::vector<std::int64_t> strides;

  // By halves, so that rounding of the sums stays below that of the transforms; large ones side by side.
  WeightedSum sum(std::size_t d, std::int64_t begin, std::int64_t end, Element const* at) const {
    WeightedSum total;
    if (end - begin > 32) {
      std::int64_t const middle = (begin + end) / 2;
      if (d == 0 && (end - begin) * strides[0] > elements_of_a_thread) {
        auto other = std::async(std::launch::async, [&] { return sum(d, begin, middle, at); });
        WeightedSum const last = sum(d, middle, end, at);
        total = other.get();
        total += last;
        return total;
      }
      total = sum(d, begin, middle, at);
      total += sum(d, middle, end, at);
      return total;
    }
    for (std::int64_t i = begin; i < end; ++i) {
      Wide const w = weights[d][std::size_t(box.first[d] + i)];
      Element const* const here = at + i * strides[d];
      bool const last = d + 1 == strides.size();
      WeightedSum const part = last ? WeightedSum{widened(*here), std::norm(widened(*here))}
                                    : sum(d + 1, 0, box.size[d + 1], here);
      total += {w * part.value, std::norm(w) * part.squares};
    }
    return total;
  }
};

template <class Element>
WeightedSum sum_of(std::vector<Vector> const& weights, Box const& box, void const* data) {
  for (std::int64_t const n : box.size)
    if (n == 0) return {};
  return Summing<Element>{weights, box, dense_strides(box.size)}.sum(0, 0, box.size[0],
                                                                     static_cast<Element const*>(data));
}

}  // namespace

WeightedSum& WeightedSum::operator+=(WeightedSum const& other) {
  value += other.value;
  squares += other.squares;
  return *this;
}

LinearCheck::LinearCheck(Problem const& problem) : problem_(problem) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  bool const complex_weights = is_complex(problem, false);
  auto const random_vector = [&](std::int64_t size) {
    Vector r(static_cast<std::size_t>(size));
    for (Wide& w : r) w = {uniform(random), complex_weights ? uniform(random) : 0.0};
    return r;
  };
  for (Dim const& dim : problem.batch) {
    out_.push_back(random_vector(dim.size));
    in_.push_back(out_.back());
  }
  auto const halved = halved_axis(problem);
  for (std::size_t a = 0; a < problem.axes.size(); ++a) {
    Axis const& axis = problem.axes[a];
    Vector r = random_vector(out_size(problem, a)), s;
    if (axis.kind != AxisKind::fourier) {
      s = transposed_terms(problem, a, r);
    } else if (halved == a && problem.kind == Kind::r2c) {
      Vector extended = r;
      extended.resize(std::size_t(axis.size));
      s = transformed(extended, problem.direction);
    } else {
      s = transformed(r, problem.direction);
    }
    if (halved == a && problem.kind == Kind::c2r) {  // what is stored stands for two, but for the ends
      s.resize(std::size_t(axis.size / 2 + 1));
      for (Wide& w : s) w *= 2;
      s.front() = 0;
      if (axis.size % 2 == 0) s.back() = 0;
    }
    out_.push_back(std::move(r));
    in_.push_back(std::move(s));
  }
  for (Wide& w : in_.back()) w *= whole_scale(problem);
}

void LinearCheck::make_sound(Box const& box, void* in) const {
  auto const halved = halved_axis(problem_);
  if (!halved || problem_.kind != Kind::c2r) return;
  std::size_t const d = problem_.batch.size() + *halved;
  std::int64_t const n = problem_.axes[*halved].size, inner = dense_strides(box.size)[d];
  std::int64_t rows = 1;
  for (std::size_t i = 0; i < d; ++i) rows *= box.size[i];
  std::size_t const bytes = std::size_t(in_element_bytes(problem_));
  for (std::int64_t const k : {std::int64_t(0), n / 2}) {
    std::int64_t const at = k - box.first[d];
    if ((k > 0 && n % 2 != 0) || at < 0 || at >= box.size[d]) continue;
    for (std::int64_t row = 0; row < rows; ++row)
      std::fill_n(static_cast<std::byte*>(in) + std::size_t((row * box.size[d] + at) * inner) * bytes,
                  std::size_t(inner) * bytes, std::byte(0));
  }
}

WeightedSum LinearCheck::sum(Weights const& weights, bool complex_elements, Box const& box,
                             void const* data) const {
  return with_scalar(problem_.precision, [&]<class Scalar>(Scalar) {
    return complex_elements ? sum_of<Pair<Scalar>>(weights, box, data) : sum_of<Scalar>(weights, box, data);
  });
}

WeightedSum LinearCheck::of_input(Box const& box, void const* in) const {
  return sum(in_, is_complex(problem_, true), box, in);
}
WeightedSum LinearCheck::of_output(Box const& box, void const* out) const {
  return sum(out_, is_complex(problem_, false), box, out);
}

double LinearCheck::defect(WeightedSum const& in, WeightedSum const& out) const {
  Wide difference = out.value - in.value;
  if (!is_complex(problem_, false)) difference.imag(0);
  double const likely = 8 * reference::allowed_l2(problem_) * std::sqrt(out.squares);
  double const found = std::abs(difference) / std::max(likely, 1e-300);
  return std::isnan(found) ? INFINITY : found;
}

}  // namespace skipper::cli
