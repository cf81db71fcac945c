// Sweeps of clusters that are too large to emulate whole: single tiles of them, under every check, in arrays of which only
// those tiles' pages exist. Each is held to what its sub-transforms mean (program.h): inputs are made from their places by a
// mixing function as they are loaded, so that any output can be summed up by itself.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <complex>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "base/roots.h"
#include "emulator/block.h"
#include "plan/brute_force.h"
#include "plan/planner.h"
#include "plan/spec_text.h"
#include "plan/tile.h"
#include "support/goldens.h"
#include "support/quick.h"
#include "support/verify.h"

namespace skipper::testing {
namespace {

/// Zeros that take no memory until they are written.
template <class T>
class Vast {
 public:
  explicit Vast(Index count) : bytes_(std::size_t(count) * sizeof(kernel::Complex<T>)), count_(count) {
    data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data_ == MAP_FAILED) throw std::bad_alloc();
    madvise(data_, bytes_, MADV_NOHUGEPAGE);
  }
  ~Vast() { munmap(data_, bytes_); }
  Vast(Vast const&) = delete;
  Vast& operator=(Vast const&) = delete;
  operator Span<T>() const { return {static_cast<kernel::Complex<T>*>(data_), count_}; }

 private:
  std::size_t bytes_;
  Index count_;
  void* data_;
};

/// A number from -1 to 1 that single precision holds.
double mixed(std::uint64_t i) {
  i = (i + 1) * 0x9e3779b97f4a7c15u;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9u;
  return double((i ^ i >> 31) & 0xfffff) / 0x80000 - 1;
}
std::complex<double> input_at(Index place) {
  return {mixed(2 * std::uint64_t(place)), mixed(2 * std::uint64_t(place) + 1)};
}

/// Where the tile under way has read, and what it has written where.
std::vector<Index> loaded;
std::vector<std::pair<Index, std::complex<double>>> stored;

template <class T>
void watch() {
  loaded.clear(), stored.clear();
  emulator::user_functions.load = [](void* value, long long place, void*) {
    auto const x = input_at(place);
    *static_cast<kernel::Complex<T>*>(value) = {T(x.real()), T(x.imag())};
    loaded.push_back(place);
  };
  emulator::user_functions.store = [](void* value, long long place, void*) {
    auto const& x = *static_cast<kernel::Complex<T>*>(value);
    stored.emplace_back(place, std::complex<double>(x.re, x.im));
  };
}

/// How many different places there are.
Index distinct(std::vector<Index> places) {
  std::sort(places.begin(), places.end());
  return std::unique(places.begin(), places.end()) - places.begin();
}

Index reach(std::vector<Placed> const& layout) {
  Index last = 0;
  for (Placed const& p : layout) last += (p.piece.extent - 1) * p.stride;
  return last + 1;
}

/// The digits of what stands at a place.
std::map<DigitKey, Index> digits_at(std::vector<Placed> layout, Index place) {
  std::sort(layout.begin(), layout.end(),
            [](Placed const& a, Placed const& b) { return a.stride > b.stride; });
  std::map<DigitKey, Index> digits;
  for (Placed const& p : layout) {
    if (p.piece.extent > 1)
      digits[p.piece.digit] += place / p.stride * p.piece.unit, place %= p.stride;
    else
      digits[p.piece.digit] += 0;
  }
  EXPECT_EQ(place, 0);
  return digits;
}

/// One output of a sweep: the sum over its transformed digits, then the twiddles.
class Output {
 public:
  Output(Program const& program, int s, Index place)
      : read_(read_layout(program, s)), digits_(digits_at(write_layout(program, s), place)) {
    for (DigitKey d : program.sweeps[std::size_t(s)].transforms) {
      SubTransform const sub = sub_transform(program, d);
      Index const k = digits_.at(d);
      Digit digit;
      for (Index j = 0; j < sub.radix; ++j) {
        digit.roots.push_back(root64(j * k % sub.radix, sub.radix));
        Index at = 0;
        for (Placed const& p : read_)
          if (p.piece.digit == d) at += j / p.piece.unit % p.piece.extent * p.stride;
        digit.places.push_back(at);
      }
      transformed_.push_back(digit);
      Index offset = 0;  // the rest of the axis, that is still to be transformed
      for (auto const& [other, value] : digits_)
        if (other.dim == d.dim && other.part > d.part) offset += value * index_weight(program, other, false);
      if (sub.twiddled) twiddle_ *= root64(mulmod(k, offset, sub.span), sub.span);
    }
    auto carried = digits_;
    for (DigitKey d : program.sweeps[std::size_t(s)].transforms) carried[d] = 0;
    first_ = address_in(read_, carried);
  }

  std::complex<double> value() const { return twiddle_ * sum(0, first_); }

 private:
  struct Digit {
    std::vector<std::complex<double>> roots;
    std::vector<Index> places;
  };
  std::complex<double> sum(std::size_t d, Index at) const {
    if (d == transformed_.size()) return input_at(at);
    std::complex<double> total = 0;
    for (std::size_t j = 0; j < transformed_[d].roots.size(); ++j)
      total += transformed_[d].roots[j] * sum(d + 1, at + transformed_[d].places[j]);
    return total;
  }

  std::vector<Placed> read_;
  std::map<DigitKey, Index> digits_;
  std::vector<Digit> transformed_;
  std::complex<double> twiddle_ = 1;
  Index first_ = 0;
};

template <class T>
void verify_tile(Program const& program, int s, Lowered lowered, Index tile) {
  SCOPED_TRACE("sweep " + std::to_string(s) + ", tile " + std::to_string(tile) + " of " +
               std::to_string(lowered.tiles));
  Vast<T> const from(reach(read_layout(program, s))), to(reach(write_layout(program, s)));
  lowered.spec.pre.callback = lowered.spec.post.callback = true;
  watch<T>();
  emulator::Counts const counts = run_tile<T>(lowered, tile, from, to, program_scale(program));
  emulator::user_functions = {};
  lowered.tiles = 1;
  if (tile == 0) verify_counts({lowered, counts}, element_bytes(program.problem));
  Index const points = tile_points(tile_of(program, s));
  EXPECT_EQ(distinct(loaded), points);
  std::vector<Index> places;
  for (auto const& [place, value] : stored) places.push_back(place);
  EXPECT_EQ(distinct(places), points);
  std::mt19937_64 random(std::uint64_t(tile) + 1);
  double error = 0, norm = 0;
  for (int i = 0; i < 24 && !stored.empty(); ++i) {
    auto const& [place, value] = stored[random() % stored.size()];
    bool const last = s + 1 == int(program.sweeps.size());
    auto const expected = Output(program, s, place).value() * (last ? program_scale(program) : 1);
    error += std::norm(expected - value);
    norm += std::norm(expected);
  }
  double const sums = sizeof(T) == 4 ? 0 : 2e-14;  // what adding so many numbers in double takes
  EXPECT_LE(std::sqrt(error / norm), allowed_error(program.problem) + sums);
}

/// Whether such sums are all that a sweep is.
bool is_plain(Program const& program, int s) {
  for (DigitKey d : program.sweeps[std::size_t(s)].transforms)
    if (program.transformed_by.count(d) || program.convolved.count(d.dim)) return false;
  return !pre_processed_axis(program, s) && !post_processed_axis(program, s) &&
         program.problem.direction == Direction::forward;
}

/// One tile of each cluster sweep of a program, in this order the first, the last and one between; how many sweeps there are.
int verify_clusters(Program const& program, Machine const& m) {
  static Index round = 0;
  static std::set<std::string> seen;  // programs share kernels
  SCOPED_TRACE(text(program));
  int found = 0;
  for (int s = 0; s < int(program.sweeps.size()); ++s) try {
      Sweep const& sweep = program.sweeps[std::size_t(s)];
      if (sweep.tier != Tier::cluster) continue;
      ++found;
      EXPECT_LE(sweep.cluster_ranks, m.cluster);
      EXPECT_TRUE(is_plain(program, s));
      Lowered const lowered = lower(program, s, m);
      EXPECT_EQ(lowered.spec.cluster_ranks, sweep.cluster_ranks);
      bool const is_double = program.problem.precision == Precision::f64;
      if (!seen.insert(kernel_name(lowered.spec, is_double)).second) continue;
      Index const tile = (lowered.tiles - 1) * (round++ % 3) / 2;
      if (is_double)
        verify_tile<double>(program, s, lowered, tile);
      else
        verify_tile<float>(program, s, lowered, tile);
    } catch (std::exception const& e) {
      ADD_FAILURE() << e.what();
    }
  return found;
}

TEST(Clusters, OfTheGoldensComputeTheirSweeps) {
  int found = 0;
  for (Golden const& golden : goldens("h200")) {
    if (quick() && found > 0) break;
    found += verify_clusters(golden.program, machine("h200"));
  }
  EXPECT_GE(found, quick() ? 1 : 8) << "goldens with clusters";
}

TEST(Clusters, HoldTransformsPastABlockInOneSweep) {
  Machine const h200 = machine("h200");
  int found = 0;
  for (char const* problem : {"c2c f32 forward 32768 batch 4096", "c2c f32 forward 131072 batch 1024",
                              "c2c f64 forward 16384 batch 4096", "c2c f64 forward 65536 batch 1024",
                              "c2c f32 forward 192x192 batch 3641", "c2c f32 forward 256x256 batch 2048",
                              "c2c f32 forward 224x224 batch 2674", "c2c f64 forward 128x128 batch 4096",
                              "c2c f32 forward 32x32x32 batch 4096", "c2c f32 forward 40x40x40 batch 2097",
                              "c2c f32 forward 48x48x48 batch 1213", "c2c f32 forward 16x16x16x16 batch 2048",
                              "c2c f32 forward 12x14x16x18 batch 500"}) {
    Program const program =
        planner(parse_problem(problem), h200, {.clusters = true, .l2_blocks = false}).front().program;
    EXPECT_EQ(program.sweeps.size(), 1u) << text(program);
    if (quick() && found > 0) continue;
    found += verify_clusters(program, h200);
  }
  EXPECT_EQ(found, quick() ? 1 : 13);
}

/// A machine without clusters, or with smaller ones, has programs all the same.
TEST(Clusters, AreNoLargerThanTheMachineHas) {
  int found = 0;
  for (Index most : {1, 2, 4, 8}) {
    Machine m = machine("h200");
    m.cluster = most;
    for (char const* problem : {"c2c f32 forward 65536 batch 2048", "c2c f32 forward 256x256 batch 2048",
                                "c2c f32 forward 32x32x32 batch 4096", "c2c f32 forward 512x512x512"}) {
      Program const program = planner(parse_problem(problem), m).front().program;
      EXPECT_NO_THROW(check(program));
      if (quick() && found > 0) continue;
      int const here = verify_clusters(program, m);
      EXPECT_TRUE(most > 1 || here == 0) << text(program);
      found += here;
    }
  }
  EXPECT_GE(found, quick() ? 1 : 4);
}

}  // namespace
}  // namespace skipper::testing
