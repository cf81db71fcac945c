// Times of a library with cuFFT's interface: `overhead <library> exec` prints the nanoseconds of a call of cufftExecC2C, `overhead
// <library> plan` the milliseconds of a first cufftPlan1d in the process, of 2^20 points.
#include <string>

#include "api.h"
#include "measure.h"

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  Device::get();
  Api const f(argv[1]);
  cufftHandle plan = -1;
  if (std::string(argv[2]) == "plan") {
    double const begin = seconds();
    cufftResult const result = f.Plan1d(&plan, 1 << 20, CUFFT_C2C, 1);
    std::printf("%.1f\n", (seconds() - begin) * 1e3);
    return result;
  }
  DeviceArray const in(points * sizeof(cufftComplex)), out(points * sizeof(cufftComplex));
  auto* const from = static_cast<cufftComplex*>(in.at);
  auto* const to = static_cast<cufftComplex*>(out.at);
  if (f.Plan1d(&plan, points, CUFFT_C2C, 1)) return 1;
  int failed = 0;
  std::printf("%.0f\n", nanoseconds([&] { failed |= f.ExecC2C(plan, from, to, CUFFT_FORWARD); }));
  f.Destroy(plan);
  return failed;
}
