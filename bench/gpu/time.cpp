// Verifies and times c2c problems on a GPU: x copy of the same bytes and x cuFFT, in one run. Problems come on
// standard input, one text or one case a line; with --clusters the cluster tier is allowed, with --json FILE the run is
// also written in the form of `skipper bench --json`.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

#include "gpu/engine.h"
#include "support/reference.h"

using namespace skipper;
using namespace skipper::testing;

namespace {

struct Cufft {
  int (*plan_many)(int*, int, int*, int*, int, int, int*, int, int, int, int) = nullptr;
  int (*c2c)(int, void*, void*, int) = nullptr;
  int (*z2z)(int, void*, void*, int) = nullptr;
  int (*destroy)(int) = nullptr;
  bool open() {
    for (char const* name : {"libcufft.so.12", "libcufft.so.11", "libcufft.so"})
      if (void* l = dlopen(name, RTLD_NOW)) {
        plan_many = reinterpret_cast<decltype(plan_many)>(dlsym(l, "cufftPlanMany"));
        c2c = reinterpret_cast<decltype(c2c)>(dlsym(l, "cufftExecC2C"));
        z2z = reinterpret_cast<decltype(z2z)>(dlsym(l, "cufftExecZ2Z"));
        destroy = reinterpret_cast<decltype(destroy)>(dlsym(l, "cufftDestroy"));
        return plan_many && c2c && z2z && destroy;
      }
    return false;
  }
};

struct Timing {
  double seconds = 0, spread = 0;  // median; half of the middle range over the median
};

template <class F>
Timing timed(gpu::Driver const& d, F f) {
  gpu::Event begin, end;
  d.create_event(&begin, 0);
  d.create_event(&end, 0);
  std::vector<double> times;
  f();
  f();
  d.synchronise();
  for (int k = 0; k < 7; ++k) {
    d.record_event(begin, nullptr);
    for (int r = 0; r < 4; ++r) f();
    d.record_event(end, nullptr);
    d.await_event(end);
    float ms = 0;
    d.elapsed(&ms, begin, end);
    times.push_back(ms / 4e3);
  }
  d.destroy_event(begin);
  d.destroy_event(end);
  std::sort(times.begin(), times.end());
  return {times[3], (times[5] - times[1]) / 2 / times[3]};
}

std::string json_cases;

void note(Problem const& problem, Timing ours, double copy, double theirs, Errors const& errors) {
  std::string const peers =
      theirs > 0 ? "\"cufft\": " + std::to_string(theirs * 1e6) + "e-6" : "";  // none: nothing
  char line[600];
  std::snprintf(line, sizeof line,
                "%s    {\"problem\": \"%s\", \"seconds\": %.9g, \"copy_seconds\": %.9g, \"peers\": {%s}, "
                "\"error_l2\": %.3g, "
                "\"error_max\": %.3g, \"spread\": %.3g}",
                json_cases.empty() ? "" : ",\n", text(problem).c_str(), ours.seconds, copy, peers.c_str(),
                errors.l2, errors.max, ours.spread);
  json_cases += line;
}

std::string output_of(char const* command) {
  std::string text;
  if (FILE* pipe = popen(command, "r")) {
    char buffer[200];
    while (fgets(buffer, sizeof buffer, pipe)) text += buffer;
    pclose(pipe);
  }
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

void write_json(char const* path, char const* commit, bool clusters) {
  FILE* const file = std::fopen(path, "w");
  if (!file) return;
  std::fprintf(file,
               "{\n  \"machine\": \"%s\",\n  \"date\": \"%s\",\n  \"commit\": \"%s\",\n  \"versions\": "
               "{\"driver\": \"%s\", \"clusters\": \"%s\"},\n  \"cases\": [\n%s\n  ]\n}\n",
               output_of("nvidia-smi --query-gpu=name --format=csv,noheader").c_str(),
               output_of("date -u +%Y-%m-%d").c_str(), commit,
               output_of("nvidia-smi --query-gpu=driver_version --format=csv,noheader").c_str(),
               clusters ? "allowed" : "off", json_cases.c_str());
  std::fclose(file);
}

template <class T>
void run(Problem const& problem, PlanOptions options, gpu::Driver const& d, Cufft const* cufft) {
  Program const program = planner(problem, gpu::device_machine(0), options).front().program;
  gpu::Transform const transform(program, 0);
  std::size_t const bytes = std::size_t(points(problem)) * 2 * sizeof(T);
  gpu::DevicePointer in = 0, out = 0, work = 0;
  gpu::demand(d.allocate(&in, bytes), "in");
  gpu::demand(d.allocate(&out, bytes), "out");
  if (transform.workspace_bytes()) gpu::demand(d.allocate(&work, transform.workspace_bytes()), "work");
  std::mt19937_64 random(7);
  static Array<T> x;  // made once, and longer when needed
  std::size_t const made = x.size();
  x.resize(std::max<std::size_t>(made, std::size_t(points(problem))));
  for (std::size_t i = made; i < x.size(); ++i) {  // noise, made faster than the standard generators do
    std::uint64_t h = (i + 1) * 0x9e3779b97f4a7c15ull;
    h = (h ^ (h >> 31)) * 0xbf58476d1ce4e5b9ull;
    h ^= h >> 29;
    x[i] = {T(double(h & 0xffffff) / 0x1000000 - 0.5), T(double(h >> 40) / 0x1000000 - 0.5)};
  }
  static Array<T> y;
  y.assign(std::size_t(points(problem)), {T(NAN), T(NAN)});
  d.to_device(in, x.data(), bytes);
  d.to_device(out, y.data(), bytes);
  auto const p = [](gpu::DevicePointer q) { return reinterpret_cast<void*>(q); };
  transform.execute(p(in), p(out), p(work));
  gpu::demand(d.synchronise(), "running");
  d.to_host(y.data(), out, bytes);
  Errors const errors = compare(program, x, y, random);
  double const copy = timed(d, [&] { d.copy_async(out, in, bytes, nullptr); }).seconds;
  Timing const mine = timed(d, [&] { transform.execute(p(in), p(out), p(work)); });
  double const ours = mine.seconds;
  double theirs = 0;
  if (cufft) {
    std::vector<int> n;
    int size = 1, batch = 1, handle = 0;
    for (Axis const& a : problem.axes) n.push_back(int(a.size)), size *= int(a.size);
    for (Dim const& b : problem.batch) batch *= int(b.size);
    bool const f32 = sizeof(T) == 4;
    if (cufft->plan_many(&handle, int(n.size()), n.data(), nullptr, 1, size, nullptr, 1, size,
                         f32 ? 0x29 : 0x69, batch) == 0) {
      theirs = timed(d, [&] { (f32 ? cufft->c2c : cufft->z2z)(handle, p(in), p(out), -1); }).seconds;
      cufft->destroy(handle);
    }
  }
  std::printf("%-40s sweeps %zu  ours %.2f x copy, cuFFT %.2f, cuFFT/ours %.2f, error %.1e %s\n",
              text(problem).c_str(), program.sweeps.size(), ours / copy, theirs / copy, theirs / ours,
              errors.l2, errors.l2 <= allowed_error(problem) ? "" : "WRONG");
  std::fflush(stdout);
  note(problem, mine, copy, theirs, errors);
  for (auto q : {in, out, work})
    if (q) d.release(q);
}

}  // namespace

int main(int argc, char** argv) {
  PlanOptions options{.clusters = false, .chunks = false, .most = 1};
  char const *json = nullptr, *commit = "unknown";
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--clusters")) options.clusters = true;
    if (!std::strcmp(argv[i], "--json") && i + 1 < argc) json = argv[++i];
    if (!std::strcmp(argv[i], "--commit") && i + 1 < argc) commit = argv[++i];
  }
  std::string reason;
  gpu::Driver const* const d = gpu::driver(&reason);
  if (!d) {
    std::printf("no GPU: %s\n", reason.c_str());
    return 77;
  }
  gpu::Current const current(0);
  Cufft cufft;
  bool const peer = cufft.open();
  for (std::string line; std::getline(std::cin, line);) {
    if (line.empty() || line[0] == '#') continue;
    try {
      Problem const problem = std::isdigit(line.back()) && line.find("forward") == std::string::npos
                                  ? parse_case(line)
                                  : parse_problem(line);
      if (problem.precision == Precision::f32)
        run<float>(problem, options, *d, peer ? &cufft : nullptr);
      else
        run<double>(problem, options, *d, peer ? &cufft : nullptr);
    } catch (std::exception const& e) {
      std::printf("%s: %s\n", line.c_str(), e.what());
    }
    if (json)
      write_json(json, commit, options.clusters);  // each time: a run that is cut short leaves what it has
  }
}
