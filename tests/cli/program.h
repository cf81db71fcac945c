// Runs the program itself, as a shell would, with what a test wants to be its standard streams, limits and user.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace skipper::testing {

namespace fs = std::filesystem;

/// A folder of its own, gone at the end.
struct Folder {
  fs::path path;
  explicit Folder(std::string const& name = "skipper-outputs")
      : path(fs::temp_directory_path() / (name + "-" + std::to_string(::getpid()))) {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  std::string operator()(std::string const& name) const { return (path / name).string(); }
  std::size_t files() const {
    return std::size_t(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
  }
};

inline std::string read_all(int file) {
  std::string all;
  char some[4096];
  for (ssize_t got; (got = ::read(file, some, sizeof some)) > 0;) all.append(some, std::size_t(got));
  return all;
}

inline std::string contents(std::string const& path) {
  int const file = ::open(path.c_str(), O_RDONLY);
  std::string const all = read_all(file);
  ::close(file);
  return all;
}

struct Outcome {
  int status = 0;  // as waitpid() gives it
  std::string out, error;
  int code() const { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }
};

/// The program under way. Its standard output and error are pipes; its standard input is one too, unless a file is given.
class Running {
 public:
  /// `prepare` runs in the child before the program does.
  Running(
      std::string const& program, std::vector<std::string> const& words, std::string const& input = "",
      std::function<void()> const& prepare = [] {}) {
    int in[2], out[2], error[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(error, O_CLOEXEC) != 0)
      std::abort();
    std::vector<char const*> arguments{program.c_str()};
    for (std::string const& word : words) arguments.push_back(word.c_str());
    arguments.push_back(nullptr);
    // A program that ends before it has read all its input must not end the test.
    ::signal(SIGPIPE, SIG_IGN);
    process_ = ::fork();
    if (process_ == 0) {
      ::signal(SIGPIPE, SIG_DFL);
      ::dup2(input.empty() ? in[0] : ::open(input.c_str(), O_RDONLY), 0);
      ::dup2(out[1], 1);
      ::dup2(error[1], 2);
      prepare();
      ::execv(program.c_str(), const_cast<char**>(arguments.data()));
      ::_exit(127);
    }
    ::close(in[0]), ::close(out[1]), ::close(error[1]);
    in_ = in[1], out_ = out[0], error_ = error[0];
  }
  Running(Running const&) = delete;
  Running& operator=(Running const&) = delete;

  pid_t process() const { return process_; }

  void feed(std::string const& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      ssize_t const put = ::write(in_, bytes.data() + at, bytes.size() - at);
      if (put <= 0) break;
      at += std::size_t(put);
    }
  }

  /// Appends what it prints next; false where it prints nothing more.
  bool read_more(std::string& to) {
    char some[4096];
    ssize_t const got = ::read(out_, some, sizeof some);
    if (got > 0) to.append(some, std::size_t(got));
    return got > 0;
  }

  /// Ends its standard input and waits for it.
  Outcome finished() {
    ::close(in_);
    Outcome outcome;
    std::thread errors([&] { outcome.error = read_all(error_); });
    outcome.out = read_all(out_);
    errors.join();
    ::waitpid(process_, &outcome.status, 0);
    ::close(out_), ::close(error_);
    return outcome;
  }

 private:
  pid_t process_ = -1;
  int in_ = -1, out_ = -1, error_ = -1;
};

}  // namespace skipper::testing
