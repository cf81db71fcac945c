// JSON as a value: what the program prints for other programs and reads back. Objects keep the order of their keys;
// numbers are doubles, printed in the fewest digits that read back exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace skipper::cli {

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() : value_(nullptr) {}
  Json(std::nullptr_t) : value_(nullptr) {}
  Json(bool value) : value_(value) {}
  Json(double value) : value_(value) {}
  Json(int value) : value_(double(value)) {}
  Json(std::int64_t value) : value_(double(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(char const* value) : value_(std::string(value)) {}
  Json(Array value) : value_(std::move(value)) {}
  Json(Object value) : value_(std::move(value)) {}

  // These throw JsonError where the value is of another sort; at() where the key is missing.
  bool boolean() const;
  double number() const;
  std::string const& string() const;
  Array const& array() const;
  Object const& object() const;
  Json const& at(std::string_view key) const;
  Json const* find(std::string_view key) const;  // nullptr where it is missing

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
  bool operator==(Json const&) const = default;

  // Indented by two blanks a level, without a newline at the end. Not-a-number and infinities become null.
  std::string text() const;

 private:
  void print(std::string& out, int depth) const;

  std::variant<std::nullptr_t, bool, double, std::string, Array, Object> value_;
};

// The message says what is wrong and, for text, at which line.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws JsonError for anything that is not one JSON value, and for nesting beyond 100 levels.
Json parse_json(std::string_view text);

}  // namespace skipper::cli
