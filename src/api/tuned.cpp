// See tuned.h.
#include "api/tuned.h"

#include <skipper/tuning.h>

#include <string_view>
#include <utility>

#include "api/engine.h"
#include "api/tuning_files.h"
#include "base/environment.h"
#include "gpu/cache.h"
#include "gpu/device.h"
#include "plan/tuning.h"

namespace skipper {
namespace {

std::string named_by_variable() { return environment("SKIPPER_TUNING"); }

std::string usual_file(Machine const& machine) {
  std::string const folder = gpu::cache_folder();
  return folder.empty() ? "" : folder + "/tuning-" + machine.name + ".txt";
}

Machine const& machine_of(Device const& device) {
  auto const number = cuda_number(device.name());
  if (!number) throw Error("device", "'" + device.name() + "' is not tuned; only GPUs are");
  return gpu::device_machine(*number);
}

/// Of a file that is to be written anew: one that is damaged is not destroyed.
Tuning tuning_of(std::string const& contents, std::string const& file) try {
  return parse_tuning(contents);
} catch (Error const& e) {
  throw Error("tuning",
              "'" + file + "' cannot be added to: " + e.what() + "; remove it, or give another file");
}

}  // namespace

std::string tuning_file(Device const& device) {
  if (std::string const named = named_by_variable(); !named.empty()) return named;
  return usual_file(machine_of(device));
}

Tuned tuned(Problem const& problem, GpuSettings const& settings, Machine const& machine) {
  if (problem.order != Order::natural) return {};  // a plan and its inverse agree on the planner's radices
  std::string const named = !settings.tuning.empty() ? settings.tuning : named_by_variable();
  std::string const path = named.empty() ? usual_file(machine) : named;
  if (path.empty()) return {};
  auto const [contents, fault] = read_tuning(path);
  if (!contents && !named.empty())
    throw Error("tuning", "'" + path + "' " +
                              (fault.empty() ? "cannot be read" : "is not used, as " + fault) +
                              "; make it with `skipper tune`, or name no file");
  if (!contents)
    return {std::nullopt, fault.empty() ? "" : "not tuned: " + path + ": " + fault + "\n", "", false};
  try {
    std::string_view programs = *contents;
    Tuning const head = parse_head(programs);
    if (std::string const why = mismatch(head, machine); !why.empty())
      throw Error("tuning", why + "; tune again");
    auto program = find_program(programs, problem);
    if (!program) return {};
    return {std::move(program), "tuned: " + path + "\n", path, !named.empty()};
  } catch (Error const& e) {
    if (!named.empty()) throw Error("tuning", "'" + path + "' is not used: " + e.what());
    return {std::nullopt, "not tuned: " + path + ": " + e.what() + "\n", path, false};
  }
}

void keep_tuned(std::string const& file, Device const& device, std::vector<std::string> const& programs) {
  Tuning tuning = empty_tuning(machine_of(device));
  auto const [contents, fault] = read_tuning(file);
  if (!fault.empty())
    throw Error("tuning", "'" + file + "' cannot be added to, as " + fault + "; give another file");
  if (contents) {
    Tuning before = tuning_of(*contents, file);
    bool const same_version = before.version == tuning.version;
    before.version = tuning.version;
    if (std::string const why = mismatch(before, tuning.machine); !why.empty())
      throw Error("tuning", "'" + file + "' " + why + "; give another file");
    if (same_version) tuning.programs = std::move(before.programs);
  }
  for (std::string const& text : programs) {
    Program program = parse_program(text);
    if (program.problem.order != Order::natural)
      throw Error("order",
                  "is digit-reversed, where a plan and its inverse must agree on radices and so take the "
                  "planner's; tune the natural order");
    put(tuning, std::move(program));
  }
  write_tuning(file, text(tuning));
}

}  // namespace skipper
