#pragma once
// Cases of codes.cpp: a name, and a call whose code is printed. Each makes what it needs, and knows nothing of the others.
#include <functional>
#include <string>
#include <vector>

#include "api.h"
#include "device.h"

constexpr auto no_type = static_cast<cufftType>(7);  // none of cuFFT's

inline std::string code(cufftResult result) { return std::to_string(int(result)); }

struct Memory : DeviceArray {
  using DeviceArray::DeviceArray;
  cufftComplex* c() const { return static_cast<cufftComplex*>(at); }
  cufftDoubleComplex* z() const { return static_cast<cufftDoubleComplex*>(at); }
  float* r() const { return static_cast<float*>(at); }
  double* d() const { return static_cast<double*>(at); }
};

/// What a case has: a library, a plan of 8 points or one that is still to be made, device memory, and a number to fill in.
struct Given {
  Api const& f;
  cufftHandle h = -1;
  Memory m = Memory();
  std::size_t bytes = 0;
};
using G = Given&;

enum class Made { no, c2c, r2c, c2r, z2z, d2z, z2d };

class Cases {
 public:
  void add(std::string name, std::function<std::string(Api const&)> run) {
    all_.push_back({std::move(name), std::move(run)});
  }
  /// The code of a call on a plan.
  void add(std::string name, Made made, std::function<cufftResult(G)> run) {
    add(std::move(name), [made, run = std::move(run)](Api const& f) {
      constexpr cufftType types[] = {no_type,   CUFFT_C2C, CUFFT_R2C, CUFFT_C2R,
                                     CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D};
      Given given{f};
      f.Create(&given.h);
      if (made != Made::no) f.MakePlan1d(given.h, 8, types[int(made)], 1, &given.bytes);
      std::string const result = code(run(given));
      f.Destroy(given.h);
      return result;
    });
  }
  std::size_t size() const { return all_.size(); }
  std::string const& name(std::size_t i) const { return all_[i].name; }
  std::string run(std::size_t i, Api const& f) const { return all_[i].run(f); }

 private:
  struct Case {
    std::string name;
    std::function<std::string(Api const&)> run;
  };
  std::vector<Case> all_;
};

void add_planning(Cases& cases);
void add_executing(Cases& cases);
void add_settings(Cases& cases);
