// What the readers of problem texts and case lines refuse: the message quotes the word at fault and
// says what is accepted, whatever the input.
#include <skipper/problem.h>

#include <gtest/gtest.h>

namespace skipper {
namespace {

// The message of the Error that reading gives, or "" if it reads.
std::string refusal(std::string_view input, Problem (*read)(std::string_view) = parse_problem) {
  try {
    read(input);
  } catch (Error const& error) {
    return error.what();
  }
  return "";
}

void expect_refusal(std::string_view input, std::vector<std::string> const& parts,
                    Problem (*read)(std::string_view) = parse_problem) {
  std::string const message = refusal(input, read);
  EXPECT_NE(message, "") << "accepted: " << input;
  for (std::string const& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks: " << part;
}

TEST(ParseProblem, RefusalsQuoteTheWordAndSayWhatIsAccepted) {
  expect_refusal("", {"problem text: ", "ends", "c2c"});
  expect_refusal(" \t\r\n ", {"ends", "a kind"});
  expect_refusal("fft f32 8", {"'fft'", "kind", "c2c", "r2r"});
  expect_refusal("c2c", {"ends", "precision", "f64"});
  expect_refusal("c2c f8 8", {"'f8'", "f32"});
  expect_refusal("c2c f32", {"ends", "shape"});
  expect_refusal("c2c f32 backward 8", {"'backward'", "forward", "inverse", "64x64"});
  expect_refusal("c2c f32 forward", {"ends", "shape"});
  expect_refusal("c2c f32 8x", {"''", "size", "digits"});
  expect_refusal("c2c f32 8x+4", {"'+4'", "size"});
  expect_refusal("c2c f32 8x4.5", {"'4.5'", "size"});
  expect_refusal("c2c f32 9223372036854775808", {"'9223372036854775808'", "63 bits"});
  expect_refusal("c2c f32 -8", {"axes[0].size", "-8", "at least 1"});
  expect_refusal("c2c f32 8 fast", {"'fast'", "clause", "batch", "in-place"});
  expect_refusal("c2c f32 8 batch", {"ends", "batch size"});
  expect_refusal("c2c f32 8 batch 2 batch 2", {"'batch'", "twice"});
  expect_refusal("c2c f32 8 in-place in-place", {"'in-place'", "twice"});
  expect_refusal("c2c f32 8 in 1,1", {"'1,1'", "2 strides for 1 axes"});
  expect_refusal("c2c f32 8 in 1/1", {"'1/1'", "1 strides for 0 batch"});
  expect_refusal("c2c f32 8 batch 2 out 1", {"'1'", "no batch strides"});
  expect_refusal("c2c f32 8 batch 2 out 1/8/3", {"'8/3'", "stride"});
  expect_refusal("c2c f32 8 scale", {"ends", "a scale"});
  expect_refusal("c2c f32 8 scale one", {"'one'", "scale"});
  expect_refusal("c2c f32 8 scale 1e999", {"'1e999'", "scale"});
  expect_refusal("c2c f32 8 scale nan", {"scale: ", "finite"});
  expect_refusal("r2r f32 8x8 kinds dct2", {"'dct2'", "1 kinds for 2 axes"});
  expect_refusal("r2r f32 8 kinds dct5", {"'dct5' is not an axis kind", "dct4", "dst1"});
  expect_refusal("r2c f32 inverse 8", {"direction: ", "forward"});
}

TEST(ParseProblem, LongAndOddInputsAreCutAndEscaped) {
  expect_refusal(std::string(1000, 'q') + " f32 8", {"'" + std::string(40, 'q') + "...'"});
  EXPECT_LT(refusal(std::string(100000, 'q')).size(), 200u);
  expect_refusal(std::string_view("c2\0c f32 8", 10), {"'c2\\x00c'"});
  expect_refusal("c2c f32 8 b\xffg", {"'b\\xffg'"});
  std::string shape = "2";
  for (int i = 0; i < 100000; ++i) shape += "x2";
  expect_refusal("c2c f32 " + shape, {"more than 64 dimensions"});
  std::string ones = "1";
  for (int i = 1; i < 64; ++i) ones += "x1";
  EXPECT_EQ(parse_problem("c2c f32 " + ones).axes.size(), 64u);
  expect_refusal("c2c f32 1" + ones + "x1", {"more than 64 dimensions"});
  expect_refusal("c2c f32 2 batch " + shape, {"more than 64 dimensions"});
}

TEST(ParseCase, Reads) {
  EXPECT_EQ(parse_case("c2c f32 67108864 2"), c2c({2}, 67108864));
  EXPECT_EQ(parse_case("c2c f64 1 512 512 128"), c2c({512, 512, 128}, 1, Precision::f64));
  EXPECT_EQ(parse_case("r2c bf16 3 512"), r2c({512}, 3, Precision::bf16));
  EXPECT_EQ(parse_case("  r2c\tf32 8 256 256 256\r\n"), r2c({256, 256, 256}, 8));
  EXPECT_EQ(parse_case("c2r f32 2 30"), c2r({30}, 2));
}

TEST(ParseCase, Refusals) {
  expect_refusal("", {"case: ", "ends", "kind"}, parse_case);
  expect_refusal("# kind precision", {"'#'", "kind"}, parse_case);
  expect_refusal("r2r f32 1 8", {"'r2r'", "problem text"}, parse_case);
  expect_refusal("c2c f32", {"ends", "batch size"}, parse_case);
  expect_refusal("c2c f32 4", {"ends", "a size"}, parse_case);
  expect_refusal("c2c f32 4 8x8", {"'8x8'", "size"}, parse_case);
  expect_refusal("c2c f32 0 8", {"batch[0].size", "at least 1"}, parse_case);
  expect_refusal("c2c f32 4 0", {"axes[0].size", "at least 1"}, parse_case);
  expect_refusal("c2c f32 99999999999999999999 8", {"63 bits"}, parse_case);
  std::string line = "c2c f32 1";
  for (int i = 0; i < 65; ++i) line += " 1";
  expect_refusal(line, {"limit of 64"}, parse_case);
}

}  // namespace
}  // namespace skipper
