// The file that `skipper tune` keeps programs in. The library writes it, whole and under another name first, for which
// FILE.PID.unfinished stands; here are the parts that only a program can do: nothing is measured for a file that cannot be
// written, and what is unfinished goes when a signal ends the program or, of a run that was killed, with the next one.
#pragma once

#include <skipper/device.h>

#include <string>

namespace skipper::cli {

class KeptTuning {
 public:
  // Refuses what is no regular file, since it is read again whenever a program is added; throws FileError where nothing
  // can be written.
  explicit KeptTuning(std::string const& file);

  void keep(Device const& device, std::string const& program) const;

 private:
  std::string file_, unfinished_;
};

}  // namespace skipper::cli
