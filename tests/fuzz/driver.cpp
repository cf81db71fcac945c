// A plain loop over a target: seeds, then mutations of seeds and of what was accepted before, from a fixed seed. It takes half as
// many inputs as the target says, all with SKIPPER_LONG, a 128th, but 300 at least, under SKIPPER_QUICK.
// SKIPPER_FUZZ_SECONDS=600 goes on so long, SKIPPER_FUZZ_SEED, else SKIPPER_SEED, begins elsewhere, and files named on the command line are looked at
// instead. Whatever ends the program (a crash, a sanitizer, thirty seconds of computing, 120 under sanitizers, or 3 GB for one
// input) leaves the input in a file in the working directory and says its name.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "fuzz/fuzz.h"
#include "support/quick.h"

extern "C" {
void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));
char const* __asan_default_options() { return "max_allocation_size_mb=3072:detect_leaks=0"; }
}

namespace {

using namespace skipper::fuzz;

// For who reports it after a crash, when nothing may be allocated.
char const* input_data = nullptr;
std::size_t input_size = 0;
char const* report_name = "";

void write_text(char const* text) {
  std::size_t size = 0;
  while (text[size]) ++size;
  if (::write(2, text, size) < 0) ::_exit(1);
}

void report() {
  if (!input_data) return;
  int const file = ::open(report_name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool const kept = file >= 0 && ::write(file, input_data, input_size) == ssize_t(input_size);
  write_text(kept ? "fuzz: the input is in " : "fuzz: the input cannot be written to ");
  write_text(report_name);
  write_text("\n");
  input_data = nullptr;
}

void on_signal(int number) {
  if (number == SIGPROF) write_text("fuzz: one input takes too long\n");
  report();
  ::signal(number, SIG_DFL);
  ::raise(number);
}

void watch() {
  bool const sanitized = __sanitizer_set_death_callback != nullptr;
  for (int const number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPROF})
    if (!sanitized || number == SIGABRT || number == SIGPROF) ::signal(number, on_signal);
  if (sanitized) {
    __sanitizer_set_death_callback(report);
  } else {
    rlimit const most{rlim_t(3) << 30, rlim_t(3) << 30};
    ::setrlimit(RLIMIT_AS, &most);
  }
}

bool looked_at(std::string const& input) {
  input_data = input.data();
  input_size = input.size();
  // Of processor time, so that a busy machine is no fault.
  itimerval const limit{{0, 0}, {__sanitizer_set_death_callback ? 120 : 30, 0}};
  ::setitimer(ITIMER_PROF, &limit, nullptr);
  bool const accepted = takes(input);
  input_data = nullptr;
  return accepted;
}

double number_of(char const* variable) {
  char const* const value = std::getenv(variable);
  return value ? std::strtod(value, nullptr) : 0;
}

/// `make test` gives one of the commit's, so that each commit looks at other inputs and two runs of one at the same.
std::uint64_t seed_of_inputs() {
  char const* const given = std::getenv("SKIPPER_FUZZ_SEED");
  if (!given || !*given) return skipper::testing::seed_of_run();
  std::printf("SKIPPER_FUZZ_SEED=%s\n", given);
  return std::strtoull(given, nullptr, 10);
}

struct Counts {
  long accepted = 0, refused = 0;
};

Counts run() {
  using Clock = std::chrono::steady_clock;
  double const seconds = number_of("SKIPPER_FUZZ_SECONDS");
  using namespace skipper::testing;
  long const most = quick() ? std::max(inputs / 128, 300) : thorough() ? inputs : inputs / 2;
  Random random(seed_of_inputs());
  Counts counts;
  std::vector<std::string> pool = seeds();
  std::size_t const first = pool.size();
  for (std::string const& seed : pool) demand(looked_at(seed), "a seed was refused: " + seed);
  auto const begin = Clock::now();
  auto const goes_on = [&](long n) {
    return seconds > 0 ? std::chrono::duration<double>(Clock::now() - begin).count() < seconds : n < most;
  };
  for (long n = 0; goes_on(n); ++n) {
    // Every other one of a seed, so that what was mutated again and again does not take over.
    std::string const& from = pool[random.below(random.below(2) ? first : pool.size())];
    std::string const input = mutated(from, pool[random.below(pool.size())], random);
    bool const accepted = looked_at(input);
    (accepted ? counts.accepted : counts.refused) += 1;
    if (!accepted) continue;
    if (pool.size() < first + 256)
      pool.push_back(input);
    else
      pool[first + random.below(256)] = input;
  }
  return counts;
}

std::string file_text(char const* path) {
  std::ifstream file(path, std::ios::binary);
  demand(bool(file), std::string("cannot read ") + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int count, char** words) {
  std::string const program = words[0];
  static std::string const name = program.substr(program.rfind('/') + 1) + ".input";
  report_name = name.c_str();
  watch();
  for (int i = 1; i < count; ++i)
    std::printf("%s: %s\n", words[i], looked_at(file_text(words[i])) ? "accepted" : "refused");
  if (count > 1) return 0;
  Counts const counts = run();
  std::printf("fuzz: %ld accepted, %ld refused\n", counts.accepted, counts.refused);
  demand(counts.accepted > 0 && counts.refused > 0, "all inputs went the same way: nothing was looked at");
}
