// Finds and reads the repository's own files, for the tests that check the architecture.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "support/source_dir.h"

namespace architecture {

namespace fs = std::filesystem;

inline fs::path root() { return skipper::testing::source_dir(); }

inline std::string read(fs::path const& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::vector<std::string> lines(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    size_t const end = std::min(text.find('\n'), text.size());
    result.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

inline bool has_extension(fs::path const& file, std::vector<std::string_view> const& extensions) {
  return std::ranges::find(extensions, file.extension().string()) != extensions.end();
}

/// Files below `folder` (relative to the root, "" for all of it) with one of the extensions, sorted, relative to
/// the root. What is built, carried or hidden is not ours to check.
inline std::vector<std::string> files(std::string const& folder,
                                      std::vector<std::string_view> const& extensions) {
  std::vector<std::string> found;
  if (!fs::exists(root() / folder)) return found;
  for (auto it = fs::recursive_directory_iterator(root() / folder); it != fs::recursive_directory_iterator();
       ++it) {
    fs::path const path = it->path().lexically_relative(root());
    bool const foreign = path == "build" || path == "carried" || path.filename().string().starts_with('.');
    if (it->is_directory() && foreign) it.disable_recursion_pending();
    if (it->is_regular_file() && has_extension(path, extensions)) found.push_back(path.generic_string());
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace architecture
