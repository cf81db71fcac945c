// See cache.h.
#include "gpu/cache.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/environment.h"

namespace skipper::gpu {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".skipper", magic = "skipper cache 3\n";
constexpr std::size_t max_bytes = std::size_t(1) << 30;  // of a file: what is larger is none of ours

fs::path path_of(std::string const& key) {
  return fs::path(cache_folder()) /
         (hex(hash(key)) + hex(hash(key, 7809847782465536322ull)) + std::string(suffix));
}

/// The lines before the contents: magic, a third hash of the key, a hash of the contents.
std::string header(std::string const& key, std::string_view contents) {
  return std::string(magic) + hex(hash(key, 99)) + "\n" + hex(hash(contents)) + "\n";
}

/// The files used least recently go until the rest fits; those that a process left half written go with age.
void bound(fs::path const& folder) {
  struct File {
    fs::path path;
    fs::file_time_type time;
    std::uintmax_t size;
  };
  std::vector<File> files;
  std::uintmax_t total = 0;
  std::error_code trouble;
  for (fs::directory_iterator entry(folder, trouble), end; !trouble && entry != end;
       entry.increment(trouble)) {
    if (entry->path().filename().string().find(suffix) == std::string::npos) continue;  // not ours
    std::error_code gone;                                                               // by another process
    File const file{entry->path(), entry->last_write_time(gone), entry->file_size(gone)};
    if (gone) continue;
    files.push_back(file);
    total += file.size;
  }
  std::sort(files.begin(), files.end(), [](File const& a, File const& b) { return a.time < b.time; });
  for (File const& f : files) {
    if (total <= cache_bytes()) break;
    fs::remove(f.path, trouble);
    total -= f.size;
  }
}

}  // namespace

std::uint64_t hash(std::string_view text, std::uint64_t seed) {
  constexpr std::uint64_t prime = 0x9e3779b97f4a7c15u;
  auto const mix = [&](std::uint64_t word) {
    seed = (seed ^ word) * prime;
    seed ^= seed >> 29;
  };
  mix(text.size());
  std::uint64_t word = 0;
  for (; text.size() >= sizeof word; text.remove_prefix(sizeof word)) {
    std::memcpy(&word, text.data(), sizeof word);
    mix(word);
  }
  word = 0;
  std::memcpy(&word, text.data(), text.size());
  mix(word);
  return seed;
}

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

void pack(std::string& out, std::string_view part) {
  std::uint64_t const size = part.size();
  out.append(reinterpret_cast<char const*>(&size), sizeof size);
  out.append(part);
}

std::optional<std::string> unpack(std::string_view& in) {
  std::uint64_t size = 0;
  if (in.size() < sizeof size) return std::nullopt;
  std::memcpy(&size, in.data(), sizeof size);
  in.remove_prefix(sizeof size);
  if (in.size() < size) return std::nullopt;
  std::string part(in.substr(0, size));
  in.remove_prefix(size);
  return part;
}

std::string cache_folder() {
  if (in_environment("SKIPPER_CACHE")) return environment("SKIPPER_CACHE");
  if (std::string const xdg = environment("XDG_CACHE_HOME"); !xdg.empty()) return xdg + "/skipper";
  if (std::string const home = environment("HOME"); !home.empty()) return home + "/.cache/skipper";
  return {};
}

std::uint64_t cache_bytes() {
  std::uint64_t bytes = std::uint64_t(256) << 20;
  std::string const given = environment("SKIPPER_CACHE_BYTES");
  std::from_chars(given.data(), given.data() + given.size(), bytes);
  return bytes;
}

std::optional<std::string> fetch(std::string const& key) {
  if (cache_folder().empty()) return std::nullopt;
  fs::path const path = path_of(key);
  std::error_code ignored;
  // A pipe would have us wait, and a folder says that it is larger than memory.
  if (!fs::is_regular_file(path, ignored)) return std::nullopt;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return std::nullopt;
  std::size_t const size = std::size_t(std::max<std::streamoff>(0, file.tellg()));
  if (size > max_bytes) {
    fs::remove(path, ignored);
    return std::nullopt;
  }
  std::string head(std::min(size, magic.size() + 34), '\0'), contents(size - head.size(), '\0');
  file.seekg(0);
  file.read(head.data(), std::streamsize(head.size()));
  file.read(contents.data(), std::streamsize(contents.size()));
  if (file && head == header(key, contents)) {
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);  // used just now
    return contents;
  }
  fs::remove(path, ignored);  // damaged, or of another version
  return std::nullopt;
}

void save(std::string const& key, std::string_view contents) try {
  if (cache_folder().empty()) return;
  std::error_code trouble;
  fs::path const folder = cache_folder();
  fs::create_directories(folder, trouble);
  if (trouble) return;
  static std::atomic<unsigned> count = 0;
  fs::path const path = path_of(key);
  fs::path const unfinished =
      path.string() + "." + std::to_string(::getpid()) + "." + std::to_string(count++);
  {
    std::ofstream file(unfinished, std::ios::binary);
    file << header(key, contents) << contents;
    if (!file.flush()) {
      file.close();
      fs::remove(unfinished, trouble);
      return;
    }
  }
  fs::rename(unfinished, path, trouble);
  if (trouble) fs::remove(unfinished, trouble);
  bound(folder);
} catch (fs::filesystem_error const&) {  // a cache that cannot be used is none
}

}  // namespace skipper::gpu
