// Times pieces of work against each other: each is run in rounds, one after the other, so that what disturbs the
// machine disturbs them alike. Short work is repeated within a sample until a clock can see it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

namespace skipper::cli {

struct MeasureSettings {
  int repeats = 11;  // samples of each
  double seconds =
      0.5;  // about as long for each piece of work; after it, and three samples, no more are taken
};

struct Timing {
  double seconds = 0;  // of one call: the median
  double spread = 0;   // quarter to three quarters of the samples, over the median
};

Timing summary(std::vector<double> samples);

// Of so many pieces of work, in rounds; sample(i) gives the seconds of a call of piece i.
std::vector<Timing> in_rounds(std::size_t works, MeasureSettings const& settings,
                              std::function<double(std::size_t)> const& sample);

std::vector<Timing> measure(std::vector<std::function<void()>> const& works, MeasureSettings const& settings);

// Copies with as many threads as transforms have: the floor that they are judged by.
class CopyTeam {
 public:
  explicit CopyTeam(int threads);
  ~CopyTeam();
  void copy(void const* from, void* to, std::size_t bytes);

 private:
  struct Team;
  std::unique_ptr<Team> team_;
};

// Seconds since some time ago.
double now();

// As many as the CPU has where `threads` is 0.
int thread_count(int threads);

}  // namespace skipper::cli
