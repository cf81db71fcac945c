// Whether every output of a transform that is spread over ranks is right, by one number: for weights r that are a product of
// random vectors, one a dimension, sum r[k] X[k] must equal sum s[j] x[j], where s is the product of the vectors' own transforms
// (or transposed ones). Each rank adds up its boxes, so nobody holds the whole array, and one wrong, missing or misplaced
// element shows.
#pragma once

#include <skipper/distributed.h>

#include <complex>
#include <vector>

namespace skipper::cli {

// Of a box: the sum of weights times elements, and the sum of the squares of both.
struct WeightedSum {
  std::complex<double> value{};
  double squares = 0;

  WeightedSum& operator+=(WeightedSum const& other);
};

class LinearCheck {
 public:
  // Of any kinds and precision, on dense boxes. Throws Error for axes of other kinds than Fourier that are too long to be transformed by their
  // definition.
  explicit LinearCheck(Problem const& problem);

  // c2r does not say what it makes of spectra that no real array has: what could be wrong about these is set to zero.
  void make_sound(Box const& box, void* in) const;

  WeightedSum of_input(Box const& box, void const* in) const;
  WeightedSum of_output(Box const& box, void const* out) const;

  // The difference of both sums over all boxes, over what rounding makes likely; beyond 1 something is wrong.
  double defect(WeightedSum const& in, WeightedSum const& out) const;

 private:
  using Weights = std::vector<std::vector<std::complex<double>>>;  // [dimension][index]
  WeightedSum sum(Weights const& weights, bool complex_elements, Box const& box, void const* data) const;

  Problem problem_;
  Weights in_, out_;
};

}  // namespace skipper::cli
