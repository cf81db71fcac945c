// JSON by nlohmann's library: objects keep the order of their keys. Files that only pass it on need no more than this header.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace skipper::cli {

using Json = nlohmann::ordered_json;

// The message says what is wrong and, for text, at which line.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Indented by two blanks a level, without a newline at the end, in ASCII, so that no terminal obeys anything in it. What is
// no UTF-8 becomes U+FFFD; not-a-number and infinities become null.
std::string json_text(Json const& json);

// Throws JsonError for anything that is not one JSON value.
Json parse_json(std::string_view text);

// An array that is printed while it grows, an item when it is added, so that a run that is cut off has printed what it had. What
// an exception or a signal leaves open is closed: what is printed is JSON, or nothing. One may exist at a time.
class JsonStream {
 public:
  explicit JsonStream(FILE* to);
  // The array of `key` within an object, behind the members of `head`; `behind` is what a signal prints behind the object.
  JsonStream(FILE* to, Json const& head, std::string const& key, std::string const& behind = "");
  ~JsonStream();
  JsonStream(JsonStream const&) = delete;
  JsonStream& operator=(JsonStream const&) = delete;

  void add(Json const& item);
  // Ends the array and begins that of another key, behind the members of `between`.
  void next(Json const& between, std::string const& key);
  // Ends the array. In an object the members of `tail` follow it.
  void finish();
  void finish(Json const& tail);

 private:
  std::string end(Json const& tail) const;

  FILE* to_;
  std::string opening_, indent_, behind_;
  bool in_object_, empty_ = true, begun_ = false, finished_ = false;
};

}  // namespace skipper::cli
