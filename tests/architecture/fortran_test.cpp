// Checks that the Fortran module has all of the C interface: constants with the same values, structs with the same fields in the
// same order, and every function; and that the C interface has the kinds of base/kinds.h, by its names and numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "architecture/files.h"
#include "base/kinds.h"

namespace {

using Fields = std::map<std::string, std::vector<std::string>>;

/// What all matches of an expression have in a group.
std::vector<std::string> found(std::string const& text, std::string const& expression,
                               std::size_t group = 1) {
  std::regex const wanted(expression);
  std::vector<std::string> all;
  for (std::sregex_iterator it(text.begin(), text.end(), wanted), end; it != end; ++it)
    all.push_back((*it)[group]);
  return all;
}

std::string c_header() {
  std::string const text = architecture::read(architecture::root() / "include/skipper/skipper_c.h") +
                           architecture::read(architecture::root() / "include/skipper/distributed_c.h");
  return std::regex_replace(text, std::regex(R"(/\*[^*]*\*+([^/*][^*]*\*+)*/)"), "");
}

std::string fortran_module() {
  std::string const text = architecture::read(architecture::root() / "include/skipper/skipper.f90");
  return std::regex_replace(text, std::regex("![^\n]*"), "");
}

/// "SKIPPER_R2C = 1" and so on, without blanks.
std::set<std::string> constants(std::string const& text) {
  std::set<std::string> all;
  for (std::string pair : found(text, R"((SKIPPER_[A-Z0-9_]+\s*=\s*-?[0-9]+))")) {
    std::erase_if(pair, [](char c) { return c == ' ' || c == '\n'; });
    all.insert(pair);
  }
  return all;
}

std::set<std::string> as_set(std::vector<std::string> const& names) { return {names.begin(), names.end()}; }

std::set<std::string> c_functions(std::string const& text) {
  return as_set(found(text, R"((?:^|\n)(?:int|void|char const\*|skipper_\w+) (skipper_\w+)\()"));
}

std::set<std::string> fortran_functions(std::string const& text) {
  return as_set(found(text, R"((?:function|subroutine) (skipper_\w+)\()"));
}

Fields c_structs(std::string const& text) {
  Fields all;
  std::regex const form(R"(typedef struct (\w+) \{([^}]*)\})");
  for (std::sregex_iterator it(text.begin(), text.end(), form), end; it != end; ++it)
    all[(*it)[1]] = found((*it)[2], R"((\w+)\s*[,;])");
  return all;
}

Fields fortran_types(std::string const& text) {
  Fields all;
  std::regex const form(R"(type, bind\(c\) :: (\w+)\n([^]*?)end type)");
  for (std::sregex_iterator it(text.begin(), text.end(), form), end; it != end; ++it)
    for (std::string const& line : architecture::lines((*it)[2].str()))
      for (std::string const& name : found(line, R"((\w+) =)")) all[(*it)[1]].push_back(name);
  return all;
}

TEST(Fortran, HasAllConstantsOfC) {
  std::set<std::string> const c = constants(c_header());
  EXPECT_GT(c.size(), 40u);
  EXPECT_TRUE(c.contains("SKIPPER_FORWARD=-1"));
  EXPECT_EQ(constants(fortran_module()), c);
}

/// SKIPPER_AXIS_DCT2=2 for AxisKind::dct2.
template <class Kinds>
std::set<std::string> constants_of(std::string const& prefix, Kinds const& kinds) {
  std::set<std::string> all;
  for (auto const kind : kinds) {
    std::string constant = prefix;
    for (char const c : skipper::facts(kind).name)
      constant += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    all.insert(constant + "=" + std::to_string(int(kind)));
  }
  return all;
}

TEST(CHeader, HasAllKindsOfTheTable) {
  std::string const header = c_header();
  auto const of_enum = [&](std::string const& name) {
    return constants(found(header, "enum " + name + R"( \{([^}]*)\})").at(0));
  };
  EXPECT_EQ(of_enum("skipper_axis_kind"), constants_of("SKIPPER_AXIS_", skipper::all_axis_kinds));
  EXPECT_EQ(of_enum("skipper_kind"), constants_of("SKIPPER_", skipper::all_kinds));
}

TEST(Fortran, HasAllFunctionsOfC) {
  std::set<std::string> c = c_functions(c_header());
  EXPECT_GT(c.size(), 70u);
  c.insert("skipper_mpi_communicator_fortran");  // of skipper/mpi_c.h, for Fortran alone
  EXPECT_EQ(fortran_functions(fortran_module()), c);
}

/// Of rows "| `skipper_plan_` | create, destroy | ..." the functions skipper_plan_create and so on.
std::set<std::string> functions_in_rows(std::string const& document) {
  std::set<std::string> all;
  std::regex const row(R"(\| `(skipper_\w*)` \| ([a-z0-9_, ]+) \|)");
  for (std::sregex_iterator it(document.begin(), document.end(), row), end; it != end; ++it)
    for (std::string const& name : found((*it)[2], R"((\w+))")) all.insert((*it)[1].str() + name);
  return all;
}

TEST(CHeader, IsAllInTheGuide) {
  EXPECT_EQ(functions_in_rows("| `skipper_a_` | b, c | `A` |\n| `skipper_` | d | |"),
            (std::set<std::string>{"skipper_a_b", "skipper_a_c", "skipper_d"}));
  EXPECT_EQ(functions_in_rows(architecture::read(architecture::root() / "docs/guide.md")),
            c_functions(c_header()));
}

TEST(Fortran, HasAllStructsOfC) {
  Fields const c = c_structs(c_header());
  EXPECT_EQ(c.size(), 24u);
  EXPECT_EQ(c.at("skipper_dim"), (std::vector<std::string>{"size", "in_stride", "out_stride"}));
  EXPECT_EQ(fortran_types(fortran_module()), c);
}

TEST(Fortran, DifferencesAreFound) {
  EXPECT_EQ(constants("enum a { SKIPPER_A = 0, SKIPPER_B = -1 };"),
            (std::set<std::string>{"SKIPPER_A=0", "SKIPPER_B=-1"}));
  EXPECT_EQ(c_functions("\nint skipper_a(int x);\nvoid skipper_b(void);\n"),
            (std::set<std::string>{"skipper_a", "skipper_b"}));
  EXPECT_EQ(fortran_functions("integer(c_int) function skipper_a(x) bind(c)\nsubroutine skipper_b() bind(c)"),
            (std::set<std::string>{"skipper_a", "skipper_b"}));
}

}  // namespace
