// `skipper info`: what this machine has to run transforms on, and which machines can be planned for.
#include <skipper/skipper.h>

#include <cstdio>
#include <sstream>

#include "command.h"
#include "json.h"
#include "peers.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

// The facts of a machine's text, a line each: it is `machine NAME KIND ARCHITECTURE key value ...`.
void print_facts(std::string const& machine) {
  std::istringstream words(machine);
  std::string word, value;
  for (int i = 0; i < 4; ++i) words >> word;
  while (words >> word >> value) {
    bool const bytes = word.ends_with("_bytes") || word == "copy_bandwidth";
    std::string const shown =
        bytes ? bytes_text(std::stod(value)) + (word == "copy_bandwidth" ? "/s" : "") : value;
    if (value != "0") std::printf("    %-17s %s\n", word.c_str(), shown.c_str());
  }
}

Json as_json() {
  Json::Array list;
  for (DeviceDescription const& d : devices()) {
    Json::Array sets(d.instruction_sets.begin(), d.instruction_sets.end());
    list.push_back(Json::Object{
        {"name", d.name}, {"title", d.title}, {"machine", d.machine}, {"instruction_sets", sets}});
  }
  Json::Array peers;
  for (auto const& [name, version] : peer_versions())
    peers.push_back(Json::Object{{"name", name}, {"version", version}});
  std::vector<std::string> const names = machine_names();
  return Json::Object{{"version", version()},
                      {"devices", list},
                      {"peers", peers},
                      {"machines", Json::Array(names.begin(), names.end())}};
}

int run(Args const& args) {
  args.demand_operands(0, 0, "no operand");
  if (args.has("--json")) {
    std::printf("%s\n", as_json().text().c_str());
    return done;
  }
  std::printf("skipper %s\n\ndevices, the best one first:\n", version().c_str());
  for (DeviceDescription const& d : devices()) {
    std::printf("  %s: %s\n", d.name.c_str(), d.title.c_str());
    std::string sets;
    for (std::string const& set : d.instruction_sets) sets += " " + set;
    if (!sets.empty()) std::printf("    %-17s%s\n", "instruction sets", sets.c_str());
    print_facts(d.machine);
  }
  std::printf("\npeers to measure against:%s\n",
              peer_versions().empty() ? " none (FFTW's shared libraries are not installed)" : "");
  for (auto const& [name, version] : peer_versions())
    std::printf("  %s: %s\n", name.c_str(), version.c_str());
  std::printf("\nmachines to plan for: host");
  for (std::string const& name : machine_names()) std::printf(", %s", name.c_str());
  std::printf("\n");
  return done;
}

}  // namespace

Command info_command() {
  return {
      "info", "", "devices, machine facts, and what can be measured against", "", {{"--json", "", "as JSON"}},
      run};
}

}  // namespace skipper::cli
