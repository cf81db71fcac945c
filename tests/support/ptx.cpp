// PTX is read as a list of instructions with the registers that each reads and writes. Then the registers that are written on
// every path to an instruction are the fixed point of: what holds behind all instructions that may come before it.
#include "support/ptx.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>

namespace skipper::testing {
namespace {

/// A set of registers by their numbers.
class Registers {
 public:
  explicit Registers(std::size_t count) : words_(count / 64 + 1) {}
  bool has(int r) const { return words_[std::size_t(r) / 64] >> (r % 64) & 1; }
  void add(int r) { words_[std::size_t(r) / 64] |= std::uint64_t(1) << (r % 64); }
  void keep_those_of(Registers const& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }
  bool operator==(Registers const&) const = default;

 private:
  std::vector<std::uint64_t> words_;
};

struct Instruction {
  std::string text;
  std::vector<int> reads, writes;
  bool is_conditional = false;        // runs under a predicate
  std::optional<std::string> target;  // of a branch
  bool ends = false;                  // nothing comes behind it: of a branch, but for its target
};

struct Code {
  std::vector<Instruction> instructions;
  std::map<std::string, std::size_t> labels;  // the index of what follows
  std::vector<std::string> names;             // of registers
};

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view b) {
    return word.starts_with(b) && (word.size() == b.size() || word[b.size()] == '.');
  });
}

std::string_view trimmed(std::string_view text) {
  std::size_t const begin = text.find_first_not_of(" \t\n"), end = text.find_last_not_of(" \t\n");
  return begin == text.npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

class Reader {
 public:
  Code read(std::string_view ptx) {
    if (ptx.find("\n.func") != ptx.npos || ptx.find("\n.visible .func") != ptx.npos)
      throw std::runtime_error("PTX has functions, which are not followed");
    std::size_t const entry = ptx.find(".entry"), body = ptx.find("\n{", entry);
    if (entry == ptx.npos || body == ptx.npos || ptx.find(".entry", entry + 1) != ptx.npos)
      throw std::runtime_error("PTX has not one kernel");
    std::string const text = without_comments(ptx.substr(body));
    for (std::size_t at = 0; at < text.size();) {
      std::size_t const end = text.find_first_of(";{}:", at);
      if (end == text.npos) break;
      at = take(text, at, end);
    }
    return std::move(code_);
  }

 private:
  static std::string without_comments(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t const end = std::min(text.find('\n', at), text.size() - 1);
      std::string_view const line = text.substr(at, end + 1 - at);
      result += line.substr(0, line.find("//"));
      result += '\n';
      at = end + 1;
    }
    return result;
  }

  /// What ends at `end`, and where the next begins.
  std::size_t take(std::string const& text, std::size_t at, std::size_t end) {
    std::string_view const words = trimmed(std::string_view(text).substr(at, end - at));
    if (text[end] == ':' && words.starts_with("$")) {
      code_.labels[std::string(words)] = code_.instructions.size();
    } else if (words.empty()) {
      if (text[end] == '{') scopes_.push_back({});
      if (text[end] == '}') scopes_.pop_back();
    } else {  // braces within an instruction are around a vector
      end = text.find(';', end);
      statement(trimmed(std::string_view(text).substr(at, end - at)));
    }
    return end + 1;
  }

  void statement(std::string_view words) {
    if (words.starts_with(".reg"))
      declare(words);
    else if (words.starts_with("."))
      ;  // .local and .shared arrays, .loc, .pragma
    else
      instruction(words);
  }

  /// Assembly in line has blocks whose registers have names of others outside.
  void declare(std::string_view words) {
    if (scopes_.size() < 2 || words.find('<') != words.npos) return;
    for (std::string const& name : registers_of(words)) {
      scopes_.back()[name] = int(code_.names.size());
      code_.names.push_back(name);
    }
  }

  void instruction(std::string_view words) {
    Instruction made;
    made.text = words;
    if (words.front() == '@') {
      std::size_t const end = words.find_first_of(" \t");
      made.reads = numbers(words.substr(0, end));
      made.is_conditional = true;
      words = trimmed(words.substr(end));
    }
    std::string_view const name = words.substr(0, words.find_first_of(" \t")),
                           operands = words.substr(name.size());
    if (is_any_of(name, {"call", "brx"}))
      throw std::runtime_error("PTX has an instruction that is not followed: " + made.text);
    if (is_any_of(name, {"bra"})) made.target = trimmed(operands);
    made.ends = is_any_of(name, {"bra", "ret", "exit", "trap"}) && !made.is_conditional;
    std::size_t const results = writes_nothing(name) ? 0 : end_of_first(operands);
    made.writes = numbers(operands.substr(0, results));
    for (int r : numbers(operands.substr(results))) made.reads.push_back(r);
    code_.instructions.push_back(std::move(made));
  }

  static bool writes_nothing(std::string_view name) {
    if (name.starts_with("bar.red") || name.starts_with("barrier.cta.red")) return false;
    return is_any_of(name, {"bra", "ret", "exit", "trap", "st", "red", "bar", "barrier", "membar", "fence",
                            "prefetch", "discard", "griddepcontrol", "nanosleep", "cp"});
  }

  /// Where the first operand ends: a vector of registers in braces, or one, or two predicates p|q.
  static std::size_t end_of_first(std::string_view operands) {
    std::size_t const begin = operands.find_first_not_of(" \t\n");
    bool const is_vector = begin != operands.npos && operands[begin] == '{';
    return std::min(operands.find(is_vector ? '}' : ','), operands.size());
  }

  static std::vector<std::string> registers_of(std::string_view text) {
    std::vector<std::string> names;
    for (std::size_t at = text.find('%'); at != text.npos; at = text.find('%', at + 1)) {
      std::size_t end = at + 1;
      while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end]))) ++end;
      std::size_t const digits = end;
      while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
      if (end > digits)
        names.emplace_back(text.substr(at, end - at));  // others, as %tid.x, are the machine's
    }
    return names;
  }

  std::vector<int> numbers(std::string_view text) {
    std::vector<int> result;
    for (std::string const& name : registers_of(text)) result.push_back(number(name));
    return result;
  }

  int number(std::string const& name) {
    for (std::size_t s = scopes_.size(); s-- > 1;)
      if (auto const own = scopes_[s].find(name); own != scopes_[s].end()) return own->second;
    auto const [known, is_new] = numbers_.try_emplace(name, int(code_.names.size()));
    if (is_new) code_.names.push_back(name);
    return known->second;
  }

  Code code_;
  std::map<std::string, int> numbers_;
  std::vector<std::map<std::string, int>> scopes_;  // the kernel's own first
};

std::vector<std::size_t> successors(Code const& code, std::size_t i) {
  Instruction const& it = code.instructions[i];
  std::vector<std::size_t> next;
  if (it.target) next.push_back(code.labels.at(*it.target));
  if (!it.ends && i + 1 < code.instructions.size()) next.push_back(i + 1);
  return next;
}

/// For each instruction that can be reached, the registers that are written on every path to it.
std::vector<std::optional<Registers>> written_before(Code const& code) {
  std::vector<std::optional<Registers>> before(code.instructions.size());
  std::vector<std::size_t> work{0};
  if (!before.empty()) before[0].emplace(code.names.size());
  while (!work.empty()) {
    std::size_t const i = work.back();
    work.pop_back();
    Registers behind = *before[i];
    if (!code.instructions[i].is_conditional)
      for (int r : code.instructions[i].writes) behind.add(r);
    for (std::size_t next : successors(code, i)) {
      Registers both = behind;
      if (before[next]) both.keep_those_of(*before[next]);
      if (before[next] == both) continue;
      before[next] = std::move(both);
      work.push_back(next);
    }
  }
  return before;
}

}  // namespace

std::vector<UnsetRead> unset_reads(std::string_view ptx) {
  Code const code = Reader().read(ptx);
  auto const before = written_before(code);
  std::vector<UnsetRead> found;
  Registers told(code.names.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!before[i]) continue;
    for (int r : code.instructions[i].reads)
      if (!before[i]->has(r) && !told.has(r)) {
        told.add(r);
        found.push_back({code.names[std::size_t(r)], code.instructions[i].text});
      }
  }
  return found;
}

}  // namespace skipper::testing
