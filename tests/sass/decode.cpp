// See decode.h. A line of the listing is a label at its beginning, or /*address*/ and an instruction up to the semicolon; others
// are about the file.
#include "sass/decode.h"

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

/// Without notes of the disassembler: (*"SpillRefill"*).
std::string without_notes(std::string text) {
  for (std::size_t begin; (begin = text.find("(*")) != text.npos;) {
    std::size_t const end = text.find("*)", begin);
    if (end == text.npos) break;
    text.erase(begin, end + 2 - begin);
  }
  return text;
}

Listing read(std::string const& listing) {
  Listing out;
  int kernels = 0;
  std::istringstream in(listing);
  for (std::string line; std::getline(in, line);) {
    if (line.find(".section\t.text.") != line.npos) ++kernels;
    if (line.starts_with(".L_") && line.ends_with(":")) {
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
  if (kernels > 1 || out.lines.empty())
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
