// Reads and writes .npy files; npy_header.cpp understands the header.
#include "npy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "temporary.h"

namespace skipper::cli {
namespace {

[[noreturn]] void fail(std::string const& path, std::string const& what) {
  throw FileError(path + ": " + what);
}
[[noreturn]] void fail_by_system(std::string const& path, std::string const& what) {
  fail(path, what + ": " + std::strerror(errno));
}

// An open file that is closed when it goes.
struct File {
  int handle;
  explicit File(int h) : handle(h) {}
  File(File const&) = delete;
  File& operator=(File const&) = delete;
  ~File() {
    if (handle >= 0) ::close(handle);
  }
};

std::uint64_t length_of(File const& file, std::string const& path) {
  struct stat facts {};
  if (::fstat(file.handle, &facts) != 0) fail_by_system(path, "cannot be looked at");
  if (!S_ISREG(facts.st_mode)) fail(path, "is not a regular file");
  return std::uint64_t(facts.st_size);
}

void read_all(File const& file, std::string const& path, char* to, std::size_t bytes) {
  while (bytes > 0) {
    ssize_t const got = ::read(file.handle, to, std::min<std::size_t>(bytes, 1 << 30));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_by_system(path, "cannot be read");
    if (got == 0) fail(path, "became shorter while it was read");
    to += got;
    bytes -= std::size_t(got);
  }
}

void write_all(File const& file, std::string const& path, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t const put = ::write(file.handle, bytes.data(), std::min<std::size_t>(bytes.size(), 1 << 30));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail_by_system(path, "cannot be written");
    bytes.remove_prefix(std::size_t(put));
  }
}

File opened(std::string const& path) {
  int const handle = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0) fail_by_system(path, "cannot be opened");
  return File(handle);
}

void swap_bytes(std::vector<std::byte>& data, std::size_t size) {
  for (std::size_t i = 0; i + size <= data.size(); i += size)
    std::reverse(data.begin() + std::ptrdiff_t(i), data.begin() + std::ptrdiff_t(i + size));
}

}  // namespace

std::string npy_header_text(NpyArray const& array) {
  bool const big = std::endian::native == std::endian::big;
  std::string text = "{'descr': '";
  text += big ? '>' : '<';
  text += (array.type.complex ? "c" : "f") + std::to_string(element_bytes(array.type));
  text += std::string("', 'fortran_order': ") + (array.fortran_order ? "True" : "False") + ", 'shape': (";
  for (std::int64_t const size : array.shape) text += std::to_string(size) + ", ";
  if (array.shape.size() > 1) text.resize(text.size() - 2);
  if (array.shape.size() == 1) text.resize(text.size() - 1);
  text += "), }";
  bool const is_long = text.size() + 64 > 65535;
  std::size_t const begin = is_long ? 12 : 10;
  text.append(63 - (begin + text.size()) % 64, ' ');  // data begin at a multiple of 64
  text += '\n';
  std::string out = "\x93NUMPY";
  out += {is_long ? '\2' : '\1', '\0', char(text.size() & 255), char(text.size() >> 8 & 255)};
  if (is_long) out += {char(text.size() >> 16 & 255), char(text.size() >> 24 & 255)};
  return out + text;
}

NpyArray read_npy(std::string const& path) {
  File const file = opened(path);
  std::uint64_t const length = length_of(file, path);
  std::string beginning(std::min<std::uint64_t>(length, 12), '\0');
  read_all(file, path, beginning.data(), beginning.size());
  try {
    // The first twelve bytes tell how long the header is; a too long one is refused before it is read.
    std::size_t claimed = 0;
    for (std::size_t i = 8; i < beginning.size() && i < (beginning[6] > 1 ? 12u : 10u); ++i)
      claimed |= std::size_t(static_cast<unsigned char>(beginning[i])) << 8 * (i - 8);
    std::size_t const wanted = std::min<std::uint64_t>(12 + std::min(claimed, longest_npy_header), length);
    if (std::size_t const have = beginning.size(); wanted > have) {
      beginning.resize(wanted);
      read_all(file, path, beginning.data() + have, wanted - have);
    }
    NpyHeader const header = parse_npy_header(beginning, length);
    NpyArray array{header.type, header.fortran_order, header.shape, {}};
    array.data.resize(length - header.data_at);
    if (::lseek(file.handle, off_t(header.data_at), SEEK_SET) < 0) fail_by_system("it", "cannot be read");
    read_all(file, "it", reinterpret_cast<char*>(array.data.data()), array.data.size());
    if (header.swapped) swap_bytes(array.data, std::size_t(header.type.bits) / 8);
    return array;
  } catch (FileError const& e) {
    fail(path, e.what());
  }
}

void write_npy(std::string const& path, NpyArray const& array) {
  write_file(path, npy_header_text(array),
             {reinterpret_cast<char const*>(array.data.data()), array.data.size()});
}

void write_file(std::string const& path, std::string_view header, std::string_view bytes) {
  Temporary temporary(path);
  {
    File const file(::open(temporary.path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.handle < 0) fail_by_system(path, "cannot be written");
    write_all(file, path, header);
    write_all(file, path, bytes);
    if (::fsync(file.handle) != 0 && errno != EINVAL && errno != EROFS)
      fail_by_system(path, "cannot be written");
  }
  temporary.put_in_place();
}

std::string read_file(std::string const& path) {
  File const file = opened(path);
  std::string text(length_of(file, path), '\0');
  read_all(file, path, text.data(), text.size());
  return text;
}

}  // namespace skipper::cli
