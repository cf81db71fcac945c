// See round_trip.h: Dijkstra's search over cuts, axes done, and the way there or back.
#include "distributed/round_trip.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "distributed/cheapest_path.h"

namespace skipper::distributed {
namespace {

using Axes = std::vector<bool>;
using AxisList = std::vector<std::size_t>;

/// What a stage finds.
struct RoundTripState {
  Distribution cut;
  Axes done;
  bool back = false;  // the spectrum has been seen

  std::string key() const {
    std::string all = cut.text() + (back ? " back " : " there ");
    for (bool const d : done) all += d ? '1' : '0';
    return all;
  }
};

/// What a stage may do with it.
struct Work {
  AxisList axes, undone;
};
struct Choice {
  Work work;
  RoundTripState after;
};

class RoundTripSearch {
 public:
  explicit RoundTripSearch(RoundTrip const& request) : request_(request), problem_(request.problem) {
    reach({request.in, Axes(problem_.axes.size(), false), false}, 0, "", {});
  }

  Program run() {
    path_.run([](std::string const& key) { return key == end; },
              [&](std::string const& key) { expand(key); });
    return program();
  }

 private:
  static constexpr char const* end = "end";

  bool is_fourier(std::size_t a) const { return problem_.axes[a].kind == AxisKind::fourier; }
  bool is_whole(RoundTripState const& s, std::size_t a) const {
    return s.cut.is_whole(problem_.batch.size() + a);
  }
  bool all(Axes const& done, bool value) const {
    return std::find(done.begin(), done.end(), !value) == done.end();
  }

  /// The axis that r2c halves on the way there; the number of axes where there is none.
  std::size_t halved_going_in() const {
    std::size_t const none = problem_.axes.size();
    return problem_.kind == Kind::r2c ? halved_axis(problem_).value_or(none) : none;
  }

  /// All axes that are whole and left, while data are as they need them; the request's last one only in the middle stage.
  AxisList forward(RoundTripState const& s, bool middle) const {
    std::size_t const halved = halved_going_in();
    bool const complex = halved == s.done.size() || s.done[halved] || is_whole(s, halved);
    AxisList axes;
    for (std::size_t a = 0; a < s.done.size(); ++a)
      if (!s.done[a] && is_whole(s, a) && (middle || a != request_.last) && (complex || !is_fourier(a)))
        axes.push_back(a);
    return axes;
  }

  /// All axes that are whole and done: of r2c the halved one where no other Fourier axis is left behind.
  AxisList backward(RoundTripState const& s) const {
    AxisList axes;
    bool fourier_left = false;
    for (std::size_t a = 0; a < s.done.size(); ++a) {
      if (!s.done[a]) continue;
      if (is_whole(s, a))
        axes.push_back(a);
      else
        fourier_left = fourier_left || is_fourier(a);
    }
    if (fourier_left) std::erase(axes, halved_going_in());
    return axes;
  }

  RoundTripState after(RoundTripState const& s, AxisList const& axes, AxisList const& undone,
                       bool back) const {
    RoundTripState next = s;
    for (std::size_t const a : axes) next.done[a] = true;
    for (std::size_t const a : undone) next.done[a] = false;
    next.back = back;
    next.cut = s.cut.of_sizes(sizes_after(problem_, next.done));
    return next;
  }

  std::vector<Choice> choices(RoundTripState const& s) const {
    if (s.back) {
      AxisList const undone = backward(s);
      return {{{{}, undone}, after(s, {}, undone, true)}};
    }
    AxisList const axes = forward(s, false), rest = forward(s, true);
    std::vector<Choice> found = {{{axes, {}}, after(s, axes, {}, false)}};
    RoundTripState const spectrum = after(s, rest, {}, true);
    if (!all(spectrum.done, true)) return found;
    // Back along the axes that it came by, whose parts are the smallest; or along all that it can.
    AxisList const most = backward(spectrum);
    if (!rest.empty() && std::includes(most.begin(), most.end(), rest.begin(), rest.end()))
      found.push_back({{rest, rest}, after(s, rest, rest, true)});
    if (!most.empty() && most != rest) found.push_back({{rest, most}, after(s, rest, most, true)});
    return found;
  }

  Index bytes(Axes const& done) const { return element_bytes(problem_, done); }

  /// The slowest rank reads and writes its box once an axis; between the axes of a stage data are as large as on its larger
  /// side.
  double compute_seconds(RoundTripState const& here, Choice const& choice) const {
    Index const before = here.cut.largest_volume() * bytes(here.done),
                after = choice.after.cut.largest_volume() * bytes(choice.after.done),
                axes = Index(choice.work.axes.size() + choice.work.undone.size());
    return double(before + after + 2 * std::max<Index>(axes - 1, 0) * std::max(before, after)) /
           request_.rank_bandwidth;
  }

  void expand(std::string const& key) {
    auto const visit = path_.at(key);
    RoundTripState const& here = visit.state;
    for (Choice const& choice : choices(here)) {
      // What is undone on the way out though it was not done on the way in makes parts larger, and gains nothing by itself.
      bool const middle = choice.after.back && !here.back;
      Index const extra = Index(choice.work.undone.size()) - Index(choice.work.axes.size());
      double const more = middle ? 0.01 * double(std::max<Index>(extra, 0)) : 0;
      leave(choice, visit.seconds + compute_seconds(here, choice) * (1 + more), key);
    }
  }

  void leave(Choice const& choice, double seconds, std::string const& key) {
    RoundTripState const& from = choice.after;
    bool const back = from.back && all(from.done, false);
    if (back && (!request_.out || from.cut == *request_.out)) reach(from, seconds, key, choice.work, end);
    auto const go = [&](Distribution const& next) {
      if (next == from.cut) return;
      reach({next, from.done, from.back}, seconds + exchange_seconds(from.cut, next, bytes(from.done)), key,
            choice.work);
    };
    std::vector<Index> const sizes = sizes_after(problem_, from.done);
    if (from.back && request_.out && request_.out->sizes() == sizes) go(*request_.out);
    if (back) return;
    for (Grid const& grid : candidate_grids(sizes, request_.in.ranks()))
      go({sizes, request_.in.ranks(), grid});
  }

  double exchange_seconds(Distribution const& from, Distribution const& to, Index element) {
    std::string sizes;
    for (Index const n : from.sizes()) sizes += " " + std::to_string(n);
    auto const [at, is_new] = exchanges_.try_emplace({from.text() + sizes, to.text(), element}, 0);
    if (is_new) at->second = exchange_cost(from, to, element, request_.links).exchange_seconds;
    return at->second;
  }

  void reach(RoundTripState state, double seconds, std::string const& from, Work const& by,
             std::string key = {}) {
    if (key.empty()) key = state.key();
    path_.reach(key, {seconds, std::move(state), from, by});
  }

  Program program() const {
    std::vector<Stage> stages;
    for (std::string key = end; !path_.at(key).from.empty(); key = path_.at(key).from) {
      auto const& visit = path_.at(key);
      stages.push_back({path_.at(visit.from).state.cut, visit.by.axes, visit.by.undone});
    }
    std::reverse(stages.begin(), stages.end());
    return program_of(problem_, request_.in.ranks(), std::move(stages));
  }

  RoundTrip const& request_;
  Problem const& problem_;
  CheapestPath<RoundTripState, Work> path_;  // up to a state, without the stage to come
  std::map<std::tuple<std::string, std::string, Index>, double> exchanges_;
};

}  // namespace

Planned plan_round_trip(RoundTrip const& request) {
  check_distributable(request.problem);
  Program program = RoundTripSearch(request).run();
  Planned planned = costed(program, request.links, request.rank_bandwidth);
  program.pieces = request.pieces > 0 ? request.pieces : best_pieces(planned.stages, request.links);
  return costed(program, request.links, request.rank_bandwidth);
}

}  // namespace skipper::distributed
