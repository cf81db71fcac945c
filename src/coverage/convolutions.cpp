// See convolutions.h.
#include "coverage/convolutions.h"

#include <algorithm>

#include "base/shortest.h"
#include "coverage/generator.h"

namespace skipper::coverage {
namespace {

Precision precision_of(Generator& random) {
  Index const i = random.below(16);
  return i < 8 ? Precision::f32 : i < 13 ? Precision::f64 : i < 15 ? Precision::f16 : Precision::bf16;
}

Index element_bytes(ConvolutionProblem const& p) {
  Index const scalar = p.precision == Precision::f64 ? 8 : p.precision == Precision::f32 ? 4 : 2;
  return p.complex ? 2 * scalar : scalar;
}

bool stays_inside(ConvolutionMode mode) {
  return mode == ConvolutionMode::circular || mode == ConvolutionMode::valid;
}

/// Of one point, of a few, or of any number; beyond the data where the mode takes that.
Index kernel_length(Generator& random, Index n, ConvolutionMode mode) {
  Index const most = stays_inside(mode) ? n : n + n / 2 + 2;
  switch (random.below(4)) {
    case 0:
      return 1;
    case 1:
      return random.between(1, most);
    default:
      return random.between(1, std::min<Index>(most, 9));
  }
}

ConvolutionProblem attempted_convolution(Generator& random, Sizes const& sizes) {
  ConvolutionProblem p;
  p.precision = precision_of(random);
  p.complex = random.one_in(3);
  p.correlate = random.one_in(3);
  p.mode = random.one_of(
      {ConvolutionMode::circular, ConvolutionMode::full, ConvolutionMode::same, ConvolutionMode::valid});
  Index const bytes = random.one_in(8) ? sizes.large_most : sizes.small;
  Index room = random.by_doublings(element_bytes(p), bytes) / element_bytes(p);
  Index const rank = random.one_of<Index>({1, 1, 2, 2, 3});
  for (Index a = 0; a < rank; ++a) {
    Index const n = random.length(a + 1 == rank ? room : random.by_doublings(1, room));
    p.shape.push_back(n);
    room /= n;
  }
  if (random.one_in(4)) std::reverse(p.shape.begin(), p.shape.end());
  for (Index const n : p.shape) p.kernel.push_back(kernel_length(random, n, p.mode));
  if (random.one_in(2)) p.batch = random.between(1, std::max<Index>(room, 1 + random.below(8)));
  if (random.one_in(2)) p.kernels = p.batch;
  if (random.one_in(6)) p.scale = random.one_of({0.25, -0.75, 3.0});
  return p;
}

/// Of everything that is needed, kernels and padded arrays too.
double bytes_of(ConvolutionProblem const& p) {
  double padded = double(element_bytes(p)) * double(p.batch);
  for (std::size_t a = 0; a < p.shape.size(); ++a) padded *= double(p.shape[a] + p.kernel[a]);
  return padded;
}

std::string joined(std::vector<std::int64_t> const& sizes) {
  std::string all;
  for (std::int64_t const n : sizes) all += (all.empty() ? "" : "x") + std::to_string(n);
  return all;
}

char const* name(ConvolutionMode mode) {
  switch (mode) {
    case ConvolutionMode::circular:
      return "circular";
    case ConvolutionMode::full:
      return "full";
    case ConvolutionMode::same:
      return "same";
    case ConvolutionMode::valid:
      break;
  }
  return "valid";
}

template <ConvolutionMode mode>
bool has_mode(ConvolutionProblem const& p) {
  return p.mode == mode;
}

}  // namespace

ConvolutionProblem drawn_convolution(std::uint64_t seed, std::uint64_t number, Sizes const& sizes) {
  Generator random(seed, number);
  for (;;)
    if (ConvolutionProblem p = attempted_convolution(random, sizes); bytes_of(p) <= double(sizes.most))
      return p;
}

std::string text(ConvolutionProblem const& p) {
  std::string all = p.correlate ? "correlation " : "convolution ";
  all += std::string(skipper::name(p.precision)) + (p.complex ? " complex " : " ") + name(p.mode) + " " +
         joined(p.shape) + " by " + joined(p.kernel);
  if (p.batch > 1) all += " batch " + std::to_string(p.batch);
  if (p.kernels > 1) all += " kernels " + std::to_string(p.kernels);
  if (p.scale != 1) all += " scale " + shortest(p.scale);
  return all;
}

std::vector<Property<ConvolutionProblem>> const& convolution_properties() {
  using P = ConvolutionProblem;
  static std::vector<Property<P>> const all{
      {"convolution", [](P const& p) { return !p.correlate; }},
      {"convolution: correlation", [](P const& p) { return p.correlate; }},
      {"convolution: circular", has_mode<ConvolutionMode::circular>},
      {"convolution: full", has_mode<ConvolutionMode::full>},
      {"convolution: same", has_mode<ConvolutionMode::same>},
      {"convolution: valid", has_mode<ConvolutionMode::valid>},
      {"convolution: complex", [](P const& p) { return p.complex; }},
      {"convolution: f64", [](P const& p) { return p.precision == Precision::f64; }},
      {"convolution: 16 bits", [](P const& p) { return is_16_bit(p.precision); }},
      {"convolution: two axes or three", [](P const& p) { return p.shape.size() > 1; }},
      {"convolution: batch", [](P const& p) { return p.batch > 1; }},
      {"convolution: a kernel for each array", [](P const& p) { return p.kernels > 1; }},
      {"convolution: kernel longer than data",
       [](P const& p) {
         for (std::size_t a = 0; a < p.shape.size(); ++a)
           if (p.kernel[a] > p.shape[a]) return true;
         return false;
       }},
  };
  return all;
}

}  // namespace skipper::coverage
