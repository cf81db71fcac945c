// The examples of the documents work: blocks marked cpp are compiled and run (those without main() as functions of one
// program for all documents), blocks marked sh are run in an empty folder that holds in.npy, with the built program
// first in the path.
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdlib>

#include "architecture/files.h"
#include "support/quick.h"

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

// A program of many blocks, so that headers are compiled once. Messages name the documents.
class Together {
 public:
  explicit Together(std::vector<std::string> const& headers) {
    for (std::string const& header : headers) includes_ += "#include <" + header + ">\n";
  }

  void add(std::string const& document, Block const& b) {
    std::string const name = "block" + std::to_string(count_++);
    blocks_ += "void " + name + "() {\n" + line_of(document, b) + b.text + "}\n";
    calls_ += "  " + name + "();\n";
  }

  // A program with its own main(), in a namespace, where that has to return something by itself.
  void add_whole(std::string const& document, Block const& b) {
    std::string const name = "whole" + std::to_string(count_++);
    std::string body;
    for (std::string const& line : architecture::lines(b.text)) {
      bool const include = line.starts_with("#include");
      if (include) includes_ += line + "\n";
      body += (include ? "" : line) + "\n";
    }
    body.insert(body.rfind('}'), "return 0;\n");
    blocks_ += "namespace " + name + " {\n" + line_of(document, b) + body + "}\n";
    calls_ += "  if (" + name + "::main() != 0) return 1;\n";
  }

  std::string failure() const {
    return compiled_and_run(Folder(), includes_ + blocks_ + "int main() {\n" + calls_ + "}\n");
  }

 private:
  static std::string line_of(std::string const& document, Block const& b) {
    return "#line " + std::to_string(b.line + 1) + " \"" + document + "\"\n";
  }

  std::string includes_, blocks_, calls_;
  int count_ = 0;
};

constexpr char const* documents[] = {"docs/guide.md",       "docs/cli.md",     "docs/predictions.md",
                                     "docs/distributed.md", "docs/poisson.md", "README.md"};

// With SKIPPER_QUICK=1 one of the whole programs is compiled by itself, which also tells whether it includes what it needs.
TEST(Documents, ProgramsWork) {
  std::size_t whole_ones = 0, number = 0, alone = 0;
  auto const is_whole = [](Block const& b) { return b.text.find("int main()") != std::string::npos; };
  for (char const* document : documents)
    for (Block const& b : blocks(document)) whole_ones += b.language == "cpp" && is_whole(b);
  Together together({"skipper/skipper.h", "cassert", "cmath", "cstdio", "thread"});
  for (char const* document : documents)
    for (Block const& b : blocks(document)) {
      if (b.language != "cpp") continue;
      if (!is_whole(b)) {
        together.add(document, b);
      } else if (!skipper::testing::takes(number++, whole_ones)) {
        together.add_whole(document, b);
      } else {
        EXPECT_EQ(compiled_and_run(Folder(), b.text), "") << document << ":" << b.line;
        ++alone;
      }
    }
  EXPECT_EQ(together.failure(), "");
  EXPECT_EQ(alone, skipper::testing::quick() ? 1 : whole_ones);
}

// Whole programs in C, but for those over MPI, which need its compiler. Only linking is left to that of C++.
TEST(Documents, ProgramsInCWork) {
  int found = 0;
  for (char const* document : documents)
    for (Block const& b : blocks(document)) {
      if (b.language != "c" || b.text.find("mpi_c.h") != std::string::npos) continue;
      Folder const folder;
      folder.write("block.c", b.text);
      std::string const headers = (architecture::root() / "include").string();
      std::string const compile = "cc -std=c99 -Wall -Wextra -Werror -c block.c -o block.o -I" + headers;
      std::string const link = std::string(SKIPPER_COMPILE) + " block.o -o block " + SKIPPER_LINK;
      EXPECT_EQ(failure_of(folder, compile + " && " + link + " && ./block"), "") << document << ":" << b.line;
      ++found;
    }
  EXPECT_GE(found, 1);
}

TEST(Documents, CommandsWork) {
  for (char const* document : documents)
    for (Block const& b : blocks(document)) {
      if (b.language != "sh") continue;
      Folder const folder;
      folder.write("in.npy", small_npy());
      folder.write("block.sh", b.text);
      EXPECT_EQ(failure_of(folder, "sh -e block.sh"), "") << document << ":" << b.line;
    }
}

TEST(Documents, AFaultyExampleIsFound) {
  EXPECT_NE(compiled_and_run(Folder(), "int main() { return 1; }\n"), "");
  Together together({});
  together.add_whole("README.md",
                     {"cpp", "#include <cstdlib>\nint main() {\n  return EXIT_FAILURE;\n}\n", 1});
  EXPECT_NE(together.failure(), "");
  EXPECT_NE(failure_of(Folder(), "skipper frobnicate"), "");
  EXPECT_EQ(failure_of(Folder(), "skipper --version"), "");
}

}  // namespace
