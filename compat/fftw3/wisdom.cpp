// See wisdom.h.
#include "wisdom.h"

#include <algorithm>
#include <array>
#include <utility>

namespace skipper::fftw3 {
namespace {

constexpr std::array<std::string_view, 4> patience_names = {"estimate", "measure", "patient", "exhaustive"};

int patience_of(unsigned flags) {
  if (flags & FFTW_ESTIMATE) return 0;
  if (flags & FFTW_EXHAUSTIVE) return 3;
  return flags & FFTW_PATIENT ? 2 : 1;
}

/// What a call is known by. Where split parts are apart, how far does not matter.
std::string key(Call call) {
  for (Index* pair : {&call.in_pair, &call.out_pair})
    if (*pair < -1 || *pair > 1) *pair = 2;
  return text(call);
}

std::string header() { return std::string("(skipper-wisdom-1 ") + prefix; }

constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  std::size_t const first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Words with one blank between them, as text(Call) writes them.
std::string with_single_blanks(std::string_view text) {
  std::string result;
  for (char const c : text) {
    bool const blank = blanks.find(c) != blanks.npos;
    if (!blank)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

bool is_call_text(std::string_view text) {
  bool const kind = text.starts_with("c2c ") || text.starts_with("r2c ") || text.starts_with("c2r ") ||
                    text.starts_with("r2r");
  return kind && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == ' ' || c == ':' || c == '-';
         });
}

/// One "(patience call)", without its brackets.
bool read_entry(std::string_view entry, std::map<std::string, int>& known) {
  std::string const words = with_single_blanks(entry);
  std::size_t const blank = words.find(' ');
  if (blank == words.npos) return false;
  auto const name = std::find(patience_names.begin() + 1, patience_names.end(), words.substr(0, blank));
  std::string const call = words.substr(blank + 1);
  if (name == patience_names.end() || !is_call_text(call)) return false;
  int& patience = known[call];
  patience = std::max(patience, static_cast<int>(name - patience_names.begin()));
  return true;
}

}  // namespace

Wisdom& Wisdom::instance() {
  static Wisdom* const wisdom = new Wisdom;
  return *wisdom;
}

bool Wisdom::knows(Call const& call, unsigned flags) const {
  std::lock_guard lock(mutex_);
  auto const found = known_.find(key(call));
  return found != known_.end() && found->second >= patience_of(flags);
}

void Wisdom::learn(Call const& call, unsigned flags) {
  if (flags & FFTW_WISDOM_ONLY) return;
  int const patience = patience_of(flags);
  std::lock_guard lock(mutex_);
  int& known = known_[key(call)];
  known = std::max(known, patience);
}

void Wisdom::forget() {
  std::lock_guard lock(mutex_);
  known_.clear();
}

std::string Wisdom::exported() const {
  std::string result = header() + "\n";
  std::lock_guard lock(mutex_);
  for (auto const& [call, patience] : known_)
    if (patience > 0)
      result += "  (" + std::string(patience_names[static_cast<std::size_t>(patience)]) + " " + call + ")\n";
  return result + ")\n";
}

bool Wisdom::import(std::string_view given) {
  std::string_view rest = trimmed(given);
  std::string const begin = header();
  if (!rest.starts_with(begin) || !rest.ends_with(')')) return false;
  rest.remove_prefix(begin.size());
  rest.remove_suffix(1);
  if (!rest.empty() && blanks.find(rest[0]) == blanks.npos && rest[0] != '(')
    return false;  // another precision
  std::map<std::string, int> read;
  for (rest = trimmed(rest); !rest.empty(); rest = trimmed(rest)) {
    std::size_t const end = rest.find(')');
    if (rest[0] != '(' || end == rest.npos || !read_entry(rest.substr(1, end - 1), read)) return false;
    rest.remove_prefix(end + 1);
  }
  std::lock_guard lock(mutex_);
  for (auto const& [call, patience] : read) known_[call] = std::max(known_[call], patience);
  return true;
}

}  // namespace skipper::fftw3
