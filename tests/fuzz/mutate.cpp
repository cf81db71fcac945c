// Structural mutations of texts and bytes.
#include <algorithm>
#include <array>
#include <cctype>

#include "fuzz/fuzz.h"

namespace skipper::fuzz {
namespace {

constexpr std::size_t longest = 1 << 16;  // of an input: more teaches nothing and takes long

/// Where arithmetic is most likely to go wrong.
constexpr std::array<std::string_view, 30> edges = {"0",
                                                    "1",
                                                    "2",
                                                    "3",
                                                    "7",
                                                    "-1",
                                                    "15",
                                                    "16",
                                                    "17",
                                                    "127",
                                                    "255",
                                                    "256",
                                                    "1023",
                                                    "1024",
                                                    "65535",
                                                    "65536",
                                                    "2147483647",
                                                    "2147483648",
                                                    "4294967295",
                                                    "4294967296",
                                                    "4611686018427387904",
                                                    "9223372036854775807",
                                                    "9223372036854775808",
                                                    "-9223372036854775808",
                                                    "18446744073709551616",
                                                    "1e308",
                                                    "1e-320",
                                                    "nan",
                                                    "inf",
                                                    "0x10"};

struct Range {
  std::size_t begin, end;
};

/// The words of a text: what stands between blanks, or with `numbers` runs of digits.
std::vector<Range> words(std::string const& text, bool numbers) {
  auto const inside = [&](char c) {
    auto const byte = static_cast<unsigned char>(c);
    return numbers ? std::isdigit(byte) != 0 : std::isspace(byte) == 0;
  };
  std::vector<Range> found;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (inside(text[i])) {
      std::size_t const begin = i;
      while (i < text.size() && inside(text[i])) ++i;
      found.push_back({begin, i});
    }
  return found;
}

Range any_range(std::string const& text, Random& random, std::size_t most) {
  std::size_t const begin = random.below(text.size() + 1);
  return {begin, std::min(text.size(), begin + 1 + random.below(most))};
}

void replace(std::string& text, Range range, std::string const& by) {
  text.replace(range.begin, range.end - range.begin, by);
}

void mutate_bytes(std::string& text, std::string const& other, Random& random) {
  Range const range = any_range(text, random, 24);
  std::string const part = text.substr(range.begin, range.end - range.begin);
  switch (random.below(7)) {
    case 0:  // another byte, or one bit of it
      if (range.begin < text.size())
        text[range.begin] =
            random.below(2) ? char(random.next()) : char(text[range.begin] ^ (1 << random.below(8)));
      break;
    case 1:
      text.insert(range.begin, 1, char(random.next()));
      break;
    case 2:
      replace(text, range, "");
      break;
    case 3:
      text.resize(range.begin);
      break;
    case 4:
      text.insert(range.begin, part);
      break;
    case 5: {  // goes on as the other one does
      std::size_t const cut = random.below(other.size() + 1);
      text = text.substr(0, range.begin) + other.substr(cut);
      break;
    }
    default: {  // a part of the other one
      Range const from = any_range(other, random, 64);
      text.insert(range.begin, other.substr(from.begin, from.end - from.begin));
    }
  }
}

void mutate_words(std::string& text, std::string const& other, Random& random) {
  bool const numbers = random.below(2) == 0;
  std::vector<Range> const here = words(text, numbers), there = words(other, numbers);
  if (here.empty()) return;
  Range const range = here[random.below(here.size())];
  std::string const word = text.substr(range.begin, range.end - range.begin);
  switch (random.below(6)) {
    case 0:
      replace(text, range, "");
      break;
    case 1:
      replace(text, range, word + (numbers ? word : " " + word));
      break;
    case 2:
      if (!there.empty()) {
        Range const from = there[random.below(there.size())];
        replace(text, range, other.substr(from.begin, from.end - from.begin));
      }
      break;
    case 3: {  // changes places with another
      Range const with = here[random.below(here.size())];
      std::string const second = text.substr(with.begin, with.end - with.begin);
      Range const first_range = range.begin < with.begin ? range : with;
      Range const last_range = range.begin < with.begin ? with : range;
      if (first_range.begin == last_range.begin) break;
      replace(text, last_range, range.begin < with.begin ? word : second);
      replace(text, first_range, range.begin < with.begin ? second : word);
      break;
    }
    default:
      replace(text, range, std::string(edges[random.below(edges.size())]));
  }
}

}  // namespace

std::uint64_t Random::next() {  // splitmix64
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::string mutated(std::string input, std::string const& other, Random& random) {
  for (std::size_t changes = 1 + random.below(4); changes > 0; --changes)
    (random.below(2) ? mutate_bytes : mutate_words)(input, other, random);
  if (input.size() > longest) input.resize(longest);
  return input;
}

}  // namespace skipper::fuzz
