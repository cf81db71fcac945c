// The engine as on machines that this is not: one core to 64, caches small and large, and each instruction set that this one runs.
// What follows from these facts is the schedule: which lines are long, what a tile holds, who shares what.
#include <gtest/gtest.h>
#include <skipper/error.h>

#include "cpu/host.h"
#include "cpu/oracle.h"
#include "support/random_mixed.h"

namespace skipper::cpu::testing {
namespace {

struct Caches {
  Index l1, l2;
};
constexpr Caches caches[] = {{8 << 10, 32 << 10}, {32 << 10, 512 << 10}, {128 << 10, 16 << 20}};

Machine machine_of(int cores, Caches const& cache, std::string const& set) {
  Machine m = host_machine();
  m.sms = cores;
  m.l1_bytes = cache.l1, m.l2_bytes = cache.l2;
  m.vector_bytes = Index(sizeof(float)) * variant(set).f32->table[0].lanes;
  return m;
}

template <class T>
void expect_right_on(Machine const& machine, std::string const& set, Problem const& p) {
  Transform const transform(p, machine, {static_cast<int>(machine.sms), set});
  double const error = error_by<T>(p, [&](T const* in, T* out) { transform.execute(in, out); });
  EXPECT_LE(error, allowed(p)) << text(machine) << "\n" << transform.describe();
}

void expect_right_on_all(Problem const& p, std::size_t& number) try {
  for (std::string const& set : instruction_sets())
    for (Caches const& cache : caches)
      for (int cores : {1, 2, 16, 64}) {
        if (!takes(number++, 5)) continue;
        Machine const machine = machine_of(cores, cache, set);
        p.precision == Precision::f32 ? expect_right_on<float>(machine, set, p)
                                      : expect_right_on<double>(machine, set, p);
      }
} catch (Error const& e) {
  ADD_FAILURE() << text(p) << ": " << e.what();
}

/// Lines that are long in the small cache and short in the large one, of every sort, and planes and batches of either side of it.
TEST(Machines, EveryMechanism) {
  std::size_t number = 0;
  for (char const* problem : {"c2c f32 forward 4096",
                              "c2c f32 inverse 3000 batch 5",
                              "c2c f64 forward 1536",
                              "c2c f32 forward 2039",
                              "c2c f64 forward 1019",
                              "c2c f32 forward 2038",
                              "r2c f32 forward 6144",
                              "r2c f32 forward 2187 batch 3",
                              "r2c f32 forward 1999",
                              "c2r f32 inverse 4800 batch 2",
                              "c2r f32 inverse 2039",
                              "c2r f64 inverse 60x40",
                              "r2r f32 forward 2048 kinds dct2",
                              "r2r f32 forward 2025 kinds dct3",
                              "r2r f32 forward 2049 kinds dct1",
                              "r2r f32 forward 2039 kinds dst1",
                              "r2r f32 forward 2500 kinds dst4",
                              "r2r f32 forward 3000 kinds dht",
                              "c2c f32 forward 64x96",
                              "c2c f32 inverse 20x30x12 batch 2",
                              "r2c f32 forward 12x20x30",
                              "c2c f32 forward 100 batch 80",
                              "r2c f32 forward 50x64 in-place",
                              "c2c f32 forward 3000 in-place"})
    expect_right_on_all(parse_problem(problem), number);
}

/// Odd numbers of reals whose two primes have passes for columns and none for a line by itself.
TEST(Machines, NoProductOfTwoPrimesIsRefused) {
  std::size_t number = 0;
  for (Index p = 17; p <= max_symmetric_prime; p += 2)
    for (Index q = p; q <= max_symmetric_prime; q += 2) {
      if (!is_prime(p) || !is_prime(q)) continue;
      for (Precision const precision : {Precision::f32, Precision::f64})
        for (Index const l2 : {32 << 10, 256 << 10, 512 << 10, 2 << 20}) {
          if (!takes(number++, 11)) continue;
          Machine const machine = machine_of(2, {l2 / 4, l2}, "");
          EXPECT_NO_THROW(needs(r2c({p * q}, 1, precision), machine)) << p << " x " << q << ", " << l2;
          EXPECT_NO_THROW(needs(c2r({p * q}, 1, precision), machine)) << p << " x " << q << ", " << l2;
        }
    }
}

TEST(Machines, RandomProblems) {
  std::mt19937_64 random(skipper::testing::seed_of_run());
  std::size_t number = 0;
  for (int i = 0; i < (quick() ? 12 : 60); ++i)
    expect_right_on_all(skipper::testing::random_mixed(random, 3000, {2500, 60, 20, 9}), number);
}

}  // namespace
}  // namespace skipper::cpu::testing
