// `skipper info`: what this machine has to run transforms on, and which machines can be planned for.
#include <skipper/skipper.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <sstream>
#include <string_view>

#include "command.h"
#include "escape.h"
#include "format.h"
#include "json.h"
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
  print("    {:<17} {}\n", label, escaped(value));
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

void print_kernel_cache(KernelCache const& cache) {
  print("\ncompiled kernels: {}\n",
        cache.folder.empty()
            ? "not kept, as no folder is named"
            : formatted("in {}, at most {}", escaped(cache.folder), bytes_text(double(cache.bytes))));
  for (std::string const& fault : cache.faults) print("  {}\n", escaped(fault));
}

Json as_json() {
  Json list = Json::array();
  for (DeviceDescription const& d : devices())
    list.push_back({{"name", d.name},
                    {"title", d.title},
                    {"machine", d.machine},
                    {"instruction_sets", d.instruction_sets}});
  KernelCache const cache = kernel_cache();
  return {{"version", version()},
          {"devices", list},
          {"missing_for_gpu", missing_for_gpu()},
          {"kernel_cache", {{"folder", cache.folder}, {"bytes", cache.bytes}, {"faults", cache.faults}}},
          {"machines", machine_names()}};
}

int run(bool json) {
  if (json) {
    print("{}\n", json_text(as_json()));
    return done;
  }
  print("skipper {}\n\ndevices, the best one first:\n", version());
  for (DeviceDescription const& d : devices()) {
    print("  {}: {}\n", d.name, escaped(d.title));
    if (!d.instruction_sets.empty()) print_line("instruction sets", joined(d.instruction_sets, " "));
    print_facts(d.machine);
    if (d.name != "cpu") print_tuning(Device(d.name));
  }
  for (std::string const& line : missing_for_gpu()) print("  no GPU: {}\n", escaped(line));
  print_kernel_cache(kernel_cache());
  print("\nmachines to plan for: host, {}\n", joined(machine_names(), ", "));
  return done;
}

}  // namespace

Command info_command(CLI::App& program) {
  auto const json = std::make_shared<bool>(false);
  CLI::App& c = add_command(program, "info", "devices, machine facts, and machines that can be planned for");
  add_flag(c, "--json", *json, "as JSON");
  return {&c, [json] { return run(*json); }};
}

}  // namespace skipper::cli
