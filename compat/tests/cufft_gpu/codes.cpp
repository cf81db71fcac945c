// Calls every function of a library with cuFFT's interface, with good and with bad arguments, and prints a line a case with
// what it returned: `codes <library> [<first case>]`. Run for NVIDIA's and for ours, the two outputs are compared by
// cufft_gpu.sh, which goes on behind a case that crashed.
#include "cases.h"

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  Device const& device = Device::get();
  Api const api(argv[1]);
  Cases cases;
  add_planning(cases);
  add_executing(cases);
  add_settings(cases);
  for (std::size_t i = argc > 2 ? std::size_t(std::atoi(argv[2])) : 0; i < cases.size(); ++i) {
    std::printf("%zu\t%s\t", i, cases.name(i).c_str());
    std::fflush(stdout);  // the name is there if it crashes
    std::string const result = cases.run(i, api);
    bool const sound = device.synchronise() == 0;
    std::printf("%s%s\n", result.c_str(), sound ? "" : " and the device fails");
    std::fflush(stdout);
    if (!sound) return 3;  // this process cannot go on
  }
}
