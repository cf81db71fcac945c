#include "ir/forms.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace skipper::ir {
namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

/// Ends of ranges stop at those of 64 bits.
std::int64_t bounded_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? (b > 0 ? highest : lowest) : sum;
}
std::int64_t bounded_product(std::int64_t a, std::int64_t b) {
  std::int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? ((a > 0) == (b > 0) ? highest : lowest) : product;
}

std::int64_t modulo(std::int64_t x, std::int64_t by) { return (x % by + by) % by; }

/// How many times a number is added until nothing of a range is negative.
std::int64_t rounds_above_zero(Range range, std::int64_t by) { return (by - 1 - range.least) / by; }

void drop_zeros(Form& form) {
  std::erase_if(form.terms, [](Term const& t) { return t.weight == 0; });
}

/// What divides all weights and `by`; the form then counts units of it.
std::int64_t common_unit(Form& form, std::int64_t by) {
  std::int64_t unit = by;
  for (auto const& t : form.terms) unit = std::gcd(unit, t.weight);
  for (auto& t : form.terms) t.weight /= unit;
  return unit;
}

}  // namespace

bool fits_i32(Range range) {
  return range.least >= std::numeric_limits<std::int32_t>::min() &&
         range.most <= std::numeric_limits<std::int32_t>::max();
}
Range hull(Range a, Range b) { return {std::min(a.least, b.least), std::max(a.most, b.most)}; }

Range Forms::range_of(Variable const& v, bool here) const {
  if (here && v.kind == Variable::Kind::value) {
    Range range = v.range;
    for (auto const& [value, narrower] : narrowed_)
      if (value == v.value)
        range = {std::max(range.least, narrower.least), std::min(range.most, narrower.most)};
    return range;
  }
  if (here && v.kind == Variable::Kind::digit) {
    std::int64_t const top = range_here(v.of).most / v.span;
    return {0, std::min(v.range.most, std::max<std::int64_t>(top, 0))};
  }
  return v.range;
}
Range Forms::range_of(Form const& form, bool here) const {
  Range sum{form.constant, form.constant};
  for (auto const& [number, weight] : form.terms) {
    Range const r = range_of(variable(number), here);
    sum.least = bounded_sum(sum.least, bounded_product(weight, weight > 0 ? r.least : r.most));
    sum.most = bounded_sum(sum.most, bounded_product(weight, weight > 0 ? r.most : r.least));
  }
  return sum;
}
Range Forms::range(int form) const { return range_of((*this)[form], false); }
Range Forms::range_here(int form) const { return range_of((*this)[form], true); }

int Forms::number_of(Form form) {
  drop_zeros(form);
  std::sort(form.terms.begin(), form.terms.end());
  auto const [it, fresh] = numbers_.try_emplace(std::move(form), int(forms_.size()));
  if (fresh) forms_.push_back(it->first);
  return it->second;
}
int Forms::term(Variable v, std::int64_t weight) {
  auto const [it, fresh] = variable_numbers_.try_emplace(v, int(variables_.size()));
  if (fresh) variables_.push_back(v);
  return number_of({{{it->second, weight}}, 0});
}
int Forms::value(Value v, Range range) {
  if (range.least == range.most) return constant(range.least);
  return term({.value = v, .range = range}, 1);
}
Value Forms::value_alone(int form) const {
  Form const& f = (*this)[form];
  if (f.constant != 0 || f.terms.size() != 1 || f.terms[0].weight != 1) return no_value;
  return variable(f.terms[0].variable).value;
}

int Forms::plus(int a, int b) {
  Form sum = (*this)[a];
  for (auto const& t : (*this)[b].terms) {
    auto const same =
        std::ranges::find_if(sum.terms, [&](Term const& s) { return s.variable == t.variable; });
    if (same != sum.terms.end())
      same->weight += t.weight;
    else
      sum.terms.push_back(t);
  }
  sum.constant += (*this)[b].constant;
  drop_zeros(sum);
  int joined = -1;
  if (join_digits(sum, joined)) return plus(number_of(sum), joined);
  return number_of(sum);
}

/// Takes two digits out of a sum that are one: side by side, of one form, with weights as far apart.
bool Forms::join_digits(Form& sum, int& joined) {
  auto const as_digit = [&](int number) {
    Variable d = variable(number);
    if (d.kind != Variable::Kind::digit) d.of = number_of({{{number, 1}}, 0}), d.span = 1, d.extent = 0;
    return d;
  };
  for (auto& i : sum.terms)
    for (auto& j : sum.terms) {
      if (&i == &j) continue;
      if (variable(i.variable).kind != Variable::Kind::digit) continue;
      Variable const low = as_digit(i.variable), high = as_digit(j.variable);
      if (low.of != high.of || low.extent == 0 || high.span != low.span * low.extent ||
          j.weight != i.weight * low.extent || range_here(low.of).least < 0)
        continue;
      std::int64_t const weight = i.weight;
      i.weight = j.weight = 0;
      int whole = low.of;
      if (low.span > 1) whole = quotient(whole, low.span);
      if (high.extent > 0) whole = remainder(whole, low.extent * high.extent);
      joined = times(whole, weight);
      return true;
    }
  return false;
}

int Forms::times(int a, std::int64_t weight) {
  Form f = (*this)[a];
  for (auto& t : f.terms) t.weight *= weight;
  f.constant *= weight;
  return number_of(std::move(f));
}
int Forms::product(int a, int b) {
  if (is_constant(b)) return times(a, (*this)[b].constant);
  if (is_constant(a)) return times(b, (*this)[a].constant);
  Range const x = range(a), y = range(b);
  std::int64_t const corners[] = {bounded_product(x.least, y.least), bounded_product(x.least, y.most),
                                  bounded_product(x.most, y.least), bounded_product(x.most, y.most)};
  return term({.kind = Variable::Kind::product,
               .of = std::min(a, b),
               .by = std::max(a, b),
               .range = {*std::ranges::min_element(corners), *std::ranges::max_element(corners)}},
              1);
}

/// rest / span % extent, of a form that is neither negative nor below the span.
int Forms::digit(Form rest, std::int64_t span, std::int64_t extent) {
  if (rest.terms.size() == 1 && rest.terms[0].weight == 1 && rest.constant == 0) {
    Variable const& x = variable(rest.terms[0].variable);
    std::int64_t const covered = span * (extent > 0 ? extent : 1);
    if (x.kind == Variable::Kind::digit && (x.extent == 0 || x.extent % covered == 0)) {
      std::int64_t const above = x.extent / span;
      return digit((*this)[x.of], x.span * span, extent > 0 ? extent : above);
    }
  }
  int const of = number_of(std::move(rest));
  std::int64_t const top = range(of).most / span;
  if (extent > 0 && top < extent) extent = 0;
  return term({.kind = Variable::Kind::digit,
               .of = of,
               .span = span,
               .extent = extent,
               .range = {0, extent > 0 ? extent - 1 : top}},
              1);
}

int Forms::quotient(int a, std::int64_t by) {
  if (by <= 0) throw std::invalid_argument("ir: a quotient by " + std::to_string(by));
  if (by == 1) return a;
  Form whole, rest = (*this)[a];
  whole.constant = (rest.constant - modulo(rest.constant, by)) / by;
  rest.constant = modulo(rest.constant, by);
  for (auto& t : rest.terms)
    if (t.weight % by == 0) {
      whole.terms.push_back({t.variable, t.weight / by});
      t.weight = 0;
    }
  drop_zeros(rest);
  Range range = range_of(rest, true);
  if (range.least < 0) {  // what is left may be, though all of it is not
    if (range_here(a).least < 0) throw std::invalid_argument("ir: a quotient of what may be negative");
    std::int64_t const up = rounds_above_zero(range, by);
    rest.constant += up * by;
    whole.constant -= up;
    range = range_of(rest, true);
  }
  int const above = number_of(std::move(whole));
  if (range.most < by) return above;
  std::int64_t const unit = common_unit(rest, by);
  rest.constant /= unit;
  if (by / unit == 1) return plus(above, number_of(std::move(rest)));
  return plus(above, digit(std::move(rest), by / unit, 0));
}

int Forms::remainder(int a, std::int64_t by) {
  if (by <= 0) throw std::invalid_argument("ir: a remainder modulo " + std::to_string(by));
  Form rest = (*this)[a];
  rest.constant = modulo(rest.constant, by);
  std::erase_if(rest.terms, [&](Term const& t) { return t.weight % by == 0; });
  if (range_of(rest, true).least < 0)
    for (auto& t : rest.terms) t.weight = modulo(t.weight, by);
  Range range = range_of(rest, true);
  if (range.least < 0) {
    if (range_here(a).least < 0) throw std::invalid_argument("ir: a remainder of what may be negative");
    rest.constant += rounds_above_zero(range, by) * by;
    range = range_of(rest, true);
  }
  if (range.most < by) return number_of(std::move(rest));
  std::int64_t const unit = common_unit(rest, by), below = rest.constant % unit;
  rest.constant /= unit;
  int const units = by / unit == 1 ? constant(0) : digit(std::move(rest), 1, by / unit);
  return plus(times(units, unit), constant(below));
}

}  // namespace skipper::ir
