// What the user wants computed, as a plain value: kind, precision, direction, axes and batch
// dimensions with their strides, scale, placement and output order. Builders give the usual dense
// layouts, check() says whether a value makes sense, text() and parse_problem() are its one
// canonical text (grammar: docs/problem-text.md).
#pragma once

#include <skipper/error.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skipper {

// The element types of the two sides: c2c complex to complex, r2c real to complex, and so on.
enum class Kind { c2c, r2c, c2r, r2r };

// Of the arrays. f16 and bf16 are 16-bit storage: half precision (skipper/half.h) or bfloat16 (skipper/bfloat16.h) in
// memory, complex numbers as pairs of it; computed in f32.
enum class Precision { f32, f64, f16, bf16 };

// Whether the arrays are in 16-bit storage, and what is then computed in.
constexpr bool is_16_bit(Precision precision) {
  return precision == Precision::f16 || precision == Precision::bf16;
}
constexpr Precision compute_precision(Precision precision) {
  return is_16_bit(precision) ? Precision::f32 : precision;
}

// The sign of the exponent of the Fourier axes, and nothing else: forward is exp(-2 pi i j k / n), inverse exp(+2 pi i j k / n).
// Neither is normalised: outputs are multiplied by `scale`, 1 unless it is set; Plan::inverse() is the one that is scaled by 1/N
// (plan.h has an example). r2c is always forward, c2r always inverse. Axes of other kinds have no direction: their kind says
// what is computed, so r2r is always forward.
enum class Direction { forward, inverse };

enum class Placement { out_of_place, in_place };

// reversed: on a GPU the output indices stay digit-reversed, as the radices of the program dictate (on a CPU: natural). Spares
// work where the consumer does not mind (a convolution), and is for c2c on Fourier axes only.
// from_reversed: input in the order that the reversed plan of the same shape has written on the same device; natural output.
enum class Order { natural, reversed, from_reversed };

// none: unnormalised, as the definitions below. ortho: every axis is made orthonormal, so that it and its inverse are
// each other's transpose: a Fourier axis is scaled by 1/sqrt(n), the others by 1/sqrt of the factor that they and
// their inverse multiply by, and at their end points x[0] of dct1 and dct3, x[n-1] of dct1 and dst3 are read times
// sqrt(2), X[0] of dct1 and dct2, X[n-1] of dct1 and dst2 written times 1/sqrt(2). As norm="ortho" in SciPy.
enum class Norm { none, ortho };

// What is computed along one axis. The real kinds are those of FFTW and SciPy, unnormalised:
//   dct1  X[k] = x[0] + (-1)^k x[n-1] + 2 sum x[j] cos(pi j k / (n-1)),  0 < j < n-1
//   dct2  X[k] = 2 sum x[j] cos(pi (j+1/2) k / n)
//   dct3  X[k] = x[0] + 2 sum x[j] cos(pi j (k+1/2) / n),  0 < j
//   dct4  X[k] = 2 sum x[j] cos(pi (j+1/2) (k+1/2) / n)
//   dst1  X[k] = 2 sum x[j] sin(pi (j+1) (k+1) / (n+1))
//   dst2  X[k] = 2 sum x[j] sin(pi (j+1/2) (k+1) / n)
//   dst3  X[k] = (-1)^k x[n-1] + 2 sum x[j] sin(pi (j+1) (k+1/2) / n),  j < n-1
//   dst4  X[k] = 2 sum x[j] sin(pi (j+1/2) (k+1/2) / n)
//   dht   X[k] = sum x[j] (cos(2 pi j k / n) + sin(2 pi j k / n)), the discrete Hartley transform
// 2 and 3 of a family are each other's inverse, 1, 4 and dht their own, up to a factor: 2(n-1) for dct1,
// 2(n+1) for dst1, n for dht, 2n for the others. On complex data they act on real and imaginary parts alike.
enum class AxisKind { fourier, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4, dht };

// A batch dimension. Strides count elements of their side's own type: reals where that side is
// real, complex numbers where it is complex. They are not negative. An in_stride of 0 gives all transforms one input.
struct Dim {
  std::int64_t size = 1;
  std::int64_t in_stride = 0;
  std::int64_t out_stride = 0;

  bool operator==(Dim const&) const = default;
};

// A transformed dimension. `size` is the logical size: for the halved axis of r2c and c2r it is the
// n of the n reals, not the n/2+1 of the complex side; see in_size() and out_size(). Strides have no default that would do for more
// than one element: set them, or call dense_layout().
struct Axis {
  std::int64_t size = 1;
  std::int64_t in_stride = 0;
  std::int64_t out_stride = 0;
  AxisKind kind = AxisKind::fourier;
  // Zero padding and cropping, without work on what is not there (a pruned FFT):
  std::int64_t in_count = 0;   // inputs that are stored, the others are zeros that nobody reads; 0: all
  std::int64_t out_first = 0;  // outputs that are stored are those from out_first on,
  std::int64_t out_count = 0;  // so many; 0: all. in_size() and out_size() give what is stored

  bool operator==(Axis const&) const = default;
};

struct Problem {
  Kind kind = Kind::c2c;
  Precision precision = Precision::f32;
  Direction direction = Direction::forward;
  std::vector<Axis> axes = {};  // slowest first; at least one
  std::vector<Dim> batch = {};  // slowest first; empty means one transform
  double scale = 1;             // every output is multiplied by it
  Placement placement = Placement::out_of_place;
  Order order = Order::natural;
  Norm norm = Norm::none;  // beside scale, which multiplies as well

  bool operator==(Problem const&) const = default;
};

// The most axes, and the most batch dimensions, of a problem: 63 of size 2 already fill the
// address space.
inline constexpr std::size_t max_rank = 64;

// Builders. Shapes are logical, slowest axis first; layouts are dense and row-major on either side
// with the batch outermost; placement is out of place. A batch of 1 adds no batch dimension. They
// throw what check() throws. Other problems: fill in the fields, then dense_layout().
Problem c2c(std::vector<std::int64_t> const& shape, std::int64_t batch = 1,
            Precision precision = Precision::f32, Direction direction = Direction::forward);
Problem r2c(std::vector<std::int64_t> const& shape, std::int64_t batch = 1,
            Precision precision = Precision::f32);
Problem c2r(std::vector<std::int64_t> const& shape, std::int64_t batch = 1,
            Precision precision = Precision::f32);
Problem r2r(std::vector<std::int64_t> const& shape, std::vector<AxisKind> const& kinds,
            std::int64_t batch = 1, Precision precision = Precision::f32);

// The same problem with its strides replaced by the dense row-major ones of its sizes. In place,
// r2c and c2r share one buffer of complex rows: the halved axis is contiguous (also where it is not
// the last axis), its n reals padded to 2(n/2+1), and every other real stride is twice the complex
// one. Never throws: a stride past 63 bits becomes the largest one, which check() rejects.
Problem dense_layout(Problem problem);

// The same problem in place, with its dense_layout().
Problem in_place(Problem problem);

// Row-major strides of an array with these sizes; saturates as dense_layout() does.
std::vector<std::int64_t> dense_strides(std::vector<std::int64_t> const& sizes);

// Which axis is stored as n/2+1 complex numbers: the last Fourier axis of r2c and c2r, else none.
std::optional<std::size_t> halved_axis(Problem const& problem);

// What an axis and its inverse, both unnormalised, multiply by: n for a Fourier axis and dht, 2(n-1) for dct1, 2(n+1)
// for dst1, 2n for the others.
double round_trip_factor(Axis const& axis);

// The kind that undoes a kind, up to that factor.
AxisKind inverse_kind(AxisKind kind);

// The scale with the factors of the norm in it. What the norm asks for at end points is not: see Norm.
double whole_scale(Problem const& problem);

// Whether any axis is padded or cropped (in_count, out_first, out_count).
bool is_partial(Problem const& problem);

// Stored length of an axis on either side, in elements of that side.
std::int64_t in_size(Problem const& problem, std::size_t axis);
std::int64_t out_size(Problem const& problem, std::size_t axis);

// Bytes of one element, and bytes from the first element to the end of the last one, on either
// side; in place both are those of the one array. The latter two need a problem that passes check().
std::int64_t in_element_bytes(Problem const& problem);
std::int64_t out_element_bytes(Problem const& problem);
std::int64_t in_bytes(Problem const& problem);
std::int64_t out_bytes(Problem const& problem);

// Throws Error unless the problem can be computed as it stands:
//  - at least one axis; 1 to max_rank dimensions of either sort; sizes at least 1 (dct1: 2); the
//    number of points, and the bytes either side spans, fit in 63 bits
//  - axis kinds that fit the kind: r2r has no Fourier axis, r2c and c2r have one, c2c takes any
//  - strides not negative, and no two outputs in one place. Inputs may share places out of place only, and an axis that reads
//    one element again and again (in_stride 0) is taken for one whose stride was forgotten
//  - in place: both sides address the same bytes. c2c and r2r: equal strides; r2c and c2r: the
//    halved axis contiguous on both sides, every other real stride twice the complex one
//  - scale zero, or within the normal numbers of the precision (f16 and bf16: of f32)
//  - what is stored of an axis lies within it; padding and cropping are out of place, and in natural order
// Strides of dimensions that store a single element address nothing and need only not be negative.
void check(Problem const& problem);

// The canonical text, as in "c2c f32 forward 64x64x64 batch 512". An invalid problem prints too.
std::string text(Problem const& problem);

// Reads the text back; the result has passed check(). Throws Error, quoting the word at fault.
Problem parse_problem(std::string_view text);

// Reads a line of a case list: kind, precision, batch and sizes, slowest first, as in
// "c2c f32 512 64 64 64". Out of place, dense, forward (c2r: inverse); no r2r, which needs kinds.
Problem parse_case(std::string_view line);

// The words of the text. Kinds count from 0; the word of a number past the last one is "?".
std::string_view name(Kind kind);
std::string_view name(Precision precision);
std::string_view name(Direction direction);
std::string_view name(AxisKind kind);
std::string_view name(Norm norm);

}  // namespace skipper
