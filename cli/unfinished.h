// Names of files that are not to outlive the program: they are removed also when a signal ends it. All signals that
// would end the program and that can be caught are; the program then ends by the same signal, as whoever waits for it
// expects. Signals that the caller of the program ignores (nohup) stay ignored.
#pragma once

#include <string>

namespace skipper::cli {

class Unfinished {
 public:
  // From now on the file of this name goes when a signal ends the program. It need not exist yet. Some may exist at a
  // time; throws FileError where there are more, or where the name is longer than a path can be.
  explicit Unfinished(std::string const& path);
  ~Unfinished();
  Unfinished(Unfinished const&) = delete;
  Unfinished& operator=(Unfinished const&) = delete;

 private:
  int slot_ = -1;
};

}  // namespace skipper::cli
