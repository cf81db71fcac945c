// Whether a Problem can be computed as it stands. Each rule is a function that throws an Error
// naming the field, the limit and the way out. Overlap is decided exactly: two elements share a
// place iff sum(e_i * stride_i) = 0 for some e != 0 with |e_i| < size_i, and a bounded search looks
// for that e.
#include <skipper/problem.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/check_enum.h"
#include "base/kinds.h"
#include "base/shortest.h"

namespace skipper {
namespace {

constexpr char const* bits63 = "2^63 - 1";

// The name of a field, "axes[1].size", which is written out only for an error: most problems have none.
struct Field {
  char const* list;
  std::size_t i;
  char const* member;

  operator std::string() const { return std::string(list) + "[" + std::to_string(i) + "]." + member; }
};

// One dimension as one side stores it.
struct Stored {
  Field stride_name;
  std::int64_t size;
  std::int64_t stride;
};

Field field(char const* list, std::size_t i, char const* member) { return {list, i, member}; }

enum class Side { in, out };

std::vector<Stored> stored(Problem const& problem, Side side) {
  char const* const member = side == Side::in ? "in_stride" : "out_stride";
  auto const stride = [&](auto const& dim) { return side == Side::in ? dim.in_stride : dim.out_stride; };
  std::vector<Stored> dims;
  dims.reserve(problem.batch.size() + problem.axes.size());
  for (std::size_t i = 0; i < problem.batch.size(); ++i)
    dims.push_back({field("batch", i, member), problem.batch[i].size, stride(problem.batch[i])});
  for (std::size_t i = 0; i < problem.axes.size(); ++i)
    dims.push_back({field("axes", i, member), side == Side::in ? in_size(problem, i) : out_size(problem, i),
                    stride(problem.axes[i])});
  return dims;
}

void check_enums(Problem const& problem) {
  check_enum("kind", problem.kind, all_kinds.back());
  check_enum("precision", problem.precision, Precision::bf16);
  check_enum("direction", problem.direction, Direction::inverse);
  check_enum("placement", problem.placement, Placement::in_place);
  check_enum("order", problem.order, Order::from_reversed);
  check_enum("norm", problem.norm, Norm::ortho);
  for (std::size_t i = 0; i < problem.axes.size(); ++i)
    check_enum(field("axes", i, "kind"), problem.axes[i].kind, all_axis_kinds.back());
}

void check_sizes(Problem const& problem) {
  if (problem.axes.empty())
    throw Error("axes", "is empty; give at least one axis (of size 1, to copy and scale)");
  auto const check_rank = [](char const* list, std::size_t rank) {
    if (rank > max_rank)
      throw Error(list, "has " + std::to_string(rank) + " dimensions, the limit is " +
                            std::to_string(max_rank) +
                            "; leave out those of size 1 or merge contiguous ones");
  };
  check_rank("axes", problem.axes.size());
  check_rank("batch", problem.batch.size());

  std::int64_t points = 1;
  auto const check_size = [&](Field const& argument, std::int64_t size, std::int64_t smallest,
                              auto const& why) {
    if (size < smallest)
      throw Error(argument, "is " + std::to_string(size) + ", but must be at least " +
                                std::to_string(smallest) + why());
    if (points > largest_index / size)
      throw Error(argument, "brings the number of points past " + std::string(bits63) +
                                "; use smaller sizes or several problems");
    points *= size;
  };
  for (std::size_t i = problem.axes.size(); i-- > 0;) {
    AxisKind const kind = problem.axes[i].kind;
    Index const smallest = smallest_size(kind);
    check_size(field("axes", i, "size"), problem.axes[i].size, smallest, [&] {
      return smallest > 1 ? " for " + std::string(name(kind)) +
                                ", which divides by size - 1; use dct2 or drop the axis"
                          : "; drop the axis if there is nothing to transform";
    });
  }
  for (std::size_t i = problem.batch.size(); i-- > 0;)
    check_size(field("batch", i, "size"), problem.batch[i].size, 1,
               [] { return "; leave the problem out if there is nothing to do"; });
}

void check_kinds(Problem const& problem) {
  bool any_fourier = false;
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    bool const fourier = problem.axes[i].kind == AxisKind::fourier;
    any_fourier = any_fourier || fourier;
    if (fourier && problem.kind == Kind::r2r)
      throw Error(
          field("axes", i, "kind"),
          "is fourier, which r2r cannot have as its output is complex; use another kind, such as dct2, or "
          "the problem kind r2c");
    if (!fourier && problem.order != Order::natural)
      throw Error("order", "is digit-reversed, which only Fourier axes know, but axes[" + std::to_string(i) +
                               "] is " + std::string(name(problem.axes[i].kind)) + "; use natural");
  }
  bool const halves = problem.kind == Kind::r2c || problem.kind == Kind::c2r;
  if (halves && !any_fourier)
    throw Error("axes", "has no fourier axis, but " + std::string(name(problem.kind)) +
                            " needs at least one; use r2r for axes of other kinds");
  if (problem.order != Order::natural && problem.kind != Kind::c2c)
    throw Error("order", "is digit-reversed, which only c2c knows; use natural");
  std::optional<Direction> const only = facts(problem.kind).only;
  if (only && problem.direction != *only)
    throw Error("direction", "is " + std::string(name(problem.direction)) + ", but " +
                                 std::string(name(problem.kind)) + " is always " + std::string(name(*only)) +
                                 (problem.kind == Kind::r2r ? "; name the inverse axis kinds instead (dct2 "
                                                              "and dct3, dst2 and dst3 are pairs)"
                                                            : "; use the other of r2c and c2r, or c2c"));
}

// What is stored of each axis.
void check_parts(Problem const& problem) {
  if (!is_partial(problem)) return;
  if (problem.placement == Placement::in_place || problem.order != Order::natural)
    throw Error(problem.order != Order::natural ? "order" : "placement",
                "does not go with axes that are padded or cropped; use natural order out of place");
  Problem whole = problem;
  for (Axis& axis : whole.axes) axis.in_count = axis.out_first = axis.out_count = 0;
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    Axis const& axis = problem.axes[i];
    auto const within = [&](char const* member, std::int64_t value, std::int64_t most) {
      if (value < 0 || value > most)
        throw Error(field("axes", i, member), "is " + std::to_string(value) + ", but must be 0 to " +
                                                  std::to_string(most) +
                                                  "; 0 of in_count and out_count is all");
    };
    std::int64_t const outputs = out_size(whole, i);
    if (axis.out_count == 0 && axis.out_first > 0 && axis.out_first < outputs)
      throw Error(field("axes", i, "out_first"),
                  "is " + std::to_string(axis.out_first) +
                      ", but out_count is 0, which is all outputs; give out_count " +
                      std::to_string(outputs - axis.out_first) + " or less beside it");
    within("in_count", axis.in_count, in_size(whole, i));
    within("out_first", axis.out_first, axis.out_count == 0 ? 0 : outputs - 1);
    within("out_count", axis.out_count, outputs - axis.out_first);
  }
}

void check_scale(Problem const& problem) {
  bool const f32 = compute_precision(problem.precision) == Precision::f32;
  using f32_limits = std::numeric_limits<float>;
  using f64_limits = std::numeric_limits<double>;
  double const low = f32 ? f32_limits::min() : f64_limits::min();
  double const high = f32 ? f32_limits::max() : f64_limits::max();
  double const magnitude = std::abs(whole_scale(problem));
  // Written so that a NaN fails: every comparison with it is false.
  bool const ok = magnitude == 0 || (magnitude >= low && magnitude <= high);
  if (ok) return;
  throw Error("scale", std::string(problem.norm == Norm::none ? "" : "with the norm ") + "is " +
                           shortest(whole_scale(problem)) + ", but must be 0 or a finite " +
                           "normal number of " + std::string(name(problem.precision)) +
                           (f32 ? " (1.18e-38 to 3.4e38 in size); use f64 or scale the data"
                                : " (2.23e-308 to 1.79e308 in size); scale the data"));
}

// Strides not negative, last address within 63 bits.
void check_addresses(std::vector<Stored> const& dims, std::int64_t element_bytes) {
  std::int64_t const limit = largest_index / element_bytes - 1;  // of the last element's address
  std::int64_t reach = 0;
  for (Stored const& dim : dims) {
    if (dim.stride < 0)
      throw Error(
          dim.stride_name,
          "is " + std::to_string(dim.stride) +
              ", but negative strides are not supported; copy an axis that runs backwards in memory into "
              "its own order, and of a batch that does so on both sides give the lowest addresses and "
              "positive strides");
    if (dim.size == 1 || dim.stride == 0) continue;
    if (dim.size - 1 > (limit - reach) / dim.stride)
      throw Error(dim.stride_name, "is " + std::to_string(dim.stride) + ", which brings the last byte past " +
                                       bits63 + "; use a smaller stride or several problems");
    reach += (dim.size - 1) * dim.stride;
  }
}

// What to do about strides, in C as in C++.
constexpr char const* dense_instead = "make the arrays dense (dense_layout(), in C all strides 0)";

// A batch dimension may give all transforms one input. Along an axis that would be a constant, which nobody transforms.
void check_axis_strides(Problem const& problem) {
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    std::int64_t const count = in_size(problem, i);
    if (count > 1 && problem.axes[i].in_stride == 0)
      throw Error(field("axes", i, "in_stride"), "is 0, which reads one element " + std::to_string(count) +
                                                     " times; give the stride, or " + dense_instead);
  }
}

// Dimensions by rising stride, with what those before each one reach and divide by.
struct TwiddleChain {
  std::vector<Stored> dims;
  std::vector<std::int64_t> reach;  // reach[k] = sum over j < k of (size_j - 1) * stride_j
  std::vector<std::int64_t> step;   // step[k] = gcd over j < k of stride_j
};

TwiddleChain chain(std::vector<Stored> dims) {
  std::erase_if(dims, [](Stored const& dim) { return dim.size == 1; });
  std::stable_sort(dims.begin(), dims.end(),
                   [](Stored const& a, Stored const& b) { return a.stride < b.stride; });
  TwiddleChain result{std::move(dims), {0}, {0}};
  for (Stored const& dim : result.dims) {
    result.reach.push_back(result.reach.back() + (dim.size - 1) * dim.stride);
    result.step.push_back(std::gcd(result.step.back(), dim.stride));
  }
  return result;
}

// Layouts that are not nested (each stride past the reach of the smaller ones) need a search, which
// is a subset-sum in general. This many steps, some milliseconds, settle every layout seen in use.
constexpr int search_steps = 1 << 20;

// Whether the k smallest strides can produce `target` with |e_i| < size_i. Gives up, with
// steps_left < 0, when the budget is spent. Needs strides > 0; nothing overflows because
// check_addresses keeps reach below 2^61.
bool reachable(TwiddleChain const& l, std::size_t k, std::int64_t target, int& steps_left) {
  if (target == 0) return true;
  if (std::abs(target) > l.reach[k] || target % l.step[k] != 0) return false;
  if (k == 1) return true;
  Stored const& dim = l.dims[k - 1];
  std::int64_t const most = dim.size - 1;
  // Division truncates, so an end of the range may admit a value too many; the call rejects it.
  std::int64_t const from = std::max(-most, (target - l.reach[k - 1]) / dim.stride);
  std::int64_t const to = std::min(most, (target + l.reach[k - 1]) / dim.stride);
  for (std::int64_t e = from; e <= to; ++e) {
    if (--steps_left < 0) return false;
    if (reachable(l, k - 1, target - e * dim.stride, steps_left)) return true;
  }
  return false;
}

// Throws if two elements of this side share a place, or if the search could not rule it out. The
// dimension named is the one with the largest stride among those that collide.
void check_distinct(std::vector<Stored> const& dims, char const* rule) {
  TwiddleChain const l = chain(dims);
  int steps_left = search_steps;
  std::int64_t points = 1;
  for (std::size_t k = 0; k < l.dims.size(); ++k) {
    Stored const& dim = l.dims[k];
    bool shared = dim.stride == 0;
    points *= dim.size;
    // More elements than places; spares the search where it would be longest.
    shared = shared || points - 1 > l.reach[k + 1];
    if (!shared && k > 0) {
      // e * stride must be a multiple of the gcd of the smaller strides.
      std::int64_t const step = l.step[k] / std::gcd(l.step[k], dim.stride);
      std::int64_t const to = std::min(dim.size - 1, l.reach[k] / dim.stride);
      for (std::int64_t e = step; e <= to && !shared && steps_left >= 0; e += step) {
        --steps_left;
        shared = reachable(l, k, e * dim.stride, steps_left);
      }
    }
    if (!shared && steps_left >= 0) continue;
    std::int64_t const free = (dim.stride == 0 ? l.reach.back() : l.reach[k]) + 1;
    throw Error(dim.stride_name, "is " + std::to_string(dim.stride) +
                                     (shared ? ", which puts two elements in one place; "
                                             : ", for which a search of 2^20 steps could not rule out two "
                                               "elements in one place; ") +
                                     rule + "; use a stride of " + std::to_string(free) + " or more, or " +
                                     dense_instead);
  }
}

// Both sides must address the same bytes, so that whoever reads a line may write it back.
void check_in_place(Problem const& problem) {
  std::vector<Stored> const in = stored(problem, Side::in);
  std::vector<Stored> const out = stored(problem, Side::out);
  std::optional<std::size_t> const halved = halved_axis(problem);
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i].size == 1 && out[i].size == 1) continue;
    if (halved && i == problem.batch.size() + *halved) {
      Stored const& wrong = in[i].stride != 1 ? in[i] : out[i];
      if (wrong.stride != 1)
        throw Error(wrong.stride_name,
                    "is " + std::to_string(wrong.stride) +
                        ", but the halved axis of an "
                        "in-place " +
                        std::string(name(problem.kind)) +
                        " must have stride 1 on both sides; give it that, or plan out of place");
      continue;
    }
    std::int64_t const per_in = halved && problem.kind == Kind::c2r ? 2 : 1;
    std::int64_t const per_out = halved && problem.kind == Kind::r2c ? 2 : 1;
    // Addresses are within 63 bits of bytes, so doubling an element stride stays there too.
    if (in[i].stride * per_in != out[i].stride * per_out)
      throw Error(in[i].stride_name,
                  "is " + std::to_string(in[i].stride) + " and out_stride is " +
                      std::to_string(out[i].stride) + ", but in place " +
                      (halved ? "the real stride must be twice the complex one" : "the two must be equal") +
                      "; make them so, or plan out of place");
  }
}

}  // namespace

void check(Problem const& problem) {
  check_enums(problem);
  check_sizes(problem);
  check_kinds(problem);
  check_parts(problem);
  check_scale(problem);
  check_addresses(stored(problem, Side::in), in_element_bytes(problem));
  check_addresses(stored(problem, Side::out), out_element_bytes(problem));
  check_axis_strides(problem);
  if (problem.placement == Placement::in_place) {
    check_in_place(problem);
    check_distinct(stored(problem, Side::in), "in place, inputs must not overlap");
  }
  check_distinct(stored(problem, Side::out), "outputs must not overlap");
}

}  // namespace skipper
