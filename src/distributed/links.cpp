// See links.h.
#include "distributed/links.h"

#include <skipper/error.h>

#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

namespace skipper::distributed {
namespace {

// Vendors' figures: a GPU's share of NVLink 4 (450 GB/s each way) with a 400 Gb/s InfiniBand port a GPU, NVLink 3 (300) with
// 200 Gb/s, PCIe 5 x16 (64), one port of 400 Gb/s a node. `host` is processes of one machine that share memory.
std::vector<Links> const& presets() {
  static std::vector<Links> const known = {
      {"nvlink", 8, {2e-6, 4.5e11}, {5e-6, 5e10}},   {"nvlink3", 8, {2e-6, 3e11}, {5e-6, 2.5e10}},
      {"pcie", 8, {1e-5, 5.5e10}, {1e-5, 5e10}},     {"infiniband", 1, {2e-6, 5e10}, {2e-6, 5e10}},
      {"host", 1 << 24, {1e-6, 1e10}, {2e-6, 1e10}},
  };
  return known;
}

[[noreturn]] void refuse(std::string const& why) {
  std::string names;
  for (Links const& l : presets()) names += (names.empty() ? "" : ", ") + l.name;
  throw Error("links", why + "; give a known name (" + names +
                           ") or `links NAME ranks_per_node N node SECONDS BYTES/S network SECONDS BYTES/S`");
}

template <class T>
T number(std::string const& word) {
  T value = 0;
  auto const [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size()) refuse("'" + word + "' is not a number");
  return value;
}

Link parse_link(std::istringstream& words, char const* key) {
  std::string name, latency, bandwidth;
  if (!(words >> name >> latency >> bandwidth) || name != key)
    refuse(std::string("the text lacks '") + key + " SECONDS BYTES/S'");
  Link const link{number<double>(latency), number<double>(bandwidth)};
  if (!(link.latency >= 0 && link.latency <= 1)) refuse(name + ": the latency must be 0 to 1 seconds");
  if (!(link.bandwidth >= 1 && link.bandwidth <= 1e18))
    refuse(name + ": the bandwidth must be 1 to 1e18 bytes/s");
  return link;
}

std::string shortest(double value) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

std::string text(Link const& link) { return shortest(link.latency) + " " + shortest(link.bandwidth); }

}  // namespace

std::vector<std::string> links_names() {
  std::vector<std::string> names;
  for (Links const& l : presets()) names.push_back(l.name);
  return names;
}

Links links(std::string_view name_or_text) {
  for (Links const& l : presets())
    if (l.name == name_or_text) return l;
  std::istringstream words{std::string(name_or_text)};
  std::string head, key, count, more;
  Links all;
  if (!(words >> head) || head != "links")
    refuse("there are no links '" + std::string(name_or_text.substr(0, 40)) + "'");
  if (!(words >> all.name >> key >> count) || key != "ranks_per_node")
    refuse("the text lacks 'NAME ranks_per_node N'");
  all.ranks_per_node = number<Index>(count);
  if (all.ranks_per_node < 1) refuse("ranks_per_node is " + count + " but must be at least 1");
  all.node = parse_link(words, "node");
  all.network = parse_link(words, "network");
  if (words >> more) refuse("'" + more + "' is one word too many");
  return all;
}

std::string text(Links const& l) {
  return "links " + l.name + " ranks_per_node " + std::to_string(l.ranks_per_node) + " node " + text(l.node) +
         " network " + text(l.network);
}

}  // namespace skipper::distributed
