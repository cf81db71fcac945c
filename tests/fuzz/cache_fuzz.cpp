// Fuzz target: the kernel cache: a file on disk that was damaged, and what a file that is whole may hold. The first byte
// of an input chooses; the rest is the file.
#include "gpu/cache.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/machine.h"
#include "fuzz/fuzz.h"
#include "plan/lower/fused_passes.h"
#include "plan/planner.h"
#include "plan/spec_text.h"

namespace skipper::fuzz {

int const inputs = 200000;

namespace {

namespace fs = std::filesystem;

std::string const key = "a key";
std::string const contents = "what was kept, \x01 all of it";

/// A cache of our own, in memory where the system has a place for that, gone at the end.
class Folder {
 public:
  static Folder const& here() {
    static Folder const folder;
    return folder;
  }
  fs::path file() const {  // the only one there is
    gpu::save(key, contents);
    return fs::directory_iterator(path_)->path();
  }

 private:
  Folder() {
    fs::path const base = ::access("/dev/shm", W_OK) == 0 ? fs::path("/dev/shm") : fs::temp_directory_path();
    std::string name = (base / "skipper-fuzz-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
    ::setenv("SKIPPER_CACHE", path_.c_str(), 1);
  }
  ~Folder() { fs::remove_all(path_); }
  fs::path path_;
};

std::string bytes_of(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What comes back is what was kept or nothing, and what is nothing is gone, so that it is made anew.
bool damaged(std::string_view bytes) {
  fs::path const path = Folder::here().file();
  std::string const whole = bytes_of(path);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  auto const kept = gpu::fetch(key);
  demand(kept.has_value() == (bytes == whole),
         kept ? "a damaged file was taken" : "a whole file was not taken");
  demand(!kept || *kept == contents, "what was kept comes back changed");
  demand(kept.has_value() == fs::exists(path), "a damaged file stays");
  return kept.has_value();
}

/// Parts and their lengths, and the text of a kernel's spec.
bool unpacked(std::string_view bytes) {
  std::string_view rest = bytes;
  std::string again;
  while (auto const part = gpu::unpack(rest)) {
    gpu::pack(again, *part);
    demand(again == bytes.substr(0, again.size()), "parts pack to other bytes");
  }
  demand(again.size() <= bytes.size(), "more was unpacked than there was");
  return !again.empty();
}

bool read_spec(std::string_view bytes) {
  std::string const given(bytes);
  std::string printed;
  if (!accepts([&] { printed = text(parse_spec(given)); })) return false;
  demand(text(parse_spec(printed)) == printed, "a spec prints otherwise the second time: " + printed);
  return true;
}

}  // namespace

std::vector<std::string> seeds() {
  std::string packed = "u";
  for (std::string_view const part : {"one", "", "a longer one"}) gpu::pack(packed, part);
  std::vector<std::string> result = {packed, "d" + bytes_of(Folder::here().file())};
  for (char const* const problem :
       {"c2c f32 forward 64x64", "r2c f64 forward 4096", "c2c f32 forward 1021"}) {
    Program const program =
        planner(parse_problem(problem), machine("h200"), {.max_candidates = 1}).front().program;
    for (Lowered const& lowered : lower_all(program, machine("h200")))
      result.push_back("s" + text(lowered.spec));
  }
  return result;
}

bool takes(std::string_view input) {
  if (input.empty()) return false;
  char const kind = input[0];
  input.remove_prefix(1);
  return kind == 'd' ? damaged(input) : kind == 'u' ? unpacked(input) : read_spec(input);
}

}  // namespace skipper::fuzz
