// One plan, many threads: results do not depend on how many, and many may execute it at once.
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "cpu/engine.h"
#include "cpu/host.h"
#include "cpu/needs.h"
#include "cpu/oracle.h"

namespace skipper::cpu::testing {
namespace {

std::vector<Problem> const problems = {
    c2c({65536}),        c2c({1 << 17}, 1, Precision::f64),
    c2c({300, 200}),     c2c({60, 50, 40}, 1, Precision::f64, Direction::inverse),
    c2c({64, 64}, 40),   c2c({1009}, 30),
    r2c({1 << 18}),      r2c({256, 300}, 1, Precision::f64),
    c2r({1 << 18}),      c2r({30, 100, 64}),
    c2r({96, 100}, 150), in_place(r2c({128, 128, 4})),
    c2c({8}, 20000),     c2c({65536}, 10, Precision::f64),
    r2c({1 << 18}, 5)};

template <class T>
std::vector<T> run(Transform const& transform, Problem const& p, void* workspace = nullptr) {
  std::vector<T> in = random_scalars<T>(in_bytes(p) / sizeof(T), 3),
                 out(std::max(in_bytes(p), out_bytes(p)) / sizeof(T), T(0));
  bool const inside = p.placement == Placement::in_place;
  if (inside) std::copy(in.begin(), in.end(), out.begin());
  transform.execute(inside ? out.data() : in.data(), out.data(), workspace);
  return out;
}

template <class T>
void same_for_all_counts(Problem const& p) {
  Machine const host = host_machine();
  std::vector<T> const expected = run<T>(Transform(p, host, {1, ""}), p);
  for (int threads : {2, 5}) {
    Transform const transform(p, host, {threads, ""});
    std::vector<T> const got = run<T>(transform, p);
    EXPECT_EQ(std::memcmp(got.data(), expected.data(), sizeof(T) * got.size()), 0)
        << threads << " threads: " << text(p);
    std::vector<char> workspace(transform.workspace_bytes() + 8, 0);
    std::vector<T> const supplied = run<T>(transform, p, workspace.data() + 8);
    EXPECT_EQ(std::memcmp(supplied.data(), expected.data(), sizeof(T) * got.size()), 0) << text(p);
  }
}

TEST(Threads, CountChangesNoBit) {
  for (std::size_t i = 0; i < problems.size(); ++i)
    if (takes(i, 3))
      problems[i].precision == Precision::f32 ? same_for_all_counts<float>(problems[i])
                                              : same_for_all_counts<double>(problems[i]);
}

TEST(Threads, ManyExecuteAtOnce) {
  for (Problem const& p : {problems[0], problems[2], problems[9], c2c({64}), c2c({1021})}) {
    if (quick() && in_bytes(p) > 100'000) continue;
    Transform const transform(p, host_machine(), {4, ""});
    std::vector<float> const expected = run<float>(transform, p);
    std::vector<std::thread> threads;
    for (int t = 0; t < 64; ++t)
      threads.emplace_back([&] {
        for (int round = 0; round < 2; ++round) EXPECT_EQ(run<float>(transform, p), expected);
      });
    for (auto& thread : threads) thread.join();
  }
}

TEST(Threads, PlansFromManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t)
    threads.emplace_back([t] {
      for (Index n : {16, 100, 211}) expect_right(c2c({n + t}), {2, ""}), expect_right(r2c({n + t}), {2, ""});
    });
  for (auto& thread : threads) thread.join();
}

TEST(Threads, WorkspaceIsAtMostOneMoreCopy) {
  Index const tiles = 2 * host_machine().l2_bytes;  // what is in cache anyway
  for (Problem p : {c2c({1 << 20}), c2c({512, 512}), c2r({512, 512}), r2c({1 << 20}), c2c({1 << 14}, 200),
                    c2r({64, 64}, 900), c2r({300, 200}, 40), c2r({1 << 20}), c2c({1009 * 512})}) {
    Transform const transform(p, host_machine(), {1, ""});
    p.batch.clear();
    EXPECT_LE(static_cast<Index>(transform.workspace_bytes()),
              std::max(in_bytes(p), out_bytes(p)) + 2 * tiles)
        << text(p);
  }
}

TEST(Threads, WorkspaceOfALineIsOneThreads) {
  EXPECT_EQ(Transform(c2c({211}), host_machine(), {1, ""}).workspace_bytes(),
            Transform(c2c({211}), host_machine(), {16, ""}).workspace_bytes());  // a line has one thread's
}

TEST(Threads, AsManyAsTheWorkIsWorth) {
  Machine machine = host_machine();
  auto const text_of = [&](Problem const& p) { return Transform(p, machine, {16, ""}).describe(); };
  machine.vector_bytes = 16;
  EXPECT_NE(text_of(c2c({64})).find(", 1 threads"), std::string::npos);
  EXPECT_NE(text_of(c2c({128, 128})).find(", 3 threads"), std::string::npos) << text_of(c2c({128, 128}));
  EXPECT_NE(text_of(c2c({64, 64, 64})).find(", 16 threads"), std::string::npos);
  machine.vector_bytes = 64;  // then the same work is less
  EXPECT_NE(text_of(c2c({128, 128})).find(", 1 threads"), std::string::npos) << text_of(c2c({128, 128}));
  EXPECT_NE(text_of(c2c({64, 64, 64})).find(", 16 threads"), std::string::npos);
}

/// A thread takes whole lines where a core's cache holds one and the threads that idle cost less than sharing a line.
TEST(Threads, TakeWholeLinesWhereTheyAreMany) {
  Machine machine = host_machine();
  machine.l2_bytes = Index(1) << 21;
  auto const at_once = [&](Index n, Index batch, int threads) {
    TableMaker tables(kernels<double>(variant("")), 1, TableMaker::Mode::count);
    auto const schedule = make_schedule<double>(c2c({n}, batch, Precision::f64), machine, tables);
    return lines_at_once(schedule, machine, threads_at_work(schedule, machine, threads));
  };
  EXPECT_EQ(at_once(65536, 32, 16), 16);
  EXPECT_EQ(at_once(65536, 15, 16), 16);
  EXPECT_EQ(at_once(65536, 32, 1), 1);
  EXPECT_EQ(at_once(65536, 17, 16), 16);  // two rounds, the second of one line
  EXPECT_EQ(at_once(65536, 1, 16), 1);
  EXPECT_EQ(at_once(65536, 2, 16), 1);
  EXPECT_EQ(at_once(1 << 20, 32, 16), 1);  // no cache holds it
}

/// What needs() says before a plan is made is what the plan takes.
TEST(Threads, LineBuffersAreCounted) {
  for (Index batch : {1, 32})
    for (Problem const& p :
         {c2c({65536}, batch, Precision::f64), in_place(c2c({65536}, batch, Precision::f64))}) {
      Machine const host = host_machine();
      double const taken = static_cast<double>(Transform(p, host, {16, ""}).workspace_bytes());
      EXPECT_NEAR(needs(p, host, {16, ""}).workspace_bytes, taken, 20 * 64) << text(p);
    }
}

/// The output itself stands between the sweeps over a line, unless it is the input too.
TEST(Threads, LongLinesOutOfPlaceNeedNoBuffer) {
  auto const buffer = [](Problem const& p) {
    TableMaker tables(kernels<double>(variant("")), 1, TableMaker::Mode::count);
    return make_schedule<double>(p, host_machine(), tables).line;
  };
  Index const n = Index(1) << 20;
  EXPECT_EQ(buffer(c2c({n}, 1, Precision::f64)), 0);
  EXPECT_EQ(buffer(r2c({n}, 4, Precision::f64)), 0);
  EXPECT_EQ(buffer(in_place(c2c({n}, 1, Precision::f64))), 2 * n);
  EXPECT_EQ(buffer(c2r({n}, 1, Precision::f64)), n);
}

}  // namespace
}  // namespace skipper::cpu::testing
