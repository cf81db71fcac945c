// The CPU engine against FFTW 3 in one run on one machine: out of place, best of several runs of each, taken in turn.
// FFTW is opened at run time and planned with MEASURE; its few functions are declared here by hand. Usage:
//   against_fftw [threads] [problem text ...]      e.g.  against_fftw 1 "c2c f32 forward 1024"
// Without problems the built-in list is run. Prints a table and the geometric mean of the ratios.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "cpu/engine.h"

namespace {

using namespace skipper;
using Plan = void*;

struct Fftw {
  Plan (*many_dft)(int, int const*, int, void*, int const*, int, int, void*, int const*, int, int, int,
                   unsigned) = nullptr;
  Plan (*many_r2c)(int, int const*, int, void*, int const*, int, int, void*, int const*, int, int,
                   unsigned) = nullptr;
  Plan (*many_c2r)(int, int const*, int, void*, int const*, int, int, void*, int const*, int, int,
                   unsigned) = nullptr;
  void (*execute)(Plan) = nullptr;
  void (*destroy)(Plan) = nullptr;
  int (*init_threads)() = nullptr;
  void (*with_threads)(int) = nullptr;
  int (*import_wisdom)(char const*) = nullptr;
  int (*export_wisdom)(char const*) = nullptr;
  void (*time_limit)(double) = nullptr;
};

/// prefix "fftw" or "fftwf".
Fftw open_fftw(std::string const& prefix, bool threads) {
  std::string const base = prefix == "fftw" ? "libfftw3" : "libfftw3f";
  void* const library = dlopen((base + ".so.3").c_str(), RTLD_NOW | RTLD_GLOBAL);
  void* const threaded = threads ? dlopen((base + "_threads.so.3").c_str(), RTLD_NOW | RTLD_GLOBAL) : nullptr;
  Fftw f;
  if (!library) return f;
  auto find = [&](auto& place, char const* name, void* from) {
    if (from)
      place =
          reinterpret_cast<std::remove_reference_t<decltype(place)>>(dlsym(from, (prefix + name).c_str()));
  };
  find(f.init_threads, "_init_threads", threaded);
  find(f.with_threads, "_plan_with_nthreads", threaded);
  find(f.many_dft, "_plan_many_dft", library);
  find(f.many_r2c, "_plan_many_dft_r2c", library);
  find(f.many_c2r, "_plan_many_dft_c2r", library);
  find(f.execute, "_execute", library);
  find(f.destroy, "_destroy_plan", library);
  find(f.import_wisdom, "_import_wisdom_from_filename", library);
  find(f.export_wisdom, "_export_wisdom_to_filename", library);
  find(f.time_limit, "_set_timelimit", library);
  return f;
}

double seconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Best seconds of one call of f, of `turns` measurements.
template <class F>
double once(F f, int repeats) {
  double const start = seconds();
  for (int i = 0; i < repeats; ++i) f();
  return (seconds() - start) / repeats;
}

std::vector<std::string> built_in() {
  std::vector<std::string> all;
  for (std::string precision : {"f32", "f64"}) {
    auto add = [&](std::string const& what) { all.push_back(what); };
    std::string const c = "c2c " + precision + " forward ", r = "r2c " + precision + " forward ";
    for (int e = 4; e <= 22; ++e) add(c + std::to_string(1 << e));
    for (int n : {60, 100, 243, 360, 1000, 1155, 2187, 3125, 10000, 44100, 100000, 1000000})
      add(c + std::to_string(n));
    for (int n : {17, 101, 509, 1009, 4093, 10007}) add(c + std::to_string(n));
    for (int n : {64, 128, 256, 512, 1024, 2048}) add(c + std::to_string(n) + "x" + std::to_string(n));
    for (int n : {16, 32, 64, 128, 256}) {
      std::string const s = std::to_string(n);
      add(c + s + "x" + s + "x" + s);
    }
    for (std::string shape : {"8 batch 65536", "16 batch 16384", "64 batch 4096", "100 batch 4096",
                              "256 batch 1024", "1024 batch 256", "64x64 batch 64"})
      add(c + shape);
    for (std::string shape : {"64", "256", "1024", "4096", "65536", "1048576", "1000", "512x512", "1024x1024",
                              "64x64x64", "128x128x128", "1024 batch 256"})
      add(r + shape);
  }
  return all;
}

std::string family(Problem const& p) {
  bool prime = false, power = true;
  for (Axis const& a : p.axes) {
    power = power && (a.size & (a.size - 1)) == 0;
    for (int f = 17; f <= a.size; ++f) {
      Index n = a.size;
      for (Index d = 2; d * d <= n; ++d)
        while (n % d == 0 && n > d) n /= d;
      prime = prime || n > 13;
      break;
    }
  }
  std::string const kind = std::string(name(p.kind));
  if (!p.batch.empty()) return kind + " batched";
  if (p.axes.size() > 1) return kind + " " + std::to_string(p.axes.size()) + "-D";
  return kind + (prime ? " prime" : power ? " 1-D 2^k" : " smooth");
}

}  // namespace

int main(int argc, char** argv) {
  int const threads = argc > 1 ? std::atoi(argv[1]) : 1;
  std::vector<std::string> cases(argv + std::min(argc, 2), argv + argc);
  if (cases.empty()) cases = built_in();
  Fftw const single = open_fftw("fftwf", threads > 1), wide = open_fftw("fftw", threads > 1);
  for (Fftw const& f : {single, wide})
    if (threads > 1 && f.init_threads) f.init_threads(), f.with_threads(threads);
  // MEASURE takes minutes for the list: FFTW_WISDOM names a prefix of files that keep its plans between runs, and
  // FFTW_SECONDS bounds the time for one plan, for quick looks only.
  std::string const wisdom = std::getenv("FFTW_WISDOM") ? std::getenv("FFTW_WISDOM") : "";
  std::string const kept[2] = {wisdom + "32." + std::to_string(threads),
                               wisdom + "64." + std::to_string(threads)};
  for (int i = 0; i < 2; ++i) {
    Fftw const& f = i ? wide : single;
    if (!wisdom.empty() && f.import_wisdom) f.import_wisdom(kept[i].c_str());
    if (std::getenv("FFTW_SECONDS") && f.time_limit) f.time_limit(std::atof(std::getenv("FFTW_SECONDS")));
  }
  std::map<std::string, std::pair<double, int>> means;
  double total = 0;
  std::printf("%-34s %12s %12s %7s\n", "problem", "ours us", "fftw us", "ratio");
  for (std::string const& line : cases) {
    Problem const p = parse_problem(line);
    cpu::Options options;
    options.threads = threads;
    cpu::Transform const ours(p, cpu::host_machine(), options);
    std::size_t const bytes = std::max(in_bytes(p), out_bytes(p)) + 64;
    void* const in = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    void* const out = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    std::fill_n(static_cast<char*>(in), bytes, 0);
    std::fill_n(static_cast<char*>(out), bytes, 0);
    Fftw const& f = p.precision == Precision::f32 ? single : wide;
    Plan plan = nullptr;
    if (f.execute) {
      std::vector<int> n;
      int in_points = 1, out_points = 1, batch = 1;
      for (std::size_t i = 0; i < p.axes.size(); ++i) {
        n.push_back(static_cast<int>(p.axes[i].size));
        in_points *= static_cast<int>(in_size(p, i));
        out_points *= static_cast<int>(out_size(p, i));
      }
      for (Dim const& d : p.batch) batch *= static_cast<int>(d.size);
      int const rank = static_cast<int>(n.size()), sign = p.direction == Direction::forward ? -1 : 1;
      unsigned const measure = 0;
      if (p.kind == Kind::c2c)
        plan = f.many_dft(rank, n.data(), batch, in, nullptr, 1, in_points, out, nullptr, 1, out_points, sign,
                          measure);
      if (p.kind == Kind::r2c)
        plan = f.many_r2c(rank, n.data(), batch, in, nullptr, 1, in_points, out, nullptr, 1, out_points,
                          measure);
      if (p.kind == Kind::c2r)
        plan = f.many_c2r(rank, n.data(), batch, in, nullptr, 1, in_points, out, nullptr, 1, out_points,
                          measure);
    }
    for (std::size_t i = 0; i < bytes / 4; ++i)
      static_cast<float*>(in)[i] = p.precision == Precision::f32 ? float(i % 7) - 3 : 0;
    if (p.precision == Precision::f64)
      for (std::size_t i = 0; i < bytes / 8; ++i) static_cast<double*>(in)[i] = double(i % 7) - 3;
    auto run_ours = [&] { ours.execute(in, out); };
    auto run_fftw = [&] { f.execute(plan); };
    double const first = std::max(1e-9, std::min(once(run_ours, 1), once(run_ours, 1)));
    int const repeats = std::clamp(static_cast<int>(1e-3 / first), 1, 100000);
    double mine = 1e9, theirs = 1e9;
    for (int turn = 0; turn < 15 && (turn < 4 || turn * first * repeats < 0.4); ++turn) {
      mine = std::min(mine, once(run_ours, repeats));
      if (plan) theirs = std::min(theirs, once(run_fftw, repeats));
    }
    double const ratio = mine / theirs;
    std::printf("%-34s %12.3f %12.3f %7.2f\n", line.c_str(), mine * 1e6, plan ? theirs * 1e6 : NAN,
                plan ? ratio : NAN);
    std::fflush(stdout);
    if (plan) {
      auto& [sum, count] = means[family(p)];
      sum += std::log(ratio), ++count;
      total += std::log(ratio);
      f.destroy(plan);
      if (!wisdom.empty()) f.export_wisdom(kept[p.precision == Precision::f64].c_str());
    }
    std::free(in), std::free(out);
  }
  for (auto const& [label, mean] : means)
    std::printf("%-34s %33.2f\n", label.c_str(), std::exp(mean.first / mean.second));
  std::printf("%-34s %33.2f\n", "geometric mean", std::exp(total / static_cast<double>(cases.size())));
}
