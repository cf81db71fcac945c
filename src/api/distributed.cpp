// Distributed plans: what ranks agree on, and the CPU engine as the processor of a rank.
#include <skipper/distributed.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "api/held.h"
#include "cpu/engine.h"
#include "cpu/pool.h"
#include "distributed/planner.h"
#include "distributed/run.h"

namespace skipper {
namespace {

using namespace distributed;

class CpuTransform final : public distributed::Transform {
 public:
  CpuTransform(Problem const& problem, Machine const& machine, int threads)
      : transform_(problem, machine, {threads, ""}) {}
  void run(void const* in, void* out) const override { transform_.execute(in, out); }

 private:
  cpu::Transform transform_;
};

class CpuProcessor final : public Processor {
 public:
  explicit CpuProcessor(int threads) : threads_(threads), machine_(cpu::host_machine()) {}
  int threads() const override { return threads_; }
  Index cache_bytes() const override { return std::max<Index>(machine_.l2_bytes, 256 << 10); }
  std::unique_ptr<distributed::Transform> prepare(Problem const& problem, bool all_threads) const override {
    return std::make_unique<CpuTransform>(problem, machine_, all_threads ? threads_ : 1);
  }
  void loop(Index count, std::function<void(int, Index, Index)> const& body) const override {
    cpu::parallel_for(count, threads_, body);
  }

 private:
  int threads_;
  Machine machine_;
};

/// The texts of all ranks, in order of rank.
std::vector<std::string> gathered(Communicator& c, std::string const& mine) {
  std::uint64_t const length = mine.size();
  std::vector<std::uint64_t> lengths(std::size_t(c.size()));
  c.all_gather(&length, lengths.data(), sizeof length);
  std::uint64_t const longest = *std::max_element(lengths.begin(), lengths.end());
  std::string padded = mine, all(std::size_t(c.size()) * longest, ' ');
  padded.resize(longest, ' ');
  if (longest > 0) c.all_gather(padded.data(), all.data(), longest);
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < lengths.size(); ++r) texts.push_back(all.substr(r * longest, lengths[r]));
  return texts;
}

/// What must be the same on all ranks, field by field, so that a difference can be named.
std::vector<std::pair<std::string, std::string>> common_fields(Problem const& p,
                                                               DistributedSettings const& s) {
  std::string axes, batch, program = s.program, links_text = s.links;
  for (Axis const& a : p.axes) axes += std::to_string(a.size) + " " + std::string(name(a.kind)) + ", ";
  for (Dim const& d : p.batch) batch += std::to_string(d.size) + ", ";
  for (std::string* text : {&program, &links_text}) std::replace(text->begin(), text->end(), '\n', ' ');
  auto const number = [](auto value) { return std::to_string(value); };
  return {{"kind", std::string(name(p.kind))},
          {"precision", std::string(name(p.precision))},
          {"direction", std::string(name(p.direction))},
          {"axes", axes},
          {"batch", batch},
          {"scale", number(p.scale)},
          {"placement", p.placement == Placement::in_place ? "in place" : "out of place"},
          {"norm", std::string(name(p.norm))},
          {"in", number(s.in.empty() ? 0 : 1)},
          {"out", number(s.out.empty() ? 0 : 1)},
          {"any_output", number(int(s.any_output))},
          {"exchange", number(int(s.exchange))},
          {"pieces", number(s.pieces)},
          {"links", links_text},
          {"program", program}};
}

void demand_agreement(Communicator& c, Problem const& problem, DistributedSettings const& settings) {
  auto const fields = common_fields(problem, settings);
  std::string mine;
  for (auto const& field : fields) mine += field.second + "\n";
  std::vector<std::string> const all = gathered(c, mine);
  auto const lines = [](std::string const& text) {
    std::vector<std::string> found;
    for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
      found.push_back(text.substr(at, end - at));
    return found;
  };
  std::vector<std::string> const first = lines(all[0]);
  for (std::size_t r = 1; r < all.size(); ++r) {
    std::vector<std::string> const other = lines(all[r]);
    for (std::size_t f = 0; f < fields.size(); ++f)
      if (first[f] != other[f])
        throw Error(fields[f].first, "is '" + first[f] + "' on rank 0 but '" + other[f] + "' on rank " +
                                         std::to_string(r) + "; all ranks make the same plan");
  }
}

/// The boxes of all ranks: as given, or each rank's own brought together.
std::vector<Box> all_boxes(Communicator& c, std::vector<Box> const& given, std::vector<Index> const& sizes,
                           std::string const& argument) {
  // What each rank says goes round as numbers: how many boxes it named, then its own.
  std::size_t const ranks = std::size_t(c.size()), dims = sizes.size();
  Box own;
  if (given.size() == 1)
    own = given[0];
  else if (given.size() == ranks)
    own = given[std::size_t(c.rank())];
  bool const sound = own.first.size() == dims && own.size.size() == dims;
  std::vector<Index> mine(1 + 2 * dims, 0), all(ranks * (1 + 2 * dims));
  mine[0] = sound ? 1 : 0;
  for (std::size_t d = 0; sound && d < dims; ++d) {
    mine[1 + d] = own.first[d];
    mine[1 + dims + d] = own.size[d];
  }
  c.all_gather(mine.data(), all.data(), mine.size() * sizeof(Index));
  std::vector<Box> boxes;
  for (std::size_t r = 0; r < ranks; ++r) {
    Index const* const at = all.data() + r * mine.size();
    if (at[0] != 1)
      throw Error(argument, "of rank " + std::to_string(r) + " is not one box, or one a rank (" +
                                std::to_string(ranks) + "), of " + std::to_string(dims) +
                                " dimensions, batch and axes");
    boxes.push_back({{at + 1, at + 1 + dims}, {at + 1 + dims, at + 1 + 2 * dims}});
  }
  check_cover(boxes, sizes, argument);
  return boxes;
}

std::vector<bool> all_axes(Problem const& problem, bool done) {
  return std::vector<bool>(problem.axes.size(), done);
}

Program program_for(Problem const& problem, Communicator& c, DistributedSettings const& settings) {
  if (!settings.program.empty()) {
    Program program = parse_program(settings.program);
    if (program.ranks != c.size())
      throw Error("program", "is for " + std::to_string(program.ranks) + " ranks but there are " +
                                 std::to_string(c.size()));
    Problem const dense = program_of(problem, c.size(), program.stages).problem;
    if (text(program.problem) != text(dense))
      throw Error("program",
                  "is of '" + text(program.problem) + "' but the problem is '" + text(dense) + "'");
    return program;
  }
  std::vector<Index> const sizes = sizes_after(problem, all_axes(problem, false));
  std::vector<Index> const done = sizes_after(problem, all_axes(problem, true));
  Distribution const in(
      sizes, settings.in.empty() ? slabs(sizes, c.size()) : all_boxes(c, settings.in, sizes, "in"));
  std::optional<Distribution> out;
  if (!settings.out.empty())
    out = Distribution(done, all_boxes(c, settings.out, done, "out"));
  else if (!settings.any_output)
    out = default_out(problem, in);
  Links joined = links(settings.links.empty() ? "host" : settings.links);
  if (settings.links.empty()) joined.ranks_per_node = std::max(1, c.ranks_per_node());
  return plan_stages({problem, in, out, joined, 1e10, settings.pieces}).program;
}

int rank_threads(int wanted, Communicator const& c) {
  return wanted > 0 ? wanted
                    : std::max(1, cpu::cores() / std::max(1, std::min(c.size(), c.ranks_per_node())));
}

/// Elements of a rank's array, from its first to its last.
Index elements_of(Box const& box, Problem const& problem, bool input) {
  if (is_empty(box)) return 0;
  auto const halved = halved_axis(problem);
  Index const all = volume(box);
  if (!halved || problem.placement != Placement::in_place) return all;
  // Rows of reals are padded to those of complex numbers.
  Index const n = problem.axes[*halved].size, rows = all / box.size[problem.batch.size() + *halved];
  bool const real = input == (problem.kind == Kind::r2c);
  return rows * (n / 2 + 1) * (real ? 2 : 1);
}

void demand_rank(int rank, Program const& program) {
  if (rank < 0 || rank >= program.ranks)
    throw Error("rank", "is " + std::to_string(rank) + " but the plan has the ranks 0 to " +
                            std::to_string(program.ranks - 1));
}

}  // namespace

struct DistributedPlan::State {
  Problem problem;
  std::shared_ptr<Communicator> communicator;
  Program program;
  Box in_box, out_box;
  std::unique_ptr<RankRun> run;
};

std::vector<std::int64_t> in_sizes(Problem const& problem) {
  return sizes_after(problem, all_axes(problem, false));
}
std::vector<std::int64_t> out_sizes(Problem const& problem) {
  return sizes_after(problem, all_axes(problem, true));
}

DistributedPlan::DistributedPlan(Problem const& problem, std::shared_ptr<Communicator> communicator,
                                 DistributedSettings const& settings) {
  if (!communicator) throw Error("communicator", "is null; give one, as thread_communicators() makes them");
  try {
    demand_agreement(*communicator, problem, settings);
    check_distributable(problem);
    if (settings.threads < 0)
      throw Error("threads", "is " + std::to_string(settings.threads) + " but must be at least 0");
    if (settings.pieces < 0 || settings.pieces > 1024)
      throw Error("pieces", "is " + std::to_string(settings.pieces) + " but must be 0 to 1024");
    auto state = std::make_shared<State>();
    state->problem = problem;
    state->communicator = communicator;
    state->program = program_for(problem, *communicator, settings);
    Program const& program = state->program;
    Index const rank = communicator->rank();
    state->in_box = program.stages.front().cut.box(rank);
    state->out_box = cut_after(program, program.stages.size() - 1).box(rank);
    state->run = std::make_unique<RankRun>(
        program, problem.placement == Placement::in_place, communicator,
        std::make_unique<CpuProcessor>(rank_threads(settings.threads, *communicator)), settings.exchange);
    state_ = std::move(state);
  } catch (std::exception const& e) {
    communicator->fail(e.what());
    throw;
  }
}

void DistributedPlan::execute(void const* in, void* out) const {
  State const& s = held(state_, "plan");
  auto const demand = [&](char const* argument, bool good, char const* why) {
    if (good) return;
    s.communicator->fail(std::string(argument) + ": " + why);
    throw Error(argument, why);
  };
  demand("in", in || is_empty(s.in_box), "is a null pointer but this rank's box has elements");
  demand("out", out || is_empty(s.out_box), "is a null pointer but this rank's box has elements");
  bool const in_place = s.problem.placement == Placement::in_place;
  demand("out", in_place || !in || in != out,
         "is the same array as in but the plan is out of place; make it from in_place(problem)");
  demand("out", !in_place || in == out, "differs from in but the plan is in place; give one pointer twice");
  s.run->execute(in, out);
}

Box const& DistributedPlan::in_box() const { return held(state_, "plan").in_box; }
Box const& DistributedPlan::out_box() const { return held(state_, "plan").out_box; }
Box DistributedPlan::in_box(int rank) const {
  Program const& program = held(state_, "plan").program;
  demand_rank(rank, program);
  return program.stages.front().cut.box(rank);
}
Box DistributedPlan::out_box(int rank) const {
  Program const& program = held(state_, "plan").program;
  demand_rank(rank, program);
  return cut_after(program, program.stages.size() - 1).box(rank);
}
std::int64_t DistributedPlan::in_elements() const {
  return elements_of(held(state_, "plan").in_box, held(state_, "plan").problem, true);
}
std::int64_t DistributedPlan::out_elements() const {
  return elements_of(held(state_, "plan").out_box, held(state_, "plan").problem, false);
}
Problem const& DistributedPlan::problem() const { return held(state_, "plan").problem; }
std::int64_t DistributedPlan::memory_bytes() const { return held(state_, "plan").run->memory_bytes(); }
int DistributedPlan::exchanges() const { return held(state_, "plan").program.exchanges(); }
std::int64_t DistributedPlan::sent_bytes() const { return held(state_, "plan").run->sent_bytes(); }
std::string DistributedPlan::describe() const { return distributed::text(held(state_, "plan").program); }

}  // namespace skipper
