// Reads the canonical text of a Problem, and lines of case lists. The reader starts from the layout
// dense_layout() gives and lets clauses override it. Any input, however odd, ends in a checked
// problem or in an Error that quotes the word at fault. Grammar: docs/problem-text.md.
#include <skipper/problem.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "base/kinds.h"

namespace skipper {
namespace {

constexpr std::array precisions{Precision::f32, Precision::f64, Precision::f16, Precision::bf16};
constexpr std::array directions{Direction::forward, Direction::inverse};
constexpr std::array norms{Norm::none, Norm::ortho};

// A word of the input as a message may show it: short, and without control characters.
std::string quoted(std::string_view word) {
  std::string result = "'";
  for (char const c : word.substr(0, 40)) {
    if (c >= ' ' && c <= '~') {
      result += c;
    } else {
      char const* const hex = "0123456789abcdef";
      auto const byte = static_cast<unsigned char>(c);
      result += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
    }
  }
  return result + (word.size() > 40 ? "...'" : "'");
}

// The words of a line, read front to back.
class Reader {
 public:
  Reader(char const* argument, std::string_view input) : argument_(argument), rest_(input) { advance(); }

  bool done() const { return word_.empty(); }
  std::string_view word() const { return word_; }

  std::string_view take() {
    std::string_view const result = word_;
    advance();
    return result;
  }

  std::string_view take(char const* expected) {
    if (done()) throw Error(argument_, "ends where " + std::string(expected) + " is due");
    return take();
  }

  [[noreturn]] void fail(std::string_view word, std::string const& message) const {
    throw Error(argument_, quoted(word) + " " + message);
  }

  // One of the enumerators of `list`, by name. `what` stands in messages, with its article: "an axis kind".
  template <class List>
  auto one_of(List const& list, std::string_view word, char const* what, char const* or_else = "") const {
    std::string message = "is not " + std::string(what) + "; use";
    for (auto const value : list) {
      if (name(value) == word) return value;
      message.append(" ").append(name(value));
    }
    fail(word, message + or_else);
  }

  template <class Number>
  Number number_in(std::string_view word, char const* what) const {
    Number value{};
    char const* const end = word.data() + word.size();
    auto const [stop, error] = std::from_chars(word.data(), end, value);
    if (error == std::errc::result_out_of_range)
      fail(word, "is past the range of " + std::string(what) +
                     "; integers are of 63 bits, scales of double precision");
    if (error != std::errc{} || stop != end)
      fail(word, "is not " + std::string(what) + "; write it in decimal digits");
    return value;
  }

  // The parts of a word between separators, each read by `read`.
  template <class Read>
  auto list_in(std::string_view word, char separator, Read read) const {
    std::vector<decltype(read(word))> result;
    for (std::string_view left = word;;) {
      std::size_t const cut = left.find(separator);
      if (result.size() == max_rank)
        fail(word, "lists more than " + std::to_string(max_rank) +
                       " dimensions; leave out those of size 1 or merge contiguous ones");
      result.push_back(read(left.substr(0, cut)));
      if (cut == left.npos) return result;
      left.remove_prefix(cut + 1);
    }
  }

  std::vector<std::int64_t> numbers_in(std::string_view word, char separator, char const* what) const {
    return list_in(word, separator,
                   [&](std::string_view part) { return number_in<std::int64_t>(part, what); });
  }

 private:
  void advance() {
    constexpr std::string_view blanks = " \t\r\n";
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
    word_ = rest_.substr(0, rest_.find_first_of(blanks));
    rest_.remove_prefix(word_.size());
  }

  char const* argument_;
  std::string_view rest_;
  std::string_view word_;
};

// The words after the shape, still unread: axes and batch must be known before strides can be.
struct Clauses {
  std::optional<std::string_view> kinds, batch, load, keep, in, out, scale, norm, in_place, reversed,
      from_reversed;
};

Clauses read_clauses(Reader& reader) {
  Clauses clauses;
  auto const set = [&](std::optional<std::string_view>& clause, std::string_view key, char const* value) {
    if (clause) reader.fail(key, "appears twice; give it once");
    clause = value ? reader.take(value) : key;
  };
  while (!reader.done()) {
    std::string_view const key = reader.take();
    if (key == "kinds")
      set(clauses.kinds, key, "a list of axis kinds");
    else if (key == "batch")
      set(clauses.batch, key, "a batch size");
    else if (key == "load")
      set(clauses.load, key, "how many inputs each axis stores");
    else if (key == "keep")
      set(clauses.keep, key, "which outputs each axis stores");
    else if (key == "in")
      set(clauses.in, key, "a list of input strides");
    else if (key == "out")
      set(clauses.out, key, "a list of output strides");
    else if (key == "scale")
      set(clauses.scale, key, "a scale");
    else if (key == "norm")
      set(clauses.norm, key, "a norm (none, ortho)");
    else if (key == "in-place")
      set(clauses.in_place, key, nullptr);
    else if (key == "reversed")
      set(clauses.reversed, key, nullptr);
    else if (key == "from-reversed")
      set(clauses.from_reversed, key, nullptr);
    else
      reader.fail(
          key,
          "is not a clause; use kinds, batch, load, keep, in, out, scale, norm, in-place, reversed or "
          "from-reversed");
  }
  return clauses;
}

// "100x0" and "0+64x5+120": what is stored of each axis, 0 for all.
void read_parts(Reader const& reader, Clauses const& clauses, Problem& problem) {
  auto const demand_rank = [&](std::string_view word, std::size_t given) {
    if (given != problem.axes.size())
      reader.fail(word, "is about " + std::to_string(given) + " axes and there are " +
                            std::to_string(problem.axes.size()) +
                            "; write one number per axis, 0 for all of it");
  };
  if (clauses.load) {
    std::vector<std::int64_t> const counts = reader.numbers_in(*clauses.load, 'x', "a number of inputs");
    demand_rank(*clauses.load, counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i) problem.axes[i].in_count = counts[i];
  }
  if (!clauses.keep) return;
  auto const ranges = reader.list_in(*clauses.keep, 'x', [&](std::string_view part) {
    return reader.numbers_in(part, '+', "a number of outputs");
  });
  demand_rank(*clauses.keep, ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].size() != 2) reader.fail(*clauses.keep, "is not of the form first+count for every axis");
    problem.axes[i].out_first = ranges[i][0];
    problem.axes[i].out_count = ranges[i][1];
  }
}

// "axes[/batch]" of one side into the problem.
template <class Stride>
void read_strides(Reader const& reader, std::string_view word, Problem& problem, Stride stride) {
  auto const fill = [&](auto& dims, std::string_view part, char const* what) {
    std::vector<std::int64_t> const values = reader.numbers_in(part, ',', "a stride");
    if (values.size() != dims.size())
      reader.fail(word, "gives " + std::to_string(values.size()) + " strides for " +
                            std::to_string(dims.size()) + " " + what +
                            "; write one per dimension, as axes/batch");
    for (std::size_t i = 0; i < values.size(); ++i) stride(dims[i]) = values[i];
  };
  std::size_t const slash = word.find('/');
  fill(problem.axes, word.substr(0, slash), "axes");
  if (slash != word.npos)
    fill(problem.batch, word.substr(slash + 1), "batch dimensions");
  else if (!problem.batch.empty())
    reader.fail(word, "gives no batch strides; write one per dimension, as axes/batch");
}

}  // namespace

Problem parse_problem(std::string_view text) {
  Reader reader("problem text", text);
  Problem problem;
  problem.kind = reader.one_of(all_kinds, reader.take("a kind (c2c, r2c, c2r, r2r)"), "a kind");
  problem.precision =
      reader.one_of(precisions, reader.take("a precision (f32, f64, f16, bf16)"), "a precision");
  problem.direction = facts(problem.kind).only.value_or(Direction::forward);
  // The direction may be left out. A number, even a negative one, is a shape: check() judges it.
  if (!reader.done() && reader.word().find_first_of("-0123456789") != 0)
    problem.direction = reader.one_of(directions, reader.take(), "a direction",
                                      ", or leave it out and write a shape such as 64x64");
  std::string_view const shape = reader.take("a shape (such as 64x64)");
  for (std::int64_t const n : reader.numbers_in(shape, 'x', "a size")) problem.axes.push_back({n});

  Clauses const clauses = read_clauses(reader);
  if (clauses.kinds) {
    std::vector<AxisKind> const list = reader.list_in(
        *clauses.kinds, ',', [&](auto part) { return reader.one_of(all_axis_kinds, part, "an axis kind"); });
    if (list.size() != problem.axes.size())
      reader.fail(*clauses.kinds, "gives " + std::to_string(list.size()) + " kinds for " +
                                      std::to_string(problem.axes.size()) + " axes; write one per axis");
    for (std::size_t i = 0; i < list.size(); ++i) problem.axes[i].kind = list[i];
  }
  if (clauses.batch)
    for (std::int64_t const n : reader.numbers_in(*clauses.batch, 'x', "a size"))
      problem.batch.push_back({n});
  read_parts(reader, clauses, problem);
  if (clauses.in_place) problem.placement = Placement::in_place;
  if (clauses.reversed && clauses.from_reversed)
    throw Error("problem text", "has both reversed and from-reversed; at most one side is digit-reversed");
  if (clauses.reversed) problem.order = Order::reversed;
  if (clauses.from_reversed) problem.order = Order::from_reversed;
  if (clauses.scale) problem.scale = reader.number_in<double>(*clauses.scale, "a scale");
  if (clauses.norm) problem.norm = reader.one_of(norms, *clauses.norm, "a norm");
  problem = dense_layout(std::move(problem));
  if (clauses.in)
    read_strides(
        reader, *clauses.in, problem, [](auto& d) -> auto& { return d.in_stride; });
  if (clauses.out)
    read_strides(
        reader, *clauses.out, problem, [](auto& d) -> auto& { return d.out_stride; });
  check(problem);
  return problem;
}

Problem parse_case(std::string_view line) {
  Reader reader("case", line);
  std::string_view const kind_word = reader.take("a kind (c2c, r2c, c2r)");
  Kind const kind = reader.one_of(all_kinds, kind_word, "a kind");
  if (kind == Kind::r2r)
    reader.fail(kind_word, "has no place for axis kinds in a case; use the problem text");
  Precision const precision =
      reader.one_of(precisions, reader.take("a precision (f32, f64, f16, bf16)"), "a precision");
  auto const batch = reader.number_in<std::int64_t>(reader.take("a batch size"), "a batch size");
  std::vector<std::int64_t> shape;
  do {
    // Held here rather than left to check(): a line may be of any length.
    if (shape.size() == max_rank)
      reader.fail(reader.word(), "is one size more than the limit of " + std::to_string(max_rank) +
                                     "; merge contiguous ones");
    shape.push_back(reader.number_in<std::int64_t>(reader.take("a size"), "a size"));
  } while (!reader.done());
  if (kind == Kind::r2c) return r2c(shape, batch, precision);
  if (kind == Kind::c2r) return c2r(shape, batch, precision);
  return c2c(shape, batch, precision);
}

}  // namespace skipper
