// Reads JSON by recursive descent; whatever the input, it ends in a value or in an error that names the line.
#include <algorithm>
#include <charconv>

#include "json.h"

namespace skipper::cli {
namespace {

constexpr int deepest = 100;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Json document() {
    Json value = this->value(0);
    skip_blanks();
    if (at_ != text_.size()) fail("there is more after the value");
    return value;
  }

 private:
  [[noreturn]] void fail(std::string const& what) const {
    auto const line =
        1 + std::count(text_.begin(), text_.begin() + std::ptrdiff_t(std::min(at_, text_.size())), '\n');
    throw JsonError("line " + std::to_string(line) + ": " + what);
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  char peek() {
    skip_blanks();
    if (at_ == text_.size()) fail("the text ends too early");
    return text_[at_];
  }

  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  void demand(char c) {
    if (!take(c)) fail(std::string("'") + c + "' is due");
  }

  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  Json value(int depth) {
    if (depth > deepest) fail("the nesting is too deep");
    char const c = peek();
    if (c == '{') return object(depth);
    if (c == '[') return array(depth);
    if (c == '"') return string();
    if (take_word("true")) return true;
    if (take_word("false")) return false;
    if (take_word("null")) return nullptr;
    return number();
  }

  Json object(int depth) {
    Json::Object result;
    demand('{');
    if (take('}')) return result;
    do {
      if (peek() != '"') fail("a key is due");
      std::string key = string();
      demand(':');
      result.emplace_back(std::move(key), value(depth + 1));
    } while (take(','));
    demand('}');
    return result;
  }

  Json array(int depth) {
    Json::Array result;
    demand('[');
    if (take(']')) return result;
    do result.push_back(value(depth + 1));
    while (take(','));
    demand(']');
    return result;
  }

  Json number() {
    double result = 0;
    char const* const begin = text_.data() + at_;
    char const* const end = text_.data() + text_.size();
    bool const starts = *begin == '-' || (*begin >= '0' && *begin <= '9');
    auto const [stop, error] = std::from_chars(begin, end, result);
    if (!starts || error != std::errc{}) fail("this is not a value");
    at_ += std::size_t(stop - begin);
    return result;
  }

  unsigned hex4() {
    unsigned code = 0;
    if (at_ + 4 > text_.size()) fail("the text ends within \\u");
    auto const [stop, error] = std::from_chars(text_.data() + at_, text_.data() + at_ + 4, code, 16);
    if (error != std::errc{} || stop != text_.data() + at_ + 4) fail("\\u needs four hexadecimal digits");
    at_ += 4;
    return code;
  }

  void append_utf8(std::string& out, unsigned code) {
    if (code >= 0xd800 && code < 0xdc00) {  // the first of a pair
      if (!take_word("\\u")) fail("a surrogate stands alone");
      unsigned const second = hex4();
      if (second < 0xdc00 || second > 0xdfff) fail("a surrogate stands alone");
      code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
    }
    if (code < 0x80) {
      out += char(code);
    } else if (code < 0x800) {
      out += {char(0xc0 | code >> 6), char(0x80 | (code & 63))};
    } else if (code < 0x10000) {
      out += {char(0xe0 | code >> 12), char(0x80 | (code >> 6 & 63)), char(0x80 | (code & 63))};
    } else {
      out += {char(0xf0 | code >> 18), char(0x80 | (code >> 12 & 63)), char(0x80 | (code >> 6 & 63)),
              char(0x80 | (code & 63))};
    }
  }

  std::string string() {
    demand('"');
    std::string result;
    for (;;) {
      if (at_ == text_.size()) fail("a string does not end");
      char const c = text_[at_++];
      if (c == '"') return result;
      if (static_cast<unsigned char>(c) < 0x20) fail("a string holds a control character");
      if (c != '\\') {
        result += c;
        continue;
      }
      if (at_ == text_.size()) fail("a string does not end");
      char const escaped = text_[at_++];
      constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
      if (escaped == 'u')
        append_utf8(result, hex4());
      else if (std::size_t const i = letters.find(escaped); i != letters.npos)
        result += meanings[i];
      else
        fail("there is no such escape");
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Json parse_json(std::string_view text) { return Reader(text).document(); }

}  // namespace skipper::cli
