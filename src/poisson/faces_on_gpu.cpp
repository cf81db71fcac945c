// See faces_on_gpu.h.
#include "poisson/faces_on_gpu.h"

#include "base/index.h"
#include "poisson/tridiagonal.h"

namespace skipper::poisson {
namespace {

/// f is [outer][n][inner] as an axis sees it.
struct Side {
  Index outer = 1, n = 1, inner = 1;
  Index points() const { return outer * inner; }
};

std::vector<Side> sides_of(PoissonProblem const& problem) {
  std::vector<Side> all(problem.axes.size());
  Index outer = 1, inner = 1;
  for (PoissonAxis const& axis : problem.axes) inner *= axis.size;
  for (std::size_t a = 0; a < all.size(); ++a) {
    Index const n = problem.axes[a].size;
    inner /= n;
    all[a] = {outer, n, inner};
    outer *= n;
  }
  return all;
}

}  // namespace

std::string add_faces_text(PoissonProblem const& problem) {
  std::string text =
      "Value on_load(Value x, long long place, void* data) {\n"
      "  Value const* at = static_cast<Value const*>(data);\n";
  std::vector<Side> const sides = sides_of(problem);
  for (std::size_t a = 0; a < sides.size(); ++a) {
    if (problem.axes[a].low == Boundary::periodic) continue;
    std::string const inner = std::to_string(sides[a].inner) + "ll", n = std::to_string(sides[a].n) + "ll",
                      points = std::to_string(sides[a].points()) + "ll";
    text += "  {\n    long long const i = place / " + inner + " % " + n + ", face = place / (" + inner +
            " * " + n + ") * " + inner + " + place % " + inner + ";\n" + "    if (i == 0) x += at[face];\n" +
            "    if (i == " + n + " - 1) x += at[" + points + " + face];\n    at += 2 * " + points +
            ";\n  }\n";
  }
  return text + "  return x;\n}\n";
}

template <class T>
std::vector<T> face_numbers(PoissonProblem const& problem, std::vector<Faces<T>> const& faces) {
  std::vector<T> all;
  std::vector<Side> const sides = sides_of(problem);
  for (std::size_t a = 0; a < sides.size(); ++a) {
    if (problem.axes[a].low == Boundary::periodic) continue;
    Tridiagonal const matrix = tridiagonal(problem.axes[a]);
    auto const add = [&](std::vector<T> const& values, double factor) {
      for (Index i = 0; i < sides[a].points(); ++i)
        all.push_back(values.empty() ? T(0)
                                     : T(factor * double(values[values.size() == 1 ? 0 : std::size_t(i)])));
    };
    add(faces[a].low, matrix.low_end);
    add(faces[a].high, matrix.high_end);
  }
  return all;
}

template std::vector<float> face_numbers(PoissonProblem const&, std::vector<Faces<float>> const&);
template std::vector<double> face_numbers(PoissonProblem const&, std::vector<Faces<double>> const&);

}  // namespace skipper::poisson
