// The kernels that are no sweeps as CUDA C++ and as PTX, compiled to machine code and run beside the emulator. Skipped where there is
// no NVRTC or no nvdisasm. With SKIPPER_QUICK=1 a sample.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "ir/contract.h"
#include "ir/cuda.h"
#include "ir/ptx.h"
#include "sass/run.h"
#include "support/assembler.h"
#include "support/nvdisasm.h"
#include "support/nvrtc.h"
#include "support/plain_launches.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

/// What the numbers of an array differ by; places where both are unset are equal.
template <class T>
std::string difference(PlainArray const& got, PlainArray const& wanted, double allowed) {
  auto const *const x = reinterpret_cast<T const*>(got.data()), *const y =
                                                                    reinterpret_cast<T const*>(wanted.data());
  double squares = 0, reference = 0;
  std::size_t unset = 0;
  for (std::size_t i = 0; i < got.bytes() / sizeof(T); ++i) {
    bool const is_unset = x[i] != x[i];
    if (is_unset != (y[i] != y[i])) ++unset;
    if (is_unset || y[i] != y[i]) continue;
    squares += double(x[i] - y[i]) * double(x[i] - y[i]);
    reference += double(y[i]) * double(y[i]);
  }
  std::ostringstream out;
  if (unset) out << got.name << ": " << unset << " numbers are set by one alone; ";
  if (!(std::sqrt(squares) <= allowed * std::sqrt(reference)))
    out << got.name << ": relative error " << std::sqrt(squares / reference) << "; ";
  return out.str();
}

/// What is wrong with machine code of a launch; empty where nothing is.
template <class Make>
std::string wrong(Make make, std::string const& cubin) try {
  PlainLaunch const wanted = make(), got = make();
  emulator::run_grid(wanted.grid, emulator::Checks::none(), wanted.text);
  sass::Launch launch{.threads = got.grid.threads,
                      .shared_bytes = std::size_t(got.grid.shared),
                      .grid_x = unsigned(got.grid.tiles),
                      .arguments = got.argument_bytes};
  for (PlainArray const& array : got.arrays)
    launch.arrays.push_back({array.name, array.data(), array.bytes(), array.use.is_written});
  sass::Code const code = sass::decode(disassembled(*nvdisasm(), cubin));
  for (Wide block = 0; block < got.grid.tiles; ++block) sass::run(code, launch, unsigned(block));
  std::string all;
  for (std::size_t i = 0; i < got.arrays.size(); ++i)
    if (got.arrays[i].use.is_written)
      all += got.arrays[i].is_double ? difference<double>(got.arrays[i], wanted.arrays[i], 1e-13)
                                     : difference<float>(got.arrays[i], wanted.arrays[i], 1e-6);
  return all;
} catch (sass::Fault const& fault) {
  return fault.what();
}

class PlainMachineCode : public ::testing::Test {
 protected:
  void SetUp() override {
    nvrtc_ = Nvrtc::open();
    if (!nvrtc_) GTEST_SKIP() << "NVRTC is not installed here: kernels are not compiled";
    if (!nvdisasm()) GTEST_SKIP() << "nvdisasm is not installed here: machine code cannot be read";
  }

  template <class Make>
  void expect_right(Make make) {
    if (!takes(number_++, 4)) return;
    PlainLaunch const launch = make();
    ir::Kernel const kernel = ir::contracted(trace_plain(launch.kernel, launch.real, launch.is_complex));
    SCOPED_TRACE(kernel.name);
    Compiled const compiled = nvrtc_->compile(ir::cuda(kernel), {}, "sm_90", {"--fmad=false"});
    EXPECT_EQ(compiled.ok ? wrong(make, compiled.cubin) : compiled.log.substr(0, 2000), "") << "as CUDA C++";
    if (auto const made = assemble(ir::ptx(kernel, {90}), 90))
      EXPECT_EQ(made->ok ? wrong(make, made->cubin) : made->log, "") << "as PTX";
  }

  /// Those of a number that may be complex.
  template <class V>
  void expect_all_right() {
    ColumnShape shape{.rows = 43, .columns = 35, .blocks = 2, .singular = true, .prefetch_distance = 1};
    expect_right([&] { return dense_columns<V>(shape, 1); });
    shape.inner = 7;
    shape.by_bases = true;
    expect_right([&] { return strided_columns<V>(shape, 2); });
    expect_right([&] { return division<V>({3, 5, 7, 4}, 3); });
    expect_right([&] { return exchange<V>(1100, {3, 2}, 4); });
  }
  template <class T>
  void expect_real_right() {
    expect_right([&] { return lowered<T>(300, true, 5); });
    expect_right([&] { return lowered<T>(300, false, 6); });
    expect_right([&] { return largest<T>(700, 2, 7); });
    expect_right([&] { return face<T>(5, 60, 8); });
  }

 private:
  std::optional<Nvrtc> nvrtc_;
  std::size_t number_ = 0;  // of launches so far
};

TEST_F(PlainMachineCode, IsAsEmulatedInSinglePrecision) {
  expect_all_right<float>();
  expect_real_right<float>();
  expect_all_right<Complex<float>>();
}

TEST_F(PlainMachineCode, IsAsEmulatedInDoublePrecision) {
  expect_all_right<Complex<double>>();
  expect_real_right<double>();
  expect_all_right<double>();
}

}  // namespace
}  // namespace skipper::testing
