#include "gpu/cache.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace skipper::gpu {
namespace {

namespace fs = std::filesystem;

std::uint64_t hash(std::string const& text, std::uint64_t seed) {  // FNV-1a
  for (unsigned char c : text) seed = (seed ^ c) * 1099511628211ull;
  return seed;
}

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

fs::path path_of(std::string const& key) {
  return fs::path(cache_folder()) /
         (hex(hash(key, 14695981039346656037ull)) + hex(hash(key, 7809847782465536322ull)) + ".cubin");
}

// A file: magic line, a line with the sizes and the hash of the rest, then key hash, name, cubin.
constexpr char const* magic = "skipper kernel 1";

/// Oldest files go until the rest fits.
void bound(fs::path const& folder) {
  struct File {
    fs::path path;
    fs::file_time_type time;
    std::uintmax_t size;
  };
  std::vector<File> files;
  std::uintmax_t total = 0;
  std::error_code ignored;
  for (auto const& entry : fs::directory_iterator(folder, ignored)) {
    files.push_back({entry.path(), entry.last_write_time(ignored), entry.file_size(ignored)});
    total += files.back().size;
  }
  std::sort(files.begin(), files.end(), [](File const& a, File const& b) { return a.time < b.time; });
  for (File const& f : files) {
    if (total <= cache_bytes) break;
    fs::remove(f.path, ignored);
    total -= f.size;
  }
}

}  // namespace

std::string cache_folder() {
  if (char const* const given = std::getenv("SKIPPER_CACHE")) return given;
  if (char const* const xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg)
    return std::string(xdg) + "/skipper";
  if (char const* const home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.cache/skipper";
  return {};
}

std::optional<Kernel> fetch(std::string const& key) {
  if (cache_folder().empty()) return std::nullopt;
  fs::path const path = path_of(key);
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string line, key_hash, body_hash;
  std::size_t name_size = 0, cubin_size = 0;
  std::getline(file, line);
  file >> key_hash >> body_hash >> name_size >> cubin_size;
  file.get();
  std::string const body{std::istreambuf_iterator<char>(file), {}};
  bool const sound = line == magic && key_hash == hex(hash(key, 99)) &&
                     body.size() == name_size + cubin_size && name_size > 0 &&
                     body_hash == hex(hash(body, 7));
  if (sound) return Kernel{body.substr(name_size), body.substr(0, name_size)};
  std::error_code ignored;
  fs::remove(path, ignored);  // damaged, or of another version
  return std::nullopt;
}

void keep(std::string const& key, Kernel const& kernel) {
  if (cache_folder().empty()) return;
  std::error_code trouble;
  fs::path const folder = cache_folder();
  fs::create_directories(folder, trouble);
  if (trouble) return;
  static std::uint64_t const salt = std::uint64_t(::getpid());
  fs::path const path = path_of(key), temporary = path.string() + "." + std::to_string(salt) + "." +
                                                  hex(hash(key, std::uint64_t(std::uintptr_t(&trouble))));
  {
    std::ofstream file(temporary, std::ios::binary);
    std::string const body = kernel.name + kernel.cubin;
    file << magic << "\n"
         << hex(hash(key, 99)) << " " << hex(hash(body, 7)) << " " << kernel.name.size() << " "
         << kernel.cubin.size() << "\n"
         << body;
    if (!file.flush()) {
      file.close();
      fs::remove(temporary, trouble);
      return;
    }
  }
  fs::rename(temporary, path, trouble);
  bound(folder);
}

}  // namespace skipper::gpu
