// See coverage.h.
#include "coverage/coverage.h"

#include <skipper/error.h>

#include <algorithm>

namespace skipper::coverage {
namespace {

Chosen planned(Problem const& problem, UsesOf const& uses_of) try {
  return {problem, uses_of(problem), ""};
} catch (Error const& e) {
  return {problem, {}, e.what()};
}

/// The rarer what it covers, the more it is worth; what is not there yet, most of all.
double worth(Chosen const& candidate, Counts const& counts) {
  if (!candidate.refusal.empty()) return 1e9;
  double all = 0;
  for (Use const& use : candidate.uses) {
    auto const known = counts.find(use);
    double const count = known == counts.end() ? 0 : double(known->second);
    all += (use.with.empty() ? 4 : 1) / ((1 + count) * (1 + count));
  }
  return all;
}

}  // namespace

void add(Counts& counts, Uses const& uses) {
  for (Use const& use : uses) ++counts[use];
}

std::vector<Chosen> group(std::uint64_t seed, Index number, Index size, Sizes const& sizes,
                          UsesOf const& uses_of) {
  std::vector<Chosen> candidates;
  for (Index i = 0; i < size * drawn_for_each; ++i)
    candidates.push_back(
        planned(drawn(seed, std::uint64_t(number * group_size * drawn_for_each + i), sizes), uses_of));
  std::vector<Chosen> chosen;
  Counts counts;
  while (Index(chosen.size()) < size) {
    auto const best = std::max_element(
        candidates.begin(), candidates.end(),
        [&](Chosen const& a, Chosen const& b) { return worth(a, counts) < worth(b, counts); });
    add(counts, best->uses);
    chosen.push_back(std::move(*best));
    candidates.erase(best);
  }
  return chosen;
}

Source source_for(std::string const& machine_text, Index max_bytes,
                  std::function<std::string(Problem const&)> const& schedule) {
  Machine const facts = machine(machine_text);
  Sizes const sizes = sizes_for(facts, max_bytes);
  if (facts.kind == MachineKind::gpu)
    return {sizes, [facts](Problem const& p) { return uses_of(lowered_program(p, facts)); },
            gpu_vocabulary()};
  return {sizes, [schedule](Problem const& p) { return uses_of(p, schedule(p)); }, cpu_vocabulary()};
}

std::vector<Row> table(Counts const& counts, Vocabulary const& vocabulary) {
  auto const count = [&](Use const& use) {
    auto const known = counts.find(use);
    return known == counts.end() ? Index(0) : known->second;
  };
  std::vector<Row> rows;
  for (std::string const& mechanism : vocabulary.mechanisms) {
    Row row{mechanism, count({mechanism, ""}), {}};
    for (std::string const& with : vocabulary.with) row.with.push_back(count({mechanism, with}));
    rows.push_back(std::move(row));
  }
  for (std::string const& mechanism : vocabulary.problems)
    rows.push_back({mechanism, count({mechanism, ""}), {}});
  return rows;
}

}  // namespace skipper::coverage
