// See tuning_files.h.
#include "api/tuning_files.h"

#include <skipper/error.h>

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "base/may_follow.h"
#include "gpu/cache.h"
#include "gpu/open_folder.h"

namespace skipper {
namespace {

namespace fs = std::filesystem;
using gpu::OpenFile;
using gpu::OpenFolder;

constexpr std::size_t max_tuning_bytes = 64 << 20;  // thousands of programs

std::optional<struct stat> facts_of(fs::path const& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0) return std::nullopt;
  return facts;
}

fs::path folder_of(fs::path const& path) { return path.has_parent_path() ? path.parent_path() : "."; }

bool may_follow_link(fs::path const& path, struct stat const& link) {
  struct stat folder {};
  if (::stat(folder_of(path).c_str(), &folder) != 0) return false;
  bool const shared = (folder.st_mode & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH);
  return may_follow({shared, folder.st_uid, link.st_uid}, ::geteuid());
}

/// The end of symbolic links, which may not exist yet. Only a regular file can be read and replaced.
fs::path end_of_links(std::string const& given) {
  fs::path path = given;
  auto facts = facts_of(path);
  for (int links = 0; links < 40 && facts && S_ISLNK(facts->st_mode); ++links) {
    if (!may_follow_link(path, *facts))
      throw Error("tuning",
                  "'" + given + "' is a link of another user in a folder that all may write; give its end");
    std::error_code trouble;
    path = path.parent_path() / fs::read_symlink(path, trouble);
    facts = facts_of(path);
  }
  if (facts && !S_ISREG(facts->st_mode))
    throw Error("tuning", "'" + given + "' is not a regular file; give another file");
  return path;
}

/// Whether it lies where kernels do, which are believed as they are.
bool is_beside_kernels(fs::path const& path) { return path.parent_path() == gpu::cache_folder(); }

}  // namespace

TuningText read_tuning(std::string const& path) {
  OpenFolder const folder(folder_of(path));
  OpenFile const file = folder.open(fs::path(path).filename(), OpenFolder::Links::followed);
  auto const facts = file.facts();
  if (facts && is_beside_kernels(path)) {
    if (std::string const fault = folder.distrust(); !fault.empty())
      return {{}, "its folder is not used: " + fault};
    if (std::string const fault = gpu::distrust(*facts); !fault.empty()) return {{}, fault};
  }
  return {gpu::contents_of(file, max_tuning_bytes), ""};
}

void write_tuning(std::string const& given, std::string const& contents) {
  fs::path const path = end_of_links(given);
  std::string const folder_path = folder_of(path), name = path.filename();
  gpu::make_folders(folder_path);
  OpenFolder const folder(folder_path);
  if (std::string const fault = folder.distrust(); is_beside_kernels(given) && !fault.empty())
    throw Error("tuning",
                "'" + given + "' cannot be written into its folder: " + fault + "; give another file");
  for (OpenFolder::Entry const& entry : folder.entries())
    if (gpu::finished_name(entry.name) == name) remove_if_left(folder, entry);
  if (!folder.is_open() || !folder.write(name, contents, facts_of(path)))
    throw Error("tuning", "'" + given + "' cannot be written; give another file");
}

}  // namespace skipper
