// See gpu_run.h. Windows and peers first, then the method that all ranks can do, then what each stage needs on each rank.
#include "distributed/gpu_run.h"

#include <algorithm>
#include <utility>

#include "base/device_alignment.h"
#include "distributed/gpu_local.h"

namespace skipper::distributed {
namespace {

bool by_copies(ExchangeMethod method) {
  return method != ExchangeMethod::fused && method != ExchangeMethod::swap;
}

}  // namespace

GpuRun::GpuRun(Program program, std::vector<GpuRank> ranks, std::shared_ptr<Communicator> communicator,
               GpuOptions options)
    : stages_(gpu_stages(program, options.arrays, !communicator)),
      communicator_(std::move(communicator)),
      middle_(std::move(options.middle)),
      streams_(options.streams > 0 ? options.streams : 2) {
  for (GpuRank& r : ranks) {
    auto local = std::make_unique<Local>();
    local->rank = r.rank;
    local->gpu = std::move(r.gpu);
    locals_.push_back(std::move(local));
  }
  std::size_t const last = stages_.stages.size() - 1;
  to_peers_.resize(last);
  to_swap_.resize(last);
  for (auto& local : locals_) allocate(*local);
  if (last > 0) reach_peers();
  if (last > 0) settle_method(options);
  for (auto& local : locals_) {
    local->copies.resize(last);
    local->stored.resize(last);
    for (std::size_t s = 0; s <= last; ++s) make_stage(*local, s);
    local->copying = local->gpu->make_stream();
    local->landing = local->gpu->make_stream();
    local->copied = local->gpu->make_event();
    local->landed = local->gpu->make_event();
    local->met = local->gpu->make_event();
    make_room_for_packed(*local);
    if (local->twiddles) local->memory += local->twiddles->memory_bytes();
  }
  // Making a plan may wait for devices, also for those of other ranks in this process, whose streams would wait for this rank's.
  if (messages_on_streams_) communicator_->barrier();
}

GpuRun::~GpuRun() {
  for (auto const& local : locals_) try {
      local->gpu->synchronise();  // what was enqueued may still run
    } catch (Error const&) {      // the device is lost, and with it all that ran there
    }
  if (!references_) return;
  Local& mine = *locals_.front();
  for (auto const& [rank, memory] : mine.opened) {
    mine.gpu->close(memory);
    references_->close(rank);
  }
  release_when_unused(std::move(references_), std::move(mine.windows[0]), std::move(mine.windows[1]));
}

/// What waits for stage s is in window s % 2.
Index GpuRun::window_bytes(Index rank, int which) const {
  Index most = 0;
  for (std::size_t s = 1; s < stages_.stages.size(); ++s)
    if (int(s % 2) == which && !stages_.stages[s - 1].to_output)
      most = std::max(most, volume(stages_.stages[s].before.box(rank)) * stages_.stages[s - 1].element_bytes);
  return most;
}

void GpuRun::allocate(Local& local) {
  for (int which : {0, 1}) {
    Index const bytes = device_aligned(window_bytes(local.rank, which));
    local.windows[which] = Owned(local.gpu, bytes);
    local.memory += bytes;
  }
}

/// Everybody's windows: of ranks of this process as they are, of others by what they tell of them.
void GpuRun::reach_peers() {
  Index const ranks = stages_.program.ranks;
  for (auto& local : locals_)
    for (auto& peers : local->peers) peers.assign(std::size_t(ranks), nullptr);
  for (auto& local : locals_)
    for (auto& other : locals_)
      if (local == other || local->gpu->reaches(*other->gpu))
        for (int which : {0, 1})
          local->peers[which][std::size_t(other->rank)] = other->windows[which].memory();
  if (all_here()) return;
  struct WindowHandles {
    MemoryHandle handles[2];
    unsigned char has[2];
  };
  Local& mine = *locals_.front();
  WindowHandles own{};
  for (int which : {0, 1})
    if (void* const memory = mine.windows[which].memory())
      if (auto const handle = mine.gpu->exported(memory)) {
        own.handles[which] = *handle;
        own.has[which] = 1;
      }
  std::vector<WindowHandles> all(static_cast<std::size_t>(ranks));
  communicator_->all_gather(&own, all.data(), sizeof own);
  references_ = std::make_unique<WindowReferences>(communicator_);
  for (Index r = 0; r < ranks; ++r)
    for (int which : {0, 1}) {
      WindowHandles const& other = all[std::size_t(r)];
      if (r == mine.rank || !other.has[which] || !references_->reaches(r)) continue;
      void* const memory = mine.gpu->opened(other.handles[which]);
      if (!memory) continue;
      references_->open(r);
      mine.opened.emplace_back(r, memory);
      mine.peers[which][std::size_t(r)] = memory;
    }
  communicator_->barrier();  // nobody gives up a window that another is about to open
}

/// Whether all ranks say so. Collective where there is a communicator.
bool GpuRun::everywhere(bool here) const {
  if (all_here()) return here;
  unsigned char const mine = here ? 1 : 0;
  std::vector<unsigned char> all(static_cast<std::size_t>(stages_.program.ranks));
  communicator_->all_gather(&mine, all.data(), 1);
  return *std::min_element(all.begin(), all.end()) != 0;
}

/// Whether a stage can store by base addresses, on every rank.
bool GpuRun::is_routable(std::size_t s, bool to_swap) const {
  bool can = stages_.stages[s].has_routes;
  for (auto const& local : locals_)
    can = can && (is_empty(stages_.stages[s].after.box(local->rank)) ||
                  route_of(stages_, s, local->rank, to_swap).has_value());
  return everywhere(can);
}

/// The method that was asked for, where it can be; else the best that can. All ranks come to the same.
void GpuRun::settle_method(GpuOptions const& options) {
  bool reached = true;
  for (auto const& local : locals_)
    for (int which : {0, 1})
      for (Index r = 0; r < stages_.program.ranks; ++r)
        if (window_bytes(r, which) > 0 && !local->peers[which][std::size_t(r)]) reached = false;
  reached = everywhere(reached);
  messages_on_device_ = !all_here() && everywhere(communicator_->takes_device_memory());
  bool any = false, fusable = reached, swappable = reached;  // any: one stage at least
  for (std::size_t s = 0; s + 1 < stages_.stages.size(); ++s) {
    if (!stages_.stages[s].has_transforms) continue;
    to_peers_[s] = is_routable(s, false) && reached;
    to_swap_[s] = is_routable(s, true) && reached;
    any = any || to_peers_[s];
    fusable = fusable && to_peers_[s];
    swappable = swappable && to_swap_[s];
  }
  ExchangeMethod const packed = all_here() ? ExchangeMethod::host : ExchangeMethod::messages;
  auto const why_not = [&](ExchangeMethod method) -> char const* {
    bool const packs = method == ExchangeMethod::host || method == ExchangeMethod::messages;
    if (!reached && !packs) return "a rank cannot reach the memory of another";
    if (method == ExchangeMethod::fused && !fusable) return "a stage cannot store by base addresses";
    if (method == ExchangeMethod::swap && !swappable)
      return "parts that ranks exchange differ in size, or are reals in f16 or bf16";
    if (method == ExchangeMethod::staged && !all_here())
      return "ranks are processes, which share no pinned memory";
    return nullptr;
  };
  if (options.method == ExchangeMethod::automatic) {
    bool const fuses = options.preferred == ExchangeMethod::fused && any;
    method_ = fuses || !why_not(options.preferred) ? options.preferred
              : reached                            ? ExchangeMethod::direct
                                                   : packed;
  } else if (char const* const why = why_not(options.method)) {
    throw Error("exchange", std::string("is ") + name(options.method) + " but " + why + "; use automatic");
  } else {
    method_ = options.method;
  }
  if (method_ == ExchangeMethod::host || method_ == ExchangeMethod::messages) method_ = packed;
  messages_on_streams_ = method_ == ExchangeMethod::messages && messages_on_device_ &&
                         everywhere(communicator_->takes_streams());
}

/// What the stage of the second digit of an axis that is split does to elements of a part of the rank's box.
GpuLoad GpuRun::load_of(Local& local, std::size_t s, Box const& part, bool to_peers) const {
  if (!loads_twiddles(stages_.program, s)) return {};
  if (!local.twiddles) local.twiddles = std::make_unique<GpuTwiddles>(stages_.program, local.gpu);
  Array const array{stages_.stages[s].before.box(local.rank), input_strides(stages_, s, local.rank)};
  return to_peers ? local.twiddles->load_before_bases(array) : local.twiddles->load(array, part);
}

/// A stage on a part of the rank's box.
std::unique_ptr<GpuTransform> GpuRun::transform_of(Local& local, std::size_t s, Box const& part,
                                                   std::vector<Index> const& out_strides, Index peer_unit) {
  Program const& program = stages_.program;
  std::vector<Index> const in = input_strides(stages_, s, local.rank);
  std::unique_ptr<GpuTransform> made;
  if (program.is_round_trip() && s == middle_stage(program)) {
    made = middle_({local.rank, local.gpu}, part, in, out_strides, peer_unit);
  } else {
    LocalProblem problem = local_problem(program, s, part.size, in, out_strides);
    bool const alone = stages_.stages.size() == 1;
    if (alone && stages_.arrays.in_place) problem.problem.placement = Placement::in_place;
    made = local.gpu->prepare(problem, peer_unit, load_of(local, s, part, peer_unit > 0));
  }
  local.work_bytes = std::max(local.work_bytes, made->workspace_bytes());
  return made;
}

void GpuRun::make_stage(Local& local, std::size_t s) {
  GpuStage const& stage = stages_.stages[s];
  Box const box = stage.before.box(local.rank);
  bool const is_last = s + 1 == stages_.stages.size();
  if (is_last) {
    if (!is_empty(box) && stage.has_transforms)
      local.last = transform_of(local, s, box, output_strides(stages_, s, local.rank), 0);
    return;
  }
  stages_.stages[s + 1].before.meet(stage.after.box(local.rank), [&](Index peer, Box const& shared) {
    if (peer != local.rank) local.sent += volume(shared) * stage.element_bytes;
  });
  bool const to_swap = method_ == ExchangeMethod::swap;
  if (!by_copies(method_) && (to_swap ? to_swap_ : to_peers_)[s]) {
    auto stored = std::make_unique<Stored>();
    if (!is_empty(box)) {
      stored->route = *route_of(stages_, s, local.rank, to_swap);
      stored->transform = transform_of(local, s, box, stored->route.strides, stored->route.unit);
      if (to_swap) stored->swaps = swaps_of(stages_, s, local.rank);
    }
    local.stored[s] = std::move(stored);
    return;
  }
  auto copies = std::make_unique<Copies>();
  copies->pieces = copied_pieces(stages_, s, local.rank, rounds(s));
  bool const is_middle = stages_.program.is_round_trip() && s == middle_stage(stages_.program);
  bool const by_place = is_middle || loads_twiddles(stages_.program, s);
  std::map<std::vector<Index>, std::shared_ptr<GpuTransform>> by_sizes;
  for (GpuPiece const& piece : copies->pieces) {
    copies->computed.push_back(local.gpu->make_event());
    copies->sent.push_back(local.gpu->make_event());
    if (!stage.has_transforms) continue;
    auto& known = by_sizes[piece.box.size];
    // What the middle stage does depends on where a piece is, and so do twiddles.
    if (!known || by_place)
      known = transform_of(local, s, piece.box, output_strides(stages_, s, local.rank), 0);
    copies->transforms.push_back(known);
  }
  if (stage.has_transforms)
    local.own_bytes =
        std::max(local.own_bytes, device_aligned(volume(stage.after.box(local.rank)) * stage.element_bytes));
  local.copies[s] = std::move(copies);
}

/// Memory for what is packed, as much as the largest exchange has: the host's, pinned, or where messages come from device memory
/// the device's.
void GpuRun::make_room_for_packed(Local& local) {
  Index leaving = 0, arriving = 0;
  for (std::size_t s = 0; s < local.copies.size(); ++s) {
    if (!local.copies[s]) continue;
    Index here = 0;
    for (GpuPiece const& piece : local.copies[s]->pieces)
      for (GpuPart const& part : piece.parts)
        if (is_packed(local.rank, part.peer))
          here = std::max(here, part.packed_at + volume(part.box) * stages_.stages[s].element_bytes);
    leaving = std::max(leaving, here);
    if (method_ == ExchangeMethod::messages) arriving = std::max(arriving, make_arrivals(local, s));
  }
  local.leaving = Owned(local.gpu, leaving, !messages_on_device_);
  local.arriving = Owned(local.gpu, arriving, !messages_on_device_);
  local.memory += leaving + arriving;
}

/// What comes in messages, and how many bytes it takes.
Index GpuRun::make_arrivals(Local& local, std::size_t s) {
  Index all = 0;
  Copies& copies = *local.copies[s];
  GpuStage const& stage = stages_.stages[s];
  stage.after.meet(stages_.stages[s + 1].before.box(local.rank), [&](Index sender, Box const&) {
    if (sender == local.rank) return;
    for (GpuPiece const& piece : copied_pieces(stages_, s, sender, rounds(s)))
      for (GpuPart const& part : piece.parts) {
        if (part.peer != local.rank) continue;
        Index const bytes = volume(part.box) * stage.element_bytes;
        copies.arrivals.push_back({int(sender), message_tag(s, piece.number), all, bytes, part.unpacked});
        all += device_aligned(bytes);
      }
  });
  return all;
}

bool GpuRun::is_packed(Index sender, Index receiver) const {
  if (sender == receiver || !by_copies(method_) || method_ == ExchangeMethod::direct) return false;
  return method_ != ExchangeMethod::staged || sender > receiver;
}

Index GpuRun::workspace_bytes(std::size_t i) const { return locals_[i]->own_bytes + locals_[i]->work_bytes; }
Index GpuRun::memory_bytes(std::size_t i) const { return locals_[i]->memory; }
Index GpuRun::sent_bytes(std::size_t i) const { return locals_[i]->sent; }

}  // namespace skipper::distributed
