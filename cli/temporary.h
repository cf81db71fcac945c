// A file that is being written under a name of its own, beside the one that it will have. It goes away with the object
// unless it is put in place, and also when the program is interrupted (SIGINT, SIGTERM, SIGHUP).
#pragma once

#include <string>

namespace skipper::cli {

class Temporary {
 public:
  // The file itself is made by whoever writes it. At most eight exist at a time.
  explicit Temporary(std::string const& target);
  ~Temporary();
  Temporary(Temporary const&) = delete;
  Temporary& operator=(Temporary const&) = delete;

  std::string const& path() const { return path_; }

  // Renames it to the target. Throws FileError where the system refuses.
  void put_in_place();

 private:
  std::string target_, path_;
  int slot_ = -1;
};

}  // namespace skipper::cli
