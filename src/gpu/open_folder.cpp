// See open_folder.h.
#include "gpu/open_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <memory>

#include "base/random_digits.h"

namespace skipper::gpu {
namespace {

constexpr std::string_view unfinished_mark = ".part-";
constexpr std::time_t abandoned_seconds = 3600;

/// A mode that others do not gain rights by where the owner cannot be kept.
bool take_owner_and_mode(OpenFile const& file, struct stat const& before) {
  bool const kept = ::fchown(file.number(), before.st_uid, before.st_gid) == 0;
  return ::fchmod(file.number(), before.st_mode & (kept ? 0777 : 0755)) == 0;
}

}  // namespace

void make_folders(std::string const& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    ::mkdir(path.substr(0, end).c_str(), 0700);
    if (end == path.npos) return;
  }
}

OpenFolder::OpenFolder(std::string const& path)
    : folder_(::open(path.empty() ? "." : path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

std::string OpenFolder::distrust() const {
  auto const facts = folder_.facts();
  return facts ? gpu::distrust(*facts) : "";
}

OpenFile OpenFolder::open(std::string const& name, Links links) const {
  int const follow = links == Links::refused ? O_NOFOLLOW : 0;
  return OpenFile(
      ::openat(folder_.number(), name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | follow));
}

bool OpenFolder::write(std::string const& name, std::string_view contents,
                       std::optional<struct stat> const& before) const {
  std::string const unfinished = name + std::string(unfinished_mark) + random_digits();
  OpenFile const file(::openat(folder_.number(), unfinished.c_str(),
                               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.is_open()) return false;
  bool const done = write_all(file, contents) && (!before || take_owner_and_mode(file, *before)) &&
                    ::renameat(folder_.number(), unfinished.c_str(), folder_.number(), name.c_str()) == 0;
  if (!done) remove(unfinished);
  return done;
}

void OpenFolder::remove(std::string const& name) const { ::unlinkat(folder_.number(), name.c_str(), 0); }

std::vector<OpenFolder::Entry> OpenFolder::entries() const {
  std::vector<Entry> all;
  int const again = ::openat(folder_.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  std::unique_ptr<DIR, int (*)(DIR*)> const listing(again < 0 ? nullptr : ::fdopendir(again), ::closedir);
  if (!listing) {
    if (again >= 0) ::close(again);
    return all;
  }
  while (dirent const* const each = ::readdir(listing.get())) {
    Entry entry{each->d_name};
    if (::fstatat(folder_.number(), each->d_name, &entry.facts, AT_SYMLINK_NOFOLLOW) == 0)
      all.push_back(std::move(entry));
  }
  return all;
}

std::string_view finished_name(std::string_view name) {
  std::size_t const tail = unfinished_mark.size() + random_digit_count;
  if (name.size() <= tail) return {};
  std::string_view const finished = name.substr(0, name.size() - tail), end = name.substr(finished.size());
  bool const ours = end.starts_with(unfinished_mark) && are_hexadecimal(end.substr(unfinished_mark.size()));
  return ours ? finished : std::string_view();
}

void remove_if_left(OpenFolder const& folder, OpenFolder::Entry const& unfinished) {
  bool const is_old = std::time(nullptr) - unfinished.facts.st_mtim.tv_sec > abandoned_seconds;
  if (S_ISREG(unfinished.facts.st_mode) && is_old) folder.remove(unfinished.name);
}

}  // namespace skipper::gpu
