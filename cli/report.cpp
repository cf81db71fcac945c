// Reports as JSON, there and back; report_printer.cpp prints them for people, report_plot.cpp draws them.
#include "report.h"

#include <skipper/device.h>
#include <skipper/version.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "commit.h"
#include "format.h"
#include "input_file.h"
#include "output_file.h"
#include "peers.h"

namespace skipper::cli {
namespace {

std::string date_text() {
  std::time_t const seconds = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

template <class T>
Json by_name(std::vector<std::pair<std::string, T>> const& values) {
  Json json = Json::object();
  for (auto const& [name, value] : values) json[name] = value;
  return json;
}

// Parts of what is read; what is missing or of another sort is a JsonError that names the key.
Json const& part(Json const& json, std::string const& key) {
  auto const found = json.find(key);  // of what is no object: nothing
  if (found == json.end()) throw JsonError("the key '" + key + "' is missing");
  return *found;
}
template <class T>
T value(Json const& json, std::string const& key, char const* what) {
  try {
    return json.get<T>();
  } catch (Json::exception const&) {
    throw JsonError("the value of '" + key + "' is not " + what);
  }
}
std::string text_at(Json const& json, std::string const& key) {
  return value<std::string>(part(json, key), key, "a text");
}
// A number that could not be written is null.
double number_at(Json const& json, std::string const& key) {
  Json const& found = part(json, key);
  return found.is_null() ? NAN : value<double>(found, key, "a number");
}
std::vector<std::pair<std::string, double>> numbers_at(Json const& json, std::string const& key) {
  std::vector<std::pair<std::string, double>> result;
  for (auto const& [name, seconds] : part(json, key).items())
    result.emplace_back(name, number_at(part(json, key), name));
  return result;
}

MeasuredCase case_from(Json const& json) {
  MeasuredCase c;
  c.problem = text_at(json, "problem");
  try {
    parse_problem(c.problem);
  } catch (Error const& e) {
    throw JsonError(std::string("a case has a wrong problem: ") + e.what());
  }
  c.seconds = number_at(json, "seconds");
  if (!(c.seconds > 0)) throw JsonError("the seconds of '" + c.problem + "' are not above 0");
  c.copy_seconds = number_at(json, "copy_seconds");
  c.peers = numbers_at(json, "peers");
  c.error_l2 = number_at(json, "error_l2");
  c.error_max = number_at(json, "error_max");
  c.spread = number_at(json, "spread");
  if (json.contains("peer_errors")) c.peer_errors = numbers_at(json, "peer_errors");
  if (json.contains("plan_seconds")) c.plan_seconds = number_at(json, "plan_seconds");
  if (json.contains("peers_held_back"))
    c.peers_held_back = value<bool>(json["peers_held_back"], "peers_held_back", "true or false");
  if (json.contains("tuning")) c.tuning = text_at(json, "tuning");
  return c;
}

}  // namespace

double operations(Problem const& problem) {
  double n = 1, batch = 1;
  for (Axis const& a : problem.axes) n *= double(a.size);
  for (Dim const& d : problem.batch) batch *= double(d.size);
  return (problem.kind == Kind::c2c ? 5.0 : 2.5) * n * std::log2(n) * batch;
}

double moved_bytes(Problem const& problem) {
  double in = double(in_element_bytes(problem)), out = double(out_element_bytes(problem));
  for (std::size_t a = 0; a < problem.axes.size(); ++a) {
    in *= double(in_size(problem, a));
    out *= double(out_size(problem, a));
  }
  for (Dim const& d : problem.batch) in *= double(d.size), out *= double(d.size);
  return in + out;
}

Report empty_report(std::string const& device, int threads, std::vector<std::string> const& peers) {
  Report report;
  for (DeviceDescription const& d : devices())
    if (d.name == device) report.machine = d.machine;
  report.date = date_text();
  report.commit = built_commit;
  report.versions = {{"skipper", version()}, {"compiler", __VERSION__}};
  for (auto const& peer : peer_versions())
    if (std::find(peers.begin(), peers.end(), peer.first) != peers.end()) report.versions.push_back(peer);
  report.device = device;
  report.threads = threads;
  return report;
}

Json head_json(Report const& report) {
  return {{"machine", report.machine}, {"date", report.date},
          {"commit", report.commit},   {"versions", by_name(report.versions)},
          {"device", report.device},   {"threads", report.threads}};
}

Json to_json(MeasuredCase const& c) {
  Json json{{"problem", c.problem},      {"seconds", c.seconds},   {"copy_seconds", c.copy_seconds},
            {"peers", by_name(c.peers)}, {"error_l2", c.error_l2}, {"error_max", c.error_max},
            {"spread", c.spread}};
  if (!c.peer_errors.empty()) json["peer_errors"] = by_name(c.peer_errors);
  if (c.plan_seconds > 0) json["plan_seconds"] = c.plan_seconds;
  if (c.peers_held_back) json["peers_held_back"] = true;
  if (!c.tuning.empty()) json["tuning"] = c.tuning;
  return json;
}

Json skipped_json(Report const& report) {
  Json skipped = Json::array();
  for (SkippedCase const& s : report.skipped)
    skipped.push_back({{"problem", s.problem}, {"reason", s.reason}});
  return skipped;
}

Json to_json(Report const& report) {
  Json json = head_json(report);
  json["cases"] = Json::array();
  for (MeasuredCase const& c : report.cases) json["cases"].push_back(to_json(c));
  json["skipped"] = skipped_json(report);
  return json;
}

Report report_from_json(Json const& json) {
  Report report;
  report.machine = text_at(json, "machine");
  report.date = text_at(json, "date");
  report.commit = text_at(json, "commit");
  for (auto const& [name, version] : part(json, "versions").items())
    report.versions.emplace_back(name, value<std::string>(version, name, "a text"));
  if (json.contains("device")) report.device = text_at(json, "device");
  if (json.contains("threads")) report.threads = value<int>(json["threads"], "threads", "a number");
  for (Json const& c : part(json, "cases")) report.cases.push_back(case_from(c));
  return report;
}

Report read_report(std::string const& path) {
  std::string const content = read_file(path);
  try {
    return report_from_json(parse_json(content));
  } catch (JsonError const& e) {
    throw JsonError(path + ": " + e.what() + "; it must be what `skipper bench --json` prints");
  }
}

void save_report(std::string const& path, Report const& report, bool last) {
  OutputFile out(path);
  if (!last && !out.is_replaced()) return;
  out.write(json_text(to_json(report)) + "\n");
  out.finish();
}

bool any_failed(Report const& report) {
  return std::any_of(report.skipped.begin(), report.skipped.end(),
                     [](SkippedCase const& s) { return s.failed; });
}

double best_peer(MeasuredCase const& c) {
  double best = INFINITY;
  for (auto const& [name, seconds] : c.peers) best = std::min(best, seconds);
  return best;
}

std::vector<std::string> peer_names(Report const& report) {
  std::vector<std::string> names;
  for (MeasuredCase const& c : report.cases)
    for (auto const& [name, seconds] : c.peers)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

std::string versions_line(Report const& report) {
  std::vector<std::string> words;
  for (auto const& [name, version] : report.versions) words.push_back(name + " " + version);
  return joined(words, ", ");
}

}  // namespace skipper::cli
