// See exchanges.h.
#include "plan/lower/exchanges.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "plan/lower/configuration.h"
#include "plan/lower/affine_maps.h"

namespace skipper {
namespace {

/// The way out goes through the places of the way in, backwards: one table serves both.
SharedLayout rader_layout(Tile const& tile, Draft& draft, bool first, Index element, Index capacity) {
  if (!first) return draft.exchanges[1].layout;
  auto const& steps = draft.steps;
  auto const& entry = draft.rader.entry.tile;
  Index const parts = draft.rader.rader.real_rader ? 2 : 1;  // which these are moved by
  SharedLayout layout =
      pad_straight(draft.fine_digits, {{entry, tile.transformed.front().prime() - 1}}, steps[0].assignment,
                   steps[1].assignment, element / parts, capacity * parts);
  layout.size = (layout.size + parts - 1) / parts;
  for (std::size_t a = 0; a < entry.size(); ++a)
    if (entry[a] > 0) draft.rader.rader.pitch = int(layout.weight[a] / entry[a]);
  return layout;
}

SharedLayout makhoul_layout(Tile const& tile, Draft const& draft, std::size_t i, Index element,
                            Index capacity) {
  FineAssignment const &before = draft.steps[i - 1].assignment, &after = draft.steps[i].assignment;
  bool const pre = i == 1 && tile.read_makhoul;
  auto const& index = (pre ? draft.pre : draft.post).index.tile;
  return pad_makhoul(draft.fine_digits, index, pre ? before : after, pre ? after : before, element, capacity);
}

/// Every Hermitian digit a straight line, so that the place of the negated index is as easily found.
SharedLayout hermitian_layout(Draft& draft, FineAssignment const& from, FineAssignment const& to,
                              Index element, Index capacity) {
  std::vector<StraightLine> lines;
  for (int m = 0; m < draft.hermitian.digits; ++m)
    lines.push_back(
        {draft.conjugate_index[m].tile,
         Index(draft.hermitian.extent[m]) + (m == 0 && draft.hermitian.before_butterflies ? 1 : 0)});
  kernel::CrossedAxis& crossing = draft.hermitian.crossed_axis;
  if (crossing.used) lines.push_back({draft.cross.tile, crossing.extent});
  if (draft.hermitian
          .columns) {  // the highest fine digit goes on, or where there are two columns counts them
    Index const columns = draft.hermitian.before_butterflies;
    lines[0].places += columns;
    for (std::size_t a = 0; a < lines[0].index.size(); ++a)
      lines[0].index[a] += draft.parity.tile[a] * (draft.hermitian.extent[0] / 2 + columns);
  }
  SharedLayout const layout = pad_straight(draft.fine_digits, lines, from, to, element, capacity,
                                           draft.lines ? &*draft.lines : nullptr);
  for (int m = 0; m < draft.hermitian.digits; ++m)
    for (std::size_t a = 0; a < layout.weight.size(); ++a)
      if (lines[m].index[a] > 0) draft.hermitian.weight[m] = int(layout.weight[a] / lines[m].index[a]);
  for (std::size_t a = 0; a < layout.weight.size() && crossing.used; ++a)
    if (draft.cross.tile[a] > 0) crossing.weight = int(layout.weight[a] / draft.cross.tile[a]);
  for (std::size_t a = 0; a < layout.weight.size() && draft.hermitian.conjugate_rows.used; ++a)
    if (draft.conjugate.tile[a] > 0) draft.hermitian.conjugate_rows.weight = int(layout.weight[a]);
  return layout;
}

/// The options, and each with such threads next to each other as put what they hold into the same block on the way to the
/// assignment `to`: so remote stores fill sectors.
std::vector<FineAssignment> ready_for(FineAssignment const& to, std::vector<FineAssignment> options) {
  for (std::size_t i = 0, n = options.size(); i < n; ++i) {
    FineAssignment other = options[i];
    std::stable_partition(other.threads.begin(), other.threads.end(), [&](int a) {
      return std::find(to.cluster_ranks.begin(), to.cluster_ranks.end(), a) == to.cluster_ranks.end();
    });
    if (other != options[i]) options.push_back(std::move(other));
  }
  return options;
}

/// The fine digit of two lines that a thread holds in both assignments, or -1. These stand interleaved: a thread moves 16 bytes at
/// once, which leaves out half of the instructions of an exchange.
int interleaved_lines(FineDigits const& fine_digits, FineAssignment const& from, FineAssignment const& to,
                      Index element) {
  auto const holds = [](FineAssignment const& assignment, int a) {
    return std::find(assignment.registers.begin(), assignment.registers.end(), a) !=
           assignment.registers.end();
  };
  if (!fine_digits.by_bluestein || element != 8 || from.cluster_ranks != to.cluster_ranks) return -1;
  for (int a = 0; a < int(fine_digits.digits.size()); ++a)
    if (fine_digits.digits[a].radix_stage < 0 && fine_digits.digits[a].extent == 2 && holds(from, a) &&
        holds(to, a))
      return a;
  return -1;
}

/// The best layout between two assignments: with lines interleaved that of one of them, of elements twice as wide.
SharedLayout layout_between(FineDigits const& fine_digits, FineAssignment from, FineAssignment to,
                            Index element, Index capacity) {
  int const lines = interleaved_lines(fine_digits, from, to, element);
  if (lines < 0) return pad(fine_digits, from, to, element, capacity);
  std::erase(from.registers, lines);
  std::erase(to.registers, lines);
  SharedLayout layout = pad(fine_digits, from, to, 2 * element, capacity / 2);
  for (Index& weight : layout.weight) weight *= 2;
  layout.weight[lines] = 1;
  layout.size *= 2;
  return layout;
}

/// Orders of the threads of all steps of a cosine line, chosen together: its Makhoul permutation and its Hermitian
/// split need straight lines, which an order that suits the exchange before may not suit.
/// Fitted: bench/results/h200-choices.md.
class Orders {
 public:
  Orders(Tile const& tile, Draft& draft, Index element, Index capacity)
      : tile_(tile), draft_(draft), element_(element), capacity_(capacity) {}

  void choose() {
    visit(1, 0);
    draft_.steps = best_;
  }

 private:
  /// Tries the orders of step i and of those after it, where the exchanges before have so many conflicts.
  void visit(std::size_t i, Index before) {
    auto& steps = draft_.steps;
    if (least_ >= 0 && before >= least_) return;
    if (i == steps.size()) {
      least_ = before;
      best_ = steps;
      return;
    }
    FineAssignment const proposal = steps[i].assignment;
    bool const fixed = i + 1 == steps.size() || is_hermitian(i) || is_hermitian(i + 1);
    for (FineAssignment const& option :
         fixed ? std::vector<FineAssignment>{proposal}
               : reorderings(draft_.fine_digits, steps[i - 1].assignment, proposal)) {
      steps[i].assignment = option;
      visit(i + 1, before + conflicts(i));
    }
    steps[i].assignment = proposal;
  }

  bool is_hermitian(std::size_t i) const { return draft_.hermitian.used && draft_.hermitian.step == int(i); }

  /// Of the exchange into step i: many courses share it.
  Index conflicts(std::size_t i) {
    auto const [known, fresh] = conflicts_.try_emplace(
        {draft_.steps[i - 1].assignment.threads, draft_.steps[i].assignment.threads, i}, 0);
    if (fresh) known->second = counted(i);
    return known->second;
  }

  Index counted(std::size_t i) {
    FineAssignment const &from = draft_.steps[i - 1].assignment, &to = draft_.steps[i].assignment;
    if (is_hermitian(i)) return hermitian_layout(draft_, from, to, element_, capacity_).conflicts;
    if (i == 1 ? tile_.read_makhoul : i + 1 == draft_.steps.size() && tile_.write_makhoul)
      return makhoul_layout(tile_, draft_, i, element_, capacity_).conflicts;
    return same_elements(from, to) ? 0 : pad(draft_.fine_digits, from, to, element_, capacity_).conflicts;
  }

  Tile const& tile_;
  Draft& draft_;
  Index element_, capacity_;
  Index least_ = -1;
  std::vector<AssignedStep> best_;
  std::map<std::tuple<std::vector<int>, std::vector<int>, std::size_t>, Index> conflicts_;
};

}  // namespace

void add_exchanges(Tile const& tile, Draft& draft, Index element, Index capacity) {
  auto& steps = draft.steps;
  draft.exchanges.resize(steps.size());
  int needed = 0;
  bool const cosines = (tile.read_makhoul || tile.write_makhoul) && tile.transformed.size() == 1 &&
                       !tile.transformed.front().by;
  if (cosines) Orders(tile, draft, element, capacity).choose();
  bool const on_chip = draft.fine_digits.by_rader && !draft.fine_digits.across_cluster;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    auto& exchange = draft.exchanges[i];
    bool const same = same_elements(steps[i - 1].assignment, steps[i].assignment);
    if (same) steps[i].assignment = steps[i - 1].assignment;
    if (draft.hermitian.used && draft.hermitian.step == int(i)) {
      exchange.keep = same || draft.hermitian.columns;
      exchange.needed = true;
      exchange.fence = needed++ > 0;
      exchange.layout =
          hermitian_layout(draft, steps[i - 1].assignment, steps[i].assignment, element, capacity);
      draft.shared = std::max(draft.shared, exchange.layout.size);
      continue;
    }
    if (!draft.fine_digits.shared_rader.empty()) {  // a place is a number of the run
      exchange.needed = true;
      exchange.layout.weight = draft.read.tile;
      draft.shared = exchange.layout.size = count(draft.fine_digits, {0, 1});
      continue;
    }
    bool const last = i + 1 == steps.size();
    if (draft.fine_digits.across_cluster && (i == 1 || last)) {
      exchange.needed = exchange.remote = exchange.fence = ++needed > 0;
      exchange.layout.weight.assign(draft.fine_digits.digits.size(), 0);  // it follows tables
      exchange.layout.size = count(draft.fine_digits, steps[i].assignment.threads) *
                             count(draft.fine_digits, steps[i].assignment.registers);
      draft.shared = std::max(draft.shared, exchange.layout.size);
      continue;
    }
    bool const makhoul = i == 1 ? tile.read_makhoul : last && tile.write_makhoul;
    if (makhoul || (on_chip && (i == 1 || last))) {
      exchange.needed = true;
      exchange.fence = needed++ > 0;
      exchange.layout = makhoul ? makhoul_layout(tile, draft, i, element, capacity)
                                : rader_layout(tile, draft, i == 1, element, capacity);
      draft.shared = std::max(draft.shared, exchange.layout.size);
      continue;
    }
    if (same && draft.direct_dfts[i].fine_digit < 0) continue;
    int const before = draft.hermitian.in_middle && draft.hermitian.step + 1 == int(i)
                           ? steps[i - 2].radix_stage
                           : steps[i - 1].radix_stage;
    bool const again = steps[i].radix_stage >= 0 && before >= 0 &&
                       draft.fine_digits.radix_stages[steps[i].radix_stage].again == before;
    if (again && !last && steps[i].assignment.cluster_ranks == steps[i - 1].assignment.cluster_ranks) {
      steps[i].assignment =
          steps[i - 1].assignment;  // the middle of a convolution: what is in registers is due again
      continue;
    }
    auto const options = last || cosines
                             ? std::vector<FineAssignment>{steps[i].assignment}
                             : reorderings(draft.fine_digits, steps[i - 1].assignment, steps[i].assignment);
    bool const hands_over =
        !last && steps[i + 1].assignment.cluster_ranks != steps[i].assignment.cluster_ranks;
    Index least = -1;
    for (FineAssignment const& option : hands_over ? ready_for(steps[i + 1].assignment, options) : options) {
      SharedLayout const layout =
          layout_between(draft.fine_digits, steps[i - 1].assignment, option, element, capacity);
      Index const after =
          hands_over ? pad(draft.fine_digits, option, steps[i + 1].assignment, element, capacity).conflicts
                     : 0;
      if (least >= 0 &&
          std::pair(layout.conflicts + after, layout.size) >= std::pair(least, exchange.layout.size))
        continue;
      exchange.layout = layout;
      steps[i].assignment = option;
      least = layout.conflicts + after;
      if (least == 0) break;
    }
    exchange.needed = true;
    exchange.paired =
        interleaved_lines(draft.fine_digits, steps[i - 1].assignment, steps[i].assignment, element) >= 0;
    exchange.remote = steps[i - 1].assignment.cluster_ranks != steps[i].assignment.cluster_ranks;
    exchange.fence =
        needed++ > 0 || exchange.remote;  // a block may not have started when a remote store comes
    draft.shared = std::max(draft.shared, exchange.layout.size);
  }
  for (auto const& e : draft.exchanges)
    if (e.paired) draft.shared += draft.shared % 2;  // a second buffer begins at an even place too
  if (!on_chip) return;
  Index const lines = reach(tile, draft, draft.rader.line) + 1;
  for (auto& e : draft.exchanges) e.base += lines;  // left-over points wait in front
  draft.shared += lines;
}

}  // namespace skipper
