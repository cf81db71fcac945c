// See compiler.h.
#include "gpu/compiler.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include "base/environment.h"
#include "gpu/cache.h"
#include "gpu/driver.h"

namespace skipper::gpu {
namespace {

/// All that decides where the library is looked for.
std::string note_key() {
  std::string key = "compiler";
  for (char const* variable : {"SKIPPER_NVRTC", "CUDA_HOME", "CUDA_PATH", "LD_LIBRARY_PATH"})
    key += std::string("\n") + variable + " " + environment(variable);
  return key;
}

/// What tells a file from the one that was there before; empty where there is none.
std::string mark_of(std::string const& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return "";
  return std::to_string(facts.st_ino) + " " + std::to_string(facts.st_size) + " " +
         std::to_string(facts.st_mtim.tv_sec) + "." + std::to_string(facts.st_mtim.tv_nsec);
}

}  // namespace

void note_compiler(std::string const& path, std::string const& version) {
  std::string note;
  for (std::string const& part : {path, mark_of(path), version}) pack(note, part);
  save(note_key(), note);
}

std::optional<std::string> noted_compiler() {
  auto const note = fetch(note_key());
  if (!note) return std::nullopt;
  std::string_view rest = *note;
  auto const path = unpack(rest), mark = unpack(rest), version = unpack(rest);
  if (!version || mark->empty() || *mark != mark_of(*path)) return std::nullopt;
  return version;
}

std::string compiler_version() {
  if (!nvrtc_is_open())
    if (auto const noted = noted_compiler()) return *noted;
  Nvrtc const* const n = nvrtc();
  if (!n) return "";
  Dl_info facts{};
  if (!noted_compiler() && ::dladdr(reinterpret_cast<void const*>(n->version), &facts) && facts.dli_fname)
    note_compiler(facts.dli_fname, nvrtc_version());
  return nvrtc_version();
}

}  // namespace skipper::gpu
