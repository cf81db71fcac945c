// FFTW's other calls, and what its planner says to arguments that make no sense.
#include <climits>
#include <thread>

#include "memory.h"

namespace skipper::fftw3::testing {
namespace {

constexpr unsigned estimate = FFTW_ESTIMATE;

struct Line {
  explicit Line(int n) : size(n), in(static_cast<std::size_t>(2 * n)), out(in.size()) {
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<Real>(i % 7) - 3;
  }
  FftwComplex* from() { return complex(in.data()); }
  FftwComplex* to() { return complex(out.data()); }
  FftwPlan plan(unsigned flags = estimate) { return FFTW_NAME(plan_dft_1d)(size, from(), to(), -1, flags); }
  int size;
  std::vector<Real> in, out;
};

TEST(BadArguments, GiveNoPlan) {
  Line line(8);
  int const sizes[] = {4, 0}, good[] = {2, 4};
  FftwKind const unknown = static_cast<FftwKind>(11), dht = FFTW_DHT;
  FFTW_NAME(iodim) const dim{4, 1, 1}, none{0, 1, 1}, negative{-3, 1, 1};
  auto* const r = line.in.data();
  EXPECT_EQ(FFTW_NAME(plan_dft_1d)(0, line.from(), line.to(), -1, estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_dft_1d)(-4, line.from(), line.to(), -1, estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_dft)(2, sizes, line.from(), line.to(), -1, estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_dft)(-1, good, line.from(), line.to(), -1, estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_dft)(1, nullptr, line.from(), line.to(), -1, estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_dft_r2c_2d)(4, 0, r, line.to(), estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_dft_c2r_1d)(-1, line.from(), r, estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_many_dft)(1, good, -1, line.from(), nullptr, 1, 1, line.to(), nullptr, 1, 1, -1,
                                     estimate),
            nullptr);
  EXPECT_EQ(FFTW_NAME(plan_r2r_1d)(1, r, r, FFTW_REDFT00, estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_r2r_1d)(4, r, r, unknown, estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_r2r)(1, good, r, r, nullptr, estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_r2r)(-2, good, r, r, &dht, estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_guru_dft)(1, &none, 0, nullptr, line.from(), line.to(), -1, estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_guru_dft)(1, nullptr, 0, nullptr, line.from(), line.to(), -1, estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_guru_dft)(1, &dim, 1, &negative, line.from(), line.to(), -1, estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_guru_dft)(-1, &dim, 0, nullptr, line.from(), line.to(), -1, estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_guru_dft)(1, &dim, -1, &dim, line.from(), line.to(), -1, estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_guru_dft)(1 << 20, &dim, 0, nullptr, line.from(), line.to(), -1, estimate),
            nullptr);
}

TEST(Arrays, OfEmptyBatchesAreLeftAlone) {
  Line line(8);
  FFTW_NAME(iodim) const dim{4, 1, 1}, none{0, 1, 1};
  FftwPlan const empty = FFTW_NAME(plan_guru_dft)(1, &dim, 1, &none, line.from(), line.to(), -1, estimate);
  FftwPlan const infinite =
      FFTW_NAME(plan_guru_dft)(1, &dim, INT_MAX, nullptr, line.from(), line.to(), -1, estimate);
  for (FftwPlan const plan : {empty, infinite}) {
    ASSERT_NE(plan, nullptr);
    FFTW_NAME(execute)(plan);
    FFTW_NAME(destroy_plan)(plan);
  }
  EXPECT_EQ(line.out, std::vector<Real>(16));
}

TEST(BadArguments, SizesBeyondMemoryGiveNoPlan) {
  Line line(8);
  FFTW_NAME(iodim64) const huge{PTRDIFF_MAX, 1, 1};
  FFTW_NAME(iodim64) const large[] = {{1 << 30, 1 << 30, 1 << 30}, {1 << 30, 1, 1}};
  EXPECT_EQ(FFTW_NAME(plan_guru64_dft)(1, &huge, 0, nullptr, line.from(), line.to(), -1, estimate), nullptr);
  EXPECT_EQ(FFTW_NAME(plan_guru64_dft)(2, large, 0, nullptr, line.from(), line.to(), -1, estimate), nullptr);
}

TEST(BadArguments, CallsOnNoPlanDoNothing) {
  Line line(8);
  FFTW_NAME(execute)(nullptr);
  FFTW_NAME(execute_dft)(nullptr, line.from(), line.to());
  FFTW_NAME(destroy_plan)(nullptr);
  double add = 1, mul = 1, fma = 1;
  FFTW_NAME(flops)(nullptr, &add, &mul, &fma);
  EXPECT_EQ(add, 0);
  EXPECT_EQ(FFTW_NAME(cost)(nullptr), 0);
}

TEST(BadArguments, PlansThatAreDestroyedOrOfAnotherKindAreLeftAlone) {
  Line line(8);
  FftwPlan const plan = line.plan();
  FFTW_NAME(execute_r2r)(plan, line.in.data(), line.out.data());
  FFTW_NAME(execute_dft)(plan, nullptr, line.to());
  FFTW_NAME(destroy_plan)(plan);
  FFTW_NAME(execute)(plan);
  FFTW_NAME(destroy_plan)(plan);
  EXPECT_EQ(line.out, std::vector<Real>(16));
}

TEST(Arrays, MayBeNullForThePlanner) {
  Line line(12), wanted(12);
  FftwPlan const plan = FFTW_NAME(plan_dft_1d)(12, nullptr, nullptr, -1, estimate), direct = wanted.plan();
  ASSERT_NE(plan, nullptr);
  FFTW_NAME(execute)(plan);
  FFTW_NAME(execute)(direct);
  FFTW_NAME(execute_dft)(plan, line.from(), line.from());
  EXPECT_EQ(line.in, wanted.out);
  FFTW_NAME(destroy_plan)(plan);
  FFTW_NAME(destroy_plan)(direct);
}

TEST(Arrays, OtherThanPlannedForStillGiveTheAnswer) {
  Line line(30), same(30);
  FftwPlan const plan = line.plan();
  FFTW_NAME(execute)(plan);
  FFTW_NAME(execute_dft)(plan, same.from(), same.from());  // planned out of place
  for (std::size_t i = 0; i < line.out.size(); ++i)
    EXPECT_NEAR(same.in[i], line.out[i], 100 * tolerance) << i;
  std::vector<Real> unaligned(63);
  Line other(30);
  std::copy(other.in.begin(), other.in.end(), unaligned.begin() + 1);
  FFTW_NAME(execute_dft)(plan, complex(unaligned.data() + 1), other.to());
  EXPECT_EQ(other.out, line.out);
  FFTW_NAME(destroy_plan)(plan);
}

TEST(Arrays, ThatOverlapAreReadBeforeTheyAreWritten) {
  std::vector<Real> memory(40), apart(32);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<Real>(i % 5) - 2;
  std::vector<Real> input(memory.begin(), memory.begin() + 32);
  FftwPlan const plan =
      FFTW_NAME(plan_dft_1d)(16, complex(memory.data()), complex(memory.data() + 6), -1, estimate);
  FftwPlan const clear =
      FFTW_NAME(plan_dft_1d)(16, complex(input.data()), complex(apart.data()), -1, estimate);
  FFTW_NAME(execute)(plan);
  FFTW_NAME(execute)(clear);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_NEAR(memory[i + 6], apart[i], 100 * tolerance);
  FFTW_NAME(destroy_plan)(plan);
  FFTW_NAME(destroy_plan)(clear);
}

TEST(Plans, AreFewAndLastThroughCleanup) {
  Line line(16), again(16);
  FftwPlan const plan = line.plan();
  FFTW_NAME(cleanup)();
  FFTW_NAME(execute)(plan);
  FFTW_NAME(destroy_plan)(plan);
  for (int i = 0; i < 5000; ++i) {
    FftwPlan const next = again.plan();
    ASSERT_NE(next, nullptr);
    if (i == 4999) FFTW_NAME(execute)(next);
    FFTW_NAME(destroy_plan)(next);
  }
  EXPECT_EQ(again.out, line.out);
}

TEST(Plans, SayWhatTheyCostAndAre) {
  Line line(64);
  FftwPlan const plan = line.plan();
  double add = 0, mul = 0, fma = 0;
  FFTW_NAME(flops)(plan, &add, &mul, &fma);
  EXPECT_NEAR(add + mul + 2 * fma, 5 * 64 * 6, 1e-6);
  EXPECT_GT(FFTW_NAME(estimate_cost)(plan), 0);
  EXPECT_GT(FFTW_NAME(cost)(plan), 0);
  char* const text = FFTW_NAME(sprint_plan)(plan);
  EXPECT_EQ(std::string(text).substr(0, 34), "(skipper c2c forward 64:2:2 pairs ");
  std::FILE* const file = std::tmpfile();
  FFTW_NAME(fprint_plan)(plan, file);
  EXPECT_EQ(static_cast<std::size_t>(std::ftell(file)), std::string(text).size());
  std::fclose(file);
  FFTW_NAME(free)(text);
  ::testing::internal::CaptureStdout();
  FFTW_NAME(print_plan)(plan);
  std::fflush(stdout);
  EXPECT_NE(::testing::internal::GetCapturedStdout().find("skipper"), std::string::npos);
  FFTW_NAME(destroy_plan)(plan);
  EXPECT_EQ(std::string(FFTW_NAME(version)).substr(0, 7), "fftw-3.");
  EXPECT_NE(FFTW_NAME(cc)[0], 0);
  EXPECT_EQ(FFTW_NAME(codelet_optim)[0], 0);
}

TEST(Memory, IsAligned) {
  void* const plain = FFTW_NAME(malloc)(100);
  Real* const reals = FFTW_NAME(alloc_real)(10);
  FftwComplex* const numbers = FFTW_NAME(alloc_complex)(10);
  for (void* p : {plain, static_cast<void*>(reals), static_cast<void*>(numbers)}) {
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 64, 0u);
    FFTW_NAME(free)(p);
  }
  FFTW_NAME(free)(nullptr);
  volatile std::size_t const most = SIZE_MAX;
  EXPECT_EQ(FFTW_NAME(alloc_complex)(most), nullptr);
  EXPECT_EQ(FFTW_NAME(alignment_of)(reals), 0);
}

std::string exported() {
  char* const text = FFTW_NAME(export_wisdom_to_string)();
  std::string const result = text;
  FFTW_NAME(free)(text);
  return result;
}

TEST(Wisdom, ComesBackAsItWent) {
  FFTW_NAME(forget_wisdom)();
  std::string const empty = exported();
  Line line(24);
  FFTW_NAME(destroy_plan)(line.plan(FFTW_ESTIMATE));
  EXPECT_EQ(exported(), empty);
  FFTW_NAME(destroy_plan)(line.plan(FFTW_MEASURE));
  std::string const known = exported();
  EXPECT_NE(known, empty);
  FFTW_NAME(forget_wisdom)();
  EXPECT_EQ(exported(), empty);
  EXPECT_EQ(FFTW_NAME(import_wisdom_from_string)(known.c_str()), 1);
  EXPECT_EQ(exported(), known);
  EXPECT_EQ(FFTW_NAME(import_wisdom_from_string)(empty.c_str()), 1);
  EXPECT_EQ(exported(), known);
  FFTW_NAME(forget_wisdom)();
}

TEST(Wisdom, OnlyIsWhatWasPlannedWithAsMuchPatience) {
  FFTW_NAME(forget_wisdom)();
  Line line(24);
  EXPECT_EQ(line.plan(FFTW_WISDOM_ONLY), nullptr);
  EXPECT_EQ(line.plan(FFTW_WISDOM_ONLY | FFTW_ESTIMATE), nullptr);
  FFTW_NAME(destroy_plan)(line.plan(FFTW_ESTIMATE));
  FftwPlan const estimated = line.plan(FFTW_WISDOM_ONLY | FFTW_ESTIMATE);
  EXPECT_NE(estimated, nullptr);
  FFTW_NAME(destroy_plan)(estimated);
  EXPECT_EQ(line.plan(FFTW_WISDOM_ONLY), nullptr);
  FFTW_NAME(destroy_plan)(line.plan(FFTW_MEASURE));
  FftwPlan const plan = line.plan(FFTW_WISDOM_ONLY);
  EXPECT_NE(plan, nullptr);
  FFTW_NAME(destroy_plan)(plan);
  EXPECT_EQ(line.plan(FFTW_WISDOM_ONLY | FFTW_PATIENT), nullptr);
  FFTW_NAME(destroy_plan)(line.plan(FFTW_EXHAUSTIVE));
  FftwPlan const patient = line.plan(FFTW_WISDOM_ONLY | FFTW_PATIENT);
  EXPECT_NE(patient, nullptr);
  FFTW_NAME(destroy_plan)(patient);
  FFTW_NAME(forget_wisdom)();
}

TEST(Wisdom, OfOthersIsRefused) {
  for (char const* text : {"", "invalid", "(fftw-3.3.10 fftw_wisdom #x0 #x0 #x0 #x0\n)", "(", ")",
                           "(skipper-wisdom-1 fftwq\n)", "(skipper-wisdom-1 fftw\n  (measure nonsense)\n)",
                           "(skipper-wisdom-1 fftw\n  (hurried c2c forward 4:2:2)\n)"})
    EXPECT_EQ(FFTW_NAME(import_wisdom_from_string)(text), 0) << text;
  EXPECT_EQ(FFTW_NAME(import_wisdom_from_string)(nullptr), 0);
  EXPECT_EQ(FFTW_NAME(import_wisdom_from_filename)("/nowhere/at/all"), 0);
  EXPECT_EQ(FFTW_NAME(export_wisdom_to_filename)("/nowhere/at/all"), 0);
  EXPECT_EQ(FFTW_NAME(import_wisdom_from_file)(nullptr), 0);
}

TEST(Wisdom, GoesByFilesAndCharacters) {
  FFTW_NAME(forget_wisdom)();
  Line line(18);
  FFTW_NAME(destroy_plan)(line.plan(FFTW_PATIENT));
  std::string const known = exported();
  std::string const path = ::testing::TempDir() + "wisdom-" + prefix;
  EXPECT_EQ(FFTW_NAME(export_wisdom_to_filename)(path.c_str()), 1);
  FFTW_NAME(forget_wisdom)();
  EXPECT_EQ(FFTW_NAME(import_wisdom_from_filename)(path.c_str()), 1);
  EXPECT_EQ(exported(), known);
  std::remove(path.c_str());

  std::FILE* const file = std::tmpfile();
  FFTW_NAME(export_wisdom_to_file)(file);
  std::fputs("more", file);
  std::rewind(file);
  FFTW_NAME(forget_wisdom)();
  EXPECT_EQ(FFTW_NAME(import_wisdom_from_file)(file), 1);
  EXPECT_EQ(std::fgetc(file), '\n');  // nothing beyond its end was read
  std::fclose(file);

  std::string characters;
  FFTW_NAME(export_wisdom)([](char c, void* to) { *static_cast<std::string*>(to) += c; }, &characters);
  EXPECT_EQ(characters, known);
  FFTW_NAME(forget_wisdom)();
  auto read = [](void* from) -> int {
    auto& text = *static_cast<std::string*>(from);
    if (text.empty()) return EOF;
    char const c = text[0];
    text.erase(0, 1);
    return c;
  };
  EXPECT_EQ(FFTW_NAME(import_wisdom)(read, &characters), 1);
  EXPECT_EQ(exported(), known);
  FFTW_NAME(import_system_wisdom)();
  FFTW_NAME(forget_wisdom)();
}

TEST(Threads, AreCountedAndGiveTheSame) {
  EXPECT_EQ(FFTW_NAME(init_threads)(), 1);
  FFTW_NAME(make_planner_thread_safe)();
  FFTW_NAME(set_timelimit)(FFTW_NO_TIMELIMIT);
  EXPECT_EQ(FFTW_NAME(planner_nthreads)(), 1);
  Line one(1 << 16), two(1 << 16);
  FftwPlan const alone = one.plan();
  FFTW_NAME(plan_with_nthreads)(2);
  EXPECT_EQ(FFTW_NAME(planner_nthreads)(), 2);
  FftwPlan const both = two.plan();
  FFTW_NAME(plan_with_nthreads)(-3);
  EXPECT_EQ(FFTW_NAME(planner_nthreads)(), 1);
  FFTW_NAME(execute)(alone);
  FFTW_NAME(execute)(both);
  EXPECT_EQ(one.out, two.out);
  FFTW_NAME(destroy_plan)(alone);
  FFTW_NAME(destroy_plan)(both);
  FFTW_NAME(cleanup_threads)();
}

/// So many lines that any machine shares them among threads.
struct ManyLines {
  ManyLines() : in(2 * 64 * 4096), out(in.size()) {
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<Real>(i % 7) - 3;
  }
  FftwPlan plan(int threads) {
    FFTW_NAME(plan_with_nthreads)(threads);
    int const n = 4096;
    FftwPlan const made = FFTW_NAME(plan_many_dft)(1, &n, 64, complex(in.data()), nullptr, 1, n,
                                                   complex(out.data()), nullptr, 1, n, -1, estimate);
    FFTW_NAME(plan_with_nthreads)(1);
    return made;
  }
  std::vector<Real> in, out;
};

struct Loops {
  int count = 0, jobs = 0;
};
void count_and_run(void* (*work)(char*), char* data, std::size_t size, int count, void* loops) {
  static_cast<Loops*>(loops)->count += 1;
  static_cast<Loops*>(loops)->jobs += count;
  for (int i = count; i-- > 0;) work(data + size * static_cast<std::size_t>(i));
}

/// FFTW looks up its callback in every call: a plan is run by the one that is set when it is executed.
TEST(Threads, RunByTheCallback) {
  ManyLines lines;
  FftwPlan const alone = lines.plan(1);
  FftwPlan const before = lines.plan(4);  // than the callback is set
  Loops loops;
  FFTW_NAME(threads_set_callback)(count_and_run, &loops);
  FftwPlan const within = lines.plan(3);
  int const planning = loops.count;
  FFTW_NAME(execute)(alone);
  EXPECT_EQ(loops.count, planning);
  std::vector<Real> const expected = lines.out;
  for (FftwPlan const plan : {before, within}) {
    loops = {};
    std::fill(lines.out.begin(), lines.out.end(), Real(0));
    FFTW_NAME(execute)(plan);
    EXPECT_GT(loops.count, 0);
    EXPECT_GT(loops.jobs, loops.count);
    EXPECT_EQ(lines.out, expected);
  }
  FFTW_NAME(threads_set_callback)(nullptr, nullptr);
  for (FftwPlan const plan : {before, within}) {
    loops = {};
    std::fill(lines.out.begin(), lines.out.end(), Real(0));
    FFTW_NAME(execute)(plan);
    EXPECT_EQ(loops.count, 0);
    EXPECT_EQ(lines.out, expected);
  }
  for (FftwPlan const plan : {alone, before, within}) FFTW_NAME(destroy_plan)(plan);
}

TEST(Threads, PlanAndExecuteAtTheSameTime) {
  int const n = 60;
  Line wanted(n);
  FftwPlan const shared = wanted.plan();
  FFTW_NAME(execute)(shared);
  FFTW_NAME(iodim) const split{n, 1, 1};
  std::vector<Real> parts(4 * n);
  FftwPlan const staged =
      FFTW_NAME(plan_guru_split_dft)(1, &split, 0, nullptr, parts.data(), parts.data() + n,
                                     parts.data() + 2 * n, parts.data() + 3 * n, estimate);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        Line line(n), mine(n);
        FFTW_NAME(execute_dft)(shared, line.from(), line.to());
        FftwPlan const own = mine.plan(i % 2 ? FFTW_MEASURE : FFTW_ESTIMATE);
        FFTW_NAME(execute)(own);
        FFTW_NAME(destroy_plan)(own);
        std::vector<Real> data(4 * n);
        for (int k = 0; k < n; ++k) data[k] = line.in[2 * k], data[n + k] = line.in[2 * k + 1];
        FFTW_NAME(execute_split_dft)
        (staged, data.data(), data.data() + n, data.data() + 2 * n, data.data() + 3 * n);
        for (int k = 0; k < n; ++k)
          if (std::abs(data[2 * n + k] - wanted.out[2 * k]) > 100 * tolerance) ++wrong;
        if (line.out != wanted.out || mine.out != wanted.out) ++wrong;
        if (t == 0) FFTW_NAME(forget_wisdom)();
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
  FFTW_NAME(destroy_plan)(shared);
  FFTW_NAME(destroy_plan)(staged);
}

}  // namespace
}  // namespace skipper::fftw3::testing
