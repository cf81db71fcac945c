// Checks that the documents tell the truth about the files: links lead somewhere, the reading order names files
// that exist and open with a comment, fitted constants are where bench/results/h200-choices.md says, and no source has
// grown into two.
#include <gtest/gtest.h>

#include <cctype>

#include "architecture/files.h"

namespace {

constexpr size_t longest_file = 600;  // lines; one that is longer is two files

/// Text between `open` and `close`, every time they occur in the line.
std::vector<std::string> between(std::string_view line, std::string_view open, std::string_view close) {
  std::vector<std::string> found;
  for (size_t at = line.find(open); at != line.npos; at = line.find(open, at)) {
    at += open.size();
    size_t const end = line.find(close, at);
    if (end == line.npos) break;
    found.emplace_back(line.substr(at, end - at));
    at = end + close.size();
  }
  return found;
}

std::string without_code_spans(std::string line) {
  for (size_t at = line.find('`'); at != line.npos; at = line.find('`')) {
    size_t const end = line.find('`', at + 1);
    if (end == line.npos) break;
    line.erase(at, end - at + 1);
  }
  return line;
}

/// Lines outside ``` fences.
std::vector<std::string> prose(std::string_view markdown) {
  std::vector<std::string> result;
  bool fenced = false;
  for (std::string const& line : architecture::lines(markdown)) {
    std::string_view const text =
        std::string_view(line).substr(std::min(line.find_first_not_of(' '), line.size()));
    if (text.starts_with("```"))
      fenced = !fenced;
    else if (!fenced)
      result.push_back(line);
  }
  return result;
}

/// Targets of relative links, without #anchors: [text](target), [text](target "title"), [label]: target.
std::vector<std::string> relative_links(std::string_view markdown) {
  std::vector<std::string> links;
  auto const add = [&](std::string link) {
    link = link.substr(0, link.find_first_of("# "));
    bool const elsewhere = link.find("://") != link.npos || link.starts_with("mailto:");
    if (!link.empty() && !elsewhere) links.push_back(link);
  };
  for (std::string const& line : prose(markdown)) {
    for (std::string const& link : between(without_code_spans(line), "](", ")")) add(link);
    if (size_t const colon = line.find("]: "); line.starts_with('[') && colon != line.npos)
      add(line.substr(colon + 3));
  }
  return links;
}

/// Paths in code spans, `src/plan/planner.cpp`: those with a suffix that we use.
std::vector<std::string> named_files(std::string_view markdown) {
  std::vector<std::string> named;
  for (std::string const& line : prose(markdown))
    for (std::string const& span : between(line, "`", "`"))
      if (architecture::has_extension(span, {".h", ".cpp", ".md", ".txt", ".sh", ".cmake", ".json"}) &&
          span.find_first_of(" *<>") == span.npos)
        named.push_back(span);
  return named;
}

/// A source opens by saying what it does; the include guard may stand before that.
bool opens_with_comment(std::string_view text) {
  std::vector<std::string> const lines = architecture::lines(text);
  auto const first =
      std::ranges::find_if(lines, [](auto& line) { return !line.empty() && line != "#pragma once"; });
  return first != lines.end() && (first->starts_with("// ") || first->starts_with("/* "));
}

/// A link of the document as a path from the root.
std::string from_root(std::string const& document, std::string const& link) {
  return (architecture::fs::path(document).parent_path() / link).lexically_normal().generic_string();
}

std::vector<std::string> broken_links(std::string const& document, std::string_view markdown) {
  std::vector<std::string> broken;
  for (std::string const& link : relative_links(markdown))
    if (!architecture::fs::exists(architecture::root() / from_root(document, link)))
      broken.push_back(document + ": link to " + link + ", which does not exist");
  return broken;
}

std::vector<std::string> broken_reading(std::string const& document, std::string_view markdown) {
  std::vector<std::string> broken;
  std::vector<std::string> paths =
      named_files(markdown);  // from the root; links are relative to the document
  for (std::string const& link : relative_links(markdown)) paths.push_back(from_root(document, link));
  for (std::string const& path : paths) {
    if (!architecture::fs::exists(architecture::root() / path))
      broken.push_back(document + ": names " + path + ", which does not exist");
    else if (architecture::has_extension(path, {".h", ".cpp"}) &&
             !opens_with_comment(architecture::read(architecture::root() / path)))
      broken.push_back(document + ": names " + path + ", which does not open with a comment");
  }
  return broken;
}

bool is_name_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Whether the name stands in the text and is no part of a longer one.
bool has_name(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    size_t const end = at + name.size();
    if ((at == 0 || !is_name_letter(text[at - 1])) && (end == text.size() || !is_name_letter(text[end])))
      return true;
  }
  return false;
}

/// The file's text, less the comments that run to the end of a line.
std::string code_of(architecture::fs::path const& file) {
  bool const is_cpp = architecture::has_extension(file, {".h", ".cpp"});
  std::string code;
  for (std::string const& line : architecture::lines(architecture::read(file)))
    code += line.substr(0, line.find(is_cpp ? "//" : "#")) + '\n';
  return code;
}

/// What a table of fitted constants names that there is not: in the first column a file, in src or in the root, then in
/// backquotes names that its code has.
std::vector<std::string> stale_choices(std::string_view markdown) {
  std::vector<std::string> stale;
  for (std::string const& line : prose(markdown)) {
    if (!line.starts_with("| ") || line.starts_with("| file")) continue;
    std::string const cell = line.substr(2, line.find(" |", 2) - 2), name = cell.substr(0, cell.find(','));
    architecture::fs::path file = architecture::root() / "src" / name;
    if (!architecture::fs::exists(file)) file = architecture::root() / name;
    if (name.empty() || !architecture::fs::is_regular_file(file)) {
      stale.push_back("names " + name + ", which does not exist");
      continue;
    }
    std::string const code = code_of(file);
    for (std::string const& constant : between(cell, "`", "`"))
      if (!has_name(code, constant))
        stale.push_back("names " + constant + ", which " + name + " does not have");
  }
  return stale;
}

/// Files of bench/results that the text names and that there are not.
std::vector<std::string> missing_results(std::string_view text) {
  std::string_view const folder = "bench/results/";
  std::vector<std::string> missing;
  for (size_t at = text.find(folder); at != text.npos; at = text.find(folder, at)) {
    size_t end = at + folder.size();
    while (end < text.size() && (is_name_letter(text[end]) || text[end] == '-' || text[end] == '.')) ++end;
    while (text[end - 1] == '.') --end;  // of a sentence
    std::string const path(text.substr(at, end - at));
    if (!architecture::fs::exists(architecture::root() / path)) missing.push_back(path);
    at = end;
  }
  return missing;
}

TEST(Docs, RelativeLinksLeadSomewhere) {
  std::vector<std::string> const documents = architecture::files("", {".md"});
  EXPECT_FALSE(documents.empty());
  for (std::string const& document : documents)
    for (std::string const& broken :
         broken_links(document, architecture::read(architecture::root() / document)))
      ADD_FAILURE() << broken;
}

TEST(Docs, ReadingOrderNamesFilesThatOpenWithAComment) {
  for (std::string const document : {"docs/reading-order.md", "docs/adding.md"}) {
    std::string const markdown = architecture::read(architecture::root() / document);
    EXPECT_FALSE(named_files(markdown).empty() && relative_links(markdown).empty())
        << document << " names no file";
    for (std::string const& broken : broken_reading(document, markdown)) ADD_FAILURE() << broken;
  }
}

TEST(Docs, FittedConstantsAreWhereTheTableSays) {
  std::string const document = "bench/results/h200-choices.md";
  std::string const markdown = architecture::read(architecture::root() / document);
  ASSERT_FALSE(markdown.empty());
  for (std::string const& stale : stale_choices(markdown)) ADD_FAILURE() << document << " " << stale;
}

TEST(Docs, ResultsThatSourcesNameExist) {
  for (std::string const folder :
       {"include", "src", "cli", "compat", "mpi", "python", "bench", "cmake", "docs", "tests"})
    for (std::string const& path :
         architecture::files(folder, {".h", ".cpp", ".c", ".py", ".cmake", ".md"})) {
      if (path == "tests/architecture/docs_test.cpp") continue;  // which names some that are missing
      for (std::string const& missing : missing_results(architecture::read(architecture::root() / path)))
        ADD_FAILURE() << path << " names " << missing << ", which does not exist";
    }
}

TEST(Docs, NoSourceIsTwoFiles) {
  for (std::string const folder : {"src", "include", "cli"})
    for (std::string const& path : architecture::files(folder, {".h", ".cpp"})) {
      size_t const count = architecture::lines(architecture::read(architecture::root() / path)).size();
      EXPECT_LE(count, longest_file) << path << " is perhaps two files";
    }
}

TEST(Docs, PlantedBrokenLinksAreFound) {
  EXPECT_EQ(broken_links("docs/a.md", "see [one](nowhere.md) and [two](../LICENSE)\n").size(), 1u);
  EXPECT_EQ(broken_links("docs/a.md", "[one]: nowhere.md\n").size(), 1u);
  EXPECT_EQ(broken_links("README.md", "[one](nowhere.md#part)\n").size(), 1u);
  EXPECT_EQ(broken_links("README.md", "[a](LICENSE#x) [b](#part) [c](https://example.org/x.md) `[d](e.md)`\n")
                .size(),
            0u);
  EXPECT_EQ(broken_links("README.md", "```\n[one](nowhere.md)\n```\n[two](nowhere.md)\n").size(), 1u);
}

TEST(Docs, PlantedStaleChoicesAreFound) {
  std::string const head = "| file, constant | figures |\n|---|---|\n";
  EXPECT_EQ(stale_choices(head + "| plan/cost.cpp, `through_l2`, L2 blocks | `no_such` 1.9 |\n").size(), 0u);
  EXPECT_EQ(stale_choices(head + "| CMakeLists.txt, `SKIPPER_TESTS` | 3 |\n").size(), 0u);
  EXPECT_EQ(stale_choices(head + "| plan/nowhere.cpp, `through_l2` | 1.9 |\n").size(), 1u);
  EXPECT_EQ(stale_choices(head + "| plan, `through_l2` | 1.9 |\n").size(), 1u);
  EXPECT_EQ(stale_choices(head + "| plan/cost.cpp, `no_such`, `through_l` | 1.9 |\n").size(), 2u);
  EXPECT_EQ(stale_choices(head + "| plan/cost.cpp, `bounds of data movement` | 1.9 |\n").size(), 1u)
      << "only a comment has it";
  EXPECT_EQ(missing_results("see bench/results/h200-choices.md. In bench/results/ more.").size(), 0u);
  EXPECT_EQ(missing_results("(bench/results/nowhere.txt)").size(), 1u);
}

TEST(Docs, PlantedReadingOrderFaultsAreFound) {
  EXPECT_EQ(
      broken_reading("docs/reading-order.md", "first `src/nowhere/no.h`, then `tests/architecture/files.h`\n")
          .size(),
      1u);
  EXPECT_EQ(
      broken_reading("docs/reading-order.md", "[files](../tests/architecture/files.h) and `build<n>.h`\n")
          .size(),
      0u);
  EXPECT_EQ(broken_reading("docs/reading-order.md", "[no](../src/nowhere/no.h)\n").size(), 1u);
  EXPECT_TRUE(opens_with_comment("// what it does\n#pragma once\n"));
  EXPECT_TRUE(opens_with_comment("#pragma once\n// what it does\n"));
  EXPECT_TRUE(opens_with_comment("/* what it does, in C */\n#ifndef A\n"));
  EXPECT_FALSE(opens_with_comment("#include <vector>\n// what it does\n"));
  EXPECT_FALSE(opens_with_comment("#pragma once\n"));
}

}  // namespace
