// FFTW 3 by dlopen: the guru interface takes exactly the axes and batch dimensions of a problem. Threads come from the
// second library; where it is missing, FFTW runs on one.
#include "peers.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <type_traits>

#include "base/kinds.h"
#include "format.h"
#include "output_file.h"

namespace skipper::cli {
namespace {

struct GuruDim {
  std::ptrdiff_t n, in, out;
};

constexpr unsigned fftw_measure = 0, destroy_input = 1, preserve_input = 1u << 4, wisdom_only = 1u << 21;

// The entry points of one precision, by their names without the prefix.
struct Fftw {
  using Plan = void*;
  Plan (*plan_dft)(int, GuruDim const*, int, GuruDim const*, void*, void*, int, unsigned) = nullptr;
  Plan (*plan_r2c)(int, GuruDim const*, int, GuruDim const*, void*, void*, unsigned) = nullptr;
  Plan (*plan_c2r)(int, GuruDim const*, int, GuruDim const*, void*, void*, unsigned) = nullptr;
  Plan (*plan_r2r)(int, GuruDim const*, int, GuruDim const*, void*, void*, int const*, unsigned) = nullptr;
  void (*execute)(Plan) = nullptr;
  void (*destroy_plan)(Plan) = nullptr;
  void (*set_timelimit)(double) = nullptr;
  int (*import_wisdom)(char const*) = nullptr;
  char* (*export_wisdom)() = nullptr;  // by malloc
  int (*init_threads)() = nullptr;
  void (*plan_with_nthreads)(int) = nullptr;
  char const* version = nullptr;
  bool threaded = false;

  explicit Fftw(std::string const& letter) {
    std::string const library = "libfftw3" + letter, prefix = "fftw" + letter + "_";
    void* const base = ::dlopen((library + ".so.3").c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!base) return;
    auto const find = [&](void* from, auto& entry, char const* name) {
      entry =
          reinterpret_cast<std::remove_reference_t<decltype(entry)>>(::dlsym(from, (prefix + name).c_str()));
      return entry != nullptr;
    };
    bool const whole =
        find(base, plan_dft, "plan_guru64_dft") && find(base, plan_r2c, "plan_guru64_dft_r2c") &&
        find(base, plan_c2r, "plan_guru64_dft_c2r") && find(base, plan_r2r, "plan_guru64_r2r") &&
        find(base, execute, "execute") && find(base, destroy_plan, "destroy_plan") &&
        find(base, set_timelimit, "set_timelimit") &&
        find(base, import_wisdom, "import_wisdom_from_filename") &&
        find(base, export_wisdom, "export_wisdom_to_string");
    if (!whole) return;
    void* const threads = ::dlopen((library + "_threads.so.3").c_str(), RTLD_NOW | RTLD_GLOBAL);
    threaded = threads && find(threads, init_threads, "init_threads") &&
               find(threads, plan_with_nthreads, "plan_with_nthreads") && init_threads() != 0;
    version = static_cast<char const*>(::dlsym(base, (prefix + "version").c_str()));
    if (!version) version = "of unknown version";
    if (std::string_view(version).starts_with("fftw-")) version += 5;  // the name stands before it anyway
  }

  bool present() const { return version != nullptr; }
};

Fftw const& fftw(Precision precision) {
  static Fftw const f32("f"), f64("");
  return precision == Precision::f32 ? f32 : f64;
}

template <class Dims>
std::vector<GuruDim> guru(Dims const& dims) {
  std::vector<GuruDim> result;
  for (auto const& d : dims)
    result.push_back({std::ptrdiff_t(d.size), std::ptrdiff_t(d.in_stride), std::ptrdiff_t(d.out_stride)});
  return result;
}

std::vector<int> r2r_kinds(Problem const& problem) {
  std::vector<int> kinds;
  for (Axis const& axis : problem.axes) kinds.push_back(facts(axis.kind).fftw);
  return kinds;
}

Fftw::Plan planned(Fftw const& f, Problem const& problem, void* in, void* out, unsigned flags) {
  auto const axes = guru(problem.axes), batch = guru(problem.batch);
  int const rank = int(axes.size()), loops = int(batch.size());
  if (problem.kind == Kind::r2c) return f.plan_r2c(rank, axes.data(), loops, batch.data(), in, out, flags);
  if (problem.kind == Kind::c2r) return f.plan_c2r(rank, axes.data(), loops, batch.data(), in, out, flags);
  if (problem.kind == Kind::r2r)
    return f.plan_r2r(rank, axes.data(), loops, batch.data(), in, out, r2r_kinds(problem).data(), flags);
  return f.plan_dft(rank, axes.data(), loops, batch.data(), in, out,
                    problem.direction == Direction::forward ? -1 : 1, flags);
}

bool comparable(Problem const& problem) {
  if (is_16_bit(problem.precision) || is_partial(problem)) return false;
  if (problem.order != Order::natural || problem.norm != Norm::none) return false;
  return std::all_of(problem.axes.begin(), problem.axes.end(), [&](Axis const& a) {
    return problem.kind == Kind::r2r ? facts(a.kind).fftw >= 0 : a.kind == AxisKind::fourier;
  });
}

}  // namespace

std::vector<std::pair<std::string, std::string>> peer_versions() {
  for (Precision const p : {Precision::f64, Precision::f32})
    if (fftw(p).present())
      return {{"fftw", std::string(fftw(p).version) + (fftw(p).threaded ? "" : " (without threads)")}};
  return {};
}

std::string missing_peer(std::string const& name) {
  return name == "fftw" ? "FFTW is not installed here: libfftw3.so.3 and libfftw3f.so.3 cannot be opened"
         : name == "cufft"
             ? "cuFFT is measured against on a GPU alone, where libcufft.so is installed; use --device cuda:0"
             : "no such peer is known; there are fftw and, on a GPU, cufft";
}

std::vector<PeerPlan> plan_peers(std::vector<std::string> const& names, Problem const& problem, void* in,
                                 void* out, int threads, double planning_seconds) {
  Fftw const& f = fftw(problem.precision);
  bool const wanted = std::find(names.begin(), names.end(), "fftw") != names.end();
  if (!wanted || !f.present() || !comparable(problem)) return {};
  f.set_timelimit(planning_seconds);
  if (f.threaded) f.plan_with_nthreads(threads);
  unsigned flags = fftw_measure | preserve_input;
  Fftw::Plan plan = planned(f, problem, in, out, flags);
  if (!plan) {  // c2r of several axes has no other
    flags = fftw_measure | destroy_input;
    plan = planned(f, problem, in, out, flags);
  }
  if (!plan) return {};
  // Where its time runs out FFTW falls back on an estimate, and has no wisdom from measuring.
  Fftw::Plan const known = planned(f, problem, in, out, flags | wisdom_only);
  f.destroy_plan(known);
  std::shared_ptr<void> const held(plan, f.destroy_plan);
  return {{"fftw", [&f, held] { f.execute(held.get()); }, known != nullptr}};
}

void load_wisdom(std::string const& path) {
  for (Precision const p : {Precision::f32, Precision::f64}) {
    Fftw const& f = fftw(p);
    if (!f.present()) continue;
    std::string const ending = "." + std::string(name(p));
    f.import_wisdom((path + ending).c_str());
    for (int part = 0; f.import_wisdom(formatted("{}.{}{}", path, part, ending).c_str());) ++part;
  }
}

void save_wisdom(std::string const& path) {
  for (Precision const p : {Precision::f32, Precision::f64})
    if (fftw(p).present()) {
      std::unique_ptr<char, void (*)(void*)> const text(fftw(p).export_wisdom(), std::free);
      if (text) write_file(path + "." + std::string(name(p)), text.get(), "");
    }
}

}  // namespace skipper::cli
