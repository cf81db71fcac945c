// See cache.h.
#include "gpu/cache.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <utility>

#include "base/byte_count.h"
#include "base/environment.h"
#include "base/random_digits.h"
#include "gpu/open_folder.h"

namespace skipper::gpu {
namespace {

constexpr std::string_view suffix = ".skipper", magic = "skipper cache 3\n";
constexpr std::size_t max_bytes = std::size_t(1) << 30;  // of a file: what is larger is none of ours

std::string name_of(std::string const& key) {
  return hex(hash(key)) + hex(hash(key, 7809847782465536322ull)) + std::string(suffix);
}

/// Whether a file may be one of the cache's. Others are left alone and do not count.
bool is_ours(std::string_view name) {
  constexpr std::size_t digits = 32;
  return name.size() == digits + suffix.size() && name.ends_with(suffix) &&
         are_hexadecimal(name.substr(0, digits));
}

/// The lines before the contents: magic, a third hash of the key, a hash of the contents.
std::string header(std::string const& key, std::string_view contents) {
  return std::string(magic) + hex(hash(key, 99)) + "\n" + hex(hash(contents)) + "\n";
}

/// The files used least recently go until the rest fits; those that a process left half written go with age.
void bound(OpenFolder const& folder) {
  std::vector<OpenFolder::Entry> files;
  std::int64_t total = 0;
  for (OpenFolder::Entry& entry : folder.entries()) {
    if (is_ours(finished_name(entry.name))) remove_if_left(folder, entry);
    if (!is_ours(entry.name) || !S_ISREG(entry.facts.st_mode)) continue;
    total += entry.facts.st_size;
    files.push_back(std::move(entry));
  }
  auto const time = [](OpenFolder::Entry const& e) {
    return std::pair(e.facts.st_mtim.tv_sec, e.facts.st_mtim.tv_nsec);
  };
  std::sort(files.begin(), files.end(), [&](auto const& a, auto const& b) { return time(a) < time(b); });
  std::int64_t const most = cache_bytes();
  for (OpenFolder::Entry const& f : files) {
    if (total <= most) break;
    folder.remove(f.name);
    total -= f.facts.st_size;
  }
}

constexpr std::int64_t usual_bytes = 256 << 20;

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

std::int64_t cache_bytes() { return byte_count(environment("SKIPPER_CACHE_BYTES")).value_or(usual_bytes); }

std::vector<std::string> cache_faults() {
  std::vector<std::string> faults;
  if (std::string const fault = OpenFolder(cache_folder()).distrust();
      !cache_folder().empty() && !fault.empty())
    faults.push_back("nothing is kept in '" + cache_folder() + "': " + fault +
                     "; name a folder of yours in SKIPPER_CACHE");
  std::string const given = environment("SKIPPER_CACHE_BYTES");
  if (!given.empty() && !byte_count(given))
    faults.push_back(
        "SKIPPER_CACHE_BYTES is '" + given +
        "' but must be a number of bytes such as 500000, 512M, 4G (= 4GiB) or 4GB; until then it is 256M");
  return faults;
}

std::optional<std::string> fetch(std::string const& key) {
  if (cache_folder().empty()) return std::nullopt;
  OpenFolder const folder(cache_folder());
  if (!folder.is_open() || !folder.distrust().empty()) return std::nullopt;
  std::string const name = name_of(key);
  OpenFile const file = folder.open(name, OpenFolder::Links::refused);
  auto const facts = file.facts();
  if (!facts || !S_ISREG(facts->st_mode)) return std::nullopt;
  auto contents = distrust(*facts).empty() ? contents_of(file, max_bytes) : std::nullopt;
  std::size_t const head = magic.size() + 34;
  if (contents && contents->size() >= head) {
    std::string const said = contents->substr(0, head);
    contents->erase(0, head);
    if (said == header(key, *contents)) {
      ::futimens(file.number(), nullptr);  // used just now
      return contents;
    }
  }
  folder.remove(name);  // damaged, of another version, or not the user's own
  return std::nullopt;
}

void save(std::string const& key, std::string_view contents) try {
  if (cache_folder().empty()) return;
  make_folders(cache_folder());
  OpenFolder const folder(cache_folder());
  if (!folder.is_open() || !folder.distrust().empty()) return;
  if (folder.write(name_of(key), header(key, contents).append(contents))) bound(folder);
} catch (std::exception const&) {  // a cache that cannot be used is none
}

}  // namespace skipper::gpu
