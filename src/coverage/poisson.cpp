// See poisson.h.
#include "coverage/poisson.h"

#include <algorithm>

#include "base/shortest.h"
#include "coverage/generator.h"

namespace skipper::coverage {
namespace {

constexpr Boundary periodic = Boundary::periodic, neumann = Boundary::neumann,
                   dirichlet = Boundary::dirichlet;

PoissonAxis drawn_axis(Generator& random, Index size) {
  PoissonAxis a;
  a.length = random.one_of({1.0, 1.0, 6.25, 0.3});
  if (!random.one_in(3)) {
    a.low = random.one_of({neumann, dirichlet});
    a.high = random.one_of({neumann, dirichlet});
  }
  a.centring = random.one_of({Centring::cell, Centring::node});
  bool const two_ends = a.centring == Centring::node && a.low == neumann && a.high == neumann;
  a.size = std::max<Index>(size, two_ends ? 2 : 1);
  return a;
}

/// Coordinates of a stretched grid, of steps that differ by a factor of two and a half at the most.
std::vector<double> stretched(Generator& random, PoissonAxis const& a) {
  Index const ends = Index(a.low == dirichlet) + Index(a.high == dirichlet);
  std::vector<double> coordinates{0};
  for (Index steps = a.centring == Centring::cell ? a.size : a.size + ends - 1; steps > 0; --steps)
    coordinates.push_back(coordinates.back() + double(random.between(40, 100)) / double(70 * a.size));
  return coordinates;
}

char const* text_of(FaceValues values) {
  if (values == FaceValues::none) return "";
  return values == FaceValues::numbers ? " values" : " values by point";
}

template <Boundary low, Boundary high>
bool has_ends(DrawnPoisson const& d) {
  auto const& axes = d.problem.axes;
  return std::any_of(axes.begin(), axes.end(),
                     [](PoissonAxis const& a) { return a.low == low && a.high == high; });
}

bool is_along(DrawnPoisson const& d, auto const& holds) {
  return std::any_of(d.problem.axes.begin(), d.problem.axes.end(), holds);
}

}  // namespace

DrawnPoisson drawn_poisson(std::uint64_t seed, std::uint64_t number, Sizes const& sizes) {
  Generator random(seed + 3, number);
  DrawnPoisson d;
  PoissonProblem& p = d.problem;
  p.precision = random.one_in(2) ? Precision::f32 : Precision::f64;
  Index const element = p.precision == Precision::f32 ? 4 : 8;
  Index const bytes = random.one_in(8) ? sizes.large_most : sizes.small;
  Index room = random.by_doublings(element, bytes) / element;
  Index const rank = random.one_of<Index>({1, 2, 2, 3, 3});
  for (Index a = 0; a < rank; ++a) {
    p.axes.push_back(drawn_axis(random, random.length(a + 1 == rank ? room : random.by_doublings(1, room))));
    room = std::max<Index>(1, room / p.axes.back().size);
  }
  if (random.one_in(4)) std::reverse(p.axes.begin(), p.axes.end());
  if (random.one_in(4)) p.symbols = Symbols::spectral;
  PoissonAxis& eliminated = p.axes[std::size_t(random.below(rank))];
  if (eliminated.low != periodic && random.one_in(2)) {
    eliminated.tridiagonal = true;
    if (p.symbols == Symbols::second_order && random.one_in(2))
      eliminated.coordinates = stretched(random, eliminated);
  }
  if (random.one_in(3)) p.shift = random.one_of({-0.5, -2.5, -1000.0});
  if (random.one_in(3)) p.zero_mode = ZeroMode::pin;
  if (p.symbols == Symbols::second_order && random.one_in(3))
    d.values = random.one_of({FaceValues::numbers, FaceValues::points});
  d.in_place = random.one_in(4);
  d.way =
      random.one_of({PoissonWay::in_memory, PoissonWay::in_memory, PoissonWay::stream, PoissonWay::ranks});
  Index array = element;
  for (PoissonAxis const& a : p.axes) array *= a.size;
  d.memory_limit = random.by_doublings(std::max<Index>(1, array / 32), array);
  if (rank > 1 && random.one_in(2)) d.strategy = StreamStrategy::host_and_device;
  d.ranks = random.one_of({1, 2, 3, 4, 5, 8});
  if (d.way == PoissonWay::ranks && d.values == FaceValues::points) d.values = FaceValues::numbers;
  return d;
}

std::string text(DrawnPoisson const& d) {
  PoissonProblem const& p = d.problem;
  std::string all = "poisson";
  if (d.way == PoissonWay::ranks) all += " " + std::to_string(d.ranks) + " ranks";
  if (d.way == PoissonWay::stream)
    all += " stream " + std::to_string(d.memory_limit) +
           (d.strategy == StreamStrategy::device_only ? " device_only" : " host_and_device");
  all += " " + std::string(skipper::name(p.precision));
  for (PoissonAxis const& a : p.axes) {
    all += " " + std::to_string(a.size) + " " + std::string(name(a.low));
    if (a.low != a.high) all += "-" + std::string(name(a.high));
    all += a.centring == Centring::cell ? " cell" : " node";
    if (!a.coordinates.empty())
      all += " stretched";
    else if (a.tridiagonal)
      all += " tridiagonal";
    if (a.coordinates.empty() && a.length != 1) all += " length " + shortest(a.length);
    all += ",";
  }
  all += p.symbols == Symbols::spectral ? " spectral" : " second_order";
  if (p.shift != 0) all += " shift " + shortest(p.shift);
  if (p.zero_mode == ZeroMode::pin) all += " pin";
  return all + text_of(d.values) + (d.in_place ? " in-place" : "");
}

std::vector<Property<DrawnPoisson>> const& poisson_properties() {
  using D = DrawnPoisson;
  static std::vector<Property<D>> const all{
      {"poisson: periodic", has_ends<periodic, periodic>},
      {"poisson: neumann", has_ends<neumann, neumann>},
      {"poisson: dirichlet", has_ends<dirichlet, dirichlet>},
      {"poisson: neumann-dirichlet", has_ends<neumann, dirichlet>},
      {"poisson: dirichlet-neumann", has_ends<dirichlet, neumann>},
      {"poisson: on nodes",
       [](D const& d) {
         return is_along(d, [](auto const& a) { return a.low != periodic && a.centring == Centring::node; });
       }},
      {"poisson: tridiagonal",
       [](D const& d) { return is_along(d, [](auto const& a) { return a.tridiagonal; }); }},
      {"poisson: stretched",
       [](D const& d) { return is_along(d, [](auto const& a) { return !a.coordinates.empty(); }); }},
      {"poisson: spectral", [](D const& d) { return d.problem.symbols == Symbols::spectral; }},
      {"poisson: shift", [](D const& d) { return d.problem.shift != 0; }},
      {"poisson: determined up to a constant",
       [](D const& d) {
         return d.problem.shift == 0 &&
                !is_along(d, [](auto const& a) { return a.low == dirichlet || a.high == dirichlet; });
       }},
      {"poisson: values on boundaries", [](D const& d) { return d.values != FaceValues::none; }},
      {"poisson: in place", [](D const& d) { return d.in_place; }},
      {"poisson: stream", [](D const& d) { return d.way == PoissonWay::stream; }},
      {"poisson: over ranks", [](D const& d) { return d.way == PoissonWay::ranks; }},
  };
  return all;
}

}  // namespace skipper::coverage
