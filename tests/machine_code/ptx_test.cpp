// Registers that PTX may read unset: over branches, loops, predicates, vectors and assembly in line.
#include "support/ptx.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace skipper::testing {
namespace {

/// The names, with blanks between, of the registers that a kernel of these instructions may read unset.
std::string unset_in(std::string const& instructions) {
  std::string names;
  for (UnsetRead const& read :
       unset_reads(".version 9.0\n.visible .entry k(\n\t.param .b64 p\n)\n{\n" + instructions + "}\n"))
    names += (names.empty() ? "" : " ") + read.name;
  return names;
}

TEST(Ptx, ReadsBehindWritesAreSet) {
  EXPECT_EQ(unset_in("mov.u32 %r1, %tid.x;\nadd.s32 %r2, %r1, 1;\nst.global.u32 [%rd1], %r2;\nret;\n"),
            "%rd1");
  EXPECT_EQ(unset_in("add.f32 %f1, %f1, %f2; // %f3\nret;\n"), "%f1 %f2");
}

TEST(Ptx, AWriteOnOnePathAloneIsNotEnough) {
  std::string const begin = "mov.u32 %r1, 0;\nsetp.eq.s32 %p1, %r1, 1;\n@%p1 bra $L_1;\nmov.u32 %r2, 0;\n";
  EXPECT_EQ(unset_in(begin + "$L_1:\nadd.s32 %r3, %r2, 1;\nret;\n"), "%r2");
  EXPECT_EQ(unset_in(begin + "bra.uni $L_2;\n$L_1:\nmov.u32 %r2, 1;\n$L_2:\nadd.s32 %r3, %r2, 1;\nret;\n"),
            "");
  EXPECT_EQ(unset_in(begin + "bra.uni $L_2;\n$L_1:\nret;\n$L_2:\nadd.s32 %r3, %r2, 1;\nret;\n"), "")
      << "that path ends";
}

TEST(Ptx, FollowsLoops) {
  std::string const end = "setp.eq.s32 %p1, %r1, 1;\n@%p1 bra $L_1;\nret;\n";
  EXPECT_EQ(unset_in("mov.u32 %r1, 0;\n$L_1:\nadd.s32 %r1, %r1, %r2;\nmov.u32 %r2, 0;\n" + end), "%r2");
  EXPECT_EQ(unset_in("mov.u32 %r1, 0;\nmov.u32 %r2, 0;\n$L_1:\nadd.s32 %r1, %r1, %r2;\n" + end), "");
}

TEST(Ptx, AWriteUnderAPredicateMayNotHappen) {
  EXPECT_EQ(unset_in("setp.eq.s32 %p1|%p2, 1, 1;\n@!%p2 mov.u32 %r1, 0;\nadd.s32 %r2, %r1, 1;\nret;\n"),
            "%r1");
  EXPECT_EQ(unset_in("@%p1 mov.u32 %r1, 0;\nret;\n"), "%p1");
}

TEST(Ptx, VectorsAreReadAndWritten) {
  EXPECT_EQ(unset_in("ld.param.u64 %rd1, [p];\nld.global.v2.f32 {%f1, %f2}, [%rd1+8];\nst.shared.v2.f32 "
                     "[_ZN1a+8], {%f2, %f3};\n"
                     "st.shared::cluster.v2.f32 [%r1], {%f1, %f4};\nret;\n"),
            "%f3 %r1 %f4");
}

TEST(Ptx, BlocksInLineHaveNamesOfTheirOwn) {
  std::string const block =
      "mov.u32 %r1, 0;\n{ \n.reg .pred \t%p1; \n.reg .pred \t%p2; \nsetp.ne.u32 %p1, %r1, "
      "0;\nbar.red.and.pred %p2, 0, %p1;\n"
      "selp.u32 %r2, 1, 0, %p2;\n}\n";
  EXPECT_EQ(unset_in(block + "st.global.u32 [a], %r2;\nret;\n"), "");
  EXPECT_EQ(unset_in(block + "@%p2 bra $L_1;\n$L_1:\nret;\n"), "%p2") << "the kernel's own";
}

TEST(Ptx, RefusesWhatItDoesNotFollow) {
  EXPECT_THROW(unset_in("call.uni f, ();\nret;\n"), std::runtime_error);
  EXPECT_THROW(unset_in("brx.idx %r1, $table;\n"), std::runtime_error);
  EXPECT_THROW(unset_reads("no kernel"), std::runtime_error);
}

}  // namespace
}  // namespace skipper::testing
