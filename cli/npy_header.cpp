// The header of a .npy file: magic, version, length, then a Python dictionary with exactly the keys descr,
// fortran_order and shape. Read by a small reader of the literals that NumPy writes, nothing more.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>

#include "format.h"
#include "npy.h"

namespace skipper::cli {
namespace {

constexpr char const* readable =
    "complex64, complex128, float16, float32, float64, bfloat16 (V2), integers and bool";

[[noreturn]] void fail(std::string const& what) { throw FileError(what); }

// A piece of the file as a message may show it.
std::string in_quotes(std::string_view word) {
  std::string result = "'";
  for (char const c : word.substr(0, 40)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + "'";
}

class Dictionary {
 public:
  explicit Dictionary(std::string_view text) : text_(text) { read(); }

  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;

 private:
  void read() {
    bool seen[3] = {};
    demand('{');
    while (!take('}')) {
      std::string const key = string();
      demand(':');
      int const which = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : -1;
      if (which < 0) fail(formatted("its header has the unknown key {}", in_quotes(key)));
      if (seen[which]) fail(formatted("its header has the key {} twice", in_quotes(key)));
      seen[which] = true;
      if (which == 0) read_descr();
      if (which == 1) fortran_order = boolean();
      if (which == 2) shape = tuple();
      if (!take(',') && peek() != '}') fail("its header lacks a comma");
    }
    if (peek_or_end() != 0) fail("its header goes on after the dictionary");
    if (!(seen[0] && seen[1] && seen[2]))
      fail("its header lacks one of the keys descr, fortran_order and shape");
  }

  void read_descr() {
    if (peek() == '[') fail(formatted("it holds records; only arrays of {} can be read", readable));
    descr = string();
  }

  char peek_or_end() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    return at_ == text_.size() ? '\0' : text_[at_];
  }

  char peek() {
    char const c = peek_or_end();
    if (c == 0) fail("its header ends too early");
    return c;
  }

  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  void demand(char c) {
    if (!take(c)) fail(formatted("its header lacks a '{}'", c));
  }

  std::string string() {
    char const quote = peek();
    if (quote != '\'' && quote != '"') fail("its header lacks a quoted word");
    std::size_t const end = text_.find(quote, at_ + 1);
    if (end == text_.npos) fail("its header has a quote without an end");
    std::string result(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return result;
  }

  bool boolean() {
    peek();
    for (std::string_view const word : {"True", "False"})
      if (text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return word == "True";
      }
    fail("fortran_order in its header is neither True nor False");
  }

  std::int64_t integer() {
    peek();
    std::int64_t value = 0;
    char const* const begin = text_.data() + at_;
    auto const [stop, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc{} || value < 0) fail("shape in its header holds something that is not a size");
    at_ += std::size_t(stop - begin);
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // as Python 2 wrote them
    return value;
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> result;
    demand('(');
    while (!take(')')) {
      if (result.size() == 64) fail("shape in its header has more than 64 dimensions");
      result.push_back(integer());
      if (!take(',') && peek() != ')') fail("shape in its header lacks a comma");
    }
    return result;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Into type, number, element_bytes and swapped.
void read_descr(std::string const& descr, NpyHeader& header) {
  std::string_view const rest = std::string_view(descr).substr(descr.empty() ? 0 : 1);
  struct Known {
    std::string_view word;
    NpyNumber number;
    NpyType type;
  };
  constexpr auto integer = [](std::string_view word, NpyNumber number) {
    return Known{word, number, {false, Precision::f64}};
  };
  constexpr auto floating = [](std::string_view word, NpyType type) {
    return Known{word, NpyNumber::floating, type};
  };
  constexpr NpyNumber is_signed = NpyNumber::signed_integer, is_unsigned = NpyNumber::unsigned_integer;
  constexpr std::array known{floating("c8", {true, Precision::f32}),
                             floating("c16", {true, Precision::f64}),
                             floating("f2", {false, Precision::f16}),
                             floating("f4", {false, Precision::f32}),
                             floating("f8", {false, Precision::f64}),
                             floating("V2", {false, Precision::bf16}),
                             integer("b1", NpyNumber::boolean),
                             integer("i1", is_signed),
                             integer("i2", is_signed),
                             integer("i4", is_signed),
                             integer("i8", is_signed),
                             integer("u1", is_unsigned),
                             integer("u2", is_unsigned),
                             integer("u4", is_unsigned),
                             integer("u8", is_unsigned)};
  auto const found = std::find_if(known.begin(), known.end(), [&](Known const& k) { return k.word == rest; });
  char const order = descr.empty() ? ' ' : descr[0];
  bool const one_byte = found != known.end() && rest[1] == '1' && rest.size() == 2;
  bool const orderless = one_byte || rest == "V2";  // or taken for such
  bool const has_order = order == '<' || order == '>' || order == '=' || (order == '|' && orderless);
  if (found == known.end() || !has_order)
    fail(formatted("its type is {}; only {} can be read, so convert it with astype", in_quotes(descr),
                   readable));
  header.type = found->type;
  header.number = found->number;
  header.element_bytes =
      found->number == NpyNumber::floating ? element_bytes(found->type) : std::size_t(rest[1] - '0');
  bool const big = order == '>' || (order != '<' && std::endian::native == std::endian::big);
  header.swapped = big != (std::endian::native == std::endian::big);
}

// Bytes of the data by the header, or nothing where they do not fit 63 bits.
std::optional<std::uint64_t> data_bytes(NpyHeader const& header) {
  std::int64_t bytes = std::int64_t(header.element_bytes);
  for (std::int64_t const size : header.shape)
    if (size == 0) return 0;
  for (std::int64_t const size : header.shape)
    if (__builtin_mul_overflow(bytes, size, &bytes)) return std::nullopt;
  return std::uint64_t(bytes);
}

void check_length(NpyHeader& header, std::optional<std::uint64_t> file_bytes) {
  std::optional<std::uint64_t> const bytes = data_bytes(header);
  std::string const wanted =
      formatted("the shape needs {} bytes of data", bytes ? formatted("{}", *bytes) : "more than 2^63");
  header.data_bytes = bytes.value_or(0);
  if (bytes && (!file_bytes || *bytes == *file_bytes - header.data_at)) return;
  if (!file_bytes) fail("its header is wrong: " + wanted);
  std::uint64_t const held = *file_bytes - header.data_at;
  if (!bytes || *bytes > held)
    fail(formatted("it is truncated, or its header is wrong: {}, the file holds {}", wanted, held));
  fail(formatted("it is too long, or its header is wrong: {}, the file holds {}", wanted, held));
}

}  // namespace

std::size_t element_bytes(NpyType type) { return scalar_bytes(type.precision) * (type.complex ? 2 : 1); }

std::string name(NpyType type) {
  if (type.precision == Precision::bf16) return type.complex ? "pairs of bfloat16" : "bfloat16";
  return formatted("{}{}", type.complex ? "complex" : "float", 8 * element_bytes(type));
}

NpyHeader parse_npy_header(std::string_view beginning, std::optional<std::uint64_t> file_bytes) {
  constexpr std::string_view magic = "\x93NUMPY";
  if (!beginning.starts_with(magic)) fail("it is not a .npy file: it does not begin with \\x93NUMPY");
  if (beginning.size() < 10) fail("it is truncated within its first ten bytes");
  auto const byte = [&](std::size_t i) { return std::size_t(static_cast<unsigned char>(beginning[i])); };
  std::size_t const version = byte(6);
  if (version < 1 || version > 3)
    fail(formatted("its format is version {}; versions 1 to 3 can be read", version));
  std::size_t const begin = version == 1 ? 10 : 12;
  if (beginning.size() < begin) fail("it is truncated within its first twelve bytes");
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (length > longest_npy_header)
    fail(formatted("its header claims {} bytes, more than any array needs", length));
  if ((file_bytes && begin + length > *file_bytes) || begin + length > beginning.size())
    fail("it is truncated within its header");
  Dictionary const dictionary(beginning.substr(begin, length));
  NpyHeader header;
  read_descr(dictionary.descr, header);
  header.fortran_order = dictionary.fortran_order;
  header.shape = dictionary.shape;
  header.data_at = begin + length;
  check_length(header, file_bytes);
  return header;
}

}  // namespace skipper::cli
