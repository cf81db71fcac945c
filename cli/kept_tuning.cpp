// See kept_tuning.h.
#include "kept_tuning.h"

#include <skipper/tuning.h>

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>

#include "args.h"
#include "format.h"
#include "output_file.h"
#include "unfinished.h"

namespace skipper::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".unfinished";

// "tuned.txt.1234.unfinished" for tuned.txt, where no process 1234 lives.
bool is_left_over(std::string_view name, std::string const& base) {
  if (!name.starts_with(base + ".") || !name.ends_with(ending)) return false;
  std::string_view const digits = name.substr(base.size() + 1, name.size() - base.size() - 1 - ending.size());
  pid_t process = 0;
  auto const [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), process);
  bool const is_number = error == std::errc{} && stop == digits.data() + digits.size() && process > 0;
  return is_number && ::kill(process, 0) != 0 && errno == ESRCH;
}

void remove_left_overs(fs::path const& target) {
  std::error_code trouble;
  fs::path const folder = target.has_parent_path() ? target.parent_path() : ".";
  for (fs::directory_iterator entry(folder, trouble), end; !trouble && entry != end;
       entry.increment(trouble)) {
    std::error_code ignored;
    if (is_left_over(entry->path().filename().string(), target.filename().string()))
      fs::remove(entry->path(), ignored);
  }
}

}  // namespace

KeptTuning::KeptTuning(std::string const& file) : file_(file) {
  fs::path const folder = fs::path(file).parent_path();
  std::error_code trouble;
  if (!folder.empty() && !fs::exists(folder, trouble)) {  // the library makes it
    unfinished_ = file;
  } else {
    OutputTarget const target = output_target(file);
    if (target.sort != OutputTarget::Sort::replaced)
      refuse("programs are kept in a regular file, which " + called(file, "standard output") +
             " is not; give another to --file");
    remove_left_overs(target.path);
    unfinished_ = target.path;
  }
  unfinished_ += formatted(".{}{}", ::getpid(), ending);
}

void KeptTuning::keep(Device const& device, std::string const& program) const {
  Unfinished const unfinished(unfinished_);
  keep_tuned(file_, device, {program});
}

}  // namespace skipper::cli
