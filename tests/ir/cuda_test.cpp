#include "ir/cuda.h"

#include <gtest/gtest.h>

#include "ir/check.h"
#include "ir/opencl.h"
#include "ir/ptx.h"
#include "ir/recorded.h"

namespace {

using namespace skipper::ir;
using namespace skipper::testing;

/// A kernel that has a user's function change complex numbers as they are read, and reals as they are written.
Kernel with_users_functions() {
  Recording r(header(128));
  Value const first = r.builder.load(r.access(Space::global, 2), (r.array(0) + 8 * r.thread).held());
  Value const z =
      r.builder.by_user(Op::user_load, {first, first + 1}, (r.thread + 5).held(), r.array(1).held());
  Real const sum = Real::of(z) + Real::of(z + 1);
  r.store(r.thread,
          Real::of(r.builder.by_user(Op::user_store, {sum.held()}, r.thread.held(), r.array(1).held())));
  return r.builder.finish();
}

TEST(Cuda, CallsUsersFunctions) {
  Kernel const kernel = with_users_functions();
  ASSERT_TRUE(faults(kernel).empty()) << faults(kernel).front();
  std::string const text = cuda(kernel, "their text\n");
  EXPECT_TRUE(text.starts_with("their text\n"));
  auto const has = [&](char const* what) { return text.find(what) != text.npos; };
  EXPECT_TRUE(has(" = skipper::user_load::on_load(skipper::user_load::Value{")) << text;
  EXPECT_TRUE(has(".re + ")) << text;
  EXPECT_TRUE(has(" = skipper::user_store::on_store(")) << text;
  EXPECT_TRUE(has(", (void*)((long long)out));")) << text;
}

TEST(Cuda, IsTheOneLanguageOfUsersFunctions) {
  Kernel const kernel = with_users_functions();
  EXPECT_THROW(cuda(kernel), std::invalid_argument) << "without their text";
  EXPECT_THROW(ptx(kernel), std::invalid_argument);
  EXPECT_THROW(opencl(kernel), std::invalid_argument);
}

TEST(Cuda, ASizeIsNoArray) {
  Kernel h = header(32);
  h.parameters.push_back({"count", Type::i64, true});
  Recording r(h);
  Index const count = Index::of(r.builder.index_parameter(2, {0, std::int64_t(1) << 40}));
  r.store(r.thread % count, Real(1.0));
  std::string const text = cuda(r.builder.finish());
  EXPECT_NE(text.find("(char* in, char* out, long long count)"), text.npos) << text;
}

}  // namespace
