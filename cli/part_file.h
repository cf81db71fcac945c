// A file that is being written under a name of its own, in the folder of the one that it will replace. It goes away with
// the object unless it is put in place, and also when a signal ends the program. A program that is killed outright
// leaves it: it holds a lock on its file, so the next one that writes the same target finds the left-overs by their
// names, sees by their locks that nobody writes them any more, and removes them.
#pragma once

#include <memory>
#include <string>

#include "file_error.h"
#include "output_target.h"
#include "unfinished.h"

namespace skipper::cli {

class PartFile {
 public:
  // For a target of sort `replaced`. `name` is what messages call the target. Throws FileError.
  PartFile(OutputTarget target, std::string name);
  ~PartFile();
  PartFile(PartFile const&) = delete;
  PartFile& operator=(PartFile const&) = delete;

  // For reading and writing.
  int file() const { return file_.number(); }
  // Its own name, until it is put in place.
  std::string const& path() const { return path_; }

  // Gives it the owner, the mode and the attributes of the file that was there before, waits until it is on the disk and
  // renames it to the target. Throws FileError where the system refuses; then the target is as it was.
  void put_in_place();

 private:
  void create();

  OutputTarget target_;
  std::string name_, path_;
  std::unique_ptr<Unfinished> unfinished_;
  Descriptor file_;
};

}  // namespace skipper::cli
