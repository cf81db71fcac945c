// Where arrays begin in a cache line: results do not depend on it to the last bit, and nothing beside the output is written.
#include <gtest/gtest.h>

#include <cstring>

#include "cpu/engine.h"
#include "cpu/oracle.h"

namespace skipper::cpu::testing {
namespace {

constexpr std::size_t cache_line = 64;

/// Scalars that begin so many bytes behind a cache line, with sentinels around them.
template <class T>
class Placed {
 public:
  Placed(std::size_t scalars, std::size_t offset)
      : memory_(scalars + 4 * edge_, sentinel_), scalars_(scalars) {
    auto const begin = reinterpret_cast<std::uintptr_t>(memory_.data() + edge_);
    first_ = edge_ + ((cache_line - begin % cache_line) % cache_line + offset) / sizeof(T);
  }
  T* data() { return memory_.data() + first_; }
  bool is_whole() const {
    for (std::size_t i = 0; i < memory_.size(); ++i)
      if ((i < first_ || i >= first_ + scalars_) && memory_[i] != sentinel_) return false;
    return true;
  }

 private:
  static constexpr std::size_t edge_ = cache_line / sizeof(T);
  static constexpr T sentinel_ = T(12345);
  std::vector<T> memory_;
  std::size_t scalars_, first_ = 0;
};

template <class T>
std::vector<T> transformed(Transform const& transform, Problem const& p, std::size_t in_offset,
                           std::size_t out_offset) {
  std::size_t const in_scalars = in_bytes(p) / sizeof(T), out_scalars = out_bytes(p) / sizeof(T);
  bool const inside = p.placement == Placement::in_place;
  std::vector<T> const values = random_scalars<T>(in_scalars, 3);
  Placed<T> in(in_scalars, in_offset),
      out(inside ? std::max(in_scalars, out_scalars) : out_scalars, out_offset);
  std::copy(values.begin(), values.end(), inside ? out.data() : in.data());
  execute_unset(transform, inside ? out.data() : in.data(), out.data());
  EXPECT_TRUE(in.is_whole() && out.is_whole()) << text(p) << ", offset " << out_offset;
  return std::vector<T>(out.data(), out.data() + out_scalars);
}

template <class T>
void same_wherever(Problem const& p, std::string const& set) {
  Transform const transform(p, host_machine(), {2, set});
  std::vector<T> const expected = transformed<T>(transform, p, 0, 0);
  for (std::size_t offset = sizeof(T); offset < cache_line; offset += (quick() ? 3 : 1) * sizeof(T)) {
    std::vector<T> const got = transformed<T>(transform, p, cache_line - offset, offset);
    EXPECT_EQ(std::memcmp(got.data(), expected.data(), sizeof(T) * got.size()), 0)
        << set << ", offset " << offset << ": " << text(p);
  }
}

TEST(Alignment, ChangesNoBit) {
  for (std::string const& set : instruction_sets())
    for (Precision precision : {Precision::f32, Precision::f64})
      for (Problem const& p :
           {c2c({256, 128}, 1, precision), in_place(c2c({256, 64}, 3, precision)),
            c2c({64, 37}, 1, precision), c2c({20, 30, 40}, 1, precision, Direction::inverse),
            c2c({1 << 15}, 2, precision), in_place(c2c({1 << 16}, 1, precision)), r2c({64, 96}, 1, precision),
            c2r({64, 96}, 1, precision), c2c({100}, 33, precision)}) {
        SCOPED_TRACE(text(p));
        precision == Precision::f32 ? same_wherever<float>(p, set) : same_wherever<double>(p, set);
      }
}

/// The error is that of the definition also where tiles begin later.
TEST(Alignment, IsRight) {
  for (Index rows : {64, 1000})
    for (Index columns : {64, 99}) {
      Problem const p = c2c({rows, columns}, 1, Precision::f64);
      Transform const transform(p, host_machine(), {1, ""});
      double const error = error_by<double>(p, [&](double const* in, double* out) {
        Placed<double> to(out_bytes(p) / sizeof(double), 16);
        execute_unset(transform, in, to.data());
        std::copy(to.data(), to.data() + out_bytes(p) / sizeof(double), out);
      });
      EXPECT_LT(error, 1e-15) << text(p);
    }
}

}  // namespace
}  // namespace skipper::cpu::testing
