// Reports as tables, JSON and CSV; report_plot.cpp draws them.
#include "report.h"

#include <skipper/device.h>
#include <skipper/version.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>

#include "commit.h"
#include "escape.h"
#include "input_file.h"
#include "output_file.h"
#include "peers.h"
#include "terminal.h"

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

Json case_json(MeasuredCase const& c) {
  Json::Object peers;
  for (auto const& [name, seconds] : c.peers) peers.emplace_back(name, seconds);
  Json::Object json{{"problem", c.problem}, {"seconds", c.seconds},   {"copy_seconds", c.copy_seconds},
                    {"peers", peers},       {"error_l2", c.error_l2}, {"error_max", c.error_max},
                    {"spread", c.spread}};
  Json::Object peer_errors;
  for (auto const& [name, error] : c.peer_errors) peer_errors.emplace_back(name, error);
  if (!peer_errors.empty()) json.emplace_back("peer_errors", peer_errors);
  if (c.plan_seconds > 0) json.emplace_back("plan_seconds", c.plan_seconds);
  if (c.peers_held_back) json.emplace_back("peers_held_back", true);
  if (!c.tuning.empty()) json.emplace_back("tuning", c.tuning);
  return json;
}

// A number that could not be written is null.
double number_or_nan(Json const& json) { return json.is_null() ? NAN : json.number(); }

MeasuredCase case_from(Json const& json) {
  MeasuredCase c;
  c.problem = json.at("problem").string();
  try {
    parse_problem(c.problem);
  } catch (Error const& e) {
    throw JsonError(std::string("a case has a wrong problem: ") + e.what());
  }
  c.seconds = json.at("seconds").number();
  if (!(c.seconds > 0)) throw JsonError("the seconds of '" + c.problem + "' are not above 0");
  c.copy_seconds = number_or_nan(json.at("copy_seconds"));
  for (auto const& [name, seconds] : json.at("peers").object()) c.peers.emplace_back(name, seconds.number());
  c.error_l2 = number_or_nan(json.at("error_l2"));
  c.error_max = number_or_nan(json.at("error_max"));
  c.spread = number_or_nan(json.at("spread"));
  if (Json const* errors = json.find("peer_errors"))
    for (auto const& [name, error] : errors->object()) c.peer_errors.emplace_back(name, number_or_nan(error));
  if (Json const* seconds = json.find("plan_seconds")) c.plan_seconds = seconds->number();
  if (Json const* held_back = json.find("peers_held_back")) c.peers_held_back = held_back->boolean();
  if (Json const* tuning = json.find("tuning")) c.tuning = tuning->string();
  return c;
}

std::string exact(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string mean_line(Report const& report) {
  double sum = 0;
  int count = 0;
  for (MeasuredCase const& c : report.cases)
    if (std::isfinite(best_peer(c))) {
      sum += std::log(c.seconds / best_peer(c));
      ++count;
    }
  if (!count) return "";
  return "geometric mean of the time over the fastest peer's: " + number_text(std::exp(sum / count)) + " (" +
         std::to_string(count) + (count == 1 ? " case)\n" : " cases)\n");
}

/// "tuned: FILE (3 of 4 plans)", a line for each thing that plans say about it.
std::string tuning_lines(Report const& report) {
  std::map<std::string, int> counts;
  for (MeasuredCase const& c : report.cases)
    if (!c.tuning.empty()) ++counts[c.tuning];
  std::string out;
  for (auto const& [line, count] : counts)
    out += line + " (" + std::to_string(count) + " of " + std::to_string(report.cases.size()) + " plans)\n";
  return out;
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

Json to_json(Report const& report) {
  Json::Object versions;
  for (auto const& [name, version] : report.versions) versions.emplace_back(name, version);
  Json::Array cases, skipped;
  for (MeasuredCase const& c : report.cases) cases.push_back(case_json(c));
  for (auto const& [problem, why] : report.skipped)
    skipped.push_back(Json::Object{{"problem", problem}, {"reason", why}});
  return Json::Object{{"machine", report.machine},
                      {"date", report.date},
                      {"commit", report.commit},
                      {"versions", versions},
                      {"device", report.device},
                      {"threads", report.threads},
                      {"cases", cases},
                      {"skipped", skipped}};
}

Report report_from_json(Json const& json) {
  Report report;
  report.machine = json.at("machine").string();
  report.date = json.at("date").string();
  report.commit = json.at("commit").string();
  for (auto const& [name, version] : json.at("versions").object())
    report.versions.emplace_back(name, version.string());
  if (Json const* device = json.find("device")) report.device = device->string();
  if (Json const* threads = json.find("threads")) report.threads = int(threads->number());
  for (Json const& c : json.at("cases").array()) report.cases.push_back(case_from(c));
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
  out.write(to_json(report).text() + "\n");
  out.finish();
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
  std::string line;
  for (auto const& [name, version] : report.versions)
    line += (line.empty() ? "" : ", ") + name + " " + version;
  return line;
}

std::string csv(Report const& report) {
  std::vector<std::string> const names = peer_names(report);
  std::string out = "problem,seconds,copy_seconds,";
  for (std::string const& name : names) out += name + "_seconds,";
  out += "gflops,gigabytes_per_second,error_l2,error_max,spread\n";
  for (MeasuredCase const& c : report.cases) {
    Problem const problem = parse_problem(c.problem);
    out += "\"" + c.problem + "\"," + exact(c.seconds) + "," + exact(c.copy_seconds) + ",";
    for (std::string const& name : names) {
      for (auto const& [peer, seconds] : c.peers)
        if (peer == name) out += exact(seconds);
      out += ",";
    }
    out += exact(operations(problem) / c.seconds / 1e9) + "," +
           exact(moved_bytes(problem) / c.seconds / 1e9) + "," + exact(c.error_l2) + "," +
           exact(c.error_max) + "," + exact(c.spread) + "\n";
  }
  return out;
}

std::string table(Report const& report) {
  bool const peers = !peer_names(report).empty();
  std::vector<std::string> heading{"problem", "time", "spread", "GFLOPS", "GB/s", "x copy"};
  if (peers) heading.insert(heading.end(), {"peer", "x peer"});
  heading.push_back("error l2");
  bool peer_errors = false;
  for (MeasuredCase const& c : report.cases) peer_errors = peer_errors || !c.peer_errors.empty();
  if (peer_errors) heading.push_back("peer's");
  Table rows(heading);
  for (MeasuredCase const& c : report.cases) {
    Problem const problem = parse_problem(c.problem);
    std::vector<std::string> row{c.problem,
                                 seconds_text(c.seconds),
                                 number_text(100 * c.spread, 2) + "%",
                                 number_text(operations(problem) / c.seconds / 1e9),
                                 number_text(moved_bytes(problem) / c.seconds / 1e9),
                                 number_text(c.seconds / c.copy_seconds)};
    if (peers && c.peers.empty()) row.insert(row.end(), {"-", "-"});
    if (!c.peers.empty())
      row.insert(row.end(), {seconds_text(best_peer(c)), number_text(c.seconds / best_peer(c))});
    row.push_back(number_text(c.error_l2, 2));
    if (peer_errors) row.push_back(c.peer_errors.empty() ? "-" : number_text(c.peer_errors[0].second, 2));
    rows.add(row);
  }
  std::string out = rows.text() + mean_line(report) + tuning_lines(report);
  for (auto const& [problem, why] : report.skipped)
    out += "not measured: " + escaped(problem + ": " + why) + "\n";
  return out + "device " + report.device + ", " + std::to_string(report.threads) +
         (report.threads == 1 ? " thread; " : " threads; ") + versions_line(report) + "\n";
}

}  // namespace skipper::cli
