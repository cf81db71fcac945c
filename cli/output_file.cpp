// See output_file.h.
#include "output_file.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "args.h"

namespace skipper::cli {
namespace {

Descriptor connected(std::string const& path, std::string const& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) fail_by_system(name, "cannot be connected to", ENAMETOOLONG);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  Descriptor file(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(file.number(), reinterpret_cast<sockaddr const*>(&address), sizeof address) != 0)
    fail_by_system(name, "cannot be connected to", errno);
  return file;
}

Descriptor opened(OutputTarget const& target, std::string const& name) {
  using Sort = OutputTarget::Sort;
  if (target.sort == Sort::connected) return connected(target.path, name);
  if (target.sort == Sort::descriptor) std::fflush(nullptr);  // what was printed before comes before
  int const shorten =
      target.before && S_ISREG(target.before->st_mode) ? O_TRUNC : 0;  // another program's open file
  Descriptor file(target.sort == Sort::descriptor
                      ? ::fcntl(target.descriptor, F_DUPFD_CLOEXEC, 3)
                      : ::open(target.path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC | shorten));
  if (!file.is_open()) fail_by_system(name, "cannot be written", errno);
  return file;
}

void demand_writable(OutputTarget const& target, std::string const& name) {
  if (target.sort == OutputTarget::Sort::descriptor) {
    int const flags = ::fcntl(target.descriptor, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) fail_by_system(name, "is not open for writing", EBADF);
  } else if (::access(target.path.c_str(), W_OK) != 0) {
    fail_by_system(name, "cannot be written", errno);
  }
}

}  // namespace

OutputFile::OutputFile(std::string const& path)
    : target_(output_target(path)), name_(called(path, "standard output")) {
  if (target_.sort == OutputTarget::Sort::replaced)
    part_.emplace(target_, name_);
  else
    demand_writable(target_, name_);
}

bool OutputFile::is_standard_output() const {
  return target_.sort == OutputTarget::Sort::descriptor && target_.descriptor == STDOUT_FILENO;
}

bool OutputFile::is_terminal() const {
  if (target_.sort == OutputTarget::Sort::descriptor) return ::isatty(target_.descriptor) == 1;
  if (target_.sort != OutputTarget::Sort::opened || !S_ISCHR(target_.before->st_mode)) return false;
  Descriptor const file(::open(target_.path.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  return file.is_open() && ::isatty(file.number()) == 1;
}

int OutputFile::file() {
  if (part_) return part_->file();
  if (!direct_.is_open()) direct_ = opened(target_, name_);
  return direct_.number();
}

void OutputFile::write(std::string_view bytes) { write_all(file(), name_, bytes); }

void OutputFile::finish() {
  file();  // an output of no bytes is one too
  if (part_) return part_->put_in_place();
  if (::close(direct_.release()) != 0 && errno != EINTR) fail_by_system(name_, "cannot be written", errno);
}

std::string OutputFile::work_folder() const { return part_ ? folder_of(target_.path) : spool_folder(); }

void demand_no_terminal(OutputFile const& out) {
  if (out.is_terminal())
    refuse(out.name() +
           " is a terminal, and .npy files are not text; give a file, or send it on with > or |");
}

void write_file(std::string const& path, std::string_view header, std::string_view bytes) {
  OutputFile out(path);
  out.write(header);
  out.write(bytes);
  out.finish();
}

}  // namespace skipper::cli
