// The kernel text as NVRTC compiles it: hand-built specs keep every element in registers on each architecture, and
// a kernel that does not is reported. Skipped where there is no NVRTC; needs no GPU.
#include "support/nvrtc.h"

#include <gtest/gtest.h>

#include "plan/fused_inverse.h"
#include "plan/planner.h"
#include "plan/spec_text.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

using kernel::SweepSpec;
using kernel::Twiddling;
using kernel::Wide;

/// Lines of n = extents[0] extents[1] .. points, the first digit fastest, `lines` of them a block. Each step
/// transforms one digit, from the slowest to the fastest, and holds nothing but that digit in registers.
SweepSpec in_a_block(std::vector<int> const& extents, int lines) {
  int const m = int(extents.size());
  SweepSpec s;
  s.digits = m + 1;
  int n = 1;
  for (int d = 0; d < m; ++d) {
    s.extent[d] = extents[d];
    s.read.tile[d] = n;
    n *= extents[d];
  }
  for (int d = 0, stride = n; d < m; ++d) s.write.tile[d] = stride /= extents[d];
  s.extent[m] = lines;
  s.read.tile[m] = s.write.tile[m] = n;
  s.grids = 1;
  s.grid_extent[0] = 1000;
  s.read.grid[0] = s.write.grid[0] = Wide(n) * lines;
  s.threads = n * lines / extents[0];
  s.resident = 512 / s.threads;  // leaves each thread 128 registers
  s.shared = n * lines * 17 / 16;
  s.steps = m;
  int table = 0;
  for (int i = 0; i < m; ++i) {
    int const d = m - 1 - i, rows = int(s.read.tile[d]);
    auto& step = s.step[i];
    step.assignment = {m, 1, 0, {}};
    int place = 0;
    for (int other = 0; other < m; ++other)
      if (other != d) step.assignment.order[place++] = other;
    step.assignment.order[m - 1] = m;
    step.assignment.order[m] = d;
    step.radix = extents[d];
    step.group_size = 1;
    step.group[0] = d;
    if (i > 0) {
      step.exchange.needed = true;
      step.exchange.fence = i > 1;
      for (int any = 0; any <= m; ++any) {
        int const stride = int(s.read.tile[any]);
        step.exchange.weight[any] = stride + stride / 16;
      }
    }
    if (d > 0) {
      step.twiddle.kind = Twiddling::full_table;
      for (int low = 0; low < d; ++low) step.twiddle.low.tile[low] = s.read.tile[low];
      step.twiddle.rows = rows;
      step.twiddle.table = table;
      table += rows * (extents[d] - 1);
    }
  }
  return s;
}

/// A spec for what does not depend on the length; the shorter one compiles in half the time.
SweepSpec any_in_a_block() { return quick() ? in_a_block({4, 4}, 32) : in_a_block({16, 16}, 8); }

/// 64 points as 8 x 8 over two blocks, each digit cut in 4 x 2. The high part of the fast digit counts the blocks in
/// the first step, that of the slow one in the second.
SweepSpec in_a_cluster(int lines) {
  SweepSpec s;
  s.digits = 5;
  int const extents[] = {4, 2, 4, 2, lines}, read[] = {1, 4, 8, 32, 64}, write[] = {8, 32, 1, 4, 64};
  int const weight[] = {1, 4, 9, 0, 36};
  for (int d = 0; d < 5; ++d) s.extent[d] = extents[d], s.read.tile[d] = read[d], s.write.tile[d] = write[d];
  s.grids = 1;
  s.grid_extent[0] = Wide(1) << 33;  // more than 32 bits can count
  s.read.grid[0] = s.write.grid[0] = 64 * lines;
  s.threads = 4 * lines;
  s.resident = 512 / s.threads;
  s.cluster_ranks = 2;
  s.shared = 36 * lines;
  s.steps = 2;
  auto& first = s.step[0];
  first.assignment = {2, 2, 1, {0, 4, 2, 3, 1}};
  first.radix = 8;
  first.group_size = 2;
  first.group[0] = 2, first.group[1] = 3;
  first.twiddle.kind = Twiddling::two_level;
  first.twiddle.k[2] = 1, first.twiddle.k[3] = 4;
  first.twiddle.low.tile[0] = 1, first.twiddle.low.tile[1] = 4;
  first.twiddle.shift = 3;
  first.twiddle.table_low = 8;
  auto& second = s.step[1];
  second.assignment = {2, 2, 1, {2, 4, 0, 1, 3}};
  second.exchange.needed = second.exchange.remote = second.exchange.fence = true;
  for (int d = 0; d < 5; ++d) second.exchange.weight[d] = weight[d];
  second.radix = 8;
  second.group_size = 2;
  second.group[0] = 0, second.group[1] = 1;
  return s;
}

/// Both, but with SKIPPER_QUICK=1 one of them: which, depends on the number of the test.
std::vector<bool> precisions(std::size_t number) {
  std::vector<bool> list;
  for (bool is_double : {false, true})
    if (takes(number + std::size_t(is_double), 2)) list.push_back(is_double);
  return list;
}

class NvrtcTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!nvrtc_) GTEST_SKIP() << "no NVRTC on this machine";
  }

  Compiled compile(std::vector<SweepSpec> const& specs, bool is_double, int architecture) const {
    auto const program = kernel_text(specs, is_double);
    return nvrtc_->compile(program.source, program.names, "sm_" + std::to_string(architecture));
  }

  std::optional<Nvrtc> const nvrtc_ = Nvrtc::open();
};

class NvrtcOn : public NvrtcTest, public ::testing::WithParamInterface<int> {
 protected:
  void expect_in_registers(std::vector<SweepSpec> const& specs, bool is_double) {
    if (!nvrtc_->supports(GetParam())) GTEST_SKIP() << "this NVRTC does not know sm_" << GetParam();
    Compiled const compiled = compile(specs, is_double, GetParam());
    ASSERT_TRUE(compiled.ok) << compiled.log;
    ASSERT_EQ(compiled.kernels.size(), specs.size());
    EXPECT_FALSE(compiled.cubin.empty());
    for (std::size_t i = 0; i < specs.size(); ++i) {
      KernelUse const& use = compiled.kernels[i];
      SCOPED_TRACE(text(specs[i]));
      EXPECT_EQ(use.local_bytes, 0);
      EXPECT_EQ(use.spill_stores, 0);
      EXPECT_EQ(use.spill_loads, 0);
      EXPECT_GE(use.registers, 2 * kernel::max_elements_per_thread(specs[i]) * (is_double ? 2 : 1));
      EXPECT_LE(use.registers, 65536 / specs[i].threads);
    }
  }
};

/// Parts of the kernel text in which architectures do not differ: for sm_90 alone, for all with SKIPPER_LONG=1.
class NvrtcVariant : public NvrtcOn {};

TEST_P(NvrtcOn, Line4096StaysInRegisters) { expect_in_registers({in_a_block({16, 16, 16}, 1)}, false); }
TEST_P(NvrtcVariant, LineOf64InDoubleStaysInRegisters) {
  expect_in_registers({in_a_block({8, 8}, 16)}, true);
}
TEST_P(NvrtcVariant, SixteenBitStorageStaysInRegisters) {
  if (quick()) {
    SweepSpec mixed = any_in_a_block();
    mixed.pre.storage = kernel::Storage::f16;
    mixed.post.storage = kernel::Storage::bf16;
    mixed.post.real = true;
    return expect_in_registers({mixed}, false);
  }
  for (kernel::Storage const storage : {kernel::Storage::f16, kernel::Storage::bf16}) {
    SweepSpec pairs = any_in_a_block(), singles = pairs;
    pairs.pre.storage = pairs.post.storage = singles.pre.storage = singles.post.storage = storage;
    singles.pre.real = singles.post.real = true;
    expect_in_registers({pairs, singles}, false);
  }
}
TEST_P(NvrtcVariant, StoresToPeersStayInRegisters) {
  SweepSpec even = any_in_a_block(), odd = even, reals = even;
  even.post.peer_unit = 4096;
  odd.post.peer_unit = 3 * 1000;
  reals.post.peer_unit = 510;
  reals.post.real = reals.post.pairs = true;
  if (quick()) return expect_in_registers({odd, reals}, false);
  expect_in_registers({even, odd, reals}, false);
  SweepSpec doubles = in_a_block({8, 8}, 16);
  doubles.post.peer_unit = 1000;
  expect_in_registers({doubles}, true);
}
TEST_P(NvrtcOn, FlowIsCompiledWhereverItIsSet) {
  SweepSpec spec = in_a_block({4, 4}, 32);
  spec.flow = {true, true, true, true};
  for (bool is_double : precisions(0)) expect_in_registers({spec}, is_double);
}
TEST_P(NvrtcVariant, TwoSweepsInOneKernelStayInRegisters) {
  if (!nvrtc_->supports(GetParam())) GTEST_SKIP() << "this NVRTC does not know sm_" << GetParam();
  SweepSpec first = any_in_a_block(), last = quick() ? first : in_a_block({8, 8}, 16);
  first.threads = last.threads = 128;
  first.flow = {
      .read_streaming = true, .dependent = true, .overlaps = true, .fused = true, .polls_early = true};
  last.flow = {.write_streaming = true, .dependent = true, .discards = true, .fused = true};
  last.prefetch.piece = 8;
  for (bool is_double : precisions(1)) {
    KernelText const kernel = fused_text(first, last, is_double);
    Compiled const compiled =
        nvrtc_->compile(kernel.source, kernel.names, "sm_" + std::to_string(GetParam()));
    ASSERT_TRUE(compiled.ok) << compiled.log;
    EXPECT_LE(compiled.kernels.front().local_bytes, 16);  // as gpu/jit allows
    EXPECT_LE(compiled.kernels.front().registers, 65536 / first.threads / first.resident);
  }
}
TEST_P(NvrtcVariant, FusedInversesStayInRegisters) {
  for (std::string const problem :
       {quick() ? "c2c f32 forward 16 batch 100" : "c2c f32 forward 1024 batch 100",
        quick() ? "r2c f32 forward 16x16 batch 100" : "r2c f32 forward 256x256 batch 100"}) {
    Problem const there = parse_problem(problem);
    Problem back = there;
    back.direction = Direction::inverse;
    if (there.kind == Kind::r2c) back.kind = Kind::c2r;
    Machine const a100 = machine("a100");
    for (Factors factors : {Factors::shared, Factors::symbol}) {
      if (quick() && (factors != Factors::symbol || there.kind != Kind::r2c)) continue;
      FusedInverse const fused_inverse = fused_inverses({there, dense_layout(back)}, factors, a100).front();
      expect_in_registers(
          {lower(fused_inverse.forward, int(fused_inverse.forward.sweeps.size()) - 1, a100).spec}, false);
    }
  }
}
TEST_P(NvrtcVariant, FunctionsOfAUserStayInRegisters) {
  if (!nvrtc_->supports(GetParam())) GTEST_SKIP() << "this NVRTC does not know sm_" << GetParam();
  SweepSpec spec = any_in_a_block();
  spec.pre.callback = spec.pre.pairs = spec.post.callback = true;
  UserText const user{
      "Value on_load(Value x, long long place, void*) { return x * cosf(float(place)); }",
      "Value on_store(Value x, long long, void* data) { return x * *static_cast<Value*>(data); }", true,
      false};
  auto const program = kernel_text({spec}, false, user);
  Compiled const compiled =
      nvrtc_->compile(program.source, program.names, "sm_" + std::to_string(GetParam()));
  ASSERT_TRUE(compiled.ok) << compiled.log;
  SweepSpec gathered = spec;  // reals by gather indices: no callback on complex numbers may be compiled
  gathered.pre.pairs = false;
  gathered.pre.real = gathered.pre.real_axis = true;
  auto const reals = kernel_text({gathered}, false, user);
  Compiled const of_reals = nvrtc_->compile(reals.source, reals.names, "sm_90");
  EXPECT_TRUE(of_reals.ok) << of_reals.log;
  UserText const wrong{"Value on_load(Value x, long long, void*) { return nonsense; }", "", true, false};
  auto const faulty = kernel_text({spec}, false, wrong);
  EXPECT_NE(nvrtc_->compile(faulty.source, faulty.names, "sm_90").log.find("callbacks.cuda_load(1)"),
            std::string::npos);
}
TEST_P(NvrtcOn, ClusterStaysInRegisters) {
  if (GetParam() < 90) GTEST_SKIP() << "no clusters before sm_90";
  for (bool is_double : precisions(1)) expect_in_registers({in_a_cluster(32)}, is_double);
}

/// With no more than a few bytes of a thread outside its registers.
TEST_P(NvrtcOn, MatrixProductsCompileForTensorCores) {
  if (!nvrtc_->supports(GetParam())) GTEST_SKIP() << "this NVRTC does not know sm_" << GetParam();
  for (bool is_double : precisions(0)) {
    Precision const precision = is_double ? Precision::f64 : Precision::f32;
    Problem problem = c2c({59}, 1 << 20, precision);
    Program const program = parse_program("{X(1,59,1,59,no-tw,by 59)}", problem);
    Compiled const compiled =
        compile({lower(program, 0, machine("h200")).spec}, precision == Precision::f64, GetParam());
    ASSERT_TRUE(compiled.ok) << compiled.log;
    EXPECT_LE(compiled.kernels.front().spill_stores, 32);
  }
}

std::string architecture_name(::testing::TestParamInfo<int> const& info) {
  return "sm_" + std::to_string(info.param);
}
INSTANTIATE_TEST_SUITE_P(Architectures, NvrtcOn,
                         ::testing::ValuesIn(quick() ? std::vector{90} : std::vector{80, 90, 100}),
                         architecture_name);
INSTANTIATE_TEST_SUITE_P(Architectures, NvrtcVariant,
                         ::testing::ValuesIn(thorough() ? std::vector{80, 90, 100} : std::vector{90}),
                         architecture_name);

TEST_F(NvrtcTest, PlainKernelsStayInRegisters) {
  std::vector<std::string> names;
  std::size_t number = 0;  // with SKIPPER_QUICK=1 each kernel with another type
  for (std::string const kernel :
       {"columns_kernel", "strided_columns_kernel", "divide_kernel", "swap_kernel"}) {
    for (std::string const type :
         {"float", "double", "skipper::kernel::Complex<float>", "skipper::kernel::Complex<double>"})
      if (takes(number++, 4)) names.push_back("skipper::kernel::" + kernel + "<" + type + ">");
    ++number;
  }
  for (std::string const kernel : {"lower_kernel", "largest_kernel", "add_face_kernel"}) {
    for (std::string const type : {"float", "double"})
      if (takes(number++, 2)) names.push_back("skipper::kernel::" + kernel + "<" + type + ">");
    ++number;
  }
  Compiled const compiled = nvrtc_->compile("#include \"kernel/plain_entry.h\"\n", names, "sm_90");
  ASSERT_TRUE(compiled.ok) << compiled.log;
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(compiled.kernels[i].local_bytes, 0) << names[i];
    EXPECT_LE(compiled.kernels[i].registers, 200) << names[i];
  }
}

TEST_F(NvrtcTest, CompilesSeveralKernelsAtOnce) {
  auto const compiled = compile({in_a_block({2, 4}, 16), in_a_block({4, 2}, 16)}, false, 90);
  ASSERT_TRUE(compiled.ok) << compiled.log;
  ASSERT_EQ(compiled.kernels.size(), 2u);
  EXPECT_NE(compiled.kernels[0].lowered, compiled.kernels[1].lowered);
  EXPECT_LT(compiled.kernels[0].lowered.size(), 100u) << "the spec should not stand in the name";
}

/// Three registers side by side in the table of an exchange that moves them singly: the compiler asks which are pairs all the same.
TEST_F(NvrtcTest, CompilesExchangesOfOddDigits) {
  Problem const problem =
      parse_problem("c2c bf16 forward 504001 batch 3 in 2/1008002 out 2/1008002 in-place");
  Program const program = planner(problem, machine("h200"), {.max_candidates = 1}).front().program;
  KernelText const kernel = kernel_text({lower(program, 0, machine("h200")).spec}, false);
  Compiled const compiled = nvrtc_->compile(kernel.source, kernel.names, "compute_90");
  EXPECT_TRUE(compiled.ok) << compiled.log.substr(0, 500);
}

// The planted faults: the reports that the other tests expect to be empty are not always so.

TEST_F(NvrtcTest, ReportsSpills) {
  SweepSpec spec = in_a_block({16, 16, 16}, 1);
  spec.resident = 8;  // 2048 threads leave 32 registers for 16 elements and all else
  auto const compiled = compile({spec}, false, 90);
  ASSERT_TRUE(compiled.ok) << compiled.log;
  EXPECT_LE(compiled.kernels[0].registers, 32);
  EXPECT_GT(compiled.kernels[0].spill_stores, 0);
  EXPECT_GT(compiled.kernels[0].spill_loads, 0);
  EXPECT_GT(compiled.kernels[0].local_bytes, 0);
}

TEST_F(NvrtcTest, ReportsLocalMemoryOfTheKernelThatUsesIt) {
  auto const compiled = nvrtc_->compile(
      "__global__ void good(float* p) { p[threadIdx.x] = 1; }\n"
      "__global__ void bad(float* p) {\n"
      "  float v[100];\n"
      "  for (int i = 0; i < 100; ++i) v[int(p[i])] = p[i];\n"
      "  for (int i = 0; i < 100; ++i) p[i] += v[int(p[i])];\n"
      "}\n",
      {"good", "bad"}, "sm_90");
  ASSERT_TRUE(compiled.ok) << compiled.log;
  EXPECT_EQ(compiled.kernels[0].local_bytes, 0);
  EXPECT_GE(compiled.kernels[1].local_bytes, 400);
  EXPECT_EQ(compiled.kernels[1].spill_stores, 0);
}

TEST_F(NvrtcTest, SaysWhyASourceDoesNotCompile) {
  auto const compiled = nvrtc_->compile("#include \"kernel/entry.h\"\nint x = nonsense;\n", {}, "sm_90");
  EXPECT_FALSE(compiled.ok);
  EXPECT_NE(compiled.log.find("nonsense"), std::string::npos) << compiled.log;
}

TEST_F(NvrtcTest, RefusesClustersWhereThereAreNone) {
  if (!nvrtc_->supports(80)) GTEST_SKIP() << "this NVRTC does not know sm_80";
  auto const compiled = compile({in_a_cluster(32)}, false, 80);
  EXPECT_FALSE(compiled.ok);
  EXPECT_NE(compiled.log.find("clusters of blocks need sm_90"), std::string::npos) << compiled.log;
}

}  // namespace
}  // namespace skipper::testing
