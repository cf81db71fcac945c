// Checks that words which the field has better ones for do not come back. Each has its place in docs/lexicon.md, or in
// every textbook.
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
  for (std::string const folder : {"include", "src", "cli", "mpi", "docs"}) {
    for (std::string const& file : architecture::files(folder, {".h", ".cpp", ".md", ".f90"})) {
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

/// Whether a comment of the line has a date, 2026-11: measurements are in bench/results, changes in git.
bool has_dated_comment(std::string_view line) {
  std::string_view const form = "20dd-dd";
  for (std::size_t at = std::min(line.find("//"), line.size()); at + form.size() <= line.size(); ++at) {
    bool fits = at > 0 && !is_letter(line[at - 1]);
    for (std::size_t i = 0; fits && i < form.size(); ++i)
      fits =
          form[i] == 'd' ? std::isdigit(static_cast<unsigned char>(line[at + i])) : line[at + i] == form[i];
    if (fits) return true;
  }
  return false;
}

TEST(Words, CommentsOfSourcesHaveNoDates) {
  EXPECT_TRUE(has_dated_comment("int a = 3;  // H200, 2026-11-16"));
  EXPECT_FALSE(has_dated_comment("int a = 2026 - 11;  // 2048-points"));
  for (std::string const folder : {"include", "src"})
    for (std::string const& file : architecture::files(folder, {".h", ".cpp"})) {
      int number = 0;
      for (std::string const& line : architecture::lines(architecture::read(architecture::root() / file))) {
        ++number;
        EXPECT_FALSE(has_dated_comment(line))
            << file << ":" << number << " has a date; say it in bench/results";
      }
    }
}

}  // namespace
