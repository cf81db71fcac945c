// Reads, writes and closes.
#include "file_error.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace skipper::cli {

void fail_by_system(std::string const& name, std::string const& what, int error) {
  throw FileError(name + ": " + what + ": " + std::strerror(error));
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

int Descriptor::release() { return std::exchange(number_, -1); }

std::size_t read_some(int file, std::string const& name, char* to, std::size_t bytes) {
  std::size_t done = 0;
  while (done < bytes) {
    ssize_t const got = ::read(file, to + done, std::min<std::size_t>(bytes - done, 1 << 30));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_by_system(name, "cannot be read", errno);
    if (got == 0) break;
    done += std::size_t(got);
  }
  return done;
}

void write_all(int file, std::string const& name, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t const put = ::write(file, bytes.data(), std::min<std::size_t>(bytes.size(), 1 << 30));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail_by_system(name, "cannot be written", errno);
    bytes.remove_prefix(std::size_t(put));
  }
}

Descriptor nameless_file(std::string const& folder, std::string const& name) {
  if (Descriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)); file.is_open())
    return file;
  std::string path = folder + "/skipper-XXXXXX";  // not every file system has O_TMPFILE
  Descriptor file(::mkostemp(path.data(), O_CLOEXEC));
  if (!file.is_open()) fail_by_system(name, "has no room to work in " + folder, errno);
  ::unlink(path.c_str());
  return file;
}

std::string spool_folder() {
  char const* const given = std::getenv("TMPDIR");
  return given && *given ? given : "/tmp";
}

}  // namespace skipper::cli
