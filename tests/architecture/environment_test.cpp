// Checks that libraries read the environment by base/environment.h alone, which reads nothing in programs with more rights than
// who started them.
#include <gtest/gtest.h>

#include <cctype>

#include "architecture/files.h"

namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The lines of a text, from 1, that say a word which reads the environment.
std::vector<int> readers_in(std::string_view text) {
  std::vector<int> found;
  int number = 0;
  for (std::string const& line : architecture::lines(text)) {
    ++number;
    std::string_view const code = std::string_view(line).substr(0, line.find("//"));
    for (std::string_view const word : {"getenv", "secure_getenv", "__secure_getenv", "environ"}) {
      std::size_t at = code.find(word);
      while (at != code.npos && ((at > 0 && is_name(code[at - 1])) ||
                                 (at + word.size() < code.size() && is_name(code[at + word.size()]))))
        at = code.find(word, at + 1);
      if (at == code.npos) continue;
      found.push_back(number);
      break;
    }
  }
  return found;
}

TEST(Environment, IsReadInOnePlace) {
  std::size_t checked = 0;
  for (std::string const folder : {"src", "compat", "mpi", "python/src", "include"})
    for (std::string const& path : architecture::files(folder, {".h", ".cpp", ".c"})) {
      if (path == "src/base/environment.h" || path.starts_with("compat/tests/")) continue;
      ++checked;
      for (int const line : readers_in(architecture::read(architecture::root() / path)))
        ADD_FAILURE() << path << ":" << line
                      << ": reads the environment; take environment() of base/environment.h";
    }
  EXPECT_GT(checked, 0u) << "no sources found below " << architecture::root();
}

TEST(Environment, PlantedReadersAreFound) {
  EXPECT_EQ(readers_in("int n;\nauto* a = std::getenv(\"A\");\n"), std::vector{2});
  EXPECT_EQ(readers_in("x = my_getenv(1), ::getenv(n);\n"), std::vector{1});
  EXPECT_EQ(readers_in("secure_getenv(\"A\");\nextern char** environ;\n"), (std::vector{1, 2}));
}

TEST(Environment, OnlyReadersAreFound) {
  EXPECT_TRUE(readers_in("environment(\"A\");  // not std::getenv\nint environs = my_getenv();\n").empty());
}

}  // namespace
