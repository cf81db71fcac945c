#include "plan/lower/maps.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "base/numbers.h"

namespace skipper {

Index count(Atoms const& atoms, std::vector<int> const& list) {
  Index n = 1;
  for (int a : list) n *= atoms.atoms[a].extent;
  return n;
}

namespace {

using Stride = Index Atom::*;

std::vector<int> all_atoms(Atoms const& atoms) {
  std::vector<int> list(atoms.atoms.size());
  std::iota(list.begin(), list.end(), 0);
  return list;
}

std::vector<int> without(std::vector<int> const& list, std::vector<int> const& others) {
  std::uint64_t out =
      0;  // a bit an atom: this is asked ten thousands of times a plan, and no tile has 64 atoms
  for (int a : others) out |= std::uint64_t(1) << a;
  std::vector<int> rest;
  rest.reserve(list.size());
  for (int a : list)
    if (!(out >> a & 1)) rest.push_back(a);
  return rest;
}

std::vector<int> sorted(Atoms const& atoms, std::vector<int> list, Stride stride) {
  // By insertion: the lists are short and often sorted already.
  for (std::size_t i = 1; i < list.size(); ++i)
    for (std::size_t j = i; j > 0 && atoms.atoms[list[j]].*stride < atoms.atoms[list[j - 1]].*stride; --j)
      std::swap(list[j], list[j - 1]);
  return list;
}

std::vector<int> of_stage(Atoms const& atoms, int stage) {
  std::vector<int> list;
  for (int a = 0; a < int(atoms.atoms.size()); ++a)
    if (stage >= 0 && atoms.atoms[a].stage == atoms.home(stage)) list.push_back(a);
  return list;
}

}  // namespace

Index run(Atoms const& atoms, std::vector<int> const& list, Index Atom::*stride) {
  Index length = 1;
  for (int a : sorted(atoms, list, stride)) {
    if (atoms.atoms[a].*stride != length) break;
    length *= atoms.atoms[a].extent;
  }
  return length;
}

namespace {

/// The first atoms of `preferred` whose extents multiply to n; n must divide their product.
std::vector<int> multiply_to(Atoms const& atoms, std::vector<int> const& preferred, Index n) {
  std::vector<int> list;
  for (int a : preferred)
    if (n % atoms.atoms[a].extent == 0) {
      list.push_back(a);
      n /= atoms.atoms[a].extent;
    }
  return n == 1 ? list : std::vector<int>{};
}

std::vector<int> joined(std::vector<int> a, std::vector<int> const& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Whether a stage's threads touch memory in whole sectors, or at least as well as the tile allows.
bool direct(Atoms const& atoms, MapLimits const& limits, int stage, std::vector<int> const& ranks,
            Stride stride) {
  auto const held = without(all_atoms(atoms), ranks);
  return run(atoms, without(held, of_stage(atoms, stage)), stride) >=
         std::min(limits.sector, run(atoms, held, stride));
}

/// The order of the stages and, for clusters, where the ranks change hands: before stage number `turn` they count
/// `first`, then `second`, and from stage number `back` on, where stages are gone through again, `third`.
struct Course {
  std::vector<int> stages;
  int turn = 0, back = 0;
  std::vector<int> first, second, third;
  int extra_steps = 0;                 // loads and stores that need a step of their own
  bool reads = false, writes = false;  // the first stage can load, the last one can store
  Index reach = 0;                     // of the threads' runs, the longer the better
  int first_stage() const { return stages.empty() ? -1 : stages.front(); }
  int last_stage() const { return stages.empty() ? -1 : stages.back(); }
  std::vector<int> const& ranks(int stage) const {
    return stage < turn ? first : stage < back ? second : third;
  }
  /// How far from the middle of the way there the ranks change hands, where they do again on the way back: at the first or
  /// last of its steps threads have less to store side by side.
  int aside() const {
    int const n = int(stages.size());
    return back < n ? std::abs(4 * turn - n) : 0;
  }
  bool better_than(Course const& o) const {
    return std::tuple(extra_steps, -reach, aside()) < std::tuple(o.extra_steps, -o.reach, o.aside());
  }
};

class Navigator {
 public:
  Navigator(Atoms const& atoms, MapLimits const& limits) : atoms_(atoms), limits_(limits) {}

  Course best() {
    std::vector<int> next;  // of each sub-transform, the stage that is due
    for (int s = 0; s < int(atoms_.stages.size()); ++s)
      if (s == 0 || atoms_.stages[s].sub != atoms_.stages[s - 1].sub) next.push_back(s);
    std::vector<int> course;
    extend(next, course);
    if (!best_)
      throw Error("program: tier", "a cluster of " + std::to_string(limits_.ranks) +
                                       " blocks does not divide this tile; use another tier");
    return *best_;
  }

 private:
  /// Whether the stage undoes the one that is due to be undone: the last there is the first back.
  bool turns_back(int stage, std::vector<int> const& course) const {
    std::size_t const there = atoms_.stages.size() / 2;
    return course.size() >= there && atoms_.stages[stage].again == course[2 * there - 1 - course.size()];
  }

  void extend(std::vector<int>& next, std::vector<int>& course) {
    if (tried_ > 4000) return;  // enough for four axes of two stages; more would only shuffle the middle
    if (course.size() == atoms_.stages.size()) {
      ++tried_;
      consider(course);
      return;
    }
    for (int& due : next) {
      if (due < 0) continue;
      int const stage = due, waits_for = atoms_.stages[stage].waits_for;
      bool const waits = waits_for >= 0 && std::any_of(next.begin(), next.end(), [&](int d) {
                           return d >= 0 && atoms_.stages[d].sub == waits_for;
                         });
      bool const back = atoms_.joint && atoms_.stages[stage].again >= 0;
      if (back ? !turns_back(stage, course) : waits) continue;
      course.push_back(stage);
      due = atoms_.stages[stage].last ? -1 : stage + 1;
      extend(next, course);
      due = stage;
      course.pop_back();
    }
  }

  void consider(std::vector<int> const& stages) {
    int const n = int(stages.size());
    if (limits_.ranks ==
        1) {  // then only the ends of a course matter, and of those alike the first one stays
      if (n == 0 || ends_seen_.insert({stages.front(), stages.back()}).second)
        weigh({stages, n, n, {}, {}, {}});
      return;
    }
    auto const never_busy =
        is_fresh(stages, n, n) ? ranks_outside(stages, 0, n, &Atom::read) : std::vector<int>{};
    if (!never_busy.empty() && atoms_.folded < 0) weigh({stages, n, n, never_busy, never_busy, never_busy});
    for (int turn = 1; turn < n; ++turn) {
      if (!is_fresh(stages, turn, n)) continue;
      auto const first = ranks_outside(stages, 0, turn, &Atom::read);
      auto const second = ranks_outside(stages, turn, n, &Atom::write);
      if (first.empty() || second.empty()) continue;
      if (atoms_.folded < 0) weigh({stages, turn, n, first, second, second});
      bool const head = atoms_.mirrors_head;
      for (auto const& rows : atoms_.folded < 0 ? std::vector<std::vector<int>>{}
                                                : ranks_of_rows(stages, head ? 0 : turn, head ? turn : n))
        head ? weigh({stages, turn, n, rows, second, second}) : weigh({stages, turn, n, first, rows, rows});
    }
    for (int turn = 1; goes_back(stages) && turn <= n - turn; ++turn) {
      int const back = n - turn;
      if (!is_fresh(stages, turn, back)) continue;
      auto const first = ranks_outside(stages, 0, turn, &Atom::read);
      auto const second = ranks_amid(stages, turn, back);
      auto const third = ranks_outside(stages, back, n, &Atom::write);
      if (!first.empty() && !second.empty() && !third.empty())
        weigh({stages, turn, back, first, second, third});
    }
  }

  /// Whether no course before was like this one where the ranks change hands: the same stages at its ends and the same ones,
  /// in any order, before, between and after. Of those alike the first one stays.
  bool is_fresh(std::vector<int> const& stages, int turn, int back) {
    constexpr int most = 20;
    int const n = int(stages.size());
    if (n == 0 || n > most) return true;
    std::uint64_t key = back < n ? std::uint64_t(stages[turn - 1] + 1) : 0;
    key = key << 5 | std::uint64_t(stages.front());
    key = key << 5 | std::uint64_t(stages.back());
    std::uint64_t before = 0, after = 0;
    for (int i = 0; i < turn; ++i) before |= std::uint64_t(1) << stages[i];
    for (int i = back; i < n; ++i) after |= std::uint64_t(1) << stages[i];
    return changes_seen_.insert((key << most | before) << most | after).second;
  }

  /// Whether none of the atoms is transformed in the stages from..to, or transformed twice at all.
  bool are_free(std::vector<int> const& list, std::vector<int> const& stages, int from, int to) const {
    bool free = true;
    for (int a : list)
      for (int i = 0; i < int(stages.size()); ++i) {
        bool const own = atoms_.home(stages[i]) == atoms_.atoms[a].stage;
        free = free && !(own && ((i >= from && i < to) || atoms_.stages[stages[i]].again >= 0));
      }
    return free;
  }

  /// Atoms to count ranks at a mirror, while the stages from..to run: the lowest part of an index that is not halved, below
  /// one that tells rows from their twins (kernel/twins.h); of the axes that have such the slowest comes first. Of a line by
  /// itself a part as high up as can be, so that each block has runs.
  std::vector<std::vector<int>> ranks_of_rows(std::vector<int> const& stages, int from, int to) const {
    std::vector<std::vector<int>> all;
    int const subs = atoms_.stages.back().sub + 1;
    auto const weight = [&](int a) { return atoms_.mirrors_head ? atoms_.atoms[a].j : atoms_.atoms[a].k; };
    for (int own = subs - 1; own >= 0; --own) {
      if (own == atoms_.folded && subs > 1) continue;
      std::vector<int> list;
      for (int a = 0; a < int(atoms_.atoms.size()); ++a)
        if (int const s = atoms_.atoms[a].stage; s >= 0 && atoms_.stages[s].sub == own) list.push_back(a);
      std::sort(list.begin(), list.end(), [&](int a, int b) { return weight(a) < weight(b); });
      for (std::size_t i = own == atoms_.folded ? list.size() : 1; i-- > 0;) {
        std::vector<int> ranks(list.begin() + std::ptrdiff_t(i), list.end());
        Index const twin = weight(list[i]) * limits_.ranks;
        while (weight(ranks.back()) > twin) ranks.pop_back();
        bool const told = weight(ranks.back()) == twin && atoms_.atoms[ranks.back()].extent == 2;
        if (!told || (own == atoms_.folded && i == 0) || !are_free(ranks, stages, from, to)) continue;
        ranks.pop_back();  // which tells rows from twins
        all.push_back(ranks);
        break;
      }
    }
    return all;
  }

  bool goes_back(std::vector<int> const& stages) const {
    return std::any_of(stages.begin(), stages.end(), [&](int s) { return atoms_.stages[s].again >= 0; });
  }

  /// Atoms to count ranks while the stages from..to run: none of theirs, those with the largest strides.
  std::vector<int> const& ranks_outside(std::vector<int> const& stages, int from, int to, Stride stride) {
    std::vector<int> busy(stages.begin() + from, stages.begin() + to);
    std::sort(busy.begin(), busy.end());
    auto const [known, fresh] = ranks_of_.try_emplace({stride == &Atom::read, busy});
    if (fresh) {
      std::vector<int> taken;
      for (int stage : busy)
        for (int a : of_stage(atoms_, stage)) taken.push_back(a);
      auto free = sorted(atoms_, without(all_atoms(atoms_), taken), stride);
      std::reverse(free.begin(), free.end());
      known->second = multiply_to(atoms_, free, limits_.ranks);
    }
    return known->second;
  }

  /// The same from the turn to where stages are gone through again, when memory has no say: atoms that were in the registers
  /// before, so that neighbouring threads store into the same block.
  std::vector<int> ranks_amid(std::vector<int> const& stages, int turn, int back) const {
    std::vector<int> taken;
    for (int s = turn; s < back; ++s)
      for (int a : of_stage(atoms_, stages[s])) taken.push_back(a);
    auto const before = without(of_stage(atoms_, stages[turn - 1]), taken);
    auto const others = sorted(atoms_, without(without(all_atoms(atoms_), taken), before), &Atom::write);
    return multiply_to(atoms_, joined({before.rbegin(), before.rend()}, {others.rbegin(), others.rend()}),
                       limits_.ranks);
  }

  struct End {
    bool direct = false;
    Index reach = 0;
  };
  /// One end of a course: many courses share it.
  End const& end(int stage, std::vector<int> const& ranks, Stride stride) {
    auto const [known, fresh] = ends_.try_emplace({stage, stride == &Atom::read, ranks});
    if (fresh)
      known->second = {
          direct(atoms_, limits_, stage, ranks, stride),
          std::min<Index>(
              run(atoms_, without(all_atoms(atoms_), joined(of_stage(atoms_, stage), ranks)), stride),
              4 * limits_.sector)};
    return known->second;
  }

  void weigh(Course course) {
    End const& first = end(course.first_stage(), course.first, &Atom::read);
    End const& last = end(course.last_stage(), course.third, &Atom::write);
    course.reads = first.direct;
    course.writes = last.direct;
    course.extra_steps = !first.direct + !last.direct;
    course.reach = first.reach + last.reach;
    if (!best_ || course.better_than(*best_)) best_ = course;
  }

  Atoms const& atoms_;
  MapLimits const& limits_;
  std::optional<Course> best_;
  int tried_ = 0;
  std::set<std::pair<int, int>> ends_seen_;
  std::unordered_set<std::uint64_t> changes_seen_;
  std::map<std::pair<bool, std::vector<int>>, std::vector<int>> ranks_of_;
  std::map<std::tuple<int, bool, std::vector<int>>, End> ends_;
};

/// Registers hold the stage's own atoms and as many others as fill them: the slowest in memory, and none that would
/// break the runs that neighbouring threads touch.
AtomMap map_of(Atoms const& atoms, int stage, std::vector<int> const& ranks, Index held, Stride stride,
               Index sector) {
  auto const own = of_stage(atoms, stage);
  auto const others = sorted(atoms, without(without(all_atoms(atoms), own), ranks), stride);
  std::vector<int> slowest(others.rbegin(), others.rend());
  if (atoms.by_chirps)  // what a thread looks up then serves all of its lines
    std::stable_partition(slowest.begin(), slowest.end(), [&](int a) { return atoms.atoms[a].stage < 0; });
  Index const wanted = std::min(4 * sector, run(atoms, others, stride));
  auto repeats = divisors(count(atoms, others));
  std::vector<int> more;
  for (auto d = repeats.rbegin(); d != repeats.rend(); ++d) {
    if (*d * count(atoms, own) > held && *d > 1) continue;
    more = multiply_to(atoms, slowest, *d);
    if (run(atoms, without(others, more), stride) >= wanted) break;
  }
  AtomMap map{without(others, more), own, ranks};
  more = sorted(atoms, more, stride);
  map.registers.insert(map.registers.end(), more.begin(), more.end());
  return map;
}

}  // namespace

namespace {

/// The maps of a course's stages when a thread holds so many elements, each worked out once; after them the one in
/// which a single stage stores.
using StageMaps = std::vector<std::optional<AtomMap>>;

/// The steps of a course when a thread holds about `held` elements in stages, `moved` in steps that only move.
std::vector<MapStep> steps_of(Atoms const& atoms, MapLimits const& limits, Course const& course, Index held,
                              Index moved, StageMaps& stage_maps) {
  int const n = int(course.stages.size());
  std::vector<MapStep> steps;
  auto const add = [&](AtomMap const& map, int stage) {
    if (stage >= 0 || atoms.by_powers || atoms.write_zigzag || steps.empty() || steps.back().map != map)
      steps.push_back({map, stage});
  };
  auto const moving = [&](std::vector<int> const& ranks, Stride stride) {
    // In the order of powers all threads are wanted elsewhere: shorter runs do.
    Index const sector = atoms.by_powers ? (limits.sector + 1) / 2 : limits.sector;
    return map_of(atoms, -1, ranks, moved, stride, sector);
  };
  auto const staged = [&](int slot, int stage, std::vector<int> const& ranks, Stride stride) {
    auto& map = stage_maps[std::size_t(slot)];
    bool const loads = atoms.beside_powers(stage);
    if (!map)
      map = map_of(atoms, stage, ranks, loads ? moved : held,
                   atoms.by_powers && !loads ? &Atom::apart : stride, limits.sector);
    return *map;
  };
  // What is dense is put by the step before, and comes out as the step after wants it.
  auto const dense = [&](int i) { return atoms.stages[course.stages[i]].dense; };
  bool const reads = n > 0 && !atoms.by_powers && !atoms.read_zigzag && course.reads && !dense(0);
  bool const writes = n > 0 && !atoms.by_powers && !atoms.write_zigzag && (course.writes || dense(n - 1));
  // A block loads and stores a run of a routed line.
  auto const all = sorted(atoms, all_atoms(atoms), &Atom::read);
  auto const runs = multiply_to(atoms, {all.rbegin(), all.rend()}, atoms.routed ? limits.ranks : 1);
  if (!reads && atoms.rest == 1) add(moving(atoms.routed ? runs : course.first, &Atom::read), -1);
  for (int i = 0; i < n; ++i) {
    int at = i;
    while (at < n && dense(at)) ++at;
    Stride const stride = at == n - 1 && at > 0 ? &Atom::write : &Atom::read;
    add(at < n ? staged(at, course.stages[at], course.ranks(i), stride)
               : moving(course.ranks(i), &Atom::write),
        course.stages[i]);
  }
  if (!writes)
    add(moving(atoms.routed ? runs : course.third, &Atom::write), -1);
  else if (n == 1 && !dense(0))  // one stage cannot serve two orders of memory: store in the other order
    add(staged(n, course.last_stage(), course.third, &Atom::write), -1);
  return steps;
}

Index most_threads(Atoms const& atoms, std::vector<MapStep> const& steps, bool stages_only) {
  Index most = 1;
  for (MapStep const& s : steps)
    if (s.stage >= 0 || !stages_only) most = std::max(most, count(atoms, s.map.threads));
  return most;
}

Index most_held(Atoms const& atoms, std::vector<MapStep> const& steps) {
  Index most = 1;
  for (MapStep const& s : steps) most = std::max(most, count(atoms, s.map.registers));
  return most;
}

/// The steps when stages hold about `held` elements a thread; none where the threads do not suffice.
std::vector<MapStep> steps_dealt(Atoms const& atoms, MapLimits const& limits, Course const& course,
                                 Index held) {
  Index const points = count(atoms, all_atoms(atoms)) / limits.ranks;
  StageMaps maps(course.stages.size() + 1);
  if (most_threads(atoms, steps_of(atoms, limits, course, held, held, maps), true) > limits.threads)
    return {};
  // Where all is dense there is nothing but moving, and what a thread holds says how many threads there are.
  bool const all_dense = !atoms.stages.empty() && std::all_of(atoms.stages.begin(), atoms.stages.end(),
                                                              [](Stage const& s) { return s.dense; });
  if (all_dense) {
    auto steps = steps_of(atoms, limits, course, held, held, maps);
    return most_threads(atoms, steps, false) <= limits.threads ? steps : std::vector<MapStep>{};
  }
  Index const working = most_threads(atoms, steps_of(atoms, limits, course, held, 1, maps), true);
  auto const moved_by = [&](Index threads, Index most_threads_all, Index most_moved) {
    for (Index moved : divisors(points)) {
      if (moved > most_moved) break;
      if (moved * threads < points) continue;
      auto steps = steps_of(atoms, limits, course, held, moved, maps);
      if (most_threads(atoms, steps, false) <= most_threads_all) return steps;
    }
    return std::vector<MapStep>{};
  };
  // A long codelet takes so many registers that threads which only move would cost an SM a block.
  constexpr int long_codelet = 41;
  if (atoms.stages.size() == 1 && atoms.stages[0].radix >= long_codelet)
    if (auto steps = moved_by(working, working, limits.most_registers); !steps.empty()) return steps;
  Index const wanted = std::max<Index>(128, working);
  if (atoms.read_zigzag || atoms.write_zigzag)
    if (auto steps = moved_by(wanted, wanted, held); !steps.empty()) return steps;
  return moved_by(wanted, limits.threads, held);
}

}  // namespace

std::vector<std::vector<MapStep>> map_steps(Atoms const& atoms, MapLimits const& limits) {
  Course const course = Navigator(atoms, limits).best();
  Index const points = count(atoms, all_atoms(atoms)) / limits.ranks;
  Index radix = 1;
  for (Stage const& s : atoms.stages) radix = std::max<Index>(radix, s.registers());
  Index least = radix;  // what a thread must hold at least, so that every stage fits the threads
  for (Stage const& s : atoms.stages) {
    Index const own = s.registers();
    auto const repeats = divisors(points / own);
    auto const enough = std::find_if(repeats.begin(), repeats.end(),
                                     [&](Index d) { return points / own / d <= limits.threads; });
    least = std::max(least, own * *enough);
  }
  // Small tiles spread over a few warps rather than fill the registers of a few threads.
  Index const comfortable = std::min<Index>(limits.registers, std::max<Index>(1, points / 64));
  std::set<Index> tries{least, std::max(least, comfortable)};  // only multiples of a radix make a difference
  bool const dense =
      std::any_of(atoms.stages.begin(), atoms.stages.end(), [](Stage const& s) { return s.dense; });
  for (Stage const& s : atoms.stages)
    for (Index held = s.registers(); held <= limits.most_registers; held += dense ? held : s.radix)
      if (held > least) tries.insert(held);
  std::vector<std::vector<MapStep>> found;
  int patience = 8;
  for (Index held : tries) {
    if (held > limits.most_registers || patience-- == 0) break;
    auto steps = steps_dealt(atoms, limits, course, held);
    if (steps.empty()) continue;
    if (found.empty() || most_held(atoms, steps) > most_held(atoms, found.back()))
      found.push_back(std::move(steps));
  }
  if (!found.empty()) return found;
  throw Error("program: tile", "cannot be dealt to " + std::to_string(limits.threads) + " threads of " +
                                   std::to_string(limits.most_registers) + " elements; use a smaller tile");
}

std::vector<AtomMap> reorderings(Atoms const& atoms, AtomMap const& before, AtomMap const& proposal) {
  // Threads stay where they were; those that come out of registers take the places of those that went in.
  AtomMap kept = proposal;
  kept.threads.clear();
  auto const stays = [&](int a) {
    return std::find(proposal.threads.begin(), proposal.threads.end(), a) != proposal.threads.end();
  };
  for (int a : before.threads)
    if (stays(a)) kept.threads.push_back(a);
  for (int a : without(proposal.threads, kept.threads)) kept.threads.push_back(a);
  AtomMap kept_after = proposal;  // newcomers first
  kept_after.threads = without(proposal.threads, before.threads);
  for (int a : before.threads)
    if (stays(a)) kept_after.threads.push_back(a);
  AtomMap by_write = proposal;
  by_write.threads = sorted(atoms, proposal.threads, &Atom::write);
  return {proposal, kept, by_write, kept_after};
}

}  // namespace skipper
