// Wisdom. Skipper's CPU plans are not measured, so there is little to know: which calls were planned, and with how much
// patience, so that FFTW_WISDOM_ONLY finds them. As text it is, in the manner of FFTW's own,
//   (skipper-wisdom-1 fftw
//     (measure c2c forward 8:2:2 pairs 1:1)
//   )
// What was only estimated is known until it is forgotten, and not written. What is not of this form, FFTW's own wisdom above all, is refused.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "call.h"

namespace skipper::fftw3 {

class Wisdom {
 public:
  /// That of the process; never destroyed.
  static Wisdom& instance();

  /// `flags` are those of the planner.
  bool knows(Call const& call, unsigned flags) const;
  void learn(Call const& call, unsigned flags);
  void forget();

  std::string exported() const;
  /// Adds what the text has, or nothing and returns false where it is not ours.
  bool import(std::string_view text);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, int> known_;  // the text of a call: its patience
};

}  // namespace skipper::fftw3
