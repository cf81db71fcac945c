#include "support/assembler.h"

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace skipper::testing {
namespace {

/// The part of nvJitLink's interface that is used here; 0 is success.
struct Linker {
  int (*create)(void**, std::uint32_t, char const**) = nullptr;
  int (*destroy)(void**) = nullptr;
  int (*add)(void*, int kind, void const*, std::size_t, char const*) = nullptr;
  int (*complete)(void*) = nullptr;
  int (*error_size)(void*, std::size_t*) = nullptr;
  int (*error_log)(void*, char*) = nullptr;
  int (*info_size)(void*, std::size_t*) = nullptr;
  int (*info_log)(void*, char*) = nullptr;
  int (*cubin_size)(void*, std::size_t*) = nullptr;
  int (*cubin)(void*, void*) = nullptr;
};

void* open_linker(int& major) {
  for (char const* folder : {"", "/usr/local/cuda/lib64/"})
    for (int version : {13, 12})
      if (void* library = dlopen((folder + std::string("libnvJitLink.so.") + std::to_string(version)).c_str(),
                                 RTLD_NOW | RTLD_LOCAL)) {
        major = version;
        return library;
      }
  return nullptr;
}

/// Every name ends with the version of the interface: nvJitLinkCreate is __nvJitLinkCreate_13_0.
template <class F>
bool find(void* library, int major, char const* name, F*& function) {
  for (int minor = 9; minor >= 0; --minor) {
    std::string const full =
        "__nvJitLink" + std::string(name) + "_" + std::to_string(major) + "_" + std::to_string(minor);
    if ((function = reinterpret_cast<F*>(dlsym(library, full.c_str())))) return true;
  }
  return false;
}

std::optional<Linker> linker() {
  int major = 0;
  void* const library = open_linker(major);
  if (!library) return {};
  Linker all;
  bool const found =
      find(library, major, "Create", all.create) && find(library, major, "Destroy", all.destroy) &&
      find(library, major, "AddData", all.add) && find(library, major, "Complete", all.complete) &&
      find(library, major, "GetErrorLogSize", all.error_size) &&
      find(library, major, "GetErrorLog", all.error_log) &&
      find(library, major, "GetInfoLogSize", all.info_size) &&
      find(library, major, "GetInfoLog", all.info_log) &&
      find(library, major, "GetLinkedCubinSize", all.cubin_size) &&
      find(library, major, "GetLinkedCubin", all.cubin);
  return found ? std::optional(all) : std::nullopt;
}

std::string log_of(void* handle, int (*size)(void*, std::size_t*), int (*get)(void*, char*)) {
  std::size_t bytes = 0;
  if (size(handle, &bytes) != 0 || bytes == 0) return "";
  std::string text(bytes, '\0');
  get(handle, text.data());
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

/// The number before some words of the log.
int number_before(std::string const& log, std::string const& words) {
  auto const at = log.find(words);
  if (at == log.npos) return 0;
  auto from = at;
  while (from > 0 && log[from - 1] >= '0' && log[from - 1] <= '9') --from;
  return std::atoi(log.substr(from, at - from).c_str());
}

}  // namespace

std::optional<Assembled> assemble(std::string const& ptx, int architecture) {
  static std::optional<Linker> const all = linker();
  if (!all) return {};
  std::string const target = "-arch=sm_" + std::to_string(architecture);
  char const* options[] = {target.c_str(), "-verbose"};
  void* handle = nullptr;
  if (all->create(&handle, 2, options) != 0) return {};
  constexpr int kind_ptx = 2;
  Assembled result;
  bool ok = all->add(handle, kind_ptx, ptx.c_str(), ptx.size() + 1, "kernel") == 0;
  ok = all->complete(handle) == 0 && ok;
  std::string const info = log_of(handle, all->info_size, all->info_log);
  std::string cubin;
  if (std::size_t bytes = 0; ok && all->cubin_size(handle, &bytes) == 0) {
    cubin.resize(bytes);
    ok = all->cubin(handle, cubin.data()) == 0;
  }
  result = {ok, log_of(handle, all->error_size, all->error_log) + info, cubin,
            number_before(info, " registers"), number_before(info, " bytes spill stores")};
  all->destroy(&handle);
  return result;
}

}  // namespace skipper::testing
