// What went wrong with a file, and the few calls of the system that all files need.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace skipper::cli {

// The message says which file, by the name that the user gave it, and what is wrong with it.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// "out.npy: cannot be written: No space left on device".
[[noreturn]] void fail_by_system(std::string const& name, std::string const& what, int error);

// An open file that is closed when it goes.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  int release();

 private:
  int number_ = -1;
};

// At most so many bytes; fewer only where the file ends. `name` stands in the message of a FileError.
std::size_t read_some(int file, std::string const& name, char* to, std::size_t bytes);
void write_all(int file, std::string const& name, std::string_view bytes);

// A file of no name in this folder, for reading and writing: it goes away when it is closed, however the program ends.
Descriptor nameless_file(std::string const& folder, std::string const& name);

// Where files for the time of a run go that belong to no folder: $TMPDIR, or /tmp.
std::string spool_folder();

}  // namespace skipper::cli
