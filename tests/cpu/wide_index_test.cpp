// Arrays of more than 2^31 elements, and of more than 2^32 bytes: only what a transform touches is ever in memory, so the
// lines of a batch stand far apart.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "cpu/oracle.h"

namespace skipper::cpu::testing {
namespace {

/// Address space of which only touched pages exist.
class Sparse {
 public:
  explicit Sparse(std::size_t bytes)
      : bytes_(bytes),
        data_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                     0)) {}
  ~Sparse() {
    if (good()) ::munmap(data_, bytes_);
  }
  Sparse(Sparse const&) = delete;
  bool good() const { return data_ != MAP_FAILED; }
  float* data() const { return static_cast<float*>(data_); }

 private:
  std::size_t bytes_;
  void* data_;
};

/// `near` is the problem on dense arrays; `far` the same with batches (or rows) far apart.
void expect_same(Problem const& near, Problem const& far) {
  SCOPED_TRACE(text(far));
  check(far);
  Sparse const from(std::size_t(in_bytes(far))), to(std::size_t(out_bytes(far)));
  if (!from.good() || !to.good()) GTEST_SKIP() << "no room for so many addresses";
  bool const real_in = in_element_bytes(near) == 4, real_out = out_element_bytes(near) == 4;
  std::vector<float> const x = random_scalars<float>(in_bytes(near) / 4, 3);
  std::vector<float> y(std::size_t(out_bytes(near)) / 4);
  Layout const in = layout(near, false), out = layout(near, true), far_in = layout(far, false),
               far_out = layout(far, true);
  auto const move = [](Layout const& dense, Layout const& apart, bool real, auto step) {
    std::vector<Index> places;
    each_point(apart.sizes, apart.strides, [&](Index, Index at) { places.push_back(at); });
    Index const parts = real ? 1 : 2;
    each_point(dense.sizes, dense.strides, [&](Index i, Index at) {
      for (Index part = 0; part < parts; ++part) step(at * parts + part, places[i] * parts + part);
    });
  };
  move(in, far_in, real_in, [&](Index dense, Index apart) { from.data()[apart] = x[dense]; });
  Transform(near, host_machine(), {2, ""}).execute(x.data(), y.data());
  Transform(far, host_machine(), {2, ""}).execute(from.data(), to.data());
  double worst = 0;
  move(out, far_out, real_out, [&](Index dense, Index apart) {
    worst = std::max(worst, std::abs(double(to.data()[apart]) - double(y[dense])));
  });
  EXPECT_LT(worst, 1e-4);
}

constexpr Index apart = (Index(1) << 31) + 12345;

TEST(WideIndex, BatchesFarApart) {
  for (Problem const& near : {c2c({100}, 3), c2c({16}, 3), c2c({12, 10}, 2), r2c({64}, 3), c2r({64}, 3),
                              r2r({30}, {AxisKind::dct2}, 3), c2c({1009}, 2)}) {
    Problem far = near;
    far.batch[0].in_stride = apart;
    far.batch[0].out_stride = 2 * apart;
    expect_same(near, far);
  }
}

TEST(WideIndex, PointsOfAnAxisFarApart) {
  for (Problem const& near : {c2c({3, 64}), r2c({3, 64}), c2r({3, 64}), c2c({5, 4})}) {
    Problem far = near;
    far.axes[0].in_stride = apart;
    far.axes[0].out_stride = apart + 7;
    expect_same(near, far);
  }
}

}  // namespace
}  // namespace skipper::cpu::testing
