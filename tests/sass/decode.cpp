// See decode.h. A line of the listing is a label at its beginning, or /*address*/ and an instruction up to the semicolon; others
// are about the file. The kernel comes first, so that its instructions have numbers that count from its beginning, and functions that
// it calls behind it.
#include "sass/decode.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "sass/operations.h"

namespace skipper::sass {
namespace {

struct Line {
  std::string address, text;
};
struct Listing {
  std::vector<Line> lines;
  std::map<std::string, int> labels;
};
struct Section {
  Listing listing;
  bool is_kernel = false;
};

/// Without notes of the disassembler: (*"SpillRefill"*).
std::string without_notes(std::string text) {
  for (std::size_t begin; (begin = text.find("(*")) != text.npos;) {
    std::size_t const end = text.find("*)", begin);
    if (end == text.npos) break;
    text.erase(begin, end + 2 - begin);
  }
  return text;
}

bool is_label(std::string const& line) {
  return line.ends_with(":") && line.find_first_of(" \t") == line.npos && !line.starts_with(".text.");
}

/// Sections of code.
std::vector<Section> sections_of(std::string const& listing) {
  std::vector<Section> all;
  std::istringstream in(listing);
  for (std::string line; std::getline(in, line);) {
    if (line.find(".section\t.text.") != line.npos) all.emplace_back();
    if (all.empty()) continue;
    Listing& out = all.back().listing;
    if (line.find("STO_CUDA_ENTRY") != line.npos) all.back().is_kernel = true;
    if (is_label(line)) {
      out.labels[line.substr(0, line.size() - 1)] = int(out.lines.size());
      continue;
    }
    std::size_t const begin = line.find_first_not_of(" \t");
    if (begin == line.npos || line.compare(begin, 2, "/*") != 0) continue;
    std::size_t const close = line.find("*/", begin), semicolon = line.find(';', begin);
    if (close == line.npos || semicolon == line.npos || semicolon < close) continue;
    out.lines.push_back({line.substr(begin + 2, close - begin - 2),
                         without_notes(line.substr(close + 2, semicolon - close - 2))});
  }
  if (all.size() == 1) all.front().is_kernel = true;
  return all;
}

Listing read(std::string const& listing) {
  auto sections = sections_of(listing);
  auto const kernels = std::ranges::count(sections, true, &Section::is_kernel);
  std::stable_partition(sections.begin(), sections.end(), [](Section const& s) { return s.is_kernel; });
  Listing out;
  for (auto const& [part, is_kernel] : sections) {
    for (auto const& [name, number] : part.labels) out.labels[name] = int(out.lines.size()) + number;
    out.lines.insert(out.lines.end(), part.lines.begin(), part.lines.end());
  }
  if (kernels != 1 || out.lines.empty())
    throw Fault("the listing has " + std::to_string(kernels) + " kernels and " +
                std::to_string(out.lines.size()) + " instructions");
  return out;
}

struct Decoding {
  Decoder decoder;
  bool controls;
};
Decoding decoder_of(std::string const& root) {
  for (auto const* operations : {&integer_operations(), &bit_operations(), &number_operations(),
                                 &memory_operations(), &register_operations()})
    if (auto const found = operations->find(root); found != operations->end()) return {found->second, false};
  if (auto const found = control_operations().find(root); found != control_operations().end())
    return {found->second, true};
  throw Fault("unknown instruction");
}

}  // namespace

Code decode(std::string const& listing) {
  Listing const all = read(listing);
  Code code;
  for (Line const& line : all.lines) try {
      Form form(line.text, all.labels);
      Decoding const decoding = decoder_of(form.root());
      Action action = decoding.decoder(form);
      form.demand_all_taken();
      code.push_back({form.guard(), std::move(action), decoding.controls, line.address + ":" + line.text});
    } catch (Fault const& fault) {
      throw Fault(std::string(fault.what()) + " in " + line.address + ":" + line.text);
    }
  return code;
}

}  // namespace skipper::sass
