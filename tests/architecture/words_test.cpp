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
  std::string_view
      word;  // in small letters; several are a phrase, also as a name: "read once" finds read_once and ReadOnce
  std::string_view instead;
};

constexpr OldWord old_words[] = {
    {"order of powers", "Rader"},
    {"by powers", "by Rader"},
    {"routed", "across a cluster"},
    {"rough", "non-smooth"},
    {"by chirps", "by Bluestein"},
    {"opposites", "real Rader"},
    {"twin", "conjugate row"},
    {"twins", "conjugate rows"},
    {"tap", "gather index"},
    {"taps", "gather indices"},
    {"zigzag", "Makhoul"},
    {"zig", "Makhoul"},
    {"zag", "Makhoul"},
    {"fold", "real transform"},
    {"folded", "pre-processed"},
    {"joint", "fused inverse"},
    {"joints", "fused inverses"},
    {"yoke", "fused passes"},
    {"yoked", "fused"},
    {"yoking", "fused passes"},
    {"double turns", "issue cycles in f64"},
    {"asks for a tile", "prefetches a tile"},
    {"asking for tiles", "L2 prefetch"},
    {"tile to come", "later tile"},
    {"launched early", "dependent launch"},
    {"announce", "trigger"},
    {"announces", "triggers"},
    {"await", "wait for"},
    {"awaits", "waits for"},
    {"awaited", "waited for"},
    {"patient", "dependent launch"},
    {"walk", "block order"},
    {"walked", "reordered"},
    {"walker", "Orderer"},
    {"walking", "block order"},
    {"deal", "factorisation"},
    {"deals", "factorisations"},
    {"dealt", "assigned"},
    {"atom", "fine digit"},
    {"atoms", "fine digits"},
    {"seat", "thread coordinates"},
    {"seats", "thread coordinates"},
    {"pace", "predicted slowdown"},
    {"ladder", "twiddle chain"},
    {"ladders", "twiddle chains"},
    {"rung", "twiddle chain"},
    {"rungs", "twiddle chain"},
    {"abreast", "interleaved"},
    {"lone", "latency-bound, single"},
    {"chunk", "L2 block, piece"},
    {"chunks", "L2 blocks, pieces"},
    {"scratch", "buffer"},
    {"house test", "architecture test"},
};

/// Parts of names, to the letter.
constexpr OldWord old_names[] = {
    {"most_", "max_"},
    {"_a_turn", "an issue, a work item"},
    {"read_once", "streaming hints"},
    {"write_once", "streaming hints"},
    {"stand_in", "fake driver"},
    {"STAND_IN", "FAKE_DRIVER"},
    {"EndSettings", "Callbacks"},
    {"SegmentFunction", "Callback"},
    {"creation()", "plan_timings()"},
    {"Turn", "work item, rotation"},
    {"Turns", "rotations"},
    {"Way", "algorithm, digit, split"},
};

/// Where a word is someone else's.
struct Exception {
  std::string_view files;  // how their names begin
  std::string_view word;
  std::string_view whose;
};

constexpr Exception exceptions[] = {
    {"compat/", "patient", "FFTW's and cuFFT's planning"},
    {"docs/drop-in.md", "patient", "FFTW's and cuFFT's planning"},
    {"examples/flow.cpp", "chunk", "a part of a PNG file"},
    {"scripts/test-clients.sh", "atoms", "of silicon"},
    {"cli/ratio_plot.cpp", "by powers", "of two, an axis of a plot"},
    {"src/ir/ptx.cpp", "atom", "an instruction of PTX"},
    {"tests/sass/accesses.cpp", "atom", "an instruction of sm_90"},
};

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)); }

/// The line in small letters with one blank between words, where names of several words are taken apart:
/// "int readOnce_ = 3;" is " int read once 3 ".
std::string words_of(std::string_view line) {
  auto const lower = [](char c) { return char(std::tolower(static_cast<unsigned char>(c))); };
  auto const is_upper = [&](std::size_t i) { return std::isupper(static_cast<unsigned char>(line[i])) != 0; };
  std::string words = " ";
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!is_letter(line[i])) {
      if (words.back() != ' ') words += ' ';
      continue;
    }
    // A large letter begins a word behind a small one, and before a small one at the end of a name in capitals.
    bool const begins =
        i > 0 && is_upper(i) && is_letter(line[i - 1]) &&
        (!is_upper(i - 1) || (i + 1 < line.size() && is_letter(line[i + 1]) && !is_upper(i + 1)));
    if (begins && words.back() != ' ') words += ' ';
    words += lower(line[i]);
  }
  if (words.back() != ' ') words += ' ';
  return words;
}

bool has_phrase(std::string const& words, std::string_view phrase) {
  return words.find(' ' + std::string(phrase) + ' ') != words.npos;
}

bool has_name(std::string_view line, std::string_view name) {
  for (std::size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1)) {
    std::size_t const end = at + name.size();
    bool const begins = at == 0 || name[0] == '_' || !is_letter(line[at - 1]);
    bool const ends = !is_letter(name.back()) || end == line.size() || !is_letter(line[end]);
    if (begins && ends) return true;
  }
  return false;
}

bool is_excepted(std::string_view file, std::string_view word) {
  return std::ranges::any_of(exceptions,
                             [&](Exception const& e) { return file.starts_with(e.files) && word == e.word; });
}

bool has(std::string_view file, std::string_view line, OldWord const& old, bool name) {
  return name ? has_name(line, old.word)
              : has_phrase(words_of(line), old.word) && !is_excepted(file, old.word);
}

/// "line 12 has 'twins', say 'conjugate rows'", for each old word in the text of a file. A plain search finds the few lines that are
/// worth a closer look.
std::vector<std::string> found_in(std::string_view file, std::string const& text) {
  std::string lower(text.size(), ' ');
  std::ranges::transform(text, lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  std::vector<std::string> found;
  auto const look = [&](std::string const& all, OldWord const& old, bool name) {
    std::string_view const rare = old.word.substr(old.word.rfind(' ') + 1);
    for (std::size_t at = all.find(rare); at != all.npos;) {
      std::size_t const newline = text.rfind('\n', at), begin = newline == text.npos ? 0 : newline + 1;
      std::size_t const end = std::min(text.find('\n', at), text.size());
      if (has(file, std::string_view(text).substr(begin, end - begin), old, name))
        found.push_back("line " +
                        std::to_string(1 + std::count(text.begin(), text.begin() + long(begin), '\n')) +
                        " has '" + std::string(old.word) + "', say '" + std::string(old.instead) + "'");
      at = all.find(rare, end);
    }
  };
  for (OldWord const& old : old_words) look(lower, old, false);
  for (OldWord const& old : old_names) look(text, old, true);
  return found;
}

TEST(Words, AreFoundInNamesAndSentences) {
  auto const count = [](std::string const& line) { return found_in("a.cpp", line).size(); };
  EXPECT_EQ(count("bool is_yoked(Program const&);"), 1u);
  EXPECT_EQ(count("struct YokedSweeps;"), 1u);
  EXPECT_EQ(count("// Twins are two rows."), 1u);
  EXPECT_EQ(count("bool byChirps = by_chirps_;  // by chirps"), 1u);
  EXPECT_EQ(count("#define SKIPPER_STAND_IN"), 1u);
  EXPECT_EQ(count("if (flow.read_once)"), 1u);
  EXPECT_EQ(count("TEST(Lines, KeepTheirPace) {"), 1u);
  EXPECT_EQ(count("int most_blocks = 3;"), 1u);
  EXPECT_EQ(count("struct Turn {"), 1u);
  EXPECT_EQ(found_in("a.cpp", "one\ntwins\nthree twins, twins\n"),
            (std::vector<std::string>{"line 2 has 'twins', say 'conjugate rows'",
                                      "line 3 has 'twins', say 'conjugate rows'"}));
  EXPECT_EQ(count("at most 3, in turn; workspace, ideal, detwinned, HTTPServer"), 0u);
  EXPECT_EQ(found_in("compat/a.cpp", "FFTW_PATIENT").size(), 0u);
  EXPECT_EQ(found_in("src/a.cpp", "FFTW_PATIENT").size(), 1u);
  EXPECT_EQ(words_of("NVRTCError f(x2ToY);"), " nvrtc error f x2 to y ");
}

TEST(Words, AreTheFieldsInSourcesAndDocuments) {
  std::vector<std::string> all = architecture::files(
      "", {".h", ".cpp", ".c", ".md", ".f90", ".py", ".pyi", ".sh", ".cmake", ".txt", ".in", ".toml"});
  all.push_back("Makefile");
  int checked = 0;
  for (std::string const& file : all) {
    // What was measured stands as it was written, and this list has the words.
    if (file.starts_with("bench/results/") || file == "tests/architecture/words_test.cpp") continue;
    ++checked;
    for (std::string const& old : found_in(file, file)) ADD_FAILURE() << file << ", its name: " << old;
    for (std::string const& old : found_in(file, architecture::read(architecture::root() / file)))
      ADD_FAILURE() << file << ", " << old;
  }
  EXPECT_GT(checked, 1000);
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
