#include "ir/ptx.h"

#include <gtest/gtest.h>

#include "ir/check.h"
#include "ir/contract.h"
#include "ir/recorded.h"
#include "support/assembler.h"

namespace {

using namespace skipper::ir;
using namespace skipper::testing;

/// Behind the registers.
std::string body(std::string const& text) {
  auto const last = text.rfind("  .reg");
  return text.substr(text.find('\n', last) + 1);
}

TEST(Ptx, AShortRegionIsPredicated) {
  Recording r(header(128));
  Real x(0.0);
  if (Region const here(r.thread < 100); here) x = r.load(r.thread);
  r.store(r.thread, x);
  EXPECT_EQ(body(ptx(r.builder.finish())), R"(  mov.u32 %r0, %tid.x;
  setp.lt.s32 %p0, %r0, 100;
  ld.param.u64 %rd0, [in];
  mad.wide.s32 %rd1, %r0, 4, %rd0;
  mov.f32 %f0, 0f00000000;
  @%p0 ld.global.f32 %f0, [%rd1];
  ld.param.u64 %rd2, [out];
  mad.wide.s32 %rd3, %r0, 4, %rd2;
  st.global.f32 [%rd3], %f0;
  ret;
}
)");
}

TEST(Ptx, WhatAShortRegionKeepsToItselfHasNoPredicate) {
  Recording r(header(128));
  Real x = r.load(r.thread);
  if (Region const here(r.thread < 100); here) x = (x + Real(1.0)) * x;
  r.store(r.thread, x);
  std::string const text = body(ptx(r.builder.finish()));
  EXPECT_NE(text.find("  add.rn.f32 %f2, %f0, "), text.npos) << text;
  EXPECT_NE(text.find("  @%p0 mul.rn.f32 %f1, "), text.npos)
      << text;  // which shares its register with the merge
}

TEST(Ptx, ALongRegionIsBehindABranch) {
  Recording r(header(128));
  if (Region const here(r.thread < 100); here)
    for (int q = 0; q < 3; ++q) r.store(r.thread + 128 * q, r.load(r.thread + 128 * q));
  std::string const text = body(ptx(r.builder.finish()));
  EXPECT_NE(text.find("  @!%p0 bra $end"), text.npos) << text;
  EXPECT_NE(text.find("  st.global.f32 [%rd3+1024], %f2;\n$end"), text.npos) << text;
}

TEST(Ptx, AddressesMayBeBelowTheirRegister) {
  Recording r(header(128));
  r.store(r.thread, r.load(r.thread + (-24)));
  std::string const text = body(ptx(r.builder.finish()));
  EXPECT_NE(text.find("ld.global.f32 %f0, [%rd1+-96];"), text.npos) << text;
}

TEST(Ptx, RegistersOfSixteenBitsAreOfOneKind) {
  Recording r(header(128));
  Access const one{.space = Space::global, .type = Type::bf16, .count = 1};
  r.builder.store(one, (r.array(1) + 2 * r.thread).held(), {r.load(r.thread).held()});
  std::string const text = ptx(r.builder.finish());
  EXPECT_NE(text.find("  .reg .b16 %h<1>;"), text.npos) << text;
  EXPECT_NE(text.find("cvt.rn.bf16.f32 %h0, %f0;"), text.npos) << text;
}

TEST(Ptx, LoopsCarryAllAtOnce) {
  Recording r(header(128));
  Real a = r.load(r.thread), b = r.load(r.thread + 128);
  r.builder.loop(Index(0).held(), Index(5).held(), 1, [&](int) {
    Real const c = a;
    a = b;
    b = c;
  });
  r.store(r.thread, a);
  std::string const text = body(ptx(r.builder.finish()));
  auto const at = [&](char const* s) { return text.find(s); };
  EXPECT_LT(at("mov.f32 %f4, %f3;"), at("mov.f32 %f2, %f4;")) << text;  // the next values first
  EXPECT_LT(at("mov.f32 %f5, %f2;"), at("mov.f32 %f2, %f4;")) << text;
}

TEST(Ptx, ADivisionOf64BitsIsOneOf32WhereBothFit) {
  Recording r(header(128), Type::f32, std::int64_t(1) << 40);
  if (Region const here(r.thread < 100); here) r.store(r.block / Index::of(r.builder.blocks()), Real(1.0));
  std::string const text = body(ptx(r.builder.finish()));
  EXPECT_NE(text.find("div.u64"), text.npos) << text;
  EXPECT_NE(text.find("div.u32"), text.npos) << text;
  EXPECT_NE(text.find("@!%p0 bra $end"), text.npos) << "a piece of code is not predicated\n" << text;
}

TEST(Ptx, SumsOfProductsAreRoundedOnce) {
  Recording r(header(128));
  Real const x = r.load(r.thread), y = r.load(r.thread + 128), z = r.load(r.thread + 256);
  r.store(r.thread, z - x * y);
  Kernel const kernel = contracted(r.builder.finish());
  EXPECT_TRUE(faults(kernel).empty());
  std::string const text = body(ptx(kernel));
  EXPECT_NE(text.find("neg.f32 %f3, %f0;\n  fma.rn.f32 %f4, %f3, %f1, %f2;"), text.npos) << text;
  EXPECT_EQ(text.find("mul"), text.npos) << text;
}

TEST(Ptx, NamesTheVersionThatKnowsTheArchitecture) {
  EXPECT_EQ(ptx_level({80}).version, 80) << "what CUDA 12 takes";
  EXPECT_EQ(ptx_level({90}).version, 80);
  EXPECT_EQ(ptx_level({120}).version, 87);
  EXPECT_EQ(ptx_level({89}).architecture, 80) << "which later ones run";
  EXPECT_EQ(ptx_level({103}).architecture, 100);
  EXPECT_EQ(ptx_level({121}).architecture, 120);
  EXPECT_THROW(ptx_level({75}), std::invalid_argument);
}

/// A kernel with all that has a text.
Kernel everything(Type real, int cluster_ranks) {
  Kernel h = header(128, 4096, cluster_ranks);
  h.parameters.push_back({"scale", real});
  h.parameters.push_back({"counters", Type::i64});
  Recording r(h, real, std::int64_t(1) << 33);
  Builder& b = r.builder;
  int const counters = b.index_parameter(3, addresses);
  b.effect(Op::trigger_dependents);
  b.effect(Op::wait_for_previous);
  b.at_address(Op::prefetch, (r.array(0) + 128 * r.thread).held());
  b.at_address(Op::discard, (r.array(0) + 128 * r.thread).held());
  Index const blocks = Index::of(b.blocks()), at = r.block * 1000 + r.thread * 7 / 3 + r.block % blocks;
  Real x = r.load(at), scale = Real::of(b.parameter(2)), y = Real::of(b.reciprocal(x.held()));
  if (real == Type::f32)
    for (Type half : {Type::f16, Type::bf16}) {
      Access const pair{.space = Space::global, .type = half, .count = 2, .streaming = true};
      Value const first = b.load(pair, (r.array(0) + 4 * at).held());
      b.store(pair, (r.array(1) + 4 * at).held(), {first + 1, first});
    }
  Real const table =
      Real::of(b.load({.space = Space::table, .type = real, .count = 2}, (r.array(0) + 16 * at).held()));
  if (Region const here(x == Real(0.0)); here) y = table * scale;
  r.put(r.thread, y);
  b.effect(Op::warp_barrier);
  r.sync();
  if (cluster_ranks > 1) {
    b.effect(Op::cluster_barrier);
    int const there =
        b.remote(((Index::of(b.rank()) + 1) % cluster_ranks).held(), r.shared(r.thread + 128).held());
    b.store(r.access(Space::remote), there, {y.held()});
    b.effect(Op::cluster_barrier);
  }
  b.loop(r.thread.held(), Index(1000).held(), 100, [&](int i) { x = x + r.take(Index::of(i) % 128) * y; });
  Value const done = b.load_acquire(counters);
  Bool const all = Bool::of(b.all_of_block((Index::of(b.form_of(done, {0, 100})) >= 7).held()));
  if (Region const here(all && r.thread == 0); here) {
    b.atomic(Op::atomic_or, counters, b.value_of(Index(3).held(), Type::i32));
    b.add_release(counters);
  }
  x = select(x < y, x, y);
  Real const wide = converted(x, Type::f64);
  std::vector<Value> factors(4, Real(0.0, Type::f64).held());
  for (int i = 0; i < 12; ++i) factors.push_back((wide + Real(i, Type::f64)).held());
  Value const sum = b.matrix_multiply(factors);
  x = converted(Real::of(sum) + Real::of(sum + 3), real);
  r.store(at, select(r.thread < 3, x, y));
  return contracted(b.finish());
}

TEST(Ptx, IsAssembled) {
  for (int architecture : {80, 90, 100, 120})
    for (Type real : {Type::f32, Type::f64})
      for (int ranks : {1, 4}) {
        if (ranks > 1 && architecture < 90) continue;
        Kernel const kernel = everything(real, ranks);
        ASSERT_TRUE(faults(kernel).empty()) << faults(kernel).front() << text(kernel);
        std::string const printed = ptx(kernel, {architecture});
        auto const made = assemble(printed, architecture);
        if (!made) GTEST_SKIP() << "no nvJitLink for sm_" << architecture;
        EXPECT_TRUE(made->ok) << "sm_" << architecture << "\n" << made->log << printed;
        EXPECT_EQ(made->spilled, 0);
        EXPECT_GT(made->registers, 0) << "log: " << made->log;
      }
}

}  // namespace
