// How threads, warps and blocks go on, what memory gives them, and what is a fault.
#include "sass/run.h"

#include <gtest/gtest.h>

#include "sass/listings.h"

namespace skipper::sass {
namespace {

bool has(std::string const& in, std::string const& what) { return in.find(what) != in.npos; }

/// Wants all threads of a warp together.
std::string const together = "DMMA.16x8x4 R8, RZ, RZ, RZ\n";

/// What odd threads do stands behind the end, so that they come last to where all meet.
std::string parted(std::string const& begin, std::string const& meet) {
  return own_place + "LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT\n" + begin +
         "MOV R4, 0x1\n@P0 BRA `(.L_x_1)\n.L_x_0:\n" + meet + together +
         "STG.E desc[UR4][R2.64], R4\nEXIT\n.L_x_1:\nIADD3 R4, R4, R0, RZ\nBRA `(.L_x_0)\n";
}

TEST(SassRun, ThreadsPartAndMeetAgain) {
  for (auto const& out :
       {output_of(parted("BSSY B3, `(.L_x_0)\n", "BSYNC B3\n")), output_of(parted("", "WARPSYNC.ALL\n"))})
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], t % 2 ? t + 1 : 1u);
  EXPECT_TRUE(has(fault_of(parted("", "")), "part of a warp"));
}

TEST(SassRun, ThreadsCallAFunctionFromTwoPlaces) {
  auto const out =
      output_of(own_place +
                "MOV R6, 32@lo((k + .L_x_0@srel))\nMOV R7, 32@hi((k + .L_x_0@srel))\nMOV R4, R0\n"
                "CALL.ABS.NOINC `(one_more)\n.L_x_0:\nMOV R6, 0x90\n"
                "CALL.REL.NOINC `(one_more)\nSTG.E desc[UR4][R2.64], R4\nEXIT\n"
                "one_more:\nIADD3 R4, R4, 0x1, RZ\nRET.ABS.NODEC R6 0x0\n");
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], t + 2);
}

TEST(SassRun, ThreadsLeaveAConvergenceBarrier) {
  // Odd threads go past the barrier: even ones do not wait for them there, but further on.
  auto const out = values_of(
      "LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT\nBSSY B0, `(.L_x_0)\nMOV R4, 0x1\n@P0 BREAK B0\n"
      "@P0 BRA `(.L_x_1)\nBSYNC B0\n.L_x_0:\nMOV R4, 0x2\n.L_x_1:\nWARPSYNC.ALL\n" +
      together);
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], t % 2 ? 1u : 2u);
}

TEST(SassRun, BranchesMayHaveASecondPredicate) {
  auto const out = values_of(
      "ISETP.GE.AND P0, PT, R0, 0x4, PT\nISETP.LT.AND P1, PT, R0, 0x8, PT\nMOV R4, 0x1\n"
      "@P0 BRA P1, `(.L_x_0)\nMOV R4, 0x2\n.L_x_0:\n");
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], t >= 4 && t < 8 ? 1u : 2u);
  auto const left = values_of(
      "ISETP.GE.AND P0, PT, R0, 0x4, PT\nISETP.LT.AND P1, PT, R0, 0x8, PT\nMOV R4, R0\n@P0 EXIT P1\n");
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(left[t], t >= 4 && t < 8 ? ~0u : t);
}

TEST(SassRun, ThreadsLoopAsOftenAsTheyMust) {
  std::string const lines =
      "MOV R4, RZ\nBSSY B0, `(.L_x_1)\n.L_x_0:\nIADD3 R4, R4, 0x1, RZ\nISETP.GT.U32.AND P0, PT, R4, R0, PT\n"
      "@P0 BREAK B0\n@P0 BRA `(.L_x_1)\nBRA `(.L_x_0)\n.L_x_1:\nWARPSYNC.ALL\n" +
      together;
  auto const out = values_of(lines);
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], t + 1);
}

TEST(SassRun, ABarrierLetsAllSeeWhatWasStored) {
  // Each of 40 threads reads what thread 39 - t has put.
  std::string const lines =
      own_place +
      "UMOV UR6, 0x400\nSHF.L.U32 R5, R0, 0x2, RZ\nSTS [R5+UR6], R0\nBAR.SYNC.DEFER_BLOCKING 0x0\n"
      "IADD3 R6, -R5, 0x9c, RZ\nLDS R4, [R6+UR6]\nSTG.E desc[UR4][R2.64], R4\nEXIT\n";
  auto const out = output_of(lines, 40);
  for (std::uint32_t t = 0; t < 40; ++t) EXPECT_EQ(out[t], 39 - t);
}

TEST(SassRun, AVoteIsOfTheWholeBlock) {
  auto const votes = [](std::string const& bound) {
    std::string const lines = own_place + "ISETP.LT.AND P0, PT, R0, " + bound +
                              ", PT\nBAR.RED.AND.DEFER_BLOCKING 0x0, P0\nB2R.RESULT RZ, P1\nMOV R4, 0x1\n"
                              "@!P1 MOV R4, 0x2\nSTG.E desc[UR4][R2.64], R4\nEXIT\n";
    return output_of(lines, 64).front();
  };
  EXPECT_EQ(votes("0x40"), 1u);
  EXPECT_EQ(votes("0x3f"), 2u);
}

TEST(SassRun, BlocksOfAClusterWriteToEachOther) {
  // Two blocks; each puts its rank into the other's shared memory.
  std::string const lines =
      "S2R R0, SR_CTAID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE.U32 R2, R0, 0x4, R2\nS2R R5, SR_CgaCtaId\n"
      "IADD3 R6, -R5, 0x1, RZ\nSHF.L.U32 R6, R6, 0x18, RZ\nIADD3 R6, R6, 0x400, RZ\nS2R R7, SR_SWINHI\n"
      "ST.E [R6], R5\nUCGABAR_ARV\nUCGABAR_WAIT\nLEA R8, R5, 0x400, 0x18\nLDS R4, [R8]\n"
      "STG.E desc[UR4][R2.64], R4\nEXIT\n";
  EXPECT_EQ(output_of(lines, 1, 2), (std::vector<std::uint32_t>{1, 0}));
}

TEST(SassRun, SpilledRegistersComeBack) {
  EXPECT_EQ(value_of("LDC R1, c[0x0][0x28]\nVIADD R1, R1, 0xfffffff0\nMOV R5, 0x9\nSTL [R1+0x8], R5 "
                     "(*\"SpillRefill\"*)\n"
                     "LDL.LU R4, [R1+0x8] (*\"SpillRefill\"*)\n"),
            9u);
  EXPECT_EQ(value_of("LDC R1, c[0x0][0x28]\nVIADD R1, R1, 0xfffffff0\nLDL R4, [R1+0x4]\n"), poison);
}

TEST(SassRun, WhatWasNotWrittenIsPoison) {
  EXPECT_EQ(value_of("MOV R4, R9\n"), poison);
  EXPECT_EQ(value_of("UMOV UR6, 0x400\nLDS R4, [UR6]\n"), poison);
  EXPECT_EQ(value_of("FADD R4, R9, 1\nFADD R4, R4, -R4\n") & 0x7f800000, 0x7f800000u) << "no number";
}

TEST(SassRun, AccessesOutsideAllArraysAreFaults) {
  std::string const end = "EXIT\n";
  EXPECT_TRUE(has(fault_of(own_place + "STG.E desc[UR4][R2.64+0x4], R0\n" + end), "outside all arrays"));
  EXPECT_TRUE(
      has(fault_of(own_place + "ISETP.EQ.AND P0, PT, R0, 0x20, PT\n@P0 LDG.E.64 R4, desc[UR4][R2.64]\n" + end,
                   33),
          "outside all arrays"))
      << "half of it is";
  EXPECT_TRUE(has(fault_of(own_place + "LDG.E.64 R4, desc[UR4][R2.64]\n" + end), "not aligned"));
  EXPECT_TRUE(has(fault_of("LDG.E R4, desc[UR4][R2.64]\n" + end), "outside all arrays"))
      << "an address never written";
  EXPECT_TRUE(
      has(fault_of("MOV R5, 0x500\nSTS [R5], RZ\n" + end), "shared memory, which has 0x400 to 0x500"));
  EXPECT_TRUE(has(fault_of("LDL R4, [RZ+-0x4]\n" + end), "local memory"));
  EXPECT_TRUE(has(fault_of("LDC R4, c[0x0][0x218]\n" + end), "constant 0x218"));
  EXPECT_EQ(fault_of(own_place + "STG.E desc[UR4][R2.64], R0\n" + end), "");
}

TEST(SassRun, AFaultNamesTheInstruction) {
  std::string const fault = fault_of("NOP\nSTS [RZ], RZ\nEXIT\n");
  EXPECT_TRUE(has(fault, "by 10:")) << fault;
  EXPECT_TRUE(has(fault, "STS [RZ], RZ")) << fault;
}

TEST(SassRun, ThreadsThatNeverMeetAreFaults) {
  EXPECT_TRUE(has(fault_of("S2R R0, SR_TID.X\nISETP.EQ.AND P0, PT, R0, RZ, PT\n@P0 BRA `(.L_x_0)\n"
                           "BAR.SYNC.DEFER_BLOCKING 0x0\n.L_x_0:\nEXIT\n"),
                  "only part of a warp"));
  EXPECT_TRUE(has(fault_of("S2R R0, SR_TID.X\nISETP.LT.AND P0, PT, R0, 0x20, PT\n@P0 BRA `(.L_x_0)\n"
                           "BAR.SYNC.DEFER_BLOCKING 0x0\nEXIT\n.L_x_0:\nUCGABAR_WAIT\nEXIT\n",
                           64),
                  "different barriers"));
  EXPECT_TRUE(has(fault_of(".L_x_0:\nBRA `(.L_x_0)\n"), "does not end"));
  EXPECT_TRUE(has(fault_of("NOP\n"), "beyond the end"));
}

TEST(SassRun, WhatItDoesNotKnowIsAFault) {
  for (char const* unknown : {"TEX R0, R1", "IADD3.SAT R0, R1, R2, R3", "FADD.FTZ R0, R1, R2",
                              "FADD R0, R1, R2, R3", "LDG.E R4, desc[UR4][R2.64], R5", "MOV R4, c[0x3][0x0]",
                              "BRA `(.L_x_7)", "HFMA2.MMA R4, R5, R6, 0, 0", "BAR.SYNC.DEFER_BLOCKING 0x1",
                              "FADD R0, R1, R2.H0_H0", "ULDC UR4, c[0x0][0x210], 0x1"}) {
    std::string const fault = fault_of(std::string(unknown) + "\nEXIT\n");
    EXPECT_TRUE(has(fault, std::string("in 0:")) && has(fault, unknown)) << unknown << ": " << fault;
  }
  EXPECT_THROW(decode("no kernel"), Fault);
  EXPECT_THROW(decode(listing("EXIT\n") + listing("EXIT\n")), Fault);
}

}  // namespace
}  // namespace skipper::sass
