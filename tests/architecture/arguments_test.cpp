// Errors name what the user wrote: the argument that an Error is given is a word of the public headers or a variable of the
// environment, and a field is
// called the same wherever it is refused, without the name of the struct before it.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "architecture/files.h"

namespace {

/// What the Errors of a text are given as arguments, as far as they are written out there.
std::set<std::string> arguments_in(std::string const& source) {
  std::set<std::string> found;
  std::regex const plain("Error\\(\\s*\"([^\"]*)\""),
      chosen("Error\\([^\";?]*\\?\\s*\"([^\"]*)\"\\s*:\\s*\"([^\"]*)\"");
  for (std::regex const& form : {plain, chosen})
    for (std::sregex_iterator it(source.begin(), source.end(), form), end; it != end; ++it)
      for (std::size_t group = 1; group < it->size(); ++group) found.insert((*it)[group]);
  return found;
}

/// "axes[" of "axes[", "cuda_load" of "callbacks.cuda_load".
std::string last_name(std::string const& argument) {
  std::string const name = argument.substr(0, argument.find('['));
  return name.substr(name.rfind('.') + 1);
}

std::set<std::string> words_of_headers() {
  std::set<std::string> words;
  std::regex const word("[A-Za-z_][A-Za-z_0-9]*");
  for (std::string const& file : architecture::files("include/skipper", {".h"})) {
    std::string const text = architecture::read(architecture::root() / file);
    for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it)
      words.insert(it->str());
  }
  return words;
}

TEST(Arguments, AreWordsOfThePublicHeaders) {
  std::set<std::string> const words = words_of_headers();
  std::size_t seen = 0;
  for (char const* const folder : {"src/api", "src/cpu", "src/stream", "src/distributed", "src/poisson"})
    for (std::string const& file : architecture::files(folder, {".h", ".cpp"}))
      for (std::string const& argument : arguments_in(architecture::read(architecture::root() / file))) {
        ++seen;
        bool const variable = argument.starts_with("SKIPPER_");  // of the environment
        EXPECT_TRUE(variable || words.contains(last_name(argument))) << file << ": " << argument;
        EXPECT_FALSE(argument.starts_with("settings.") || argument.starts_with("options."))
            << file << ": " << argument << " names the struct; other fields are named alone";
      }
  EXPECT_GT(seen, 30u);
}

TEST(Arguments, AreFoundInAllForms) {
  EXPECT_EQ(arguments_in("throw Error(\"a\", \"x\"); Error(b ? \"c\" : \"d[\", y);"),
            (std::set<std::string>{"a", "c", "d["}));
  EXPECT_EQ(last_name("axes[1]"), "axes");
  EXPECT_EQ(last_name("callbacks.cuda_load"), "cuda_load");
}

}  // namespace
