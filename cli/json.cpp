// Prints JSON and gives access to its parts; json_parse.cpp reads it.
#include "json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "escape.h"

namespace skipper::cli {
namespace {

template <class T, class Value>
T const& as(Value const& value, char const* what) {
  T const* const held = std::get_if<T>(&value);
  if (!held) throw JsonError(std::string("a value is not ") + what);
  return *held;
}

// A control character, also one of those after 127, which some terminals obey.
void print_control(std::string& out, unsigned char c) {
  char const* const hex = "0123456789abcdef";
  out += std::string("\\u00") + hex[c >> 4] + hex[c & 15];
}

// What is no UTF-8 becomes the character that stands for such.
void print_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    std::size_t const bytes = character_bytes(text);
    auto const first = static_cast<unsigned char>(text[0]);
    auto const second = static_cast<unsigned char>(text.size() > 1 ? text[1] : 0);
    if (text[0] == '"' || text[0] == '\\')
      out += {'\\', text[0]};
    else if (text[0] == '\n')
      out += "\\n";
    else if (first < 0x20 || first == 0x7f)
      print_control(out, first);
    else if (bytes == 2 && first == 0xc2 && second < 0xa0)
      print_control(out, second);
    else
      out += bytes > 0 ? text.substr(0, bytes) : "\xef\xbf\xbd";
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  out += '"';
}

void print_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  std::array<char, 32> digits;
  bool const whole = value == std::floor(value) && std::abs(value) < 1e15;
  auto const end =
      whole ? std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<long long>(value))
            : std::to_chars(digits.data(), digits.data() + digits.size(), value);
  out.append(digits.data(), end.ptr);
}

// A list of scalars stays on its line.
bool short_list(Json::Array const& array) {
  for (Json const& item : array)
    if (item.text().find('\n') != std::string::npos || item.text().size() > 40) return false;
  return array.size() <= 8;
}

}  // namespace

bool Json::boolean() const { return as<bool>(value_, "true or false"); }
double Json::number() const { return as<double>(value_, "a number"); }
std::string const& Json::string() const { return as<std::string>(value_, "a string"); }
Json::Array const& Json::array() const { return as<Array>(value_, "an array"); }
Json::Object const& Json::object() const { return as<Object>(value_, "an object"); }

Json const* Json::find(std::string_view key) const {
  for (auto const& [name, value] : object())
    if (name == key) return &value;
  return nullptr;
}

Json const& Json::at(std::string_view key) const {
  Json const* const found = find(key);
  if (!found) throw JsonError("the key '" + std::string(key) + "' is missing");
  return *found;
}

void Json::print(std::string& out, int depth) const {
  auto const line = [&](int level) { out += "\n" + std::string(2 * std::size_t(level), ' '); };
  if (auto const* boolean = std::get_if<bool>(&value_)) {
    out += *boolean ? "true" : "false";
  } else if (auto const* number = std::get_if<double>(&value_)) {
    print_number(out, *number);
  } else if (auto const* string = std::get_if<std::string>(&value_)) {
    print_string(out, *string);
  } else if (auto const* array = std::get_if<Array>(&value_)) {
    bool const flat = short_list(*array);
    out += '[';
    for (std::size_t i = 0; i < array->size(); ++i) {
      if (i) out += flat ? ", " : ",";
      if (!flat) line(depth + 1);
      (*array)[i].print(out, depth + 1);
    }
    if (!flat) line(depth);
    out += ']';
  } else if (auto const* object = std::get_if<Object>(&value_)) {
    out += '{';
    for (std::size_t i = 0; i < object->size(); ++i) {
      if (i) out += ',';
      line(depth + 1);
      print_string(out, (*object)[i].first);
      out += ": ";
      (*object)[i].second.print(out, depth + 1);
    }
    if (!object->empty()) line(depth);
    out += '}';
  } else {
    out += "null";
  }
}

std::string Json::text() const {
  std::string out;
  print(out, 0);
  return out;
}

}  // namespace skipper::cli
