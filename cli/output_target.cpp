// Follows links and looks at what is there.
#include "output_target.h"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <memory>

#include "base/may_follow.h"
#include "file_error.h"
#include "format.h"

namespace skipper::cli {
namespace {

std::string base_of(std::string const& path) { return path.substr(path.rfind('/') + 1); }

std::string joined(std::string const& folder, std::string const& name) {
  return name.starts_with('/') ? name : folder == "/" ? "/" + name : folder + "/" + name;
}

std::string real_path(std::string const& path) {
  std::unique_ptr<char, void (*)(void*)> const real(::realpath(path.c_str(), nullptr), std::free);
  return real ? real.get() : "";
}

// The number of an entry of /proc/PID/fd of this process, or of one of its threads'; -1 for other paths.
int own_descriptor(std::string const& path) {
  std::string const folder = real_path(folder_of(path)), own = formatted("/proc/{}", ::getpid());
  bool const ours = folder == own + "/fd" || (folder.starts_with(own + "/task/") && folder.ends_with("/fd"));
  std::string const base = base_of(path);
  int number = -1;
  auto const [stop, error] = std::from_chars(base.data(), base.data() + base.size(), number);
  return ours && error == std::errc{} && stop == base.data() + base.size() ? number : -1;
}

std::string link_text(std::string const& path) {
  std::string text(PATH_MAX, '\0');
  ssize_t const length = ::readlink(path.c_str(), text.data(), text.size());
  text.resize(length > 0 ? std::size_t(length) : 0);
  return text;
}

struct End {
  std::string path;
  int descriptor = -1;               // where the links lead to an open file of this program
  std::optional<struct stat> facts;  // nothing where no file is there
  int error = 0;                     // why there is none, or where the links lead in a circle
  bool planted = false;  // the links go on, but others may have made them to have a file overwritten
};

bool is_planted(std::string const& link, struct stat const& facts) {
  struct stat folder {};
  if (::stat(folder_of(link).c_str(), &folder) != 0) return true;
  bool const shared = (folder.st_mode & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH);
  return !may_follow({shared, folder.st_uid, facts.st_uid}, ::geteuid());
}

End end_of_links(std::string path) {
  for (int links = 0; links < 40; ++links) {
    if (int const number = own_descriptor(path); number >= 0) return {path, number, std::nullopt};
    struct stat facts {};
    if (::lstat(path.c_str(), &facts) != 0) return {path, -1, std::nullopt, errno};
    // Those of another process's open files look like links and are not: the system alone follows them.
    bool const of_process = real_path(folder_of(path)).starts_with("/proc/");
    if (of_process && ::stat(path.c_str(), &facts) != 0) return {path, -1, std::nullopt, errno};
    if (!S_ISLNK(facts.st_mode)) return {path, -1, facts};
    if (is_planted(path, facts)) return {path, -1, facts, 0, true};
    path = joined(folder_of(path), link_text(path));
  }
  return {path, -1, std::nullopt, ELOOP};
}

// Where a new file appears by renaming, its folder must let it.
void demand_room(std::string const& path, OutputTarget const& target) {
  std::string const folder = folder_of(target.path);
  if (target.before && ::access(target.path.c_str(), W_OK) != 0)
    fail_by_system(path, "is protected and stays as it is", errno);
  if (::access(folder.c_str(), W_OK | X_OK) == 0) return;
  char const* const what = errno == ENOENT || errno == ENOTDIR ? "cannot be written, as its folder is missing"
                           : target.before ? "cannot be replaced, as nothing can be written in its folder"
                                           : "cannot be written, as nothing can be in its folder";
  fail_by_system(path, what, errno);
}

}  // namespace

std::string folder_of(std::string const& path) {
  std::size_t const slash = path.rfind('/');
  return slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string called(std::string const& path, char const* standard) { return path == "-" ? standard : path; }

int named_descriptor(std::string const& path) { return end_of_links(path).descriptor; }

OutputTarget output_target(std::string const& path) {
  if (path == "-") return {OutputTarget::Sort::descriptor, "", STDOUT_FILENO, std::nullopt};
  if (path.empty()) throw FileError("the name of an output is empty; give one, or - for standard output");
  End const end = end_of_links(path);
  if (end.descriptor >= 0) return {OutputTarget::Sort::descriptor, "", end.descriptor, std::nullopt};
  if (end.planted)
    throw FileError(path + ": cannot be written: " + end.path +
                    " is a link of another user in a folder that all may write; give its end");
  if (end.error != 0 && end.error != ENOENT) fail_by_system(path, "cannot be written", end.error);
  if (path.ends_with('/') || end.path.ends_with('/') || (end.facts && S_ISDIR(end.facts->st_mode)))
    throw FileError(path + ": cannot be written: it is a folder; give the name of a file in it");
  OutputTarget target{OutputTarget::Sort::replaced, end.path, -1, end.facts};
  bool const of_process = end.facts && real_path(folder_of(end.path)).starts_with("/proc/");
  if (end.facts && S_ISSOCK(end.facts->st_mode)) target.sort = OutputTarget::Sort::connected;
  if (end.facts && !S_ISREG(end.facts->st_mode) && !S_ISSOCK(end.facts->st_mode))
    target.sort = OutputTarget::Sort::opened;
  if (of_process) target.sort = OutputTarget::Sort::opened;
  if (target.sort == OutputTarget::Sort::replaced) demand_room(path, target);
  return target;
}

}  // namespace skipper::cli
