// The machines known by name, and the text of a machine. One table of fields drives printing and reading.
#include "base/machine.h"

#include <skipper/error.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "base/lazy.h"
#include "base/machine_fields.h"

namespace skipper {
namespace {

constexpr Index KiB = 1024;
constexpr Index MiB = 1024 * KiB;
constexpr Index GiB = 1024 * MiB;

// SMs, shared memory a block, L2, memory and copy bandwidth are measured by us. The rest is from NVIDIA's CUDA
// programming guide for compute capability 9.0.
Machine h200() {
  Machine m;
  m.name = "h200";
  m.kind = MachineKind::gpu;
  m.architecture = "sm_90";
  m.sms = 132;
  m.threads_block = 1024;
  m.threads_sm = 2048;
  m.blocks_sm = 32;
  m.warp = 32;
  m.registers_sm = 65536;
  m.registers_thread = 255;
  m.shared_block = 227 * KiB;
  m.shared_sm = 228 * KiB;
  m.shared_reserved = 1 * KiB;
  m.banks = 32;
  m.sector_bytes = 32;
  m.line_bytes = 128;
  m.vector_bytes = 16;
  m.cluster = 16;
  m.l1_bytes = 256 * KiB;
  m.l2_bytes = 60 * MiB;
  m.memory_bytes = 139 * GiB;
  m.copy_bandwidth = 4.24e12;
  m.l2_block = true;
  return m;
}

// H100 SXM, peak 3.35 TB/s. This and the next two are vendors' figures, not measured by us. Their copy bandwidth is
// 0.88 of the peak, as it is on an H200.
Machine h100() {
  Machine m = h200();
  m.name = "h100";
  m.l2_bytes = 50 * MiB;
  m.memory_bytes = 80 * GiB;
  m.copy_bandwidth = 2.95e12;
  return m;
}

// A100 SXM 80 GB, peak 2.04 TB/s: no clusters.
Machine a100() {
  Machine m = h200();
  m.name = "a100";
  m.architecture = "sm_80";
  m.sms = 108;
  m.shared_block = 163 * KiB;
  m.shared_sm = 164 * KiB;
  m.cluster = 1;
  m.l1_bytes = 192 * KiB;
  m.l2_bytes = 40 * MiB;
  m.memory_bytes = 80 * GiB;
  m.copy_bandwidth = 1.79e12;
  return m;
}

// GeForce RTX 4090, peak 1.01 TB/s: no clusters, fewer resident threads.
Machine rtx4090() {
  Machine m = h200();
  m.name = "rtx4090";
  m.architecture = "sm_89";
  m.sms = 128;
  m.threads_sm = 1536;
  m.blocks_sm = 24;
  m.shared_block = 99 * KiB;
  m.shared_sm = 100 * KiB;
  m.cluster = 1;
  m.l1_bytes = 128 * KiB;
  m.l2_bytes = 72 * MiB;
  m.memory_bytes = 24 * GiB;
  m.copy_bandwidth = 8.87e11;
  return m;
}

// 16 cores of a Xeon, the host of an H200. Cores, memory and the copy bandwidth of 16 threads are measured by us.
// Caches and registers are Intel's figures for Sapphire Rapids, with 1.875 MiB of L3 a core.
Machine xeon_avx512() {
  Machine m;
  m.name = "xeon-avx512";
  m.kind = MachineKind::cpu;
  m.architecture = "x86-64-avx512";
  m.sms = 16;
  m.threads_sm = 2;
  m.registers_sm = 32 * 64 / 4;
  m.registers_thread = 32 * 64 / 4;
  m.sector_bytes = 64;
  m.line_bytes = 64;
  m.vector_bytes = 64;
  m.l1_bytes = 48 * KiB;
  m.l2_bytes = 2 * MiB;
  m.l3_bytes = 30 * MiB;
  m.memory_bytes = 125 * GiB;
  m.copy_bandwidth = 1.13e11;
  m.l2_block = true;
  return m;
}

// NVIDIA Grace, 72 Neoverse V2 cores with 240 GB. These are the vendor's figures, not measured by us. The copy
// bandwidth is a guess: 0.8 of the peak of 512 GB/s.
Machine neoverse_v2() {
  Machine m = xeon_avx512();
  m.name = "neoverse-v2";
  m.architecture = "aarch64-neon";
  m.sms = 72;
  m.threads_sm = 1;
  m.registers_sm = 32 * 16 / 4;
  m.registers_thread = 32 * 16 / 4;
  m.vector_bytes = 16;
  m.l1_bytes = 64 * KiB;
  m.l2_bytes = 1 * MiB;
  m.l3_bytes = 114 * MiB;
  m.memory_bytes = 240'000'000'000;
  m.copy_bandwidth = 4.1e11;
  return m;
}

std::vector<Machine> const& presets() {
  static constinit Lazy<std::vector<Machine>> known;
  return known.get(
      [] { return std::vector<Machine>{h200(), h100(), a100(), rtx4090(), xeon_avx512(), neoverse_v2()}; });
}

std::string joined(std::vector<std::string> const& names) {
  std::string list;
  for (std::string const& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::vector<std::string> words(std::string_view line) {
  std::vector<std::string> found;
  for (std::size_t end = 0; end < line.size();) {
    std::size_t const begin = std::min(line.find_first_not_of(" \t\r\n", end), line.size());
    end = std::min(line.find_first_of(" \t\r\n", begin), line.size());
    if (begin < end) found.emplace_back(line.substr(begin, end - begin));
  }
  return found;
}

template <class T>
T parsed(std::string const& key, std::string const& value) {
  T result = 0;
  auto const [end, problem] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (problem != std::errc() || end != value.data() + value.size()) {
    refuse_machine(quoted(value) + " is not a number that " + key + " can have");
  }
  return result;
}

void assign(Machine& m, std::string const& key, std::string const& value) {
  auto const field = std::find_if(machine_fields.begin(), machine_fields.end(),
                                  [&key](MachineField const& f) { return key == f.key; });
  if (field != machine_fields.end()) {
    m.*(field->value) = parsed<Index>(key, value);
  } else if (key == "copy_bandwidth") {
    m.copy_bandwidth = parsed<double>(key, value);
  } else if (key == "l2_block") {
    if (value != "yes" && value != "no")
      refuse_machine("l2_block is " + quoted(value) + " but must be yes or no");
    m.l2_block = value == "yes";
  } else {
    refuse_machine("there is no key " + quoted(key));
  }
}

void require_all(std::set<std::string> const& given) {
  std::vector<std::string> missing;
  for (MachineField const& field : machine_fields) {
    if (!given.contains(field.key)) missing.emplace_back(field.key);
  }
  for (char const* key : {"copy_bandwidth", "l2_block"}) {
    if (!given.contains(key)) missing.emplace_back(key);
  }
  if (!missing.empty()) refuse_machine("the text lacks " + joined(missing));
}

Machine from_text(std::vector<std::string> const& word) {
  if (word.size() < 4) refuse_machine("the text ends before name, kind and architecture are told");
  Machine m;
  m.name = word[1];
  if (word[2] != "gpu" && word[2] != "cpu")
    refuse_machine("the kind " + quoted(word[2]) + " is neither gpu nor cpu");
  m.kind = word[2] == "gpu" ? MachineKind::gpu : MachineKind::cpu;
  m.architecture = word[3];
  std::set<std::string> given;
  for (std::size_t i = 4; i < word.size(); i += 2) {
    if (i + 1 == word.size()) refuse_machine("the key " + quoted(word[i]) + " has no value");
    if (!given.insert(word[i]).second) refuse_machine("the key " + quoted(word[i]) + " is given twice");
    assign(m, word[i], word[i + 1]);
  }
  require_all(given);
  check(m);
  return m;
}

}  // namespace

void refuse_machine(std::string const& what) {
  throw Error(
      "machine",
      what + "; give a known name (" + std::string(host_name) + ", " + joined(machine_names()) +
          ") or a full text, `machine NAME gpu|cpu ARCHITECTURE key value ...`, as machine_text() gives it");
}

bool same_word(std::string_view a, std::string_view b) {
  auto const lower = [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

std::vector<std::string> machine_names() {
  std::vector<std::string> names;
  for (Machine const& m : presets()) names.push_back(m.name);
  return names;
}

Machine machine(std::string_view name_or_text) {
  std::vector<std::string> const word = words(name_or_text);
  if (word.empty()) refuse_machine("the text is empty");
  if (word[0] == "machine") return from_text(word);
  for (Machine const& m : presets()) {
    if (word.size() == 1 && same_word(m.name, word[0])) return m;
  }
  refuse_machine("there is no machine " + quoted(name_or_text));
}

std::string text(Machine const& m) {
  check(m);
  std::string line = "machine " + m.name + (m.kind == MachineKind::gpu ? " gpu " : " cpu ") + m.architecture;
  for (MachineField const& field : machine_fields)
    line += std::string(" ") + field.key + " " + std::to_string(m.*(field.value));
  std::array<char, 32> digits;  // the shortest that reads back as the same double
  auto const printed = std::to_chars(digits.data(), digits.data() + digits.size(), m.copy_bandwidth);
  line += " copy_bandwidth " + std::string(digits.data(), printed.ptr);
  return line + (m.l2_block ? " l2_block yes" : " l2_block no");
}

}  // namespace skipper
