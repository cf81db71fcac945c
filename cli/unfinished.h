// What must not be left as it is when a signal ends the program: files that are removed then, and text that is ended. All signals that
// would end the program and that can be caught are; the program then ends by the same signal, as whoever waits for it
// expects. Signals that the caller of the program ignores (nohup) stay ignored.
#pragma once

#include <signal.h>

#include <string>
#include <string_view>

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

// Text that is written to an open file in parts. After each it can be ended: a signal that ends the program writes that end.
// Only one is written at a time.
class UnfinishedText {
 public:
  // Signals wait while the next part is written, so that they find all of it or nothing.
  UnfinishedText();
  ~UnfinishedText();
  UnfinishedText(UnfinishedText const&) = delete;
  UnfinishedText& operator=(UnfinishedText const&) = delete;

  // What ends the text behind this part; without it, or where it is longer than a page, nothing does.
  void ends_by(int file, std::string_view text);

 private:
  ::sigset_t before_;
};

}  // namespace skipper::cli
