// See exchanges.h.
#include "coverage/exchanges.h"

#include <algorithm>

#include "coverage/generator.h"

namespace skipper::coverage {
namespace {

/// Ranks are many, and each element is moved by itself where results are judged.
Sizes smaller(Sizes sizes) {
  for (Index* const bytes : {&sizes.chip, &sizes.large_least, &sizes.large_most})
    *bytes = std::min(*bytes, sizes.small);
  return sizes;
}

/// Of any sort, without what is not done over ranks.
Problem whole_and_dense(Problem p) {
  for (Axis& a : p.axes) a.in_count = a.out_first = a.out_count = 0;
  if (halved_axis(p)) p.placement = Placement::out_of_place;
  return dense_layout(p);
}

/// One axis that is much longer than the others.
Problem long_axis(Generator& random, Sizes const& sizes) {
  Precision const precision = random.one_in(3) ? Precision::f64 : Precision::f32;
  std::vector<std::int64_t> shape{
      random.smooth(random.by_doublings(16, std::max<Index>(16, sizes.small / 64)))};
  if (random.one_in(2)) shape.insert(random.one_in(2) ? shape.begin() : shape.end(), random.between(1, 3));
  Problem p = c2c(shape, random.one_in(3) ? 2 : 1, precision,
                  random.one_in(2) ? Direction::forward : Direction::inverse);
  if (random.one_in(4)) p = in_place(p);
  return p;
}

/// At most so many parts of all dimensions together, and none that is empty.
std::vector<int> grid(Generator& random, std::vector<std::int64_t> const& sizes, int ranks) {
  std::vector<int> parts;
  int left = ranks;
  for (std::int64_t const n : sizes) {
    parts.push_back(int(random.between(1, std::min<Index>(left, n))));
    left /= parts.back();
  }
  return parts;
}

std::string joined_parts(std::vector<int> const& parts) {
  std::string all;
  for (int const n : parts) all += (all.empty() ? "" : "x") + std::to_string(n);
  return all;
}

}  // namespace

ExchangeProblem drawn_exchange(std::uint64_t seed, std::uint64_t number, Sizes const& sizes) {
  Generator random(seed + 2, number);
  ExchangeProblem e;
  bool const is_long = random.one_in(3);
  e.problem = is_long ? long_axis(random, sizes) : whole_and_dense(drawn(seed + 2, number, smaller(sizes)));
  e.ranks = random.one_of({1, 2, 2, 3, 4, 4, 5, 6, 7, 8});
  if (is_long && random.one_in(2)) e.in_order = AxisOrder::permuted;
  if (is_long && random.one_in(2)) e.out_order = AxisOrder::permuted;
  bool const natural_in = e.in_order == AxisOrder::natural, natural_out = e.out_order == AxisOrder::natural;
  if (natural_in && random.one_in(3)) e.in = grid(random, in_sizes(e.problem), e.ranks);
  if (natural_out && random.one_in(3)) e.out = grid(random, out_sizes(e.problem), e.ranks);
  e.any_output = e.out.empty() && random.one_in(2);
  e.method = random.one_of({ExchangeMethod::automatic, ExchangeMethod::direct, ExchangeMethod::messages,
                            ExchangeMethod::fused, ExchangeMethod::swap, ExchangeMethod::staged,
                            ExchangeMethod::host});
  if (random.one_in(3)) e.pieces = int(random.between(1, 5));
  e.free_links = random.one_in(2);
  return e;
}

std::string text(ExchangeProblem const& e) {
  std::string all = "exchange " + std::to_string(e.ranks) + " ranks";
  if (!e.in.empty()) all += " in " + joined_parts(e.in);
  if (!e.out.empty()) all += " out " + joined_parts(e.out);
  if (e.any_output) all += " any_output";
  if (e.in_order == AxisOrder::permuted) all += " permuted_in";
  if (e.out_order == AxisOrder::permuted) all += " permuted_out";
  if (e.pieces > 0) all += " pieces " + std::to_string(e.pieces);
  if (e.free_links) all += " free_links";
  return all + " " + name(e.method) + " " + skipper::text(e.problem);
}

std::vector<Property<ExchangeProblem>> const& exchange_properties() {
  using E = ExchangeProblem;
  static std::vector<Property<E>> const all{
      {"exchange: two ranks or more", [](E const& e) { return e.ranks > 1; }},
      {"exchange: ranks are no power of two", [](E const& e) { return (e.ranks & (e.ranks - 1)) != 0; }},
      {"exchange: boxes of the input", [](E const& e) { return !e.in.empty(); }},
      {"exchange: boxes of the output", [](E const& e) { return !e.out.empty(); }},
      {"exchange: any output", [](E const& e) { return e.any_output; }},
      {"exchange: permuted input", [](E const& e) { return e.in_order == AxisOrder::permuted; }},
      {"exchange: permuted output", [](E const& e) { return e.out_order == AxisOrder::permuted; }},
      {"exchange: in pieces", [](E const& e) { return e.pieces > 1; }},
      {"exchange: in place", [](E const& e) { return e.problem.placement == Placement::in_place; }},
      {"exchange: reals", [](E const& e) { return e.problem.kind != Kind::c2c; }},
      {"exchange: 16 bits", [](E const& e) { return is_16_bit(e.problem.precision); }},
  };
  return all;
}

}  // namespace skipper::coverage
