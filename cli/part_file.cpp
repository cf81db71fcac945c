// Names, locks and left-overs.
#include "part_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <vector>

#include "base/random_digits.h"

namespace skipper::cli {
namespace {

constexpr std::string_view mark = ".skipper-part-";
constexpr std::size_t longest_name = 255;

// What the names of all part files of a target begin with; cut where the target's own name is as long as one may be.
std::string beginning(std::string const& target) {
  std::string const base = target.substr(target.rfind('/') + 1);
  std::string beginning = base.substr(0, longest_name - mark.size() - random_digit_count);
  return beginning.append(mark);
}

// Removes the file unless someone has it locked. Only a file still of that name is removed.
void remove_unless_locked(std::string const& path) {
  Descriptor const file(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat facts {
  }, named{};
  if (!file.is_open() || ::fstat(file.number(), &facts) != 0 || !S_ISREG(facts.st_mode)) return;
  if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) return;
  bool const same =
      ::lstat(path.c_str(), &named) == 0 && named.st_ino == facts.st_ino && named.st_dev == facts.st_dev;
  if (same) ::unlink(path.c_str());
}

void remove_left_overs(std::string const& target) {
  std::string const folder = folder_of(target), first = beginning(target);
  DIR* const listing = ::opendir(folder.c_str());
  if (!listing) return;
  std::vector<std::string> found;
  while (dirent const* const entry = ::readdir(listing)) {
    std::string const name = entry->d_name;
    bool const is_part = name.size() == first.size() + random_digit_count && name.starts_with(first) &&
                         are_hexadecimal(std::string_view(name).substr(first.size()));
    if (is_part) found.push_back(folder + "/" + name);
  }
  ::closedir(listing);
  for (std::string const& path : found) remove_unless_locked(path);
}

// Users' attributes and access lists; what the system does not let us copy stays away.
void copy_attributes(std::string const& from, int to) {
  std::vector<char> names(65536), value(65536);
  ssize_t const length = ::listxattr(from.c_str(), names.data(), names.size());
  for (ssize_t at = 0; at < length;) {
    std::string const name = names.data() + at;
    at += ssize_t(name.size()) + 1;
    if (!name.starts_with("user.") && name != "system.posix_acl_access") continue;
    ssize_t const bytes = ::getxattr(from.c_str(), name.c_str(), value.data(), value.size());
    if (bytes >= 0) static_cast<void>(::fsetxattr(to, name.c_str(), value.data(), std::size_t(bytes), 0));
  }
}

// A user who may not give files away keeps the mode, but nobody gets a right that he had not before.
void copy_owner_and_mode(struct stat const& before, int to) {
  mode_t mode = before.st_mode & 07777;
  if (::fchown(to, before.st_uid, before.st_gid) != 0) {
    mode &= 0777;
    if (::fchown(to, uid_t(-1), before.st_gid) != 0) mode &= mode_t(~070u | (mode & 7u) << 3);
  }
  static_cast<void>(::fchmod(to, mode));
}

}  // namespace

PartFile::PartFile(OutputTarget target, std::string name)
    : target_(std::move(target)), name_(std::move(name)) {
  remove_left_overs(target_.path);
  // Another program may take the new file for a left-over before it is locked, and remove it: then there is another.
  for (int attempt = 0; attempt < 100; ++attempt) {
    create();
    struct stat facts {};
    if (::flock(file_.number(), LOCK_EX) != 0) return;  // a file system without locks: left-overs stay there
    if (::fstat(file_.number(), &facts) == 0 && facts.st_nlink > 0) return;
  }
  throw FileError(name_ + ": cannot be written: its temporary file is removed again and again");
}

PartFile::~PartFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

void PartFile::create() {
  std::string const folder = folder_of(target_.path);
  path_ = (folder == "/" ? "" : folder) + "/" + beginning(target_.path) + random_digits();
  unfinished_.reset();
  unfinished_ = std::make_unique<Unfinished>(path_);
  mode_t const mode =
      target_.before ? 0600 : 0666;  // until it has the mode of the other nobody else reads it
  file_ = Descriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (file_.is_open()) return;
  int const error = errno;
  path_.clear();
  fail_by_system(name_, "cannot be written", error);
}

void PartFile::put_in_place() {
  if (target_.before) {
    copy_attributes(target_.path, file_.number());
    copy_owner_and_mode(*target_.before, file_.number());
  }
  if (::fsync(file_.number()) != 0 && errno != EINVAL && errno != EROFS)
    fail_by_system(name_, "cannot be written", errno);
  if (::rename(path_.c_str(), target_.path.c_str()) != 0) fail_by_system(name_, "cannot be replaced", errno);
  path_.clear();
  unfinished_.reset();
}

}  // namespace skipper::cli
