// See nvdisasm.h.
#include "support/nvdisasm.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <vector>

#include "support/source_dir.h"

namespace skipper::testing {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> folders() {
  std::vector<fs::path> all;
  char const* const path = std::getenv("PATH");
  std::string rest = path ? path : "";
  while (!rest.empty()) {
    std::string const folder = rest.substr(0, rest.find(':'));
    rest.erase(0, folder.size() + 1);
    if (!folder.empty()) all.emplace_back(folder);
  }
  for (char const* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (char const* const home = std::getenv(variable)) all.push_back(fs::path(home) / "bin");
  all.emplace_back("/usr/local/cuda/bin");
  std::error_code none;  // where pip has put nothing
  for (auto const& entry : fs::recursive_directory_iterator(source_dir() / "build/nvdisasm", none))
    if (entry.path().filename() == "nvdisasm") all.push_back(entry.path().parent_path());
  return all;
}

}  // namespace

std::optional<fs::path> nvdisasm() {
  for (fs::path const& folder : folders())
    if (fs::path program = folder / "nvdisasm"; ::access(program.c_str(), X_OK) == 0) return program;
  return std::nullopt;
}

std::string disassembled(fs::path const& program, std::string const& cubin) {
  fs::path const file = fs::temp_directory_path() / ("skipper-" + std::to_string(::getpid()) + ".cubin");
  std::ofstream(file, std::ios::binary) << cubin;
  std::string text;
  {
    std::string const command = "'" + program.string() + "' -c -ndf '" + file.string() + "' 2>&1";
    std::unique_ptr<FILE, int (*)(FILE*)> const pipe(::popen(command.c_str(), "r"), ::pclose);
    if (!pipe) throw std::runtime_error("cannot run " + command);
    std::array<char, 65536> part;
    for (std::size_t n; (n = std::fread(part.data(), 1, part.size(), pipe.get())) > 0;)
      text.append(part.data(), n);
  }
  fs::remove(file);
  if (text.find(".text.") == text.npos) throw std::runtime_error("nvdisasm: " + text.substr(0, 500));
  return text;
}

}  // namespace skipper::testing
