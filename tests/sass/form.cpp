// See form.h.
#include "sass/form.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace skipper::sass {
namespace {

using Sort = Operand::Sort;

std::string_view trimmed(std::string_view text) {
  std::size_t const begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == text.npos ? std::string_view() : text.substr(begin, end + 1 - begin);
}

bool cut_front(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}
bool cut_back(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

/// "5" behind R of R5; nothing where it is no number below `limit`.
std::optional<int> small_number(std::string_view digits, int limit) {
  int number = -1;
  auto const end = digits.data() + digits.size();
  auto const read = std::from_chars(digits.data(), end, number);
  return read.ec == std::errc() && read.ptr == end && number >= 0 && number < limit ? std::optional(number)
                                                                                    : std::nullopt;
}

/// -0x10 as 64 bits.
std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  bool const negative = cut_front(text, "-");
  if (!cut_front(text, "0x")) return std::nullopt;
  std::uint64_t bits = 0;
  auto const end = text.data() + text.size();
  auto const read = std::from_chars(text.data(), end, bits, 16);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return negative ? ~bits + 1 : bits;
}

std::optional<double> decimal(std::string_view text) {
  if (text == "+INF" || text == "INF") return std::numeric_limits<double>::infinity();
  if (text == "-INF") return -std::numeric_limits<double>::infinity();
  if (text == "+QNAN" || text == "-QNAN") return std::numeric_limits<double>::quiet_NaN();
  cut_front(text, "+");
  double number = 0;
  auto const end = text.data() + text.size();
  auto const read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

struct Register {
  Sort sort;
  int index;
};
std::optional<Register> register_of(std::string_view text) {
  if (text == "RZ") return Register{Sort::general, zero_register};
  if (text == "URZ") return Register{Sort::uniform, zero_uniform};
  if (text == "PT") return Register{Sort::predicate, true_predicate};
  if (text == "UPT") return Register{Sort::uniform_predicate, true_predicate};
  struct {
    char const* prefix;
    Sort sort;
    int limit;
  } const files[] = {{"UR", Sort::uniform, zero_uniform},
                     {"UP", Sort::uniform_predicate, true_predicate},
                     {"R", Sort::general, zero_register},
                     {"P", Sort::predicate, true_predicate},
                     {"B", Sort::barrier, 16}};
  for (auto const& file : files)
    if (std::string_view rest = text; cut_front(rest, file.prefix))
      if (auto const index = small_number(rest, file.limit)) return Register{file.sort, *index};
  return std::nullopt;
}

/// The sum in brackets, as R2.64+UR4+0x10; false where it is none.
bool read_sum(std::string_view sum, Operand& operand) {
  while (!sum.empty()) {
    std::string_view term = sum.substr(0, sum.find('+'));
    sum.remove_prefix(std::min(sum.size(), term.size() + 1));
    if (auto const offset = hexadecimal(term)) {
      operand.bits = *offset;
      continue;
    }
    bool const wide = cut_back(term, ".64");
    auto const r = register_of(term);
    if (!r) return false;
    if (r->sort == Sort::general)
      operand.index = r->index, operand.wide = wide;
    else if (r->sort == Sort::uniform)
      operand.uniform = r->index, operand.uniform_wide = wide;
    else
      return false;
  }
  return true;
}

bool read_memory(std::string_view text, Operand& operand) {
  if (cut_front(text, "c[0x0]"))
    operand.sort = Sort::constant;
  else
    operand.sort = Sort::address;
  // What describes the memory comes first; here there is one kind.
  if (operand.sort == Sort::address && cut_front(text, "desc["))
    text.remove_prefix(std::min(text.size(), text.find(']') + 1));
  return cut_front(text, "[") && cut_back(text, "]") && read_sum(text, operand);
}

bool read_register(std::string_view text, Operand& operand) {
  if (cut_back(text, ".H0_H0")) operand.half = 0;
  if (cut_back(text, ".H1_H1")) operand.half = 1;
  auto const r = register_of(text);
  if (!r) return false;
  operand.sort = r->sort;
  operand.index = r->index;
  return true;
}

}  // namespace

Operand parse_operand(std::string_view const whole) {
  Operand operand;
  std::string_view text = trimmed(whole);
  if (auto const bits = hexadecimal(text)) return {.sort = Sort::integer, .bits = *bits};
  if (auto const number = decimal(text)) return {.sort = Sort::number, .number = *number};
  std::string without;  // .reuse, which may stand before another suffix
  if (std::size_t const at = text.find(".reuse"); at != text.npos) {
    without = std::string(text.substr(0, at)) + std::string(text.substr(at + 6));
    text = without;
  }
  if (cut_front(text, "`(") && cut_back(text, ")")) return {.sort = Sort::label, .name = std::string(text)};
  if (cut_front(text, "32@hi((")) return {.sort = Sort::integer};
  if (cut_front(text, "32@lo((") && cut_back(text, "@srel))"))
    return {.sort = Sort::integer, .name = std::string(trimmed(text.substr(text.find('+') + 1)))};
  if (text == "SRZ" || text == "PR" || text == "UPR" || text.starts_with("SR_"))
    return {.sort = Sort::special, .name = std::string(text)};
  operand.negative = cut_front(text, "-");
  operand.inverted = cut_front(text, "~") || cut_front(text, "!");
  operand.absolute = cut_front(text, "|") && cut_back(text, "|");
  if (text.find('[') != text.npos ? read_memory(text, operand) : read_register(text, operand)) return operand;
  throw Fault("unknown operand " + std::string(whole));
}

Form::Form(std::string_view text, std::map<std::string, int> const& labels) : text_(trimmed(text)) {
  text = text_;
  if (cut_front(text, "@")) {
    std::size_t const end = std::min(text.find(' '), text.size());
    guard_ = parse_operand(text.substr(0, end));
    text = trimmed(text.substr(end));
  }
  std::size_t const end = std::min(text.find(' '), text.size());
  std::string_view mnemonic = text.substr(0, end), rest = trimmed(text.substr(end));
  for (bool first = true; !mnemonic.empty(); first = false) {
    std::string_view const part = mnemonic.substr(0, mnemonic.find('.'));
    mnemonic.remove_prefix(std::min(mnemonic.size(), part.size() + 1));
    if (first)
      root_ = part;
    else
      modifiers_.emplace_back(part);
  }
  while (!rest.empty()) {
    std::string_view const part = rest.substr(0, rest.find(root_ == "RET" ? ' ' : ','));  // RET R2 0x0
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    operands_.push_back(parse_operand(part));
    Operand& operand = operands_.back();
    bool const is_place = operand.sort == Sort::integer && !operand.name.empty();
    if (operand.sort != Sort::label && !is_place) continue;
    auto const found = labels.find(operand.name);
    if (found == labels.end()) throw Fault("there is no label " + operand.name);
    operand.bits = std::uint64_t(found->second) * (is_place ? instruction_bytes : 1);
  }
}

bool Form::take(std::string_view modifier) {
  auto const found = std::find(modifiers_.begin(), modifiers_.end(), modifier);
  if (found == modifiers_.end()) return false;
  modifiers_.erase(found);
  return true;
}

std::string Form::take_next() {
  if (modifiers_.empty()) return "";
  std::string const first = modifiers_.front();
  modifiers_.erase(modifiers_.begin());
  return first;
}

std::optional<std::string> Form::take_one(std::initializer_list<char const*> modifiers) {
  for (char const* modifier : modifiers)
    if (take(modifier)) return modifier;
  return std::nullopt;
}

Operand Form::next() {
  if (taken_ == operands_.size()) throw Fault("too few operands");
  return operands_[taken_++];
}

Operand Form::of(Sort sort) {
  Operand const operand = next();
  if (operand.sort != sort || operand.negative || operand.inverted || operand.absolute || operand.half)
    throw Fault("operand " + std::to_string(taken_) + " is of another sort");
  return operand;
}

Operand Form::result() {
  return of(taken_ < operands_.size() && operands_[taken_].sort == Sort::uniform ? Sort::uniform
                                                                                 : Sort::general);
}

Operand Form::value(std::string const& what, bool of_floating_point) {
  Operand const operand = next();
  bool const is_register = operand.sort == Sort::general || operand.sort == Sort::uniform;
  bool const immediate = operand.sort == (of_floating_point ? Sort::number : Sort::integer);
  bool const constant = operand.sort == Sort::constant && operand.index == zero_register;
  if ((!is_register && !immediate && !constant) || operand.half ||
      (of_floating_point ? operand.inverted : operand.absolute))
    throw Fault("operand " + std::to_string(taken_) + " is no " + what);
  return operand;
}

Operand Form::u32() { return value("integer", false); }

Operand Form::u64() {
  Operand const operand = u32();
  if (operand.inverted || operand.sort == Sort::integer)
    throw Fault("operand " + std::to_string(taken_) + " is no pair of registers");
  return operand;
}

Operand Form::f32() {
  Operand operand = value("number", true);
  if (operand.sort != Sort::number) return operand;
  return {.sort = Sort::integer, .bits = std::bit_cast<std::uint32_t>(float(operand.number))};
}

Operand Form::f64() {
  Operand operand = value("number", true);
  if (operand.sort != Sort::number) return operand;
  return {.sort = Sort::integer, .bits = std::bit_cast<std::uint64_t>(operand.number)};
}

Operand Form::predicate() {
  Operand const operand = next();
  if (operand.sort != Sort::predicate && operand.sort != Sort::uniform_predicate)
    throw Fault("operand " + std::to_string(taken_) + " is no predicate");
  return operand;
}

Operand Form::optional_predicate() {
  bool const here = taken_ < operands_.size() && (operands_[taken_].sort == Sort::predicate ||
                                                  operands_[taken_].sort == Sort::uniform_predicate);
  return here ? predicate() : always();
}

Operand Form::address() { return of(Sort::address); }

int Form::integer() { return int(std::int64_t(of(Sort::integer).bits)); }

void Form::demand_all_taken() const {
  if (!modifiers_.empty()) throw Fault("unknown modifier " + modifiers_.front());
  if (taken_ != operands_.size())
    throw Fault("unknown operand " + std::to_string(taken_ + 1) + " of " + std::to_string(operands_.size()));
}

}  // namespace skipper::sass
