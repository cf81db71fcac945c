// A folder that is opened once: all happens in what was opened, so that nobody can put another in its place between a look at it
// and its use. Files appear in it whole and by renaming.
#pragma once

#include <string>
#include <vector>

#include "gpu/open_file.h"

namespace skipper::gpu {

/// Makes a folder, and those above it, for its user alone, where they are missing.
void make_folders(std::string const& path);

class OpenFolder {
 public:
  explicit OpenFolder(std::string const& path);  // "" is the working directory

  bool is_open() const { return folder_.is_open(); }
  /// distrust() of the folder itself; empty where there is none.
  std::string distrust() const;

  enum class Links { followed, refused };
  /// For reading; not open where there is no such file. Never waits for who writes a pipe.
  OpenFile open(std::string const& name, Links links) const;
  /// Written under another name, which nobody can guess, and then renamed. It is for its user alone, or has the owner and the mode
  /// of `before`, as far as the system lets it. Returns whether it is there.
  bool write(std::string const& name, std::string_view contents,
             std::optional<struct stat> const& before = {}) const;
  void remove(std::string const& name) const;

  struct Entry {
    std::string name;
    struct stat facts {};
  };
  std::vector<Entry> entries() const;

 private:
  OpenFile folder_;
};

/// The name that an unfinished file is to have; empty for a name that is no unfinished file's.
std::string_view finished_name(std::string_view name);

/// Removes an unfinished file that nobody writes any more, by its age: who wrote it was killed.
void remove_if_left(OpenFolder const& folder, OpenFolder::Entry const& unfinished);

}  // namespace skipper::gpu
