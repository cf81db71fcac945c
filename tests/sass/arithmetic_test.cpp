// What single instructions compute, from listings written by hand.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "sass/listings.h"

namespace skipper::sass {
namespace {

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

TEST(SassArithmetic, SumsOfThreeAndTheirCarries) {
  EXPECT_EQ(value_of("MOV R5, 0x7\nIADD3 R4, R5, -0x2, R5\n"), 12u);
  EXPECT_EQ(value_of("MOV R5, 0x7\nIADD3 R4, -R5, 0x2, RZ\n"), std::uint32_t(-5));
  std::string const sum = "MOV R5, 0xffffffff\nIADD3 RZ, P1, P2, R5, R5, 0x3\n";
  EXPECT_EQ(value_of(sum + "SEL R4, R5, RZ, P1\n"), ~0u);
  EXPECT_EQ(value_of(sum + "SEL R4, R5, RZ, P2\n"), ~0u) << "2^33 + 1 carries twice";
  EXPECT_EQ(value_of(sum + "IADD3.X R4, RZ, RZ, RZ, P1, P2\n"), 2u);
  EXPECT_EQ(value_of(sum + "IADD3.X R4, RZ, ~RZ, RZ, P1, !PT\n"), 0u);
  EXPECT_EQ(value_of("MOV R5, 0x80000000\nIADD3 RZ, P1, P2, R5, R5, RZ\nSEL R4, R5, RZ, P2\n"), 0u) << "once";
  EXPECT_EQ(value_of("MOV R5, 0x3\nMOV R6, RZ\nIADD3 RZ, P1, R5, -R6, RZ\nSEL R4, R5, RZ, P1\n"), 3u)
      << "nothing subtracted does not borrow";
  EXPECT_EQ(value_of("MOV R5, 0x3\nIADD3 RZ, P1, R5, -R5, RZ\nIMAD.X R4, RZ, RZ, 0x4, P1\n"), 5u)
      << "a - b does not borrow where a is at least b";
  EXPECT_EQ(value_of("MOV R5, 0x3\nIADD3 RZ, P1, R5, -0x4, RZ\nIMAD.X R4, RZ, RZ, 0x4, P1\n"), 4u);
}

TEST(SassArithmetic, ProductsOf32And64Bits) {
  EXPECT_EQ(value_of("MOV R5, 0x10001\nIMAD R4, R5, R5, -R5\n"), 0x10000u);
  EXPECT_EQ(value_of("MOV R5, 0xffffffff\nMOV R6, RZ\nMOV R7, 0x2\nIMAD.HI.U32 R4, R5, R5, R6\n"), 0u)
      << "2^64 - 2^33 + 1 + 2^33 wraps";
  EXPECT_EQ(value_of("MOV R5, 0xffffffff\nIMAD.HI.U32 R4, R5, R5, RZ\n"), 0xfffffffeu);
  EXPECT_EQ(value_of("MOV R6, 0xffffffff\nMOV R7, R6\nIMAD.HI.U32 R4, P0, R6, R6, R6\nSEL R4, R4, RZ, P0\n"),
            0xfffffffeu)
      << "what is above 64 bits is carried";
  EXPECT_EQ(value_of("MOV R5, 0xffffffff\nIMAD.WIDE R4, R5, 0x5, RZ\nMOV R4, R5\n"), ~0u) << "-5";
  EXPECT_EQ(value_of("MOV R5, 0xffffffff\nIMAD.WIDE.U32 R4, R5, 0x5, RZ\nMOV R4, R5\n"), 4u);
  EXPECT_EQ(
      value_of("MOV R6, 0xffffffff\nMOV R7, R6\nIMAD.WIDE.U32 R4, P0, R6, 0x1, R6\nSEL R4, R4, RZ, P0\n"),
      0xfffffffeu);
  EXPECT_EQ(value_of("MOV R5, 0x30201\nMOV R6, 0x50403\nIDP.2A.LO.U16.U8 R4, R5, R6, RZ\n"),
            0x201u * 3 + 3 * 4);
  EXPECT_EQ(value_of("MOV R5, 0x1020304\nMOV R6, 0x10101ff\nIDP.4A.U8.U8 R4, R5, R6, RZ\n"), 1026u);
}

TEST(SassArithmetic, ShiftsAndBits) {
  EXPECT_EQ(value_of("MOV R5, 0x80000001\nSHF.R.S32.HI R4, RZ, 0x4, R5\n"), 0xf8000000u);
  EXPECT_EQ(value_of("MOV R5, 0x80000001\nSHF.R.U32.HI R4, RZ, 0x4, R5\n"), 0x08000000u);
  EXPECT_EQ(value_of("MOV R5, 0x80000001\nSHF.L.U32 R4, R5, 0x21, RZ\n"), 0u);
  EXPECT_EQ(value_of("MOV R5, 0x80000001\nSHF.L.W.U32 R4, R5, 0x21, RZ\n"), 2u);
  EXPECT_EQ(value_of("MOV R5, 0x80000001\nMOV R6, 0x3\nSHF.L.U64.HI R4, R5, 0x1, R6\n"), 7u);
  EXPECT_EQ(value_of("MOV R5, 0x80000001\nMOV R6, 0x3\nSHF.R.U64 R4, R5, 0x1, R6\n"), 0xc0000000u);
  EXPECT_EQ(value_of("MOV R5, 0x80000001\nMOV R6, 0x3\nLEA.HI R4, R5, R6, RZ, 0x2\n"), 5u);
  EXPECT_EQ(value_of("MOV R5, 0x80000001\nLEA R4, P0, R5, R5, 0x1\n"), 0x80000003u);
  EXPECT_EQ(value_of("MOV R5, 0x80000001\nLEA.HI.X.SX32 R4, R5, RZ, 0x1, PT\n"), 0u) << "~0 + 1";
  EXPECT_EQ(value_of("MOV R5, 0xc\nMOV R6, 0xa\nLOP3.LUT R4, R5, R6, RZ, 0x3c, !PT\n"), 6u);
  EXPECT_EQ(value_of("MOV R4, 0x1\nLOP3.LUT P0, RZ, R4, 0x2, RZ, 0xc0, !PT\n@P0 MOV R4, 0x5\n"), 1u);
  EXPECT_EQ(value_of("MOV R5, 0x44332211\nPRMT R4, R5, 0x9710, RZ\n"), 0x00002211u);
  EXPECT_EQ(value_of("MOV R5, 0x44338211\nPRMT R4, R5, 0x9910, RZ\n"), 0xffff8211u) << "a byte's sign";
}

TEST(SassArithmetic, Comparisons) {
  std::string const chosen = "SEL R4, R5, RZ, P0\n";
  EXPECT_EQ(value_of("MOV R5, 0xffffffff\nISETP.LT.AND P0, PT, R5, RZ, PT\n" + chosen), ~0u);
  EXPECT_EQ(value_of("MOV R5, 0xffffffff\nISETP.LT.U32.AND P0, PT, R5, RZ, PT\n" + chosen), 0u);
  EXPECT_EQ(value_of("MOV R5, 0x7\nISETP.GE.AND P1, P0, R5, 0x8, PT\n" + chosen), 7u) << "the complement";
  std::string const lower = "MOV R5, 0x7\nISETP.GE.U32.AND P1, PT, R5, 0x8, PT\n";
  EXPECT_EQ(value_of(lower + "ISETP.GE.U32.AND.EX P0, PT, R5, 0x7, PT, P1\n" + chosen), 0u);
  EXPECT_EQ(value_of(lower + "ISETP.GE.U32.AND.EX P0, PT, R5, 0x6, PT, P1\n" + chosen), 7u);
  EXPECT_EQ(value_of("MOV R5, 0x7\nPLOP3.LUT P0, PT, PT, PT, PT, 0x8, 0x0\n" + chosen), 0u);
  std::string const voted = "VOTEU.ANY UP0, P1\nPLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0\n" + chosen;
  EXPECT_EQ(value_of("MOV R5, 0x7\nS2R R6, SR_TID.X\nISETP.EQ.AND P1, PT, R6, 0x1f, PT\n" + voted), 7u);
  EXPECT_EQ(value_of("MOV R5, 0x7\nS2R R6, SR_TID.X\nISETP.LT.AND P1, PT, R6, RZ, PT\n" + voted), 0u);
  std::string const odd = "S2R R6, SR_LANEID\nLOP3.LUT P1, RZ, R6, 0x1, RZ, 0xc0, !PT\n";
  EXPECT_EQ(value_of(odd + "VOTEU.ANY UR4, UPT, P1\nMOV R4, UR4\n"), 0xaaaaaaaau)
      << "those in which it holds";
  EXPECT_EQ(value_of(odd + "VOTEU.ANY UR4, UPT, P1\nUFLO.U32 UR5, UR4\nMOV R4, UR5\n"), 31u);
  EXPECT_EQ(value_of(odd + "@P1 REDUX.OR UR4, R6\nMOV R4, UR4\n"), 31u);
  EXPECT_EQ(value_of(odd + "LOP3.LUT R6, R6, 0x6, RZ, 0xc0, !PT\nREDUX.OR UR4, R6\nMOV R4, UR4\n"), 6u);
  EXPECT_EQ(value_of("MOV R5, 0xfffffffe\nVIMNMX.U32 R4, R5, 0x3, PT\n"), 3u);
  EXPECT_EQ(value_of("MOV R5, 0xfffffffe\nVIMNMX R4, R5, 0x3, PT\n"), 0xfffffffeu);
  EXPECT_EQ(value_of("MOV R5, 0xfffffffe\nVIMNMX R4, R5, 0x3, !PT\n"), 3u);
  EXPECT_EQ(value_of("MOV R5, 0xfffffffe\nVIADDMNMX R4, R5, 0x4, 0x3, PT\n"), 2u);
}

TEST(SassArithmetic, PredicatesAsBits) {
  std::string const two = "ISETP.GE.AND P0, PT, R0, RZ, PT\nISETP.LT.AND P1, PT, R0, RZ, PT\nMOV R5, 0xff\n";
  EXPECT_EQ(value_of(two + "P2R R4, PR, R5, 0x3\n"), 0xfdu);
  EXPECT_EQ(value_of(two + "P2R R4, PR, RZ, 0x2\n"), 0u);
  EXPECT_EQ(value_of("UISETP.EQ.AND UP1, UPT, URZ, URZ, UPT\nUP2UR UR4, UPR, URZ, 0x3\nMOV R4, UR4\n") & 2,
            2u);
  EXPECT_EQ(value_of(two + "R2P PR, R5, 0x2\nSEL R4, R5, RZ, P1\n"), 0xffu);
  EXPECT_EQ(value_of(two + "R2P PR, RZ, 0x2\nSEL R4, R5, RZ, P0\n"), 0xffu) << "P0 stays";
}

TEST(SassArithmetic, FloatingPoint) {
  EXPECT_EQ(value_of("MOV R5, 0x40000000\nFFMA R4, R5, -0.5, -R5\n"), bits(-3));
  EXPECT_EQ(value_of("MOV R5, 0xc0000000\nFADD R4, |R5|, 1\n"), bits(3));
  EXPECT_EQ(value_of("MOV R5, 0x40400000\nFADD R4, -R5, -RZ\n"), bits(-3));
  EXPECT_EQ(value_of("CS2R R6, SRZ\nDADD R6, R6, 2.5\nDFMA R6, R6, R6, -0.25\nMOV R4, R7\n"), 0x40180000u);
  EXPECT_EQ(value_of("MOV R5, 0x40800000\nMUFU.RCP R4, R5\n"), bits(0.25f));
  EXPECT_EQ(value_of("MOV R5, 0x40c00000\nF2F.F64.F32 R6, R5\nDADD R6, R6, 0.25\nF2F.F32.F64 R4, R6\n"),
            bits(6.25f));
  EXPECT_EQ(value_of("MOV R5, 0x50000000\nF2I.U64.TRUNC R6, R5\nMOV R4, R7\n"), 2u) << "2^33";
  EXPECT_EQ(value_of("MOV R5, 0xffffffff\nI2F.U32.RP R4, R5\n"), bits(4294967296.0f));
  EXPECT_EQ(value_of("MOV R6, 0xfffffffd\nMOV R7, 0xffffffff\nI2F.S64 R4, R6\n"), bits(-3));
  EXPECT_EQ(value_of("MOV R6, 0x1\nMOV R7, 0x1\nI2F.U64.RP R4, R6\n"), bits(4294967808.0f));
  EXPECT_EQ(value_of("MOV R6, 0x1\nMOV R7, 0x1\nI2F.U64 R4, R6\n"), bits(4294967296.0f));
  EXPECT_EQ(value_of("MOV R6, 0xfffffffd\nI2FP.F32.S32 R4, R6\n"), bits(-3));
  EXPECT_EQ(value_of("MOV R6, 0xfffffffd\nI2FP.F32.U32 R4, R6\n"), bits(4294967296.0f));
  EXPECT_EQ(value_of("MOV R5, 0x40600000\nF2I.FTZ.U32.TRUNC.NTZ R4, R5\n"), 3u);
  EXPECT_EQ(value_of("HFMA2.MMA R5, -RZ, RZ, 0.5, 2\nHADD2.F32 R4, -RZ, R5.H1_H1\n"), bits(0.5f));
  EXPECT_EQ(value_of("MOV R5, 0x3f800000\nF2FP.F16.F32.PACK_AB R4, R5, RZ\n"), 0x3c000000u);
  EXPECT_EQ(value_of("MOV R5, 0x3f800000\nF2FP.BF16.F32.PACK_AB R4, RZ, R5\n"), 0x3f80u);
}

TEST(SassArithmetic, ComparesFloatingPoint) {
  std::string const chosen = "SEL R4, R6, RZ, P0\n", begin = "MOV R6, 0x3f800000\nMOV R7, 0x7fc00000\n";
  EXPECT_NE(value_of(begin + "FSETP.GT.AND P0, PT, R6, 0.5, PT\n" + chosen), 0u);
  EXPECT_EQ(value_of(begin + "FSETP.LT.AND P0, PT, R6, 0.5, PT\n" + chosen), 0u);
  EXPECT_EQ(value_of(begin + "FSETP.NE.AND P0, PT, R6, R7, PT\n" + chosen), 0u) << "of no number";
  EXPECT_NE(value_of(begin + "FSETP.NEU.AND P0, PT, R6, R7, PT\n" + chosen), 0u);
  EXPECT_EQ(value_of(begin + "CS2R R8, SRZ\nDSETP.NEU.AND P0, PT, R8, RZ, PT\n" + chosen), 0u);
  EXPECT_NE(value_of(begin + "CS2R R8, SRZ\nDSETP.NEU.AND P1, P0, R8, RZ, PT\n" + chosen), 0u)
      << "the complement";
}

/// Thread t has A(t/4, t%4) = t and A(t/4 + 8, t%4) = 0, B(t%4, t/4) = 1 where both are equal; so D is the first four columns of A.
TEST(SassArithmetic, MatrixProducts) {
  std::string const threads = "SHF.R.U32.HI R8, RZ, 0x2, R0\nLOP3.LUT R9, R0, 0x3, RZ, 0xc0, !PT\n";
  std::string const factors =
      "I2F.U32.RP R10, R0\nCS2R R12, SRZ\nCS2R R14, SRZ\nCS2R R16, SRZ\nISETP.EQ.AND P0, PT, R8, R9, PT\n"
      // t as a double: upper word of 2^52 + t has no bits of t, so t is built as 2^52 + t - 2^52.
      "MOV R12, R0\nMOV R13, 0x43300000\nDADD R12, R12, -4503599627370496\n@P0 MOV R17, 0x3ff00000\n";
  auto const upper = values_of(threads + factors + "DMMA.16x8x4 R20, R12, R16, RZ\nMOV R4, R21\n");
  for (std::size_t t = 0; t < 32; ++t) {
    double const wanted = t % 4 < 2 ? double(t / 4 * 4 + t % 4 * 2) : 0;
    EXPECT_EQ(upper[t], std::bit_cast<std::uint64_t>(wanted) >> 32) << "thread " << t;
  }
}

}  // namespace
}  // namespace skipper::sass
