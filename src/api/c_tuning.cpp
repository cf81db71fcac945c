// The C interface to the planner's candidates, tuning files and devices.
#include <skipper/device.h>
#include <skipper/planning.h>
#include <skipper/tuning.h>

#include "api/c_problem.h"

struct skipper_candidates {
  std::vector<skipper::PlannedProgram> programs;
};

using namespace skipper::c;
using skipper::Error;

namespace {

skipper::DeviceDescription device_at(int i) {
  std::vector<skipper::DeviceDescription> const all = skipper::devices();
  if (i < 0 || i >= int(all.size()))
    throw Error(
        "i", "is " + std::to_string(i) + " but there are the devices 0 to " + std::to_string(all.size() - 1));
  return all[std::size_t(i)];
}

}  // namespace

extern "C" {

int skipper_candidates_create(skipper_candidates** candidates, skipper_problem const* problem,
                              char const* machine, int max_candidates) {
  return guarded([&] {
    demanded(candidates, "candidates") = nullptr;
    skipper::PlanningOptions options;
    options.max_candidates = max_candidates;
    *candidates =
        new skipper_candidates{skipper::planned(problem_of(problem), &demanded(machine, "machine"), options)};
  });
}

void skipper_candidates_destroy(skipper_candidates* candidates) { delete candidates; }

int skipper_candidates_count(skipper_candidates const* candidates, int* count) {
  return guarded([&] { demanded(count, "count") = int(demanded(candidates, "candidates").programs.size()); });
}

int skipper_candidates_text(skipper_candidates const* candidates, int i, char* text, long long size,
                            long long* needed, double* estimate) {
  return guarded([&] {
    auto const& all = demanded(candidates, "candidates").programs;
    if (i < 0 || i >= int(all.size()))
      throw Error("i", "is " + std::to_string(i) + " but there are the candidates 0 to " +
                           std::to_string(all.size() - 1));
    hand_out(all[std::size_t(i)].text, text, size, needed);
    if (estimate) *estimate = all[std::size_t(i)].estimate;
  });
}

int skipper_tuning_file(char const* device, char* text, long long size, long long* needed) {
  return guarded([&] { hand_out(skipper::tuning_file(device_of(device)), text, size, needed); });
}

int skipper_keep_tuned(char const* file, char const* device, char const* const* programs, int count) {
  return guarded([&] {
    demanded(file, "file");
    if (count < 0) throw Error("count", "is " + std::to_string(count) + " but must be at least 0");
    if (count > 0) demanded(programs, "programs");
    std::vector<std::string> texts;
    for (int i = 0; i < count; ++i)
      texts.emplace_back(&demanded(programs[i], ("programs[" + std::to_string(i) + "]").c_str()));
    skipper::keep_tuned(file, device_of(device), texts);
  });
}

int skipper_device_count(int* count) {
  return guarded([&] { demanded(count, "count") = int(skipper::devices().size()); });
}

int skipper_device_name(int i, char* text, long long size, long long* needed) {
  return guarded([&] { hand_out(device_at(i).name, text, size, needed); });
}

int skipper_device_machine(int i, char* text, long long size, long long* needed) {
  return guarded([&] { hand_out(device_at(i).machine, text, size, needed); });
}

}  // extern "C"
