// What a name given for output stands for. Symbolic links are followed to their end, one by one, since some of them are
// not links to a file but to an open file of this program: /dev/stdout, /dev/fd/3, /proc/self/fd/3.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

namespace skipper::cli {

struct OutputTarget {
  enum class Sort {
    replaced,    // a regular file, or none yet: a new one takes its place by renaming
    opened,      // a device or FIFO: opened and written
    connected,   // a socket
    descriptor,  // an open file of this program
  };
  Sort sort = Sort::replaced;
  std::string path;                   // at the end of all links; not for `descriptor`
  int descriptor = -1;                // its number
  std::optional<struct stat> before;  // of the file that is replaced, where there is one
};

// `-` is standard output. Throws FileError where the name cannot be written: a folder, a loop of links, a file that is
// protected or lies where nothing can be written.
OutputTarget output_target(std::string const& path);

// Which open file of this program a path names, /dev/fd/3, /dev/stdin or /proc/self/fd/3, also by links; -1 for others.
int named_descriptor(std::string const& path);

// The folder that a path lies in: "a" for "a/b", "." for "b", "/" for "/b".
std::string folder_of(std::string const& path);

// As messages call it: the path, or `standard` for `-`.
std::string called(std::string const& path, char const* standard);

}  // namespace skipper::cli
