// The examples of the documents work: blocks marked cpp are compiled and run (those without main() as functions of one
// program), blocks marked sh are run in an empty folder that holds in.npy, with the built program first in the path.
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdlib>

#include "architecture/files.h"

namespace {

struct Block {
  std::string language, text;
  int line;
};

std::vector<Block> blocks(std::string const& document) {
  std::vector<Block> result;
  bool inside = false;
  int number = 0;
  for (std::string const& line : architecture::lines(architecture::read(architecture::root() / document))) {
    ++number;
    if (line.starts_with("```")) {
      if (!inside) result.push_back({line.substr(3), "", number});
      inside = !inside;
    } else if (inside) {
      result.back().text += line + "\n";
    }
  }
  return result;
}

// A folder that goes away with its contents.
struct Folder {
  architecture::fs::path path;
  Folder() {
    std::string name = (architecture::fs::temp_directory_path() / "skipper-docs-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { architecture::fs::remove_all(path); }
  void write(std::string const& name, std::string const& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
  }
};

// Runs the command in the folder; its output where it fails, else nothing.
std::string failure_of(Folder const& folder, std::string const& command) {
  std::string const path = std::string(SKIPPER_PROGRAM_DIR) + ":" + std::getenv("PATH");
  int const status = std::system(("cd " + folder.path.string() + " && PATH=" + path +
                                  " && export PATH && { " + command + "\n} >log 2>&1")
                                     .c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
  return "status " + std::to_string(status) + "\n" + architecture::read(folder.path / "log");
}

// With OpenMP where the compiler has it; without, its pragmas are comments.
std::string open_mp_flag() {
  Folder const folder;
  folder.write("block.cpp", "#include <omp.h>\nint main() { return omp_get_max_threads() < 1; }\n");
  std::string const command = std::string(SKIPPER_COMPILE) + " -fopenmp block.cpp -o block && ./block";
  return failure_of(folder, command).empty() ? " -fopenmp" : "";
}

std::string compiled_and_run(Folder const& folder, std::string const& source) {
  static std::string const open_mp = open_mp_flag();
  folder.write("block.cpp", source);
  return failure_of(
      folder, std::string(SKIPPER_COMPILE) + open_mp + " block.cpp -o block " + SKIPPER_LINK + " && ./block");
}

// Eight complex64 numbers.
std::string small_npy() {
  std::string header = "{'descr': '<c8', 'fortran_order': False, 'shape': (2, 4), }";
  header.append(128 - 10 - 1 - header.size(), ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + std::string(64, '\0');
}

// In one program, so that headers are compiled once.
void check_fragments(std::string const& document, std::vector<Block> const& fragments) {
  std::string source =
                  "#include <skipper/skipper.h>\n#include <cassert>\n#include <cmath>\n#include <cstdio>\n"
                  "#include <thread>\n",
              calls;
  for (Block const& b : fragments) {
    source += "void block" + std::to_string(b.line) + "() {\n#line " + std::to_string(b.line + 1) + " \"" +
              document + "\"\n" + b.text + "}\n";
    calls += "  block" + std::to_string(b.line) + "();\n";
  }
  if (fragments.empty()) return;
  EXPECT_EQ(compiled_and_run(Folder(), source + "int main() {\n" + calls + "}\n"), "") << document;
}

void check_document(std::string const& document) {
  std::vector<Block> fragments;
  for (Block const& b : blocks(document)) {
    std::string const where = document + ":" + std::to_string(b.line);
    bool const whole = b.text.find("int main") != std::string::npos;
    if (b.language == "cpp" && !whole) fragments.push_back(b);
    if (b.language == "cpp" && whole) {
      EXPECT_EQ(compiled_and_run(Folder(), b.text), "") << where;
    }
    if (b.language == "sh") {
      Folder const folder;
      folder.write("in.npy", small_npy());
      folder.write("block.sh", b.text);
      EXPECT_EQ(failure_of(folder, "sh -e block.sh"), "") << where;
    }
  }
  check_fragments(document, fragments);
}

TEST(Documents, GuideWorks) { check_document("docs/guide.md"); }
TEST(Documents, CommandLineWorks) { check_document("docs/cli.md"); }
TEST(Documents, PredictionsWork) { check_document("docs/predictions.md"); }
TEST(Documents, DistributedWorks) { check_document("docs/distributed.md"); }
TEST(Documents, PoissonWorks) { check_document("docs/poisson.md"); }
TEST(Documents, ReadmeWorks) { check_document("README.md"); }

TEST(Documents, AFaultyExampleIsFound) {
  EXPECT_NE(compiled_and_run(Folder(), "int main() { return 1; }\n"), "");
  EXPECT_NE(failure_of(Folder(), "skipper frobnicate"), "");
  EXPECT_EQ(failure_of(Folder(), "skipper --version"), "");
}

}  // namespace
