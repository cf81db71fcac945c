// See tuned.h.
#include "api/tuned.h"

#include <skipper/tuning.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include "api/engine.h"
#include "base/environment.h"
#include "gpu/cache.h"
#include "gpu/device.h"
#include "plan/tuning.h"

namespace skipper {
namespace {

std::optional<std::string> read(std::string const& path) {
  std::error_code ignored;
  constexpr std::uintmax_t most = 64 << 20;  // bytes: thousands of programs
  if (!std::filesystem::is_regular_file(path, ignored) || std::filesystem::file_size(path, ignored) > most)
    return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

std::string named_by_variable() { return environment("SKIPPER_TUNING"); }

/// The end of symbolic links, which may not exist yet. Only a regular file can be read and replaced.
std::filesystem::path end_of_links(std::filesystem::path path) {
  std::error_code trouble;
  std::string const given = path.string();
  for (int links = 0; links < 40 && std::filesystem::is_symlink(path, trouble); ++links)
    path = path.parent_path() / std::filesystem::read_symlink(path, trouble);
  bool const other =
      std::filesystem::exists(path, trouble) && !std::filesystem::is_regular_file(path, trouble);
  if (other || std::filesystem::is_symlink(path, trouble))
    throw Error("tuning", "'" + given + "' is not a regular file; give another file");
  return path;
}

/// What cannot be kept of owner and mode is left as it is for a new file.
void take_owner_and_mode(std::string const& from, std::string const& to) {
  struct stat before {};
  if (::stat(from.c_str(), &before) != 0) return;
  bool const kept = ::chown(to.c_str(), before.st_uid, before.st_gid) == 0;
  std::error_code ignored;
  if (kept) std::filesystem::permissions(to, std::filesystem::perms(before.st_mode & 07777), ignored);
}

/// Written whole under another name and then renamed, so that a plan never reads half of it.
void write(std::string const& given, std::string const& contents) {
  std::error_code trouble;
  std::string const path = end_of_links(given).string();
  std::filesystem::path const folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, trouble);
  std::string const unfinished = path + "." + std::to_string(::getpid()) + ".unfinished";
  std::ofstream file(unfinished, std::ios::binary);
  file << contents;
  file.close();
  if (file) take_owner_and_mode(path, unfinished);
  if (file) std::filesystem::rename(unfinished, path, trouble);
  if (file && !trouble) return;
  std::filesystem::remove(unfinished, trouble);
  throw Error("tuning", "'" + given + "' cannot be written; give another file");
}

std::string usual_file(Machine const& machine) {
  std::string const folder = gpu::cache_folder();
  return folder.empty() ? "" : folder + "/tuning-" + machine.name + ".txt";
}

Machine const& machine_of(Device const& device) {
  auto const number = cuda_number(device.name());
  if (!number) throw Error("device", "'" + device.name() + "' is not tuned; only GPUs are");
  return gpu::device_machine(*number);
}

/// Of a file that is to be written anew: one that is damaged is not destroyed.
Tuning tuning_of(std::string const& contents, std::string const& file) try {
  return parse_tuning(contents);
} catch (Error const& e) {
  throw Error("tuning",
              "'" + file + "' cannot be added to: " + e.what() + "; remove it, or give another file");
}

}  // namespace

std::string tuning_file(Device const& device) {
  if (std::string const named = named_by_variable(); !named.empty()) return named;
  return usual_file(machine_of(device));
}

Tuned tuned(Problem const& problem, GpuSettings const& settings, Machine const& machine) {
  if (problem.order != Order::natural) return {};  // a plan and its inverse agree on the planner's radices
  std::string const named = !settings.tuning.empty() ? settings.tuning : named_by_variable();
  std::string const path = named.empty() ? usual_file(machine) : named;
  auto const contents = path.empty() ? std::nullopt : read(path);
  if (!contents) {
    if (named.empty()) return {};
    throw Error("tuning", "'" + path + "' cannot be read; make it with `skipper tune`, or name no file");
  }
  try {
    std::string_view programs = *contents;
    Tuning const head = parse_head(programs);
    if (std::string const why = mismatch(head, machine); !why.empty())
      throw Error("tuning", why + "; tune again");
    auto program = find_program(programs, problem);
    if (!program) return {};
    return {std::move(program), "tuned: " + path + "\n", path, !named.empty()};
  } catch (Error const& e) {
    if (!named.empty()) throw Error("tuning", "'" + path + "' is not used: " + e.what());
    return {std::nullopt, "not tuned: " + path + ": " + e.what() + "\n", path, false};
  }
}

void keep_tuned(std::string const& file, Device const& device, std::vector<std::string> const& programs) {
  Tuning tuning = empty_tuning(machine_of(device));
  if (auto const contents = read(file)) {
    Tuning before = tuning_of(*contents, file);
    bool const same_version = before.version == tuning.version;
    before.version = tuning.version;
    if (std::string const why = mismatch(before, tuning.machine); !why.empty())
      throw Error("tuning", "'" + file + "' " + why + "; give another file");
    if (same_version) tuning.programs = std::move(before.programs);
  }
  for (std::string const& text : programs) {
    Program program = parse_program(text);
    if (program.problem.order != Order::natural)
      throw Error("order",
                  "is digit-reversed, where a plan and its inverse must agree on radices and so take the "
                  "planner's; tune the natural order");
    put(tuning, std::move(program));
  }
  write(file, text(tuning));
}

}  // namespace skipper
