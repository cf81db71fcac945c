// See planner.h.
#include "distributed/planner.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "distributed/cheapest_path.h"

namespace skipper::distributed {
namespace {

constexpr std::size_t max_dimensions = 6;  // that cuts are tried along: the largest
constexpr Index max_grids_of_a_pair = 4;

using Axes = std::vector<bool>;

/// Dimensions worth cutting, largest first.
std::vector<std::size_t> dimensions_to_cut(std::vector<Index> const& sizes) {
  std::vector<std::size_t> dims;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] > 1) dims.push_back(d);
  std::stable_sort(dims.begin(), dims.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  if (dims.size() > max_dimensions) dims.resize(max_dimensions);
  std::sort(dims.begin(), dims.end());
  return dims;
}

/// Grids of rows x columns = at most `ranks` boxes, the most square first.
std::vector<std::pair<Index, Index>> rows_and_columns(Index ranks, Index max_rows, Index max_columns) {
  std::vector<std::pair<Index, Index>> found;
  for (Index rows = 2; rows <= std::min(ranks / 2, max_rows); ++rows) {
    Index const columns = std::min(ranks / rows, max_columns);
    if (columns >= 2) found.emplace_back(rows, columns);
  }
  // Those that leave the fewest ranks idle, then the most square.
  std::stable_sort(found.begin(), found.end(), [](auto const& a, auto const& b) {
    Index const used_a = a.first * a.second, used_b = b.first * b.second;
    return used_a != used_b ? used_a > used_b : a.first + a.second < b.first + b.second;
  });
  if (Index(found.size()) > max_grids_of_a_pair) found.resize(max_grids_of_a_pair);
  return found;
}

}  // namespace

std::set<Grid> candidate_grids(std::vector<Index> const& sizes, Index ranks) {
  std::set<Grid> grids;
  Grid const none(sizes.size(), 1);
  grids.insert(none);
  std::vector<std::size_t> const dims = dimensions_to_cut(sizes);
  for (std::size_t const a : dims) {
    Grid slab = none;
    slab[a] = std::min(ranks, sizes[a]);
    grids.insert(slab);
    for (std::size_t const b : dims) {
      if (b <= a) continue;
      for (auto const& [rows, columns] : rows_and_columns(ranks, sizes[a], sizes[b])) {
        Grid pencil = none;
        pencil[a] = rows;
        pencil[b] = columns;
        grids.insert(pencil);
      }
    }
  }
  return grids;
}

namespace {

/// Of the digits of an axis that is split the first comes before the second, and not while ranks have the whole axis: then few
/// of them have any of it.
void leave_out_digits(std::vector<std::size_t>& axes, SplitAxis const& digits, Axes const& done) {
  std::size_t const first = digits.axis, second = first + 1;
  if (done[first]) return;
  if (std::erase(axes, second) > 0) std::erase(axes, first);
}

/// The axes that a stage transforms: all that it can.
std::vector<std::size_t> axes_here(Request const& request, Distribution const& cut, Axes const& done) {
  Problem const& problem = request.problem;
  std::vector<std::size_t> axes;
  for (std::size_t a = 0; a < done.size(); ++a)
    if (!done[a] && cut.is_whole(problem.batch.size() + a)) axes.push_back(a);
  if (request.split) leave_out_digits(axes, request.split->digits, done);
  auto const halved = halved_axis(problem);
  if (!halved) return axes;
  bool const has_halved = std::find(axes.begin(), axes.end(), *halved) != axes.end();
  if (problem.kind == Kind::r2c && !done[*halved] && !has_halved) return {};
  Index const left = Index(std::count(done.begin(), done.end(), false)) - Index(axes.size());
  if (problem.kind == Kind::c2r && has_halved && left > 0) std::erase(axes, *halved);
  return axes;
}

/// What one rank has to move in one direction: the bytes of the boxes that meet its own, but for its own. Stores into memory of the
/// node are all under way at once, so they wait for its latency once; messages are started one after the other.
struct Traffic {
  double seconds = 0;
  Index bytes = 0, network_bytes = 0, messages = 0;
};
Traffic traffic(Index rank, Box const& box, Distribution const& peers, Index element_bytes,
                Links const& links) {
  Traffic all;
  double latency = 0, node = 0, network = 0;
  peers.meet_volumes(box, [&](Index peer, Index elements) {
    if (peer == rank) return;
    bool const near = &links.between(rank, peer) == &links.node;
    if (!near) latency += links.network.latency;
    (near ? node : network) += double(elements * element_bytes);
    all.bytes += elements * element_bytes;
    ++all.messages;
  });
  if (node > 0) latency += links.node.latency;
  all.network_bytes = Index(network);
  all.seconds = latency + std::max(node / links.node.bandwidth, network / links.network.bandwidth);
  return all;
}

}  // namespace

StageCost exchange_cost(Distribution const& from, Distribution const& to, Index element_bytes,
                        Links const& links) {
  StageCost worst;
  for (Index const rank : sample(from.ranks())) {
    Traffic const sent = traffic(rank, from.box(rank), to, element_bytes, links);
    Traffic const received = traffic(rank, to.box(rank), from, element_bytes, links);
    worst.exchange_seconds = std::max({worst.exchange_seconds, sent.seconds, received.seconds});
    worst.sent_bytes = std::max(worst.sent_bytes, sent.bytes);
    worst.network_bytes = std::max(worst.network_bytes, sent.network_bytes);
    worst.messages = std::max({worst.messages, sent.messages, received.messages});
  }
  return worst;
}

double transposition_seconds(Distribution const& from, Distribution const& to, Index element_bytes,
                             double rank_bandwidth) {
  constexpr double part_of_a_pass = 0.35;  // as planners of devices estimate such sweeps
  std::size_t fastest = to.sizes().size() - 1;
  while (fastest > 0 && to.sizes()[fastest] == 1) --fastest;
  for (Index const rank : sample(from.ranks()))
    if (to.telling_dimensions(from.box(rank))[fastest])
      return part_of_a_pass * 2 * double(to.largest_volume() * element_bytes) / rank_bandwidth;
  return 0;
}

namespace {

/// How often a transform along these axes reads and writes the data: once an axis, twice where no chip holds a line.
Index passes_along(Problem const& problem, std::vector<std::size_t> const& axes) {
  constexpr Index points_on_chip = 1 << 16;
  Index all = 0;
  for (std::size_t const a : axes) all += problem.axes[a].size > points_on_chip ? 2 : 1;
  return all;
}

/// The slowest rank reads and writes its box so often, or once where it only passes data on.
double compute_seconds(Distribution const& cut, Index in_bytes, Index out_bytes, Index passes,
                       double bandwidth) {
  double const moved = double(cut.largest_volume()) * double(in_bytes + out_bytes);
  return moved * double(std::max<Index>(passes, 1)) / bandwidth;
}

/// Computing and sending side by side in pieces: all of the slower, a piece of the other, and a start for each piece.
double overlapped(StageCost const& cost, Index pieces, Links const& links) {
  double const longer = std::max(cost.compute_seconds, cost.exchange_seconds);
  double const shorter = std::min(cost.compute_seconds, cost.exchange_seconds);
  double const starts = double((pieces - 1) * cost.messages) * links.network.latency;
  return longer + shorter / double(pieces) + starts;
}

}  // namespace

Index best_pieces(std::vector<StageCost> const& stages, Links const& links) {
  Index best = 1;
  double least = 0;
  for (Index pieces = 1; pieces <= 64; pieces *= 2) {
    double all = 0;
    for (StageCost const& stage : stages) all += overlapped(stage, pieces, links);
    if (pieces > 1 && all >= least) continue;
    least = all;
    best = pieces;
  }
  return best;
}

namespace {

/// A place of the search: the cut that the data have, and the axes done before its stage.
struct State {
  Distribution cut;
  Axes done;
  std::string key() const {
    std::string all = cut.text();
    for (bool const d : done) all += d ? '1' : '0';
    return all;
  }
};

struct NoEdge {};

/// The time of a node includes the stage that its cut is for.
class Search {
 public:
  explicit Search(Request const& request) : request_(request) {
    reach({request.in, Axes(request.problem.axes.size(), false)}, 0, "");
  }

  Program run() {
    return program(path_.run([&](std::string const& key) { return is_end(path_.at(key).state); },
                             [&](std::string const& key) { expand(key); }));
  }

 private:
  Axes done_after(State const& state) const {
    Axes done = state.done;
    for (std::size_t const a : axes_here(request_, state.cut, state.done)) done[a] = true;
    return done;
  }

  Distribution cut_after(State const& state) const {
    return state.cut.of_sizes(sizes_after(request_.problem, done_after(state)));
  }

  bool is_end(State const& state) const {
    Axes const done = done_after(state);
    if (std::find(done.begin(), done.end(), false) != done.end()) return false;
    return request_.out ? cut_after(state) == *request_.out : is_output(state.cut);
  }

  /// Whether callers can have it: the first digit of an axis in natural order is whole.
  bool is_output(Distribution const& cut) const {
    auto const& split = request_.split;
    return !split || split->out == AxisOrder::permuted ||
           cut.is_whole(request_.problem.batch.size() + split->digits.axis);
  }

  Index bytes(Axes const& done) const { return element_bytes(request_.problem, done); }

  double compute(State const& state) const {
    Axes const done = done_after(state);
    Index const passes = passes_along(request_.problem, axes_here(request_, state.cut, state.done));
    return compute_seconds(state.cut, bytes(state.done), bytes(done), passes, request_.rank_bandwidth);
  }

  void expand(std::string const& key) {
    auto const visit = path_.at(key);
    Axes const done = done_after(visit.state);
    std::vector<Index> const sizes = sizes_after(request_.problem, done);
    Distribution const here = cut_after(visit.state);
    bool const all_done = std::find(done.begin(), done.end(), false) == done.end();
    auto const go = [&](Distribution const& next) {
      if (next == here) return;
      StageCost const cost = exchange_cost(here, next, bytes(done), request_.links);
      double const transposing = transposition_seconds(here, next, bytes(done), request_.rank_bandwidth);
      reach({next, done}, visit.seconds + cost.exchange_seconds + transposing, key);
    };
    // The output's own cut may be of the sizes that the array has by now.
    if (request_.out && request_.out->sizes() == sizes) go(*request_.out);
    if (all_done && request_.out) return;
    for (Grid const& grid : candidate_grids(sizes, request_.in.ranks())) {
      Distribution const next(sizes, request_.in.ranks(), grid);
      if (!all_done || is_output(next)) go(next);
    }
  }

  void reach(State state, double seconds, std::string from) {
    std::string const key = state.key();
    double const whole = seconds + compute(state);
    path_.reach(key, {whole, std::move(state), std::move(from)});
  }

  Program program(std::string key) const {
    std::vector<Stage> stages;
    while (!key.empty()) {
      auto const& visit = path_.at(key);
      stages.push_back({visit.state.cut, axes_here(request_, visit.state.cut, visit.state.done)});
      key = visit.from;
    }
    std::reverse(stages.begin(), stages.end());
    Program program = program_of(request_.problem, request_.in.ranks(), std::move(stages));
    program.split = request_.split;
    return program;
  }

  Request const& request_;
  CheapestPath<State, NoEdge> path_;
};

}  // namespace

Planned costed(Program const& program, Links const& links, double rank_bandwidth) {
  Planned planned{program, {}, 0};
  for (std::size_t s = 0; s < program.stages.size(); ++s) {
    StageCost cost;
    if (s + 1 < program.stages.size())
      cost =
          exchange_cost(sent_cut(program, s), received_cut(program, s), out_element_bytes(program, s), links);
    Index const passes = passes_along(program.problem, program.stages[s].axes) +
                         passes_along(program.problem, program.stages[s].back);
    cost.compute_seconds = compute_seconds(program.stages[s].cut, in_element_bytes(program, s),
                                           out_element_bytes(program, s), passes, rank_bandwidth);
    if (s > 0)
      cost.compute_seconds += transposition_seconds(sent_cut(program, s - 1), received_cut(program, s - 1),
                                                    out_element_bytes(program, s - 1), rank_bandwidth);
    cost.seconds = overlapped(cost, program.pieces, links);
    planned.seconds += cost.seconds;
    planned.stages.push_back(cost);
  }
  return planned;
}

Planned plan_stages(Request const& request) {
  check_distributable(request.problem);
  Program program = Search(request).run();
  Planned planned = costed(program, request.links, request.rank_bandwidth);
  program.pieces = request.pieces > 0 ? request.pieces : best_pieces(planned.stages, request.links);
  return costed(program, request.links, request.rank_bandwidth);
}

Distribution default_out(Problem const& problem, Distribution const& in) {
  std::vector<Index> const sizes = sizes_after(problem, Axes(problem.axes.size(), true));
  bool same = true;
  for (std::size_t d = 0; d < sizes.size(); ++d) same = same && (sizes[d] == in.sizes()[d] || in.is_whole(d));
  if (same) return in.of_sizes(sizes);
  Grid grid(sizes.size(), 1);
  grid[0] = std::min(in.ranks(), sizes[0]);
  return {sizes, in.ranks(), grid};
}

std::vector<Index> sample(Index ranks) {
  std::set<Index> const chosen = {0, ranks / 2, ranks - 1};
  return {chosen.begin(), chosen.end()};
}

}  // namespace skipper::distributed
