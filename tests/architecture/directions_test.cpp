// Checks that every #include points the way the architecture says. The rules are the two tables below; a rule changes there,
// together with the table in CONTRIBUTING.md.
#include <gtest/gtest.h>

#include <optional>

#include "architecture/files.h"

namespace {

enum class Outside {
  none,      // not one <...>: kernel text is compiled by NVRTC, which has no headers
  standard,  // C++'s own headers only, which are those without a suffix
  any,       // the system's headers too
};

struct Folder {
  std::string_view path;
  Outside outside;
  std::vector<std::string_view> sees;  // beside itself: a folder ("base/") or one header, by its include name
};

std::vector<Folder> const folders = {
    {"include/skipper", Outside::standard, {}},
    {"src/base", Outside::standard, {"skipper/", "kernel/double_double.h"}},
    {"src/ir", Outside::standard, {}},
    {"src/kernel", Outside::none, {}},
    {"src/trace", Outside::standard, {"skipper/", "base/", "ir/", "kernel/"}},
    {"src/plan", Outside::standard, {"skipper/", "base/", "kernel/spec.h", "kernel/queries.h"}},
    {"src/gpu", Outside::any, {"skipper/", "base/", "plan/", "kernel/", "ir/", "trace/"}},
    {"src/cpu", Outside::any, {"skipper/", "base/", "kernel/"}},
    {"src/stream", Outside::any, {"skipper/", "base/", "plan/"}},
    {"src/distributed", Outside::standard, {"skipper/", "base/", "plan/", "stream/copy.h"}},
    {"src/poisson", Outside::any, {"skipper/", "base/", "plan/", "gpu/", "cpu/", "stream/", "distributed/"}},
    {"src/api",
     Outside::any,
     {"skipper/", "base/", "plan/", "gpu/", "cpu/", "stream/", "distributed/", "poisson/"}},
    // What judges results; no part of the library.
    {"src/reference", Outside::standard, {"skipper/", "base/"}},
    // What it is tried on; no part of the library either.
    {"src/coverage",
     Outside::standard,
     {"skipper/", "base/", "plan/", "gpu/prepare.h", "kernel/spec.h", "kernel/queries.h"}},
    {"cli",
     Outside::any,
     {"skipper/", "base/byte_count.h", "base/kinds.h", "base/may_follow.h", "base/random_digits.h", "reference/",
      "coverage/", "gpu/kernel_sources.h"}},
    // Measuring an engine from the inside is what these two are for; all other benchmarks are users.
    {"bench/cpu", Outside::any, {"skipper/", "base/", "plan/", "cpu/", "cli/"}},
    {"bench/gpu",
     Outside::any,
     {"skipper/", "base/", "plan/", "gpu/", "poisson/", "cli/", "support/", "bench/gpu/"}},
    {"bench/stream", Outside::any, {"skipper/", "cli/", "bench/stream/"}},  // pinned memory and the link
    {"bench", Outside::any, {"skipper/"}},
    {"python", Outside::any, {"skipper/", "mpi/node_window.h", "mpi/processes.h"}},  // these need no MPI
    {"mpi", Outside::any, {"skipper/", "base/environment.h"}},
    {"compat/tests", Outside::any, {"skipper/", "reference/", "gpu/fake_driver/"}},
    {"compat", Outside::any, {"skipper/", "base/environment.h"}},
    {"examples", Outside::any, {"skipper/"}},
};

/// Headers of vendors and of other libraries, by the beginning of their names, and the only files (by the beginning of their paths) that
/// may include them.
struct Vendor {
  std::string_view header;
  std::string_view only;
};

std::vector<Vendor> const vendors = {
    {"cu", "src/gpu/driver"}, {"nv", "src/gpu/driver"}, {"mpi", "mpi/"},
    {"mpi", "bench/mpi/"},    {"cu", "examples/cuda/"}, {"cu", "compat/"},
    {"mpi", "examples/mpi/"}, {"CLI/", "cli/"},         {"CLI/", "bench/cpu/"},
    {"nlohmann/", "cli/"},    {"fmt/", "cli/"},         {"mpi", "compat/fftw3_mpi/"},
};

/// The folder of a file, by its path, or nothing.
Folder const* folder_of(std::string_view path) {
  for (Folder const& folder : folders)
    if (path.starts_with(folder.path) && path.substr(folder.path.size()).starts_with('/')) return &folder;
  return nullptr;
}

/// "plan/" for src/plan, "skipper/" for include/skipper: how an #include begins that enters the folder.
std::string include_prefix(Folder const& folder) {
  return std::string(folder.path.substr(folder.path.rfind('/') + 1)) + '/';
}

Folder const* folder_entered_by(std::string_view include) {
  for (Folder const& folder : folders)
    if (include.starts_with(include_prefix(folder))) return &folder;
  return nullptr;
}

struct Include {
  std::string name;
  bool angled;
};

/// The include that a line makes: nothing for other lines, an empty name where a macro hides it.
std::optional<Include> include_in(std::string_view line) {
  auto const skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip_blanks();
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  skip_blanks();
  if (!line.starts_with("include")) return {};
  line.remove_prefix(7);
  if (line.starts_with("_next")) line.remove_prefix(5);
  skip_blanks();
  bool const angled = line.starts_with('<');
  if (!angled && !line.starts_with('"')) return Include{"", false};
  line.remove_prefix(1);
  return Include{std::string(line.substr(0, line.find(angled ? '>' : '"'))), angled};
}

bool standard(std::string_view name) { return name.find_first_of("./") == std::string_view::npos; }

/// Why `include` may not stand in the file at `path`, or nothing when it may.
std::string fault(std::string_view path, Folder const& folder, Include const& include) {
  std::string_view const name = include.name;
  if (name.empty()) return "hides the name of the header in a macro";
  if (name.find("..") != name.npos) return "climbs with '..'; name the header from src/ or include/";

  if (Folder const* target = folder_entered_by(name)) {
    if (target == &folder) return folder.outside == Outside::none && include.angled ? "uses <...>" : "";
    for (std::string_view seen : folder.sees)
      if (seen.ends_with('/') ? name.starts_with(seen) : name == seen) return "";
    return std::string(folder.path) + " may not see it";
  }

  std::string owners;
  for (Vendor const& vendor : vendors)
    if (name.starts_with(vendor.header) && !standard(name)) {
      if (path.starts_with(vendor.only)) return "";
      owners += (owners.empty() ? "only " : "* and ") + std::string(vendor.only);
    }
  if (!owners.empty()) return owners + "* may see it";
  if (!include.angled) return "";  // a neighbour in the same folder, found beside the file
  if (folder.outside == Outside::none) return "uses <...>; kernel text has no headers but its own";
  if (folder.outside == Outside::standard && !standard(name))
    return "only C++'s own headers may be seen here";
  return "";
}

/// One line for each include of the file that points the wrong way.
std::vector<std::string> wrong_includes(std::string const& path, std::string_view text) {
  Folder const* folder = folder_of(path);
  if (!folder) return {path + ": stands in no folder of the table; add its own"};
  std::vector<std::string> wrong;
  int number = 0;
  for (std::string const& line : architecture::lines(text)) {
    ++number;
    std::optional<Include> const include = include_in(line);
    if (!include) continue;
    std::string const why = fault(path, *folder, *include);
    if (!why.empty()) wrong.push_back(path + ":" + std::to_string(number) + ": " + line + "  -- " + why);
  }
  return wrong;
}

size_t wrong_in(std::string const& path, std::string_view text) { return wrong_includes(path, text).size(); }

TEST(Directions, EveryIncludePointsTheRightWay) {
  size_t checked = 0;
  for (std::string const folder : {"src", "include", "cli", "bench", "mpi", "python", "compat", "examples"}) {
    for (std::string const& path :
         architecture::files(folder, {".h", ".hpp", ".cpp", ".c", ".cu", ".cuh", ".inc"})) {
      for (std::string const& wrong : wrong_includes(path, architecture::read(architecture::root() / path)))
        ADD_FAILURE() << wrong;
      ++checked;
    }
  }
  EXPECT_GT(checked, 0u) << "no sources found below " << architecture::root();
}

TEST(Directions, PlantedIncludesAgainstTheArrowsAreFound) {
  EXPECT_EQ(wrong_in("src/base/machine.h", "#include \"plan/program.h\"\n"), 1u);
  EXPECT_EQ(wrong_in("src/base/machine.h", "#include \"kernel/spec.h\"\n"), 1u);
  EXPECT_EQ(wrong_in("src/plan/planner.cpp", "#include \"kernel/sweep.h\"\n"), 1u);
  EXPECT_EQ(wrong_in("src/plan/rules/rader.cpp", "#include \"gpu/jit.h\"\n"), 1u);
  EXPECT_EQ(wrong_in("src/plan/planner.cpp", "#include <gpu/jit.h>\n"), 1u);
  EXPECT_EQ(wrong_in("src/gpu/engine.cpp", "#include \"cpu/engine.h\"\n"), 1u);
  EXPECT_EQ(wrong_in("src/cpu/engine.cpp", "#include \"distributed/run.h\"\n"), 1u);
  EXPECT_EQ(wrong_in("src/distributed/run.cpp", "#include \"gpu/driver.h\"\n"), 1u);
  EXPECT_EQ(wrong_in("src/stream/pipeline.cpp", "#include \"poisson/symbols.h\"\n"), 1u);
  EXPECT_EQ(wrong_in("src/poisson/symbols.cpp", "#include \"api/plan.h\"\n"), 1u);
  EXPECT_EQ(wrong_in("include/skipper/plan.h", "#include \"plan/program.h\"\n"), 1u);
  EXPECT_EQ(wrong_in("cli/main.cpp", "#include \"base/machine.h\"\n"), 1u);
  EXPECT_EQ(wrong_in("cli/plan.cpp", "#include \"plan/program.h\"\n"), 1u);
  EXPECT_EQ(wrong_in("bench/main.cpp", "  #  include \"plan/program.h\"\n"), 1u);
}

TEST(Directions, PlantedHeadersFromOutsideAreFound) {
  EXPECT_EQ(wrong_in("bench/gpu/explore.cpp", "#include <cuda.h>\n"), 1u);
  EXPECT_EQ(wrong_in("src/kernel/sweep.h", "#include <cstdint>\n"), 1u);
  EXPECT_EQ(wrong_in("src/kernel/sweep.h", "#include <kernel/spec.h>\n"), 1u);
  EXPECT_EQ(wrong_in("src/kernel/sweep.h", "#include \"base/machine.h\"\n"), 1u);
  EXPECT_EQ(wrong_in("src/base/machine.h", "#include <unistd.h>\n"), 1u);
  EXPECT_EQ(wrong_in("src/gpu/engine.cpp", "#include <cuda.h>\n"), 1u);
  EXPECT_EQ(wrong_in("src/gpu/engine.cpp", "#include \"cuda.h\"\n"), 1u);
  EXPECT_EQ(wrong_in("src/gpu/jit.cpp", "#include <nvrtc.h>\n"), 1u);
  EXPECT_EQ(wrong_in("bench/peers.cpp", "#include <cufft.h>\n"), 1u);
  EXPECT_EQ(wrong_in("src/gpu/disk_cache.cpp", "#include <fmt/core.h>\n"), 1u);
  EXPECT_EQ(wrong_in("src/api/tuning.cpp", "#include <nlohmann/json.hpp>\n"), 1u);
  EXPECT_EQ(wrong_in("examples/first.cpp", "#include <CLI/CLI.hpp>\n"), 1u);
  EXPECT_EQ(wrong_in("src/distributed/run.cpp", "#include <mpi.h>\n"), 1u);
  EXPECT_EQ(wrong_in("src/distributed/run.cpp", "#include \"stream/pipeline.h\"\n"), 1u);
}

TEST(Directions, PlantedDetoursAreFound) {
  EXPECT_EQ(wrong_in("src/base/machine.h", "#include \"../plan/program.h\"\n"), 1u);
  EXPECT_EQ(wrong_in("src/base/machine.h", "#include HEADER\n"), 1u);
  EXPECT_EQ(wrong_in("src/distributed/run.h", "#include_next <mpi.h>\n"), 1u);
  EXPECT_EQ(wrong_in("src/attic/machine.h", "int n;\n"), 1u);
  EXPECT_EQ(wrong_in("src/baseline/machine.h", "int n;\n"), 1u);
}

TEST(Directions, RightIncludesPass) {
  EXPECT_EQ(wrong_in("src/base/machine.cpp",
                     "#include <vector>\n#include <skipper/error.h>\n#include \"base/machine.h\"\n"),
            0u);
  EXPECT_EQ(wrong_in("src/plan/lower.cpp", "#include \"kernel/spec.h\"\n#include \"plan/program.h\"\n"), 0u);
  EXPECT_EQ(wrong_in("src/plan/rules/rader.cpp", "#include \"rules/rule.h\"\n#include \"rader.h\"\n"), 0u);
  EXPECT_EQ(wrong_in("src/kernel/sweep.h", "#include \"kernel/spec.h\"\n#include \"complex.h\"\n"), 0u);
  EXPECT_EQ(wrong_in("src/gpu/driver.h", "#include <cuda.h>\n#include <dlfcn.h>\n#include <numeric>\n"), 0u);
  EXPECT_EQ(wrong_in("mpi/communicator.cpp", "#include <mpi.h>\n#include <skipper/mpi.h>\n"), 0u);
  EXPECT_EQ(wrong_in("cli/main.cpp", "#include <skipper/error.h>\n#include \"args.h\"\n"), 0u);
}

TEST(Directions, OnlyIncludesAreRead) {
  EXPECT_EQ(
      wrong_in("src/base/machine.h", "// #include \"plan/program.h\"\n#pragma once\nauto s = \"<mpi.h>\";\n"),
      0u);
}

}  // namespace
