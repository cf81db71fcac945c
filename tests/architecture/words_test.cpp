// Checks that words which the field has better ones for do not come back. Each has its place in docs/lexicon.md, or in
// every textbook. And that measurements do not come back into comments.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/files.h"

namespace {

struct OldWord {
  std::string_view word;
  std::string_view instead;
};

constexpr OldWord old_words[] = {
    {"yoke", "fused passes"},
    {"yoked", "fused"},
    {"yoking", "fused passes"},
    {"rough", "non-smooth"},
    {"opposites", "real Rader"},
    {"twin", "conjugate row"},
    {"twins", "conjugate rows"},
    {"zigzag", "Makhoul"},
    {"tap", "gather index"},
    {"taps", "gather indices"},
    {"joint", "fused inverse"},
    {"joints", "fused inverses"},
    {"routed", "across a cluster"},
    {"atom", "fine digit"},
    {"atoms", "fine digits"},
    {"seat", "thread coordinates"},
    {"pace", "predicted slowdown"},
    {"ladder", "twiddle chain"},
    {"ladders", "twiddle chains"},
    {"abreast", "interleaved"},
    {"deal", "factorisation"},
    {"deals", "factorisations"},
    {"dealt", "assigned"},
    {"announces", "triggers"},
    {"stand_in", "fake driver"},
    {"EndSettings", "Callbacks"},
    {"SegmentFunction", "Callback"},
    {"creation()", "plan_timings()"},
    {"order of powers", "Rader"},
    {"house test", "architecture test"},
    {"read_once", "streaming hints"},
    {"most_", "max_"},
    {"walked", "reordered"},
    {"Walker", "Orderer"},
    {"by_walking", "by_block_order"},
    {"by_chirps", "by_bluestein"},
    {"Turn", "work item, rotation"},
    {"Turns", "rotations"},
    {"Way", "algorithm, digit, split"},
    {"chunk", "piece"},
    {"chunks", "pieces"},
    {"walk", "block order"},
    {"STAND_IN", "FAKE_DRIVER"},
    {"scratch", "buffer"},
    {"folded", "pre-processed"},
    {"Folds", "real transform"},
    {"Taps", "gather indices"},
};

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)); }

/// Whether the word stands in the line by itself or as a part of a name, between underscores.
bool has_word(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
    std::size_t const end = at + word.size();
    bool const begins = at == 0 || !is_letter(line[at - 1]);
    bool const ends = word.back() == '_' || end == line.size() || !is_letter(line[end]);
    if (begins && ends) return true;
  }
  return false;
}

TEST(Words, AreFoundInNamesAndSentences) {
  EXPECT_TRUE(has_word("bool is_yoked(Program const&);", "yoked"));
  EXPECT_TRUE(has_word("two rows are twins.", "twins"));
  EXPECT_TRUE(has_word("int most_blocks = 3;", "most_"));
  EXPECT_FALSE(has_word("at most 3", "most_"));
  EXPECT_FALSE(has_word("workspace", "pace"));
  EXPECT_FALSE(has_word("ideal", "deal"));
}

TEST(Words, AreTheFieldsInSourcesAndDocuments) {
  int checked = 0;
  for (std::string const folder :
       {"include", "src", "cli", "mpi", "docs", "tests", "bench", "python", "compat", "README.md"}) {
    auto const files = folder == "README.md"
                           ? std::vector<std::string>{folder}
                           : architecture::files(folder, {".h", ".cpp", ".md", ".f90", ".py", ".sh"});
    for (std::string const& file : files) {
      // What was measured stands as it was written, and this list has the words.
      if (file.starts_with("bench/results/") || file == "tests/architecture/words_test.cpp") continue;
      ++checked;
      for (OldWord const& old : old_words)
        EXPECT_FALSE(has_word(file, old.word)) << file << ": say '" << old.instead << "'";
      int number = 0;
      for (std::string const& line : architecture::lines(architecture::read(architecture::root() / file))) {
        ++number;
        for (OldWord const& old : old_words)
          EXPECT_FALSE(has_word(line, old.word))
              << file << ":" << number << " has '" << old.word << "', say '" << old.instead << "'";
      }
    }
  }
  EXPECT_GT(checked, 300);
}

/// What `//` or `#` begins in the line, but not within "..".
std::string_view comment_in(std::string_view line, std::string_view mark) {
  bool quoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (quoted && line[at] == '\\')
      ++at;
    else if (line[at] == '"' && line.substr(at > 0 ? at - 1 : 0, 3) != "'\"'")
      quoted = !quoted;
    else if (!quoted && line.substr(at).starts_with(mark))
      return line.substr(at);
  }
  return {};
}

/// Whether the text begins so, where d stands for any digit.
bool begins_like(std::string_view text, std::string_view form) {
  if (text.size() < form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i)
    if (form[i] == 'd' ? !std::isdigit(static_cast<unsigned char>(text[i])) : text[i] != form[i])
      return false;
  return true;
}

/// What of a measurement the comment has, a year with its month or a time over a copy; "" where it has none. Measurements are in
/// bench/results, changes in git.
std::string_view measurement_in(std::string_view comment) {
  for (std::size_t at = 1; at < comment.size(); ++at) {
    std::string_view const text = comment.substr(at);
    if (is_letter(comment[at - 1]) || !is_letter(comment[at])) continue;  // where a word begins
    if (begins_like(text, "20dd-dd")) return text.substr(0, 7);
    for (std::string_view month : {"January", "February", "March", "April", "May", "June", "July", "August",
                                   "September", "October", "November", "December"})
      if (text.starts_with(month) && begins_like(text.substr(month.size()), " 20dd"))
        return text.substr(0, month.size() + 5);
    if (begins_like(text, "took d.d") || begins_like(text, "takes d.d")) return text.substr(0, 9);
    std::size_t const end = std::min(text.find_first_not_of("0123456789."), text.size());
    if (end > 0 && text.substr(end).starts_with(" x copy")) return text.substr(0, end + 7);
  }
  return {};
}

TEST(Words, MeasurementsInCommentsAreFound) {
  auto const in_line = [](std::string_view line) { return measurement_in(comment_in(line, "//")); };
  EXPECT_EQ(in_line("int a = 3;  // H200, 2026-11-16"), "2026-11");
  EXPECT_EQ(in_line("int a = 3;  // H200, November 2026"), "November 2026");
  EXPECT_EQ(in_line("/// 512^2 takes 1.74 x copy (1.9)"), "takes 1.7");
  EXPECT_EQ(in_line("/// 512^2: 1.74 x copy (1.9)"), "1.74 x copy");
  EXPECT_EQ(in_line("double a;  // 64^3 took 1.66"), "took 1.66");
  EXPECT_EQ(in_line("int a = 2026 - 11;  // 2048-points, x copy, in May"), "");
  EXPECT_EQ(in_line("print(\"// 1.74 x copy\");"), "");
  EXPECT_EQ(measurement_in(comment_in("set(a 3)  # gcc 12, 2026-11", "#")), "2026-11");
  EXPECT_EQ(comment_in("if (c == '\"') return;  // quoted", "//"), "// quoted");
}

TEST(Words, CommentsHaveNoMeasurements) {
  int checked = 0;
  auto const check = [&](std::string const& file, std::string_view mark) {
    int number = 0;
    ++checked;
    for (std::string const& line : architecture::lines(architecture::read(architecture::root() / file))) {
      ++number;
      std::string_view const found = measurement_in(comment_in(line, mark));
      if (!found.empty())
        ADD_FAILURE() << file << ":" << number << " has '" << found << "'; say it in bench/results";
    }
  };
  for (std::string const folder :
       {"include", "src", "cli", "compat", "mpi", "python", "tests", "bench", "examples"}) {
    for (std::string const& file : architecture::files(folder, {".h", ".cpp", ".c"})) check(file, "//");
    for (std::string const& file : architecture::files(folder, {".py"})) check(file, "#");
  }
  for (std::string const& file : architecture::files("cmake", {".cmake"})) check(file, "#");
  for (std::string const& file : architecture::files("", {".txt"}))
    if (file.ends_with("CMakeLists.txt")) check(file, "#");
  EXPECT_GT(checked, 700);
}

}  // namespace
