// See json.h.
#include "json.h"

#include <nlohmann/json.hpp>

#include "format.h"
#include "unfinished.h"

namespace skipper::cli {
namespace {

// The members of an object, as they stand between its braces.
std::string members(Json const& object) {
  std::string const text = json_text(object);
  return object.empty() ? "" : text.substr(1, text.size() - 3);  // without { and \n}
}

// Without "[json.exception.parse_error.101] ", which is nobody's help.
std::string reason(std::exception const& e) {
  std::string const what = e.what();
  std::size_t const end = what.find("] ");
  return what.starts_with("[json.exception") && end != what.npos ? what.substr(end + 2) : what;
}

}  // namespace

std::string json_text(Json const& json) {
  return json.dump(2, ' ', true, nlohmann::detail::error_handler_t::replace);
}

Json parse_json(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (nlohmann::json::exception const& e) {
    throw JsonError(reason(e));
  }
}

JsonStream::JsonStream(FILE* to) : to_(to), opening_("["), indent_("  "), in_object_(false) {}

JsonStream::JsonStream(FILE* to, Json const& head, std::string const& key, std::string const& behind)
    : to_(to),
      opening_(formatted("{{{}{}\n  {}: [", members(head), head.empty() ? "" : ",", json_text(key))),
      indent_("    "),
      behind_(behind),
      in_object_(true) {}

JsonStream::~JsonStream() {
  if (begun_ && !finished_) finish();
}

std::string JsonStream::end(Json const& tail) const {
  std::string const array = formatted("{}{}]", empty_ ? opening_ : "\n", empty_ || !in_object_ ? "" : "  ");
  if (!in_object_) return array + "\n";
  return formatted("{}{}{}\n}}\n", array, tail.empty() ? "" : ",", members(tail));
}

void JsonStream::add(Json const& item) {
  std::string text = json_text(item);  // no string in it has a line break
  for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos; ++at) text.insert(at + 1, indent_);
  UnfinishedText whole;
  print(to_, "{}\n{}{}", empty_ ? opening_ : ",", indent_, text);
  std::fflush(to_);
  empty_ = false, begun_ = true;
  whole.ends_by(::fileno(to_), end(Json::object()) + behind_);
}

void JsonStream::next(Json const& between, std::string const& key) {
  opening_ = formatted("{}],{}{}\n  {}: [", empty_ ? opening_ : "\n  ", members(between),
                       between.empty() ? "" : ",", json_text(key));
  empty_ = true;
}

void JsonStream::finish() { finish(Json::object()); }

void JsonStream::finish(Json const& tail) {
  UnfinishedText const whole;
  print(to_, "{}", end(tail));
  std::fflush(to_);
  finished_ = true;
}

}  // namespace skipper::cli
