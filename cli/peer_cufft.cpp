// cuFFT's plans of many dense transforms with 64-bit sizes.
#include "peer_cufft.h"

#include <dlfcn.h>
#include <skipper/error.h>

#include <memory>
#include <type_traits>
#include <vector>

#include "format.h"

namespace skipper::cli {
namespace {

struct Cufft {
  using Plan = int;
  using Execute = int (*)(Plan, void*, void*);
  using ExecuteDirected = int (*)(Plan, void*, void*, int);
  int (*version)(int*) = nullptr;
  int (*create)(Plan*) = nullptr;
  int (*make)(Plan, int, long long*, long long*, long long, long long, long long*, long long, long long, int,
              long long, std::size_t*) = nullptr;
  int (*set_stream)(Plan, void*) = nullptr;
  int (*destroy)(Plan) = nullptr;
  ExecuteDirected c2c = nullptr, z2z = nullptr;
  Execute r2c = nullptr, d2z = nullptr, c2r = nullptr, z2d = nullptr;
  bool present = false;

  Cufft() {
    void* library = nullptr;
    for (char const* name :
         {"libcufft.so.12", "libcufft.so.11", "libcufft.so", "/usr/local/cuda/lib64/libcufft.so"})
      if (!library) library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    auto const find = [&](auto& entry, char const* name) {
      entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(::dlsym(library, name));
      return entry != nullptr;
    };
    present = find(version, "cufftGetVersion") && find(create, "cufftCreate") &&
              find(make, "cufftMakePlanMany64") && find(set_stream, "cufftSetStream") &&
              find(destroy, "cufftDestroy") && find(c2c, "cufftExecC2C") && find(z2z, "cufftExecZ2Z") &&
              find(r2c, "cufftExecR2C") && find(d2z, "cufftExecD2Z") && find(c2r, "cufftExecC2R") &&
              find(z2d, "cufftExecZ2D");
  }
};

Cufft const& cufft() {
  static Cufft const table;
  return table;
}

bool comparable_to_cufft(Problem const& problem) {
  if (problem.kind == Kind::r2r || problem.order != Order::natural || problem.scale != 1) return false;
  if (problem.axes.size() > 3 || problem.batch.size() > 1) return false;
  if (is_16_bit(problem.precision) || is_partial(problem)) return false;
  for (Axis const& a : problem.axes)
    if (a.kind != AxisKind::fourier) return false;
  return problem == dense_layout(problem);
}

int type_of(Problem const& problem) {  // cufftType
  int const single = problem.kind == Kind::c2c ? 0x29 : problem.kind == Kind::r2c ? 0x2a : 0x2c;
  return single + (problem.precision == Precision::f64 ? 0x40 : 0);
}

}  // namespace

std::string cufft_version() {
  int number = 0;
  if (!cufft().present || cufft().version(&number) != 0) return "";
  return formatted("{}.{}", number / 1000, number % 1000 / 100);
}

std::optional<PeerPlan> plan_cufft(Problem const& problem, void* in, void* out, void* stream) {
  Cufft const& f = cufft();
  if (!f.present || !comparable_to_cufft(problem)) return std::nullopt;
  std::vector<long long> sizes;
  for (Axis const& a : problem.axes) sizes.push_back(a.size);
  long long const batch = problem.batch.empty() ? 1 : problem.batch[0].size;
  Cufft::Plan plan = 0;
  std::size_t work = 0;
  if (f.create(&plan) != 0) return std::nullopt;
  std::shared_ptr<void> const held(nullptr, [&f, plan](void*) { f.destroy(plan); });
  // No embedding: dense on both sides, in place padded as we pad.
  if (f.make(plan, int(sizes.size()), sizes.data(), nullptr, 1, 0, nullptr, 1, 0, type_of(problem), batch,
             &work) != 0 ||
      f.set_stream(plan, stream) != 0)
    return std::nullopt;
  bool const wide = problem.precision == Precision::f64;
  auto const checked = [](int status) {
    if (status != 0) throw Error("cufft", formatted("answers error {}", status));
  };
  if (problem.kind == Kind::c2c) {
    int const sign = problem.direction == Direction::forward ? -1 : 1;
    return PeerPlan{"cufft", [=, &f] {
                      checked((wide ? f.z2z : f.c2c)(plan, in, out, sign));
                      (void)held;
                    }};
  }
  Cufft::Execute const execute = problem.kind == Kind::r2c ? (wide ? f.d2z : f.r2c) : (wide ? f.z2d : f.c2r);
  return PeerPlan{"cufft", [=] {
                    checked(execute(plan, in, out));
                    (void)held;
                  }};
}

}  // namespace skipper::cli
