// What planning takes. For GPUs: seconds of the search on an H200's facts, for problems that were made to be hard; at most 1
// for six axes and fewer, 2 for any. For the CPU: seconds the first time and again, against the time of one execution, for the
// problems given as arguments or a list of long primes, cosine and sine kinds and what cannot fit. The bounds to keep: at
// most 0.2 s or three executions, whichever is more; again in microseconds; refused at once. Bytes are counted by
// tests/cpu/planning_test.cpp.
#include <skipper/error.h>
#include <skipper/plan.h>
#include <skipper/planning.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace skipper;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<std::string> const usual = {
    "c2c f32 forward 16777216",    "c2c f32 forward 16777213",      "c2c f32 forward 16777217",
    "c2c f64 forward 1000003",     "r2c f32 forward 16777216",      "r2c f32 forward 1000003",
    "r2r f32 16777216 kinds dct2", "r2r f32 16777216 kinds dct4",   "r2r f32 16777216 kinds dst1",
    "r2r f32 1000003 kinds dct1",  "r2r f32 1000003 kinds dct2",    "r2r f32 1000003 kinds dct3",
    "r2r f32 1000003 kinds dct4",  "r2r f32 1048576 kinds dst1",    "c2r f32 inverse 1000003",
    "r2c f64 forward 1000003",     "r2r f32 262144 kinds dct4",     "r2r f32 262143 kinds dct2",
    "c2c f32 forward 10007x1009",  "c2c f32 forward 1000015",       "r2c f32 forward 1000015",
    "c2c f32 forward 17179869184", "c2c f32 forward 1099511627776", "r2c f32 forward 1152921504606846976"};

std::vector<std::string> const hard_for_gpus = {
    "r2r f32 12x12x12x12x12 kinds dct2,dct2,dct2,dct2,dct2",
    "r2r f32 12x12x12x12x12x12 kinds dct2,dct2,dct2,dct2,dct2,dct2",
    "c2c f32 forward 10007x10007x11",
    "c2c f32 forward 100003x100019",
    "c2c f16 forward 1000x1000x1000",
    "c2c f16 forward 971x7x7x79x36x7",
    "c2c f64 forward 73x29x24x53x23",
    "c2c f32 forward 61x97x83",
    "c2c f32 forward 2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2"};

void measure_search(std::string const& text) {
  double const start = now();
  try {
    auto const programs = planned(parse_problem(text), "h200");
    double const seconds = now() - start;
    std::printf("%-70s search %6.3f s, %zu sweeps, about %.2f copies\n", text.c_str(), seconds,
                programs[0].sweeps.size(), programs[0].estimate);
  } catch (Error const& e) {
    std::printf("%-70s refused after %6.3f s: %s\n", text.c_str(), now() - start, e.what());
  }
}

double fastest_execution(Plan const& plan) {
  std::vector<std::byte> in(static_cast<std::size_t>(in_bytes(plan.problem()))),
      out(static_cast<std::size_t>(out_bytes(plan.problem()))), workspace(plan.workspace_bytes() + 64);
  double best = 1e300;
  for (int i = 0; i < 3; ++i) {
    double const start = now();
    plan.execute(in.data(), out.data(), {.workspace = workspace.data()});
    best = std::min(best, now() - start);
  }
  return best;
}

void measure(std::string const& text) {
  PlanSettings settings;
  settings.device = Device("cpu");
  double start = now();
  try {
    Plan const plan(parse_problem(text), settings);
    double const first = now() - start;
    start = now();
    { Plan const again(parse_problem(text), settings); }
    double const second = now() - start, execution = fastest_execution(plan);
    bool const kept = first <= std::max(0.2, 3 * execution);
    std::printf("%-40s plan %9.6f s, again %9.6f s, execution %9.6f s: %7.2f executions%s\n", text.c_str(),
                first, second, execution, first / execution, kept ? "" : ", too long");
  } catch (Error const& e) {
    std::printf("%-40s refused after %9.6f s: %s\n", text.c_str(), now() - start, e.what());
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> const given(arguments + 1, arguments + count);
  for (std::string const& text : given.empty() ? hard_for_gpus : given) measure_search(text);
  for (std::string const& text : given.empty() ? usual : given) measure(text);
}
