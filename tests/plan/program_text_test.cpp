// Programs to text and back: what is printed reads back, what is wrong is refused with words that help, and no
// mangled text, however mangled, gets past check() or crashes the reader.
#include <gtest/gtest.h>
#include <skipper/error.h>

#include <random>

#include "plan/program.h"
#include "support/goldens.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

/// The message of the Error that the text causes, or the text it is read as.
std::string answer(std::string const& text_in) {
  try {
    return text(parse_program(text_in));
  } catch (Error const& e) {
    return std::string("refused: ") + e.what();
  }
}

void expect_refused(std::string const& text_in, std::vector<std::string> const& words) {
  std::string const said = answer(text_in);
  EXPECT_TRUE(said.starts_with("refused: ")) << text_in << "\nwas read as\n" << said;
  for (std::string const& word : words)
    EXPECT_NE(said.find(word), std::string::npos) << text_in << "\ngave\n" << said << "\nwithout " << word;
}

std::string const line = "c2c f32 forward 65536\n";
std::string const one =
    "{X(256,256,256,65536,tw)} with X2%16 on block tile 32KB segments 128B/2KB in -> work [X1/16 X2 X1%16]\n";
std::string const two =
    "{X(256,256,1,256,no-tw)} with X1%16 on block tile 32KB segments 32KB/128B work -> out\n";

TEST(ProgramText, ReadsBackWhatItPrints) { EXPECT_EQ(answer(line + one + two), line + one + two); }

TEST(ProgramText, ReadsBackConvolutions) {
  for (std::string const program :
       {"c2c f32 forward 1009 batch 2\n{X(1,1009,1,1009,no-tw,by 2048)} on block tile 16KB segments "
        "8072B/8072B in -> out\n",
        "c2c f32 forward 31\n{X(8,8,8,64,tw)} on block tile 64B segments 8B/8B in -> work [X1 X2]\n"
        "{X(8,8,1,8,tw,convolve)} on block tile 64B segments 64B/64B work -> work [X1 X2]\n"
        "{X(8,8,8,64,no-tw,back)} on block tile 64B segments 8B/8B work -> out\n"})
    EXPECT_EQ(answer(program), program);
  expect_refused("c2c f32 forward 1009\n{X(1,1009,1,1009,no-tw,by 2000)}", {"2017"});
}

TEST(ProgramText, CaresNotForSpacesAndLines) {
  std::string loose = line + one + two;
  for (std::string const mark : {"(", ")", ",", "{", "}", "->", "[", "]", "/", "%"})
    for (std::size_t at = loose.find(mark, line.size()); at != std::string::npos;
         at = loose.find(mark, at + mark.size() + 2))
      loose.replace(at, mark.size(), "\n" + mark + "\t");
  EXPECT_EQ(answer(loose), line + one + two);
}

TEST(ProgramText, TakesTheProblemFromTheFirstLineOrFromTheCaller) {
  Problem const problem = c2c({65536});
  EXPECT_EQ(parse_program(one + two, problem), parse_program(line + one + two));
  expect_refused("c2c f32 forward 0\n" + one + two, {"axes[0].size"});
  expect_refused("nonsense\n" + one + two, {"nonsense"});
  Problem broken = problem;
  broken.axes.clear();
  EXPECT_THROW(parse_program(one + two, broken), Error);
}

TEST(ProgramText, ReadsThePapersNotation) {
  std::string const plain = answer(
      "c2c f32 forward 256x256 in-place reversed\n{X(16,16,16,256,tw)} {X(16,16,1,16,no-tw)} "
      "{Y(1,256,1,256,no-tw)}");
  EXPECT_FALSE(plain.starts_with("refused"));
  EXPECT_EQ(answer("c2c f32 forward 256x256 in-place reversed\n"
                   "\u2022 {X (16, 16, 16, 256, tw)}\n\u2013 {X(16, 16, 1, 16, no\u2212tw), forward}\n{Y (1, "
                   "256, 1, 256, forward, GPU )}\n"),
            plain);
}

// Optional parts.

TEST(ProgramText, LetsAllAnnotationsBeLeftOut) {
  std::string const said = answer(line + "{X(256,256,256,65536,tw)}\n{X(256,256,1,256,no-tw)}");
  EXPECT_EQ(said.find("refused"), std::string::npos) << said;
  EXPECT_EQ(answer(said), said);
}

TEST(ProgramText, WantsAllAnnotationsOrNone) {
  expect_refused(line + one + "{X(256,256,1,256,no-tw)}",
                 {"sweep 2", "tier or buffers", "all sweeps or to none"});
  expect_refused(line + "{X(256,256,256,65536,tw)}" + two, {"sweep 1", "tier or buffers"});
  expect_refused(line + "{X(256,256,256,65536,tw)} on block in -> work\n" + two, {"sweep 1", "layout"});
  expect_refused(line + one + "{X(256,256,1,256,no-tw)} on block work -> out [X1 X2]\n",
                 {"sweep 2", "last", "leave out"});
  expect_refused(line + "{X(256,256,256,65536,tw)} with X2%16\n{X(256,256,1,256,no-tw)}",
                 {"tier or buffers"});
}

TEST(ProgramText, LetsBytesBeLeftOut) {
  EXPECT_EQ(answer(line + "{X(256,256,256,65536,tw)} with X2%16 on block in -> work [X1/16 X2 X1%16] "
                          "{X(256,256,1,256,no-tw)} with X1%16 on block work -> out"),
            line + one + two);
}

TEST(ProgramText, RefusesWrongBytes) {
  auto const replaced = [&](std::string const& from, std::string const& to) {
    std::string t = line + one + two;
    return t.replace(t.find(from), from.size(), to);
  };
  expect_refused(replaced("tile 32KB", "tile 64KB"), {"tile of sweep 1", "32KB, not 64KB"});
  expect_refused(replaced("segments 128B/2KB", "segments 64B/2KB"),
                 {"read segment of sweep 1", "128B, not 64B"});
  expect_refused(replaced("segments 32KB/128B", "segments 32KB/256B"),
                 {"write segment of sweep 2", "128B, not 256B"});
  expect_refused(replaced("tile 32KB", "tile 32"), {"bytes such as"});
  expect_refused(replaced("tile 32KB", "tile 99999999999999MB"), {"bytes such as"});
  expect_refused("c2c f32 forward 256\n{X(1,256,1,256,no-tw)} tile 1KB", {"tile of sweep 1", "2KB"});
}

// Refusals.

TEST(ProgramText, RefusesWhatIsNoProgram) {
  expect_refused("", {"problem text"});
  expect_refused(line, {"no sweep"});
  expect_refused(line + "X(1,65536,1,65536,no-tw)", {"expected '{'"});
  expect_refused(line + "{X(1,65536,1,65536,no-tw)", {"axis"});
  expect_refused(line + "{X(1,65536,1,65536,no-tw", {"expected ')'"});
  expect_refused(line + "{X(1,65536,1)}", {"expected ','"});
  expect_refused(line + "{X(1,-5,1,1,tw)}", {"whole number"});
  expect_refused(line + "{X(1,99999999999999999999,1,1,tw)}", {"whole number"});
  expect_refused(line + "{X(1,65536,1,65536,twiddled)}", {"tw or no-tw", "twiddled"});
  expect_refused(line + "{X(1,65536,1,65536,no-tw)} onto block",
                 {"in, out, work, work2 or l2_buffer", "onto"});
}

TEST(ProgramText, RefusesSubTransformsThatDoNotFitTogether) {
  expect_refused(line + "{Y(1,65536,1,65536,no-tw)}", {"'Y' is not an axis"});
  expect_refused("c2c f32 forward 16 batch 4\n{X(1,16,1,16,no-tw), B(1,4,1,4,no-tw)}",
                 {"'B' is not an axis"});
  expect_refused(line + "{X(256,256,256,65536,tw)}", {"X"});
  expect_refused(line + "{X(256,256,1,256,no-tw)} {X(256,256,256,65536,tw)}",
                 {"sweep 1", "needs X(256,256,256,65536,tw)"});
  expect_refused(line + "{X(255,256,256,65536,tw)} {X(256,256,1,256,no-tw)}",
                 {"says X(255,", "needs X(256,"});
  expect_refused(line + "{X(256,256,256,65536,no-tw)} {X(256,256,1,256,no-tw)}",
                 {"needs X(256,256,256,65536,tw)"});
  expect_refused(line + "{X(1,65536,1,65536,no-tw), inverse}", {"inverse", "forward"});
  expect_refused(line + "{X(1,4611686018427387904,1,1,tw), X(1,4611686018427387904,1,1,tw)}", {"X", "65536"});
}

// Such numbers must not come as far as a product: sanitizers see what would overflow there.
TEST(ProgramText, RefusesRadicesAndBytesBeyond63Bits) {
  std::string const huge = "4611686018427387904";
  for (std::string const problem : {"c2c f32 forward 256", "c2r f32 inverse 512"})
    expect_refused(problem + "\n{X(1,256,1,256,no-tw,by " + huge + ")}", {"63 bits"});
  std::string const twice = "{X(1," + huge + ",1,256,no-tw)} {X(1," + huge + ",1,256,no-tw)}";
  expect_refused("r2r f32 forward 256 kinds dct2\n" + twice, {"63 bits"});
  expect_refused("c2c f32 forward 256\n{X(1," + huge + ",1,256,tw)} {X(1," + huge +
                     ",1,256,no-tw,convolve)} {X(1," + huge + ",1,256,no-tw,back)}",
                 {"63 bits"});
  expect_refused(
      "c2c f32 forward 256 in 4503599627370496 out 4503599627370496\n"
      "{X(1,4096,1,256,tw)} {X(1,4096,1,256,no-tw,convolve)} {X(1,4096,1,256,no-tw,back)}",
      {"63 bits"});
  expect_refused(
      "c2c f32 forward 128x128x128 batch 64\n"
      "{X(32,4,32,128,tw), Z(1,128,1,128,no-tw)} with X2 on block l2_block 16x" +
          huge +
          "B in -> l2_buffer [B Z Y X1 X2]\n"
          "{X(4,32,1,32,no-tw), Y(1,128,1,128,no-tw)} with X1 on block l2_buffer -> out",
      {"at most"});
}

TEST(ProgramText, RefusesDigitsTiersAndBuffersThatAreNot) {
  auto const with = [&](std::string const& rest) {
    return "c2c f32 forward 64 batch 10\n{X(1,64,1,64,no-tw)} " + rest;
  };
  EXPECT_EQ(answer(with("with B%4 on block in -> out")),
            with("with B%4 on block tile 2KB segments 2KB/2KB in -> out\n"));
  expect_refused(with("with Q%4 on block in -> out"), {"'Q' is not a digit"});
  expect_refused(with("with B/10 on block in -> out"), {"'B' has no part above 10"});
  expect_refused(with("on block in -> out [% X]"), {"digit such as"});
  expect_refused(with("on warp in -> out"), {"thread, block or cluster", "warp"});
  expect_refused(with("on cluster in -> out"), {"'of'"});
  expect_refused(with("on cluster of 5000 in -> out"), {"1024"});
  expect_refused(with("on block in -> nowhere"), {"in, out, work, work2 or l2_buffer"});
  expect_refused(with("on block work -> out"), {"sweep 1", "reads work"});
  expect_refused(with("on block in -> in"), {"writes the input"});
  expect_refused(with("on block in -> work"), {"last", "out"});
}

TEST(ProgramText, RefusesTilesThatHoldSomethingTwice) {
  auto const with = [&](std::string const& held) {
    return "c2c f32 forward 64 batch 60\n{X(1,64,1,64,no-tw)} with " + held + " on block in -> out";
  };
  EXPECT_FALSE(answer(with("B%4 B/12%5")).starts_with("refused"));
  expect_refused(with("B%4 B%12"), {"sweep 1", "B", "twice"});
  expect_refused(with("B%12 B/4%5"), {"sweep 1", "B", "twice"});
  expect_refused(with("X"), {"sweep 1", "X", "transforms"});
  expect_refused(with("B%4 B/10%2"), {"cut it at a divisor"});
}

TEST(ProgramText, RefusesLayoutsThatLoseOrRepeatDigits) {
  for (std::string const layout :
       {"X1", "X1 X2 X2", "X1/16 X2", "X1/16 X2 X1%8", "X1 X2 X1/16%2", "X2 X1%16 X1%16"})
    expect_refused(line + "{X(256,256,256,65536,tw)} on block in -> work [" + layout +
                       "] {X(256,256,1,256,no-tw)} on block work -> out",
                   {"layout of sweep 1", "exactly once"});
}

TEST(ProgramText, RefusesSweepsThatWouldOverwriteWhatOthersRead) {
  expect_refused(
      "c2c f32 forward 65536 in-place\n{X(256,256,256,65536,tw)} with X2%16 on block in -> out [X1/16 X2 "
      "X1%16]\n"
      "{X(256,256,1,256,no-tw)} with X1%16 on block out -> out",
      {"sweep 1", "another buffer"});
  expect_refused(
      "c2c f32 forward 65536 in 1 out 2\n{X(256,256,256,65536,tw)} on block in -> out [X1 X2] "
      "{X(256,256,1,256,no-tw)} on block out -> out",
      {"use work"});
}

// Mangled texts.

std::string mangled(std::string t, std::mt19937& random) {
  static std::string const alphabet = "XYZWB12345680/%-[](){}, \ntwinork>MK\xe2\x88\x92\x80";
  auto const below = [&](std::size_t n) { return n ? random() % n : 0; };
  for (std::size_t edits = 1 + below(3); edits > 0 && !t.empty(); --edits) {
    std::size_t const at = below(t.size());
    switch (below(6)) {
      case 0:
        t[at] = alphabet[below(alphabet.size())];
        break;
      case 1:
        t.insert(at, 1, alphabet[below(alphabet.size())]);
        break;
      case 2:
        t.erase(at, 1 + below(5));
        break;
      case 3:
        t.resize(at);
        break;
      case 4:
        t.insert(at, t.substr(below(t.size()), below(30)));
        break;
      case 5:
        t[at] = char(below(256));
        break;
    }
  }
  return t;
}

TEST(ProgramText, SurvivesMangling) {
  int read = 0, refused = 0;
  unsigned seed = 1;
  for (std::string const machine_name : {"h200", "xeon-avx512"})
    for (Golden const& golden : goldens(machine_name)) {
      std::string const whole = text(golden.program);
      for (int round = 0; round < (quick() ? 20 : 60); ++round) {
        std::mt19937 random(seed++);
        std::string const t = mangled(whole, random);
        SCOPED_TRACE("seed " + std::to_string(seed - 1) + ":\n" + t);
        try {
          Program const program = parse_program(t);
          ASSERT_NO_THROW(check(program));
          ASSERT_EQ(parse_program(text(program)), program);
          ++read;
        } catch (Error const& e) {
          EXPECT_GT(std::string(e.what()).size(), 10u);
          ++refused;
        }
      }
    }
  EXPECT_GT(read, 50) << "edits of spaces and of optional parts should be harmless";
  EXPECT_GT(refused, 1000);
}

TEST(ProgramText, SurvivesTruncation) {
  std::string const whole = line + one + two;
  for (std::size_t n = 0; n < whole.size(); ++n) {
    std::string const said = answer(whole.substr(0, n));
    EXPECT_TRUE(said.starts_with("refused: ") || answer(said) == said) << whole.substr(0, n);
  }
}

}  // namespace
}  // namespace skipper::testing
