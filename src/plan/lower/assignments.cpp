// See assignments.h.
#include "plan/lower/assignments.h"

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

std::vector<int> concatenated(std::vector<int> a, std::vector<int> const& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Index count(FineDigits const& fine_digits, std::vector<int> const& list) {
  Index n = 1;
  for (int a : list) n *= fine_digits.digits[a].extent;
  return n;
}

namespace {

using Stride = Index FineDigit::*;

std::vector<int> all_fine_digits(FineDigits const& fine_digits) {
  std::vector<int> list(fine_digits.digits.size());
  std::iota(list.begin(), list.end(), 0);
  return list;
}

std::vector<int> without(std::vector<int> const& list, std::vector<int> const& others) {
  std::uint64_t out =
      0;  // a bit a fine digit: this is called ten thousands of times a plan, and no tile has 64 fine digits
  for (int a : others) out |= std::uint64_t(1) << a;
  std::vector<int> rest;
  rest.reserve(list.size());
  for (int a : list)
    if (!(out >> a & 1)) rest.push_back(a);
  return rest;
}

std::vector<int> sorted(FineDigits const& fine_digits, std::vector<int> list, Stride stride) {
  // By insertion: the lists are short and often sorted already.
  for (std::size_t i = 1; i < list.size(); ++i)
    for (std::size_t j = i;
         j > 0 && fine_digits.digits[list[j]].*stride < fine_digits.digits[list[j - 1]].*stride; --j)
      std::swap(list[j], list[j - 1]);
  return list;
}

std::vector<int> of_radix_stage(FineDigits const& fine_digits, int radix_stage) {
  std::vector<int> list;
  for (int a = 0; a < int(fine_digits.digits.size()); ++a)
    if (radix_stage >= 0 && fine_digits.digits[a].radix_stage == fine_digits.home(radix_stage))
      list.push_back(a);
  return list;
}

}  // namespace

Index run(FineDigits const& fine_digits, std::vector<int> const& list, Index FineDigit::*stride) {
  Index length = 1;
  for (int a : sorted(fine_digits, list, stride)) {
    if (fine_digits.digits[a].*stride != length) break;
    length *= fine_digits.digits[a].extent;
  }
  return length;
}

namespace {

/// The first fine digits of `preferred` whose extents multiply to n; n must divide their product.
std::vector<int> multiply_to(FineDigits const& fine_digits, std::vector<int> const& preferred, Index n) {
  std::vector<int> list;
  for (int a : preferred)
    if (n % fine_digits.digits[a].extent == 0) {
      list.push_back(a);
      n /= fine_digits.digits[a].extent;
    }
  return n == 1 ? list : std::vector<int>{};
}

/// Whether a radix stage's threads touch memory in whole sectors, or at least as well as the tile allows.
bool direct(FineDigits const& fine_digits, AssignmentLimits const& limits, int radix_stage,
            std::vector<int> const& cluster_ranks, Stride stride) {
  auto const held = without(all_fine_digits(fine_digits), cluster_ranks);
  return run(fine_digits, without(held, of_radix_stage(fine_digits, radix_stage)), stride) >=
         std::min(limits.sector, run(fine_digits, held, stride));
}

/// The order of the radix stages and, for clusters, where the ranks change hands: before radix stage number `change` they count
/// `first`, then `second`, and from radix stage number `back` on, where radix stages are gone through again, `third`.
struct Course {
  std::vector<int> radix_stages;
  int change = 0, back = 0;
  std::vector<int> first, second, third;
  int extra_steps = 0;                 // loads and stores that need a step of their own
  bool reads = false, writes = false;  // the first radix stage can load, the last one can store
  Index reach = 0;                     // of the threads' runs, the longer the better
  int first_radix_stage() const { return radix_stages.empty() ? -1 : radix_stages.front(); }
  int last_radix_stage() const { return radix_stages.empty() ? -1 : radix_stages.back(); }
  std::vector<int> const& cluster_ranks(int radix_stage) const {
    return radix_stage < change ? first : radix_stage < back ? second : third;
  }
  /// How far from the middle of the way there the ranks change hands, where they do again on the way back: at the first or
  /// last of its steps threads have less to store side by side.
  int aside() const {
    int const n = int(radix_stages.size());
    return back < n ? std::abs(4 * change - n) : 0;
  }
  bool better_than(Course const& o) const {
    return std::tuple(extra_steps, -reach, aside()) < std::tuple(o.extra_steps, -o.reach, o.aside());
  }
};

class Navigator {
 public:
  Navigator(FineDigits const& fine_digits, AssignmentLimits const& limits)
      : fine_digits_(fine_digits), limits_(limits) {}

  Course best() {
    std::vector<int> next;  // of each sub-transform, the radix stage that is due
    for (int s = 0; s < int(fine_digits_.radix_stages.size()); ++s)
      if (s == 0 || fine_digits_.radix_stages[s].sub != fine_digits_.radix_stages[s - 1].sub)
        next.push_back(s);
    std::vector<int> course;
    extend(next, course);
    if (!best_)
      throw Error("program: tier", "a cluster of " + std::to_string(limits_.cluster_ranks) +
                                       " blocks does not divide this tile; use another tier");
    return *best_;
  }

 private:
  /// Whether the radix stage undoes the one that is due to be undone: the last there is the first back.
  bool undoes(int radix_stage, std::vector<int> const& course) const {
    std::size_t const there = fine_digits_.radix_stages.size() / 2;
    return course.size() >= there &&
           fine_digits_.radix_stages[radix_stage].again == course[2 * there - 1 - course.size()];
  }

  void extend(std::vector<int>& next, std::vector<int>& course) {
    if (tried_ > 4000)
      return;  // enough for four axes of two radix stages; more would only shuffle the middle
    if (course.size() == fine_digits_.radix_stages.size()) {
      ++tried_;
      consider(course);
      return;
    }
    for (int& due : next) {
      if (due < 0) continue;
      int const radix_stage = due, waits_for = fine_digits_.radix_stages[radix_stage].waits_for;
      bool const waits = waits_for >= 0 && std::any_of(next.begin(), next.end(), [&](int d) {
                           return d >= 0 && fine_digits_.radix_stages[d].sub == waits_for;
                         });
      bool const back = fine_digits_.fused_inverse && fine_digits_.radix_stages[radix_stage].again >= 0;
      if (back ? !undoes(radix_stage, course) : waits) continue;
      course.push_back(radix_stage);
      due = fine_digits_.radix_stages[radix_stage].last ? -1 : radix_stage + 1;
      extend(next, course);
      due = radix_stage;
      course.pop_back();
    }
  }

  void consider(std::vector<int> const& radix_stages) {
    int const n = int(radix_stages.size());
    if (limits_.cluster_ranks ==
        1) {  // then only the ends of a course matter, and of those alike the first one stays
      if (n == 0 || ends_seen_.insert({radix_stages.front(), radix_stages.back()}).second)
        weigh({radix_stages, n, n, {}, {}, {}});
      return;
    }
    auto const never_busy = is_fresh(radix_stages, n, n) ? ranks_outside(radix_stages, 0, n, &FineDigit::read)
                                                         : std::vector<int>{};
    if (!never_busy.empty() && fine_digits_.real_axis < 0)
      weigh({radix_stages, n, n, never_busy, never_busy, never_busy});
    for (int change = 1; change < n; ++change) {
      if (!is_fresh(radix_stages, change, n)) continue;
      auto const first = ranks_outside(radix_stages, 0, change, &FineDigit::read);
      auto const second = ranks_outside(radix_stages, change, n, &FineDigit::write);
      if (first.empty() || second.empty()) continue;
      if (fine_digits_.real_axis < 0) weigh({radix_stages, change, n, first, second, second});
      bool const pre = fine_digits_.splits_first;
      for (auto const& rows : fine_digits_.real_axis < 0
                                  ? std::vector<std::vector<int>>{}
                                  : map_at_rows(radix_stages, pre ? 0 : change, pre ? change : n))
        pre ? weigh({radix_stages, change, n, rows, second, second})
            : weigh({radix_stages, change, n, first, rows, rows});
    }
    for (int change = 1; goes_back(radix_stages) && change <= n - change; ++change) {
      int const back = n - change;
      if (!is_fresh(radix_stages, change, back)) continue;
      auto const first = ranks_outside(radix_stages, 0, change, &FineDigit::read);
      auto const second = ranks_amid(radix_stages, change, back);
      auto const third = ranks_outside(radix_stages, back, n, &FineDigit::write);
      if (!first.empty() && !second.empty() && !third.empty())
        weigh({radix_stages, change, back, first, second, third});
    }
  }

  /// Whether no course before was like this one where the ranks change hands: the same radix stages at its ends and the same
  /// ones, in any order, before, between and after. Of those alike the first one stays.
  bool is_fresh(std::vector<int> const& radix_stages, int change, int back) {
    constexpr int most = 20;
    int const n = int(radix_stages.size());
    if (n == 0 || n > most) return true;
    std::uint64_t key = back < n ? std::uint64_t(radix_stages[change - 1] + 1) : 0;
    key = key << 5 | std::uint64_t(radix_stages.front());
    key = key << 5 | std::uint64_t(radix_stages.back());
    std::uint64_t before = 0, after = 0;
    for (int i = 0; i < change; ++i) before |= std::uint64_t(1) << radix_stages[i];
    for (int i = back; i < n; ++i) after |= std::uint64_t(1) << radix_stages[i];
    return changes_seen_.insert((key << most | before) << most | after).second;
  }

  /// Whether none of the fine digits is transformed in the radix stages from..to, or transformed twice at all.
  bool are_free(std::vector<int> const& list, std::vector<int> const& radix_stages, int from, int to) const {
    bool free = true;
    for (int a : list)
      for (int i = 0; i < int(radix_stages.size()); ++i) {
        bool const own = fine_digits_.home(radix_stages[i]) == fine_digits_.digits[a].radix_stage;
        free = free &&
               !(own && ((i >= from && i < to) || fine_digits_.radix_stages[radix_stages[i]].again >= 0));
      }
    return free;
  }

  /// Fine digits to count ranks at a Hermitian split, while the radix stages from..to run: the lowest part of an index that
  /// is not halved, below one that tells rows from their conjugate rows (kernel/conjugate_rows.h); of the axes that have such
  /// the slowest comes first. Of a line by itself a part as high up as can be, so that each block has runs.
  std::vector<std::vector<int>> map_at_rows(std::vector<int> const& radix_stages, int from, int to) const {
    std::vector<std::vector<int>> all;
    int const subs = fine_digits_.radix_stages.back().sub + 1;
    auto const weight = [&](int a) {
      return fine_digits_.splits_first ? fine_digits_.digits[a].j : fine_digits_.digits[a].k;
    };
    for (int own = subs - 1; own >= 0; --own) {
      if (own == fine_digits_.real_axis && subs > 1) continue;
      std::vector<int> list;
      for (int a = 0; a < int(fine_digits_.digits.size()); ++a)
        if (int const s = fine_digits_.digits[a].radix_stage;
            s >= 0 && fine_digits_.radix_stages[s].sub == own)
          list.push_back(a);
      std::sort(list.begin(), list.end(), [&](int a, int b) { return weight(a) < weight(b); });
      for (std::size_t i = own == fine_digits_.real_axis ? list.size() : 1; i-- > 0;) {
        std::vector<int> cluster_ranks(list.begin() + std::ptrdiff_t(i), list.end());
        Index const conjugate = weight(list[i]) * limits_.cluster_ranks;
        while (weight(cluster_ranks.back()) > conjugate) cluster_ranks.pop_back();
        bool const told = weight(cluster_ranks.back()) == conjugate &&
                          fine_digits_.digits[cluster_ranks.back()].extent == 2;
        if (!told || (own == fine_digits_.real_axis && i == 0) ||
            !are_free(cluster_ranks, radix_stages, from, to))
          continue;
        cluster_ranks.pop_back();  // which tells rows from conjugate rows
        all.push_back(cluster_ranks);
        break;
      }
    }
    return all;
  }

  bool goes_back(std::vector<int> const& radix_stages) const {
    return std::any_of(radix_stages.begin(), radix_stages.end(),
                       [&](int s) { return fine_digits_.radix_stages[s].again >= 0; });
  }

  /// Fine digits to count ranks while the radix stages from..to run: none of theirs, those with the largest strides.
  std::vector<int> const& ranks_outside(std::vector<int> const& radix_stages, int from, int to,
                                        Stride stride) {
    std::vector<int> busy(radix_stages.begin() + from, radix_stages.begin() + to);
    std::sort(busy.begin(), busy.end());
    auto const [known, fresh] = map_at_.try_emplace({stride == &FineDigit::read, busy});
    if (fresh) {
      std::vector<int> taken;
      for (int radix_stage : busy)
        for (int a : of_radix_stage(fine_digits_, radix_stage)) taken.push_back(a);
      auto free = sorted(fine_digits_, without(all_fine_digits(fine_digits_), taken), stride);
      std::reverse(free.begin(), free.end());
      known->second = multiply_to(fine_digits_, free, limits_.cluster_ranks);
    }
    return known->second;
  }

  /// The same from the change to where radix stages are gone through again, when memory has no say: fine digits that were in
  /// the registers before, so that neighbouring threads store into the same block.
  std::vector<int> ranks_amid(std::vector<int> const& radix_stages, int change, int back) const {
    std::vector<int> taken;
    for (int s = change; s < back; ++s)
      for (int a : of_radix_stage(fine_digits_, radix_stages[s])) taken.push_back(a);
    auto const before = without(of_radix_stage(fine_digits_, radix_stages[change - 1]), taken);
    auto const others = sorted(fine_digits_, without(without(all_fine_digits(fine_digits_), taken), before),
                               &FineDigit::write);
    return multiply_to(fine_digits_,
                       concatenated({before.rbegin(), before.rend()}, {others.rbegin(), others.rend()}),
                       limits_.cluster_ranks);
  }

  struct MemoryEnd {
    bool direct = false;
    Index reach = 0;
  };
  /// One end of a course: many courses share it.
  MemoryEnd const& end(int radix_stage, std::vector<int> const& cluster_ranks, Stride stride) {
    auto const [known, fresh] = ends_.try_emplace({radix_stage, stride == &FineDigit::read, cluster_ranks});
    if (fresh)
      known->second = {
          direct(fine_digits_, limits_, radix_stage, cluster_ranks, stride),
          std::min<Index>(run(fine_digits_,
                              without(all_fine_digits(fine_digits_),
                                      concatenated(of_radix_stage(fine_digits_, radix_stage), cluster_ranks)),
                              stride),
                          4 * limits_.sector)};
    return known->second;
  }

  void weigh(Course course) {
    MemoryEnd const& first = end(course.first_radix_stage(), course.first, &FineDigit::read);
    MemoryEnd const& last = end(course.last_radix_stage(), course.third, &FineDigit::write);
    course.reads = first.direct;
    course.writes = last.direct;
    course.extra_steps = !first.direct + !last.direct;
    course.reach = first.reach + last.reach;
    if (!best_ || course.better_than(*best_)) best_ = course;
  }

  FineDigits const& fine_digits_;
  AssignmentLimits const& limits_;
  std::optional<Course> best_;
  int tried_ = 0;
  std::set<std::pair<int, int>> ends_seen_;
  std::unordered_set<std::uint64_t> changes_seen_;
  std::map<std::pair<bool, std::vector<int>>, std::vector<int>> map_at_;
  std::map<std::tuple<int, bool, std::vector<int>>, MemoryEnd> ends_;
};

/// Registers hold the radix stage's own fine digits and as many others as fill them: the slowest in memory, and none that would
/// break the runs that neighbouring threads touch.
FineAssignment assignment_of(FineDigits const& fine_digits, int radix_stage,
                             std::vector<int> const& cluster_ranks, Index held, Stride stride, Index sector) {
  auto const own = of_radix_stage(fine_digits, radix_stage);
  auto const others =
      sorted(fine_digits, without(without(all_fine_digits(fine_digits), own), cluster_ranks), stride);
  std::vector<int> slowest(others.rbegin(), others.rend());
  if (fine_digits.by_bluestein)  // what a thread looks up then serves all of its lines
    std::stable_partition(slowest.begin(), slowest.end(),
                          [&](int a) { return fine_digits.digits[a].radix_stage < 0; });
  Index const wanted = std::min(4 * sector, run(fine_digits, others, stride));
  auto repeats = divisors(count(fine_digits, others));
  std::vector<int> more;
  for (auto d = repeats.rbegin(); d != repeats.rend(); ++d) {
    if (*d * count(fine_digits, own) > held && *d > 1) continue;
    more = multiply_to(fine_digits, slowest, *d);
    if (run(fine_digits, without(others, more), stride) >= wanted) break;
  }
  FineAssignment assignment{without(others, more), own, cluster_ranks};
  more = sorted(fine_digits, more, stride);
  assignment.registers.insert(assignment.registers.end(), more.begin(), more.end());
  return assignment;
}

}  // namespace

namespace {

/// The assignments of a course's radix stages when a thread holds so many elements, each worked out once; after them the one in
/// which a single radix stage stores.
using StageAssignments = std::vector<std::optional<FineAssignment>>;

/// The steps of a course when a thread holds about `held` elements in radix stages, `moved` in steps that only move.
std::vector<AssignedStep> steps_of(FineDigits const& fine_digits, AssignmentLimits const& limits,
                                   Course const& course, Index held, Index moved,
                                   StageAssignments& stage_assignments) {
  int const n = int(course.radix_stages.size());
  std::vector<AssignedStep> steps;
  auto const add = [&](FineAssignment const& assignment, int radix_stage) {
    if (radix_stage >= 0 || fine_digits.by_rader || fine_digits.write_makhoul || steps.empty() ||
        steps.back().assignment != assignment)
      steps.push_back({assignment, radix_stage});
  };
  auto const moving = [&](std::vector<int> const& cluster_ranks, Stride stride) {
    // In Rader's order all threads are wanted elsewhere: shorter runs do.
    Index const sector = fine_digits.by_rader ? (limits.sector + 1) / 2 : limits.sector;
    return assignment_of(fine_digits, -1, cluster_ranks, moved, stride, sector);
  };
  auto const map_at = [&](int slot, int radix_stage, std::vector<int> const& cluster_ranks, Stride stride) {
    auto& assignment = stage_assignments[std::size_t(slot)];
    bool const loads = fine_digits.rader_cofactor(radix_stage);
    if (!assignment)
      assignment = assignment_of(fine_digits, radix_stage, cluster_ranks, loads ? moved : held,
                                 fine_digits.by_rader && !loads ? &FineDigit::apart : stride, limits.sector);
    return *assignment;
  };
  // A matrix product takes its elements as the step before puts them, and gives them as the step after wants them.
  auto const is_direct = [&](int i) { return fine_digits.radix_stages[course.radix_stages[i]].is_direct; };
  bool const reads =
      n > 0 && !fine_digits.by_rader && !fine_digits.read_makhoul && course.reads && !is_direct(0);
  bool const writes =
      n > 0 && !fine_digits.by_rader && !fine_digits.write_makhoul && (course.writes || is_direct(n - 1));
  // A block loads and stores a run of a line across a cluster.
  auto const all = sorted(fine_digits, all_fine_digits(fine_digits), &FineDigit::read);
  auto const runs = multiply_to(fine_digits, {all.rbegin(), all.rend()},
                                fine_digits.across_cluster ? limits.cluster_ranks : 1);
  if (!reads && fine_digits.cofactor == 1)
    add(moving(fine_digits.across_cluster ? runs : course.first, &FineDigit::read), -1);
  for (int i = 0; i < n; ++i) {
    int at = i;
    while (at < n && is_direct(at)) ++at;
    Stride const stride = at == n - 1 && at > 0 ? &FineDigit::write : &FineDigit::read;
    add(at < n ? map_at(at, course.radix_stages[at], course.cluster_ranks(i), stride)
               : moving(course.cluster_ranks(i), &FineDigit::write),
        course.radix_stages[i]);
  }
  if (!writes)
    add(moving(fine_digits.across_cluster ? runs : course.third, &FineDigit::write), -1);
  else if (n == 1 &&
           !is_direct(0))  // one radix stage cannot serve two orders of memory: store in the other order
    add(map_at(n, course.last_radix_stage(), course.third, &FineDigit::write), -1);
  return steps;
}

Index max_threads(FineDigits const& fine_digits, std::vector<AssignedStep> const& steps,
                  bool radix_stages_only) {
  Index most = 1;
  for (AssignedStep const& s : steps)
    if (s.radix_stage >= 0 || !radix_stages_only)
      most = std::max(most, count(fine_digits, s.assignment.threads));
  return most;
}

Index max_elements_per_thread(FineDigits const& fine_digits, std::vector<AssignedStep> const& steps) {
  Index most = 1;
  for (AssignedStep const& s : steps) most = std::max(most, count(fine_digits, s.assignment.registers));
  return most;
}

/// The steps when radix stages hold about `held` elements a thread; none where the threads do not suffice.
std::vector<AssignedStep> steps_assigned(FineDigits const& fine_digits, AssignmentLimits const& limits,
                                         Course const& course, Index held) {
  Index const points = count(fine_digits, all_fine_digits(fine_digits)) / limits.cluster_ranks;
  StageAssignments assignments(course.radix_stages.size() + 1);
  if (max_threads(fine_digits, steps_of(fine_digits, limits, course, held, held, assignments), true) >
      limits.threads)
    return {};
  // Where all are matrix products there is nothing but moving, and what a thread holds says how many threads there are.
  bool const only_matrices = !fine_digits.radix_stages.empty() &&
                             std::all_of(fine_digits.radix_stages.begin(), fine_digits.radix_stages.end(),
                                         [](RadixStage const& s) { return s.is_direct; });
  if (only_matrices) {
    auto steps = steps_of(fine_digits, limits, course, held, held, assignments);
    return max_threads(fine_digits, steps, false) <= limits.threads ? steps : std::vector<AssignedStep>{};
  }
  Index const working =
      max_threads(fine_digits, steps_of(fine_digits, limits, course, held, 1, assignments), true);
  auto const moved_by = [&](Index threads, Index max_threads_all, Index max_moved) {
    for (Index moved : divisors(points)) {
      if (moved > max_moved) break;
      if (moved * threads < points) continue;
      auto steps = steps_of(fine_digits, limits, course, held, moved, assignments);
      if (max_threads(fine_digits, steps, false) <= max_threads_all) return steps;
    }
    return std::vector<AssignedStep>{};
  };
  // A long codelet takes so many registers that threads which only move would cost an SM a block.
  constexpr int long_codelet = 41;  // points. A choice, not measured.
  if (fine_digits.radix_stages.size() == 1 && fine_digits.radix_stages[0].radix >= long_codelet)
    if (auto steps = moved_by(working, working, limits.max_registers); !steps.empty()) return steps;
  Index const wanted = std::max<Index>(128, working);
  if (fine_digits.read_makhoul || fine_digits.write_makhoul)
    if (auto steps = moved_by(wanted, wanted, held); !steps.empty()) return steps;
  if (auto steps = moved_by(wanted, limits.threads, held); !steps.empty()) return steps;
  return moved_by(limits.threads, limits.threads,
                  held);  // more threads than wanted, where points do not divide
}

}  // namespace

std::vector<std::vector<AssignedStep>> assigned_steps(FineDigits const& fine_digits,
                                                      AssignmentLimits const& limits) {
  Course const course = Navigator(fine_digits, limits).best();
  Index const points = count(fine_digits, all_fine_digits(fine_digits)) / limits.cluster_ranks;
  Index radix = 1;
  for (RadixStage const& s : fine_digits.radix_stages) radix = std::max<Index>(radix, s.registers());
  Index least = radix;  // what a thread must hold at least, so that every radix stage fits the threads
  for (RadixStage const& s : fine_digits.radix_stages) {
    Index const own = s.registers();
    auto const repeats = divisors(points / own);
    auto const enough = std::find_if(repeats.begin(), repeats.end(),
                                     [&](Index d) { return points / own / d <= limits.threads; });
    least = std::max(least, own * *enough);
  }
  // Small tiles spread over a few warps rather than fill the registers of a few threads.
  Index const comfortable = std::min<Index>(limits.registers, std::max<Index>(1, points / 64));
  std::set<Index> tries{least, std::max(least, comfortable)};  // only multiples of a radix make a difference
  bool const is_direct = std::any_of(fine_digits.radix_stages.begin(), fine_digits.radix_stages.end(),
                                     [](RadixStage const& s) { return s.is_direct; });
  for (RadixStage const& s : fine_digits.radix_stages)
    for (Index held = s.registers(); held <= limits.max_registers; held += is_direct ? held : s.radix)
      if (held > least) tries.insert(held);
  std::vector<std::vector<AssignedStep>> found;
  int patience = 8;
  for (Index held : tries) {
    if (held > limits.max_registers || patience-- == 0) break;
    auto steps = steps_assigned(fine_digits, limits, course, held);
    if (steps.empty()) continue;
    if (found.empty() ||
        max_elements_per_thread(fine_digits, steps) > max_elements_per_thread(fine_digits, found.back()))
      found.push_back(std::move(steps));
  }
  if (!found.empty()) return found;
  throw Error("program: tile", "cannot be assigned to " + std::to_string(limits.threads) + " threads of " +
                                   std::to_string(limits.max_registers) + " elements; use a smaller tile");
}

std::vector<FineAssignment> reorderings(FineDigits const& fine_digits, FineAssignment const& before,
                                        FineAssignment const& proposal) {
  // Threads stay where they were; those that come out of registers take the places of those that went in.
  FineAssignment kept = proposal;
  kept.threads.clear();
  auto const stays = [&](int a) {
    return std::find(proposal.threads.begin(), proposal.threads.end(), a) != proposal.threads.end();
  };
  for (int a : before.threads)
    if (stays(a)) kept.threads.push_back(a);
  for (int a : without(proposal.threads, kept.threads)) kept.threads.push_back(a);
  FineAssignment kept_after = proposal;  // newcomers first
  kept_after.threads = without(proposal.threads, before.threads);
  for (int a : before.threads)
    if (stays(a)) kept_after.threads.push_back(a);
  FineAssignment by_write = proposal;
  by_write.threads = sorted(fine_digits, proposal.threads, &FineDigit::write);
  return {proposal, kept, by_write, kept_after};
}

}  // namespace skipper
