// `skipper info`: what this machine has to run transforms on, and which machines can be planned for.
#include <skipper/skipper.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <span>
#include <sstream>
#include <string_view>

#include "command.h"
#include "json.h"
#include "peers.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

struct Fact {
  std::string_view key;    // in the machine's text
  std::string_view label;  // for people
  enum Unit { count, bytes, bytes_a_second } unit;
};

// Of a machine's facts, those that people ask for; a CPU's copy bandwidth is assumed, not measured, so it is not shown.
constexpr Fact cpu_facts[] = {{"sms", "cores", Fact::count},         {"vector_bytes", "vectors", Fact::bytes},
                              {"l1_bytes", "L1 cache", Fact::bytes}, {"l2_bytes", "L2 cache", Fact::bytes},
                              {"l3_bytes", "L3 cache", Fact::bytes}, {"memory_bytes", "memory", Fact::bytes}};
constexpr Fact gpu_facts[] = {
    {"sms", "multiprocessors", Fact::count},     {"shared_block", "shared a block", Fact::bytes},
    {"cluster", "largest cluster", Fact::count}, {"l2_bytes", "L2 cache", Fact::bytes},
    {"memory_bytes", "memory", Fact::bytes},     {"copy_bandwidth", "copy bandwidth", Fact::bytes_a_second}};

std::string fact_text(Fact const& fact, std::string const& value) {
  if (fact.unit == Fact::count) return value;
  return bytes_text(std::stod(value)) + (fact.unit == Fact::bytes_a_second ? "/s" : "");
}

void print_line(std::string_view label, std::string const& value) {
  std::printf("    %-17s %s\n", std::string(label).c_str(), value.c_str());
}

// The text is `machine NAME cpu|gpu ARCHITECTURE key value ...`.
void print_facts(std::string const& machine) {
  std::istringstream words(machine);
  std::string word, kind, value;
  words >> word >> word >> kind >> word;
  std::map<std::string, std::string, std::less<>> values;
  while (words >> word >> value) values[word] = value;
  for (Fact const& fact : kind == "cpu" ? std::span<Fact const>(cpu_facts) : gpu_facts)
    if (auto const found = values.find(fact.key); found != values.end() && found->second != "0")
      print_line(fact.label, fact_text(fact, found->second));
}

void print_tuning(Device const& device) {
  std::string const file = tuning_file(device);
  if (file.empty()) return;
  print_line("tuning", std::filesystem::exists(file) ? file : "none; `skipper tune` writes " + file);
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
  std::vector<std::string> const names = machine_names(), missing = missing_for_gpu();
  return Json::Object{{"version", version()},
                      {"devices", list},
                      {"missing_for_gpu", Json::Array(missing.begin(), missing.end())},
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
    if (!sets.empty()) print_line("instruction sets", sets.substr(1));
    print_facts(d.machine);
    if (d.name != "cpu") print_tuning(Device(d.name));
  }
  for (std::string const& line : missing_for_gpu()) std::printf("  no GPU: %s\n", line.c_str());
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
