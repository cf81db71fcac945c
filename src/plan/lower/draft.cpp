// See draft.h.
#include "plan/lower/draft.h"

#include <algorithm>
#include <map>

namespace skipper {
namespace {

using kernel::SweepSpec;

/// Chains of fine digits, fastest first.
using Chains = std::vector<std::vector<int>>;

std::vector<std::vector<Index> const*> forms_of(Draft const& d) {
  std::vector<std::vector<Index> const*> forms{&d.read.tile, &d.write.tile};
  for (auto const& g : d.guards) forms.push_back(&g.at.tile);
  for (auto const* end : {&d.load_factor, &d.store_factor})
    if (end->needed) forms.push_back(&end->at.tile);
  for (auto const& m : d.middles)
    if (m.needed) forms.push_back(&m.at.tile);
  for (auto const& axis : d.symbol) forms.push_back(&axis.tile);
  for (auto const& e : d.exchanges)
    if (e.needed) forms.push_back(&e.layout.weight);
  for (auto const& t : d.twiddles)
    if (t.kind != kernel::Twiddling::none) forms.insert(forms.end(), {&t.k.tile, &t.low.tile});
  forms.insert(forms.end(), {&d.pre.index.tile, &d.post.index.tile});
  for (auto const& m : d.conjugate_index) forms.push_back(&m.tile);
  if (d.hermitian.columns) forms.push_back(&d.parity.tile);
  if (d.hermitian.conjugate_rows.used) forms.push_back(&d.conjugate.tile);
  if (d.hermitian.crossed_axis.used) forms.insert(forms.end(), {&d.row.tile, &d.cross.tile});
  if (d.rader.rader.used)
    forms.insert(forms.end(), {&d.rader.exponent.tile, &d.rader.entry.tile, &d.rader.line.tile});
  return forms;
}

bool neighbours(std::vector<int> const& list, int a, int b) {
  auto const at = std::find(list.begin(), list.end(), a);
  return at != list.end() && at + 1 != list.end() && *(at + 1) == b;
}

bool on_lines(Draft const& d, int a) {
  auto const has = [&](std::vector<int> const& list) {
    return std::find(list.begin(), list.end(), a) != list.end();
  };
  return has(d.lines->threads) || has(d.lines->registers);
}

/// Whether fine digit b can follow fine digit a in one digit.
bool joins(Draft const& d, int a, int b) {
  for (AssignedStep const& s : d.steps)
    if (!neighbours(s.assignment.threads, a, b) && !neighbours(s.assignment.registers, a, b) &&
        !neighbours(s.assignment.cluster_ranks, a, b))
      return false;
  if (d.lines && !neighbours(d.lines->threads, a, b) && !neighbours(d.lines->registers, a, b) &&
      (on_lines(d, a) || on_lines(d, b)))
    return false;
  if (d.fine_digits.digits[a].radix_stage != d.fine_digits.digits[b].radix_stage) return false;
  for (auto const* form : forms_of(d))
    if ((*form)[b] != (*form)[a] * d.fine_digits.digits[a].extent) return false;
  return true;
}

Chains chains_of(Draft const& d) {
  Chains chains;
  std::vector<bool> taken(d.fine_digits.digits.size(), false);
  auto const starts = [&](int a) {
    for (int b = 0; b < int(taken.size()); ++b)
      if (b != a && joins(d, b, a)) return false;
    return true;
  };
  for (int a = 0; a < int(taken.size()); ++a) {
    if (!starts(a)) continue;
    chains.push_back({a});
    for (bool grew = true; grew;) {
      grew = false;
      for (int b = 0; b < int(taken.size()) && !grew; ++b)
        if (b != chains.back().back() && joins(d, chains.back().back(), b)) {
          chains.back().push_back(b);
          grew = true;
        }
    }
  }
  return chains;
}

void demand(bool fits, std::string const& what, Index limit) {
  if (!fits)
    throw Error("program: sweep",
                "needs more than " + std::to_string(limit) + " " + what + "; use a smaller tile");
}

class Assembly {
 public:
  Assembly(Draft const& draft, Tile const& tile) : draft_(draft), tile_(tile), chains_(chains_of(draft)) {
    for (int d = 0; d < int(chains_.size()); ++d) digit_of_[chains_[d].front()] = d;
  }

  SweepSpec run() {
    demand(int(chains_.size()) <= kernel::max_digits, "digits", kernel::max_digits);
    demand(int(draft_.grid.size()) <= kernel::max_grid, "grid digits", kernel::max_grid);
    int const steps = int(draft_.steps.size()) + (ordered_on_chip() || draft_.lines);
    demand(steps <= kernel::max_steps, "steps", kernel::max_steps);
    demand(int(draft_.guards.size()) <= kernel::max_guards, "ragged digits", kernel::max_guards);
    addresses();
    ends();
    spec_.shared = int(draft_.shared);
    spec_.steps = int(draft_.steps.size());
    for (int i = 0; i < spec_.steps; ++i) {
      set_assignment(i);
      exchange(i);
      twiddle(i);
      pointwise(draft_.middles[i], spec_.step[i].middle);
    }
    if (draft_.rader.rader.used) rader();
    spec_.shared_rader = draft_.shared_rader;
    symbol();
    if (draft_.lines) assign(*draft_.lines, spec_.step[spec_.steps].assignment);
    demand(max_elements_per_thread(spec_) <= kernel::max_registers, "elements a thread",
           kernel::max_registers);
    return spec_;
  }

 private:
  void fill(FineAffineMap const& form, kernel::AffineMap& out) const {
    for (std::size_t d = 0; d < chains_.size(); ++d) out.tile[d] = form.tile[chains_[d].front()];
    for (std::size_t g = 0; g < form.grid.size(); ++g) out.grid[g] = form.grid[g];
  }

  void addresses() {
    spec_.digits = int(chains_.size());
    for (int d = 0; d < spec_.digits; ++d) spec_.extent[d] = int(count(draft_.fine_digits, chains_[d]));
    spec_.grids = int(draft_.grid.size());
    for (int g = 0; g < spec_.grids; ++g) spec_.grid_extent[g] = tile_.carried[draft_.grid[g]].piece.extent;
    fill(draft_.read, spec_.read);
    fill(draft_.write, spec_.write);
    spec_.cropped = draft_.cropped;
    for (auto const& from : draft_.guards) {
      kernel::Guard& to = spec_.guard[spec_.guards++];
      fill(from.at, to.at);
      to.first = from.first;
      to.bound = from.bound;
      to.reads = from.reads;
      to.writes = from.writes;
    }
    pointwise(draft_.load_factor, spec_.load_factor);
    pointwise(draft_.store_factor, spec_.store_factor);
  }

  void pointwise(Draft::Pointwise const& from, kernel::Pointwise& to) const {
    to.needed = from.needed;
    to.table = from.table;
    to.given = from.given;
    if (from.needed) fill(from.at, to.at);
  }

  /// One table after the other, each as long as its index goes: past a ragged edge too.
  void symbol() {
    demand(int(draft_.symbol.size()) <= kernel::max_symbols, "axes of a symbol", kernel::max_symbols);
    kernel::Symbol& to = spec_.symbol;
    Index table = 0;
    for (FineAffineMap const& from : draft_.symbol) {
      to.table[to.axes] = table;
      fill(from, to.at[to.axes]);
      table += symbol_entries(spec_, to.axes++);
    }
    to.hermitian = draft_.hermitian.in_middle ? draft_.symbol_hermitian : -1;
    to.partners = draft_.hermitian.in_middle ? table : 0;
  }

  void ends() {
    spec_.pre = draft_.pre.side;
    spec_.post = draft_.post.side;
    fill(draft_.pre.index, spec_.pre.index);
    fill(draft_.post.index, spec_.post.index);
    spec_.hermitian = draft_.hermitian;
    for (std::size_t m = 0; m < draft_.conjugate_index.size(); ++m)
      for (int d = 0; d < spec_.digits; ++d)
        spec_.hermitian.index[m].tile[d] = draft_.conjugate_index[m].tile[chains_[d].front()];
    if (draft_.hermitian.crossed_axis.used) {
      fill(draft_.row, spec_.hermitian.crossed_axis.row);
      fill(draft_.cross, spec_.hermitian.crossed_axis.index);
    }
    for (int d = 0; d < spec_.digits && draft_.hermitian.columns; ++d)
      spec_.hermitian.parity[d] = int(draft_.parity.tile[chains_[d].front()]);
    for (int d = 0; d < spec_.digits && draft_.hermitian.conjugate_rows.used; ++d)
      if (draft_.conjugate.tile[chains_[d].front()] > 0) spec_.hermitian.conjugate_rows.digit = d;
  }

  void rader() {
    spec_.rader = draft_.rader.rader;
    for (int d = 0; d < spec_.digits; ++d) {
      int const fine_digit = chains_[d].front();
      spec_.rader.exponent[d] = int(draft_.rader.exponent.tile[fine_digit]);
      spec_.rader.entry[d] = int(draft_.rader.entry.tile[fine_digit]);
      spec_.rader.line[d] = int(draft_.rader.line.tile[fine_digit]);
    }
    if (ordered_on_chip()) assign_lines();
  }

  bool ordered_on_chip() const { return draft_.rader.rader.used && !draft_.rader.rader.across_cluster; }

  /// To threads, in the assignment after the last step.
  void assign_lines() {
    kernel::Assignment& lines = spec_.step[spec_.steps].assignment;
    for (int d = 0; d < spec_.digits; ++d) {
      int const fine_digit = chains_[d].front();
      bool const beside =
          draft_.fine_digits.rader_cofactor(draft_.fine_digits.digits[fine_digit].radix_stage);
      if (spec_.rader.line[d] > 0 && !beside) lines.order[lines.thread_digits++] = d;
    }
    std::sort(lines.order, lines.order + lines.thread_digits,
              [&](int a, int b) { return spec_.rader.line[a] < spec_.rader.line[b]; });
    if (draft_.fine_digits.cofactor == 1) return;
    kernel::Step const& first = spec_.step[0];  // left-over points go through its butterfly too
    kernel::Step& last = spec_.step[spec_.steps];
    last.radix = first.radix;
    last.group_size = first.group_size;
    for (int g = 0; g < first.group_size; ++g)
      lines.order[lines.thread_digits + lines.register_digits++] = last.group[g] = first.group[g];
  }

  void assign(FineAssignment const& from, kernel::Assignment& to) {
    int place = 0;
    auto const add = [&](std::vector<int> const& fine_digits, int& counted) {
      for (int a : fine_digits)
        if (digit_of_.count(a)) to.order[place++] = digit_of_[a], ++counted;
    };
    add(from.threads, to.thread_digits);
    add(from.registers, to.register_digits);
    add(from.cluster_ranks, to.cluster_rank_digits);
  }

  void set_assignment(int i) {
    kernel::Step& step = spec_.step[i];
    AssignedStep const& from = draft_.steps[i];
    assign(from.assignment, step.assignment);
    if (from.radix_stage < 0) return;
    if (auto const& direct_dft = draft_.direct_dfts[i]; direct_dft.fine_digit >= 0) {
      step.direct_dft = {true, digit_of_[direct_dft.fine_digit], direct_dft.table, direct_dft.symmetric};
      return;
    }
    step.radix = draft_.fine_digits.radix_stages[from.radix_stage].radix;
    for (std::size_t a = 0; a < draft_.fine_digits.digits.size(); ++a)  // in order of weight: fastest first
      if (draft_.fine_digits.digits[a].radix_stage == draft_.fine_digits.home(from.radix_stage) &&
          digit_of_.count(int(a))) {
        demand(step.group_size < kernel::max_group, "digits in one butterfly", kernel::max_group);
        step.group[step.group_size++] = digit_of_[int(a)];
      }
  }

  void exchange(int i) {
    auto const& from = draft_.exchanges[i];
    kernel::Exchange& to = spec_.step[i].exchange;
    if (!from.needed) return;
    to.needed = true;
    to.remote = from.remote;
    to.fence = from.fence;
    to.keep = from.keep;
    to.paired = from.paired;
    to.base = int(from.base);
    for (int d = 0; d < spec_.digits; ++d) to.weight[d] = int(from.layout.weight[chains_[d].front()]);
  }

  void twiddle(int i) {
    auto const& from = draft_.twiddles[i];
    kernel::Twiddle& to = spec_.step[i].twiddle;
    to.kind = from.kind;
    if (from.kind == kernel::Twiddling::none) return;
    for (int d = 0; d < spec_.digits; ++d) to.k[d] = from.k.tile[chains_[d].front()];
    fill(from.low, to.low);
    to.rows = from.rows;
    to.shift = from.shift;
    to.table = from.table;
    to.table_low = from.table_low;
  }

  Draft const& draft_;
  Tile const& tile_;
  Chains chains_;
  std::map<int, int> digit_of_;  // by the first fine digit of a chain
  SweepSpec spec_;
};

}  // namespace

SweepSpec assemble(Draft const& draft, Tile const& tile) { return Assembly(draft, tile).run(); }

}  // namespace skipper
