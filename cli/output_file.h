// Where a command writes: the one way in which files come from this program. What is at the name decides how:
//  - a regular file, or nothing yet: the new file appears whole or not at all. It is written beside the other and then
//    renamed; it has the owner and mode of the one it replaces. Other hard links to that one keep the old contents.
//  - a symbolic link: the file that it leads to, in that file's folder. The link stays.
//  - a device, FIFO or socket: it is opened and written, never replaced.
//  - `-`, /dev/stdout, /dev/fd/N: that open file of this program, from where it stands.
// Messages name what the user gave.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "file_error.h"
#include "output_target.h"
#include "part_file.h"

namespace skipper::cli {

class OutputFile {
 public:
  // Throws FileError where nothing can be written there, so that no work is done in vain. A FIFO is not waited for yet.
  explicit OutputFile(std::string const& path);

  // As messages call it.
  std::string const& name() const { return name_; }

  // The file appears whole or not at all; else bytes go where they cannot be taken back.
  bool is_replaced() const { return part_.has_value(); }
  // The name that such a file has until it is finished, by which other processes write into it too.
  std::string part_path() const { return part_ ? part_->path() : ""; }
  bool is_standard_output() const;
  bool is_terminal() const;

  // The open file. The first call waits for the reader of a FIFO.
  int file();
  void write(std::string_view bytes);

  // All is written: the file comes to its name. Without it nothing does.
  void finish();

  // A folder with room for what the work needs beside the output.
  std::string work_folder() const;

 private:
  OutputTarget target_;
  std::string name_;
  std::optional<PartFile> part_;
  Descriptor direct_;
};

// Refuses a terminal for what is not text.
void demand_no_terminal(OutputFile const& out);

// All of a file.
void write_file(std::string const& path, std::string_view header, std::string_view bytes);

}  // namespace skipper::cli
