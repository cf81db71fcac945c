// See input_file.h.
#include "input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "args.h"
#include "output_target.h"

namespace skipper::cli {
namespace {

// An open file of this program is read from where it stands: another opening of it would begin anew, and of a socket
// there is none.
int opened(std::string const& path) {
  int const descriptor = path == "-" ? STDIN_FILENO : named_descriptor(path);
  return descriptor >= 0 ? ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
                         : ::open(path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC);
}

}  // namespace

InputFile::InputFile(std::string const& path) : name_(called(path, "standard input")), file_(opened(path)) {
  if (!file_.is_open()) fail_by_system(name_, "cannot be opened", errno);
  struct stat facts {};
  if (::fstat(file_.number(), &facts) != 0) fail_by_system(name_, "cannot be looked at", errno);
  if (S_ISDIR(facts.st_mode)) throw FileError(name_ + ": it is a folder");
  if (!S_ISREG(facts.st_mode)) return;
  off_t const at = ::lseek(file_.number(), 0, SEEK_CUR);
  length_ = std::uint64_t(std::max<off_t>(0, facts.st_size - std::max<off_t>(0, at)));
}

std::string read_file(std::string const& path) {
  constexpr std::size_t most = std::size_t(1) << 28, piece = 1 << 16;
  InputFile const file(path);
  std::string text;
  for (std::size_t got = piece; got == piece;) {
    std::size_t const have = text.size();
    if (have > most)
      throw FileError(file.name() + ": it is longer than 256 MiB, which no list and no result is");
    text.resize(have + piece);
    got = file.read(text.data() + have, piece);
    text.resize(have + got);
  }
  return text;
}

bool is_regular(std::string const& path) {
  struct stat facts {};
  return path != "-" && named_descriptor(path) < 0 && ::stat(path.c_str(), &facts) == 0 &&
         S_ISREG(facts.st_mode);
}

void demand_one_standard_input(std::vector<std::string> const& paths) {
  auto const is_standard = [](std::string const& p) {
    return p == "-" || named_descriptor(p) == STDIN_FILENO;
  };
  if (std::count_if(paths.begin(), paths.end(), is_standard) > 1)
    refuse("standard input is named twice, and it can be read once; give a file");
}

}  // namespace skipper::cli
