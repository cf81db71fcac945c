// Transforms through a library with cuFFT's interface, against the definition: `transforms <library> <share> <shares>`. Prints a
// line for each that is wrong, and last how many there were. NVIDIA's and ours are judged alike.
#include <string>
#include <vector>

#include "api.h"
#include "cufft_reference.h"
#include "device.h"

namespace {

using namespace skipper::cufft::testing;

template <class Real>
cudaDataType type_of(bool real) {
  if (sizeof(Real) == 8) return real ? CUDA_R_64F : CUDA_C_64F;
  return real ? CUDA_R_32F : CUDA_C_32F;
}

std::string text(Case const& c, bool wide) {
  std::string line = c.what == What::c2c ? "c2c" : c.what == What::r2c ? "r2c" : "c2r";
  line += wide ? " f64" : " f32";
  for (Index const n : c.shape) line += " " + std::to_string(n);
  line += " batch " + std::to_string(c.batch) + " direction " + std::to_string(c.direction());
  return line + (c.in_place ? " in place" : "") + (c.sides.empty() ? "" : " strided");
}

/// Empty where all is well.
template <class Real>
std::string fault(Api const& f, Case const& c) {
  Expected const wanted = expected(c);
  Memory<Real> in(c, false), out(c, true);
  in.put(wanted.in);
  cufftHandle plan = -1;
  std::size_t bytes = 0;
  std::vector<Index> shape = c.shape;
  Side from_side, to_side;
  if (!c.sides.empty()) from_side = c.sides[0], to_side = c.sides[1];
  auto const embed = [](Side& side) { return side.embed.empty() ? nullptr : side.embed.data(); };
  f.Create(&plan);
  cufftResult result =
      f.XtMakePlanMany(plan, int(shape.size()), shape.data(), embed(from_side), from_side.stride,
                       from_side.distance, type_of<Real>(c.real_in()), embed(to_side), to_side.stride,
                       to_side.distance, type_of<Real>(c.real_out()), c.batch, &bytes, type_of<Real>(false));
  if (result != CUFFT_SUCCESS) return "no plan: " + std::to_string(result);
  std::size_t const room = std::max(in.values.size(), out.values.size());
  std::vector<Real> there = in.values, before = out.values;
  there.resize(room, Real(Memory<Real>::mark));
  before.resize(room, Real(Memory<Real>::mark));
  Device const& device = Device::get();
  DeviceArray const first(room * sizeof(Real)), second(room * sizeof(Real));
  auto const address = [](DeviceArray const& array) {
    return reinterpret_cast<unsigned long long>(array.at);
  };
  device.to_device(address(first), there.data(), room * sizeof(Real));
  device.to_device(address(second), before.data(), room * sizeof(Real));
  DeviceArray const& to = c.in_place ? first : second;
  result = f.XtExec(plan, first.at, to.at, c.direction());
  bool const sound = device.synchronise() == 0 &&
                     device.to_host(out.values.data(), address(to), out.values.size() * sizeof(Real)) == 0;
  f.Destroy(plan);
  if (result != CUFFT_SUCCESS) return "not executed: " + std::to_string(result);
  if (!sound) return "the device fails";
  if (double const e = out.error(wanted.out); !(e < (sizeof(Real) == 8 ? 1e-14 : 2e-6)))
    return "error " + std::to_string(e);
  return c.in_place || out.gaps_are_kept() ? "" : "writes between elements";
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (std::vector<Index> const& shape :
       std::vector<std::vector<Index>>{{1}, {7}, {64}, {101}, {1000}, {12, 10}, {17, 19}, {4, 6, 5}})
    for (What const what : {What::c2c, What::r2c, What::c2r})
      for (bool const in_place : {false, true}) {
        cases.push_back({what, shape, 3, CUFFT_FORWARD, in_place});
        if (what == What::c2c) cases.push_back({what, shape, 3, CUFFT_INVERSE, in_place});
      }
  for (What const what : {What::c2c, What::r2c, What::c2r}) {
    cases.push_back({what, {8}, 3, CUFFT_FORWARD, false, {{{8}, 3, 1}, {{8}, 3, 1}}});
    cases.push_back({what, {15}, 2, CUFFT_FORWARD, false, {{{20}, 2, 41}, {{16}, 1, 19}}});
    cases.push_back({what, {4, 6}, 2, CUFFT_FORWARD, false, {{{5, 9}, 1, 50}, {{4, 7}, 2, 80}}});
    cases.push_back({what, {3, 4, 6}, 2, CUFFT_FORWARD, false, {{{3, 5, 7}, 1, 120}, {{3, 4, 8}, 3, 300}}});
  }
  cases.push_back({What::c2c, {8}, 3, CUFFT_FORWARD, true, {{{8}, 3, 1}, {{8}, 3, 1}}});
  cases.push_back({What::r2c, {4, 6}, 2, CUFFT_FORWARD, true, {{{4, 8}, 1, 32}, {{4, 4}, 1, 16}}});
  cases.push_back({What::c2r, {4, 6}, 2, CUFFT_FORWARD, true, {{{4, 4}, 1, 16}, {{4, 8}, 1, 32}}});
  return cases;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  Device::get();
  Api const api(argv[1]);
  std::size_t const share = std::size_t(std::atoi(argv[2])), shares = std::size_t(std::atoi(argv[3]));
  int good = 0, bad = 0;
  std::vector<Case> const cases = all_cases();
  for (std::size_t i = share; i < cases.size(); i += shares)
    for (bool const wide : {false, true}) {
      if (wide && i % 3 != 0) continue;  // kernels of doubles are compiled for a third of them
      std::string const wrong = wide ? fault<double>(api, cases[i]) : fault<float>(api, cases[i]);
      wrong.empty() ? ++good : ++bad;
      if (!wrong.empty()) std::printf("%s: %s\n", text(cases[i], wide).c_str(), wrong.c_str());
      std::fflush(stdout);
    }
  std::printf("transforms: %d right, %d wrong\n", good, bad);
  return bad != 0;
}
