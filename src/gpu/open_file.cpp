// See open_file.h.
#include "gpu/open_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace skipper::gpu {

OpenFile::~OpenFile() {
  if (number_ >= 0) ::close(number_);
}

std::optional<struct stat> OpenFile::facts() const {
  struct stat facts {};
  if (number_ < 0 || ::fstat(number_, &facts) != 0) return std::nullopt;
  return facts;
}

std::string distrust(struct stat const& facts) {
  if (facts.st_uid != ::geteuid() && facts.st_uid != 0) return "it belongs to another user";
  if (facts.st_mode & (S_IWGRP | S_IWOTH)) return "others may write it (chmod go-w takes that back)";
  return "";
}

std::optional<std::string> contents_of(OpenFile const& file, std::size_t most) {
  auto const facts = file.facts();
  if (!facts || !S_ISREG(facts->st_mode) || facts->st_size < 0 || std::size_t(facts->st_size) > most)
    return std::nullopt;
  std::string contents(std::size_t(facts->st_size), '\0');
  for (std::size_t done = 0; done < contents.size();) {
    ssize_t const got =
        ::read(file.number(), contents.data() + done, std::min<std::size_t>(contents.size() - done, 1 << 30));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    done += std::size_t(got);
  }
  return contents;
}

bool write_all(OpenFile const& file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t const put = ::write(file.number(), bytes.data(), std::min<std::size_t>(bytes.size(), 1 << 30));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes.remove_prefix(std::size_t(put));
  }
  return true;
}

}  // namespace skipper::gpu
