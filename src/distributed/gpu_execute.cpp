// The calls of GpuRun: what is enqueued where, and who waits for whom.
#include <algorithm>

#include "distributed/gpu_local.h"

namespace skipper::distributed {
namespace {

constexpr std::size_t max_tables = 16;  // of a stage: sets of arrays that callers take by turns

std::byte* at(void* memory, Index bytes) { return static_cast<std::byte*>(memory) + bytes; }
std::byte const* at(void const* memory, Index bytes) { return static_cast<std::byte const*>(memory) + bytes; }

void copy(Gpu& gpu, std::vector<stream::RowsOfBox> const& rows, void const* from, void* to,
          GpuStream stream) {
  for (stream::RowsOfBox const& r : rows) gpu.copy(r, from, to, stream);
}

}  // namespace

GpuCall const& GpuRun::call_of(Local const& local, std::vector<GpuCall> const& calls) const {
  return all_here() ? calls[std::size_t(local.rank)] : calls.front();
}

/// The workspace of transforms, behind what stages leave for copies.
void* GpuRun::work_of(Local const& local, GpuCall const& call) const {
  return local.work_bytes > 0 ? at(call.workspace, local.own_bytes) : nullptr;
}

/// The array of a rank that the exchange behind stage s fills, as this device reaches it.
void* GpuRun::receiver(Local const& local, std::size_t s, Index rank,
                       std::vector<GpuCall> const& calls) const {
  if (stages_.stages[s].to_output) return calls[std::size_t(rank)].out;
  return local.peers[(s + 1) % 2][std::size_t(rank)];
}

void const* GpuRun::input(Local const& local, std::size_t s, std::vector<GpuCall> const& calls) const {
  return s == 0 ? call_of(local, calls).in : local.windows[s % 2].memory();
}

/// The table of base addresses of a stage on the device, for these arrays; what its loads need stands before it.
void const* GpuRun::bases(Local& local, std::size_t s, std::vector<GpuCall> const& calls) {
  Stored& stored = *local.stored[s];
  std::vector<unsigned long long> table;
  if (loads_twiddles(stages_.program, s)) {
    auto const words = local.twiddles->words_before_bases(stages_.stages[s].before.box(local.rank));
    table.assign(words.begin(), words.end());
  }
  Index const before = Index(table.size() * sizeof table[0]);
  std::vector<void*> arrays;
  if (stages_.stages[s].to_output)
    for (GpuCall const& call : calls) arrays.push_back(call.out);
  auto const known = stored.tables.find(arrays);
  if (known != stored.tables.end()) return at(known->second.memory(), before);
  if (stored.tables.size() == max_tables) {
    local.gpu->synchronise();  // nobody reads them any more
    stored.tables.clear();
  }
  for (Slot const& slot : stored.route.slots)
    table.push_back(reinterpret_cast<unsigned long long>(receiver(local, s, slot.rank, calls)) +
                    static_cast<unsigned long long>(slot.offset * stages_.stages[s].element_bytes));
  Index const bytes = Index(table.size() * sizeof table[0]);
  Owned memory(local.gpu, bytes);
  local.gpu->upload(memory.memory(), table.data(), bytes);
  return at(stored.tables.emplace(std::move(arrays), std::move(memory)).first->second.memory(), before);
}

/// What any rank enqueued before, all ranks are behind.
void GpuRun::meet(std::vector<GpuCall> const& calls) {
  if (!all_here()) {
    if (messages_on_streams_) return;
    locals_.front()->gpu->synchronise(calls.front().stream);
    return communicator_->barrier();
  }
  if (locals_.size() == 1) return;
  Local& hub = *locals_.front();
  for (auto& local : locals_) {
    if (local.get() == &hub) continue;
    local->met->record(call_of(*local, calls).stream);
    hub.gpu->wait(call_of(hub, calls).stream, *local->met);
  }
  hub.met->record(call_of(hub, calls).stream);
  for (auto& local : locals_)
    if (local.get() != &hub) local->gpu->wait(call_of(*local, calls).stream, *hub.met);
}

void GpuRun::meet_behind(std::size_t s, std::vector<GpuCall> const& calls) {
  meet(calls);
  for (GpuCall const& call : calls) call.lap(s, &StageTimes::wait_seconds);
}

void GpuRun::run_stage(Local& local, std::size_t s, std::vector<GpuCall> const& calls) {
  GpuCall const& call = call_of(local, calls);
  if (local.copies[s]) return run_pieces(local, s, calls);
  Stored const& stored = *local.stored[s];
  if (stored.transform)
    stored.transform->run_to_peers(input(local, s, calls), bases(local, s, calls), work_of(local, call),
                                   call.stream);
  call.lap(s, &StageTimes::transform_seconds);
}

GpuStream GpuRun::copying(Local const& local, GpuCall const& call) const {
  return streams_ == 1 ? call.stream : local.copying;
}

/// Transforms a piece, then copies or packs its parts.
void GpuRun::run_piece(Local& local, std::size_t s, std::size_t p, std::vector<GpuCall> const& calls) {
  GpuCall const& call = call_of(local, calls);
  Copies& copies = *local.copies[s];
  GpuStage const& stage = stages_.stages[s];
  GpuPiece const& piece = copies.pieces[p];
  GpuStream const copying = this->copying(local, call);
  void const* const in = input(local, s, calls);
  void const* const out = stage.has_transforms ? call.workspace : in;
  if (stage.has_transforms)
    copies.transforms[p]->run(at(in, piece.in * in_element_bytes(stages_.program, s)),
                              at(call.workspace, piece.out * stage.element_bytes), work_of(local, call),
                              call.stream);
  call.lap(s, &StageTimes::transform_seconds);
  if (copying != call.stream) {
    copies.computed[p]->record(call.stream);
    local.gpu->wait(copying, *copies.computed[p]);
  }
  for (GpuPart const& part : piece.parts)
    if (is_packed(local.rank, part.peer))
      copy(*local.gpu, part.packed, out, at(local.leaving.memory(), part.packed_at), copying);
    else
      copy(*local.gpu, part.direct, out, receiver(local, s, part.peer, calls), copying);
  copies.sent[p]->record(copying);
  if (copying == call.stream) call.lap(s, &StageTimes::move_seconds);
}

/// The caller's stream goes on when all copies are made.
void GpuRun::join_copies(Local& local, std::size_t s, GpuCall const& call) {
  if (copying(local, call) == call.stream) return;
  local.copied->record(local.copying);
  local.gpu->wait(call.stream, *local.copied);
  call.lap(s, &StageTimes::move_seconds);
}

/// A piece is sent while the next is computed.
void GpuRun::run_pieces(Local& local, std::size_t s, std::vector<GpuCall> const& calls) {
  for (std::size_t p = 0; p < local.copies[s]->pieces.size(); ++p) run_piece(local, s, p, calls);
  join_copies(local, s, call_of(local, calls));
}

/// Takes from the host what ranks of this process have left there for this one.
void GpuRun::land(Local& local, std::size_t s, std::vector<GpuCall> const& calls) {
  GpuCall const& call = call_of(local, calls);
  GpuStream const landing = streams_ == 1 ? call.stream : local.landing;
  void* const to = stages_.stages[s].to_output ? call.out : local.windows[(s + 1) % 2].memory();
  if (landing != call.stream) {  // not before the exchange has begun
    local.landed->record(call.stream);
    local.gpu->wait(landing, *local.landed);
  }
  for (auto& sender : locals_) {
    if (sender->rank == local.rank || !sender->copies[s] || !is_packed(sender->rank, local.rank)) continue;
    Copies& copies = *sender->copies[s];
    for (std::size_t p = 0; p < copies.pieces.size(); ++p)
      for (GpuPart const& part : copies.pieces[p].parts) {
        if (part.peer != local.rank) continue;
        local.gpu->wait(landing, *copies.sent[p]);
        copy(*local.gpu, part.unpacked, at(sender->leaving.memory(), part.packed_at), to, landing);
      }
  }
  if (landing != call.stream) {
    local.landed->record(landing);
    local.gpu->wait(call.stream, *local.landed);
  }
  call.lap(s, &StageTimes::move_seconds);
}

void GpuRun::receive_messages(Local& local, std::size_t s, Index round) {
  for (Copies::Arrival const& a : local.copies[s]->arrivals)
    if (a.tag == message_tag(s, round))
      communicator_->receive({a.sender, at(local.arriving.memory(), a.offset), std::size_t(a.bytes), a.tag});
}

void GpuRun::send_piece(Local& local, std::size_t s, GpuPiece const& piece) {
  for (GpuPart const& part : piece.parts)
    if (part.peer != local.rank)
      communicator_->send({int(part.peer), at(local.leaving.memory(), part.packed_at),
                           std::size_t(volume(part.box) * stages_.stages[s].element_bytes),
                           message_tag(s, piece.number)});
}

/// Sends each piece as soon as it is packed, and takes what has arrived.
void GpuRun::exchange_messages(Local& local, std::size_t s, std::vector<GpuCall> const& calls) {
  if (messages_on_streams_) return enqueue_messages(local, s, calls);
  GpuCall const& call = call_of(local, calls);
  Copies& copies = *local.copies[s];
  for (Index round = 0; round < rounds(s); ++round) receive_messages(local, s, round);
  run_pieces(local, s, calls);
  for (std::size_t p = 0; p < copies.pieces.size(); ++p) {
    copies.sent[p]->synchronise();
    send_piece(local, s, copies.pieces[p]);
  }
  communicator_->wait();
  call.lap(s, &StageTimes::wait_seconds);
  unpack(local, s, call);
  meet_behind(s, calls);
}

/// The same in the order of streams. Ranks go by rounds, one for each piece, so that all hand over their messages in the same order,
/// and a rank without a piece in a round still receives.
void GpuRun::enqueue_messages(Local& local, std::size_t s, std::vector<GpuCall> const& calls) {
  GpuCall const& call = call_of(local, calls);
  Copies& copies = *local.copies[s];
  GpuStream const copying = this->copying(local, call);
  if (copying != call.stream) {  // what arrived before is unpacked
    local.landed->record(call.stream);
    local.gpu->wait(copying, *local.landed);
  }
  std::size_t p = 0;
  for (Index round = 0; round < rounds(s); ++round) {
    if (p < copies.pieces.size() && copies.pieces[p].number == round) {
      run_piece(local, s, p, calls);
      send_piece(local, s, copies.pieces[p++]);
    }
    receive_messages(local, s, round);
    communicator_->enqueue(copying);
    if (copying == call.stream) call.lap(s, &StageTimes::move_seconds);
  }
  join_copies(local, s, call);
  unpack(local, s, call);
}

void GpuRun::unpack(Local& local, std::size_t s, GpuCall const& call) {
  for (Copies::Arrival const& arrival : local.copies[s]->arrivals)
    copy(*local.gpu, arrival.rows, at(local.arriving.memory(), arrival.offset),
         local.windows[(s + 1) % 2].memory(), call.stream);
  call.lap(s, &StageTimes::move_seconds);
}

void GpuRun::swap(Local& local, std::size_t s, std::vector<GpuCall> const& calls) {
  if (!local.stored[s]) return;
  Index const bytes = stages_.stages[s].element_bytes;
  for (GpuSwap const& swap : local.stored[s]->swaps)
    local.gpu->swap(swap.dims, bytes, at(receiver(local, s, local.rank, calls), swap.mine * bytes),
                    at(receiver(local, s, swap.peer, calls), swap.theirs * bytes),
                    call_of(local, calls).stream);
  call_of(local, calls).lap(s, &StageTimes::move_seconds);
}

/// The last stage: transforms into the caller's array, or puts there what has arrived.
void GpuRun::finish(Local& local, std::vector<GpuCall> const& calls) {
  GpuCall const& call = call_of(local, calls);
  std::size_t const last = stages_.stages.size() - 1;
  void const* const in = input(local, last, calls);
  if (local.last) {
    local.last->run(in, call.out, work_of(local, call), call.stream);
    return call.lap(last, &StageTimes::transform_seconds);
  }
  Box const box = stages_.stages[last].before.box(local.rank);
  if (is_empty(box) || in == call.out || (last > 0 && stages_.stages[last - 1].to_output)) return;
  Array const from{box, input_strides(stages_, last, local.rank)},
      to{box, output_strides(stages_, last, local.rank)};
  Index const bytes = stages_.stages[last].element_bytes;
  copy(*local.gpu, byte_rows(box, from, to, bytes), in, call.out, call.stream);
  call.lap(last, &StageTimes::move_seconds);
}

void GpuRun::enqueue(std::vector<GpuCall> calls) {
  std::size_t const last = stages_.stages.size() - 1;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    Local& local = *locals_[i];
    if (calls[i].workspace || workspace_bytes(i) == 0) continue;
    if (!local.workspace.memory()) local.workspace = Owned(local.gpu, workspace_bytes(i));
    calls[i].workspace = local.workspace.memory();
  }
  if (last > 0) meet_behind(0, calls);  // windows and outputs are free
  for (std::size_t s = 0; s < last; ++s) {
    if (method_ == ExchangeMethod::messages) {
      exchange_messages(*locals_.front(), s, calls);
      continue;
    }
    for (auto& local : locals_) run_stage(*local, s, calls);
    if (method_ == ExchangeMethod::host || method_ == ExchangeMethod::staged)
      for (auto& local : locals_) land(*local, s, calls);
    if (method_ == ExchangeMethod::swap) {
      meet_behind(s, calls);
      for (auto& local : locals_) swap(*local, s, calls);
    }
    meet_behind(s, calls);
  }
  for (auto& local : locals_) finish(*local, calls);
}

/// What ends a call here ends it on the other ranks too.
template <class Body>
void GpuRun::or_fail(Body const& body) const {
  try {
    body();
  } catch (std::exception const& e) {
    if (communicator_) communicator_->fail(e.what());
    throw;
  }
}

void GpuRun::execute(std::vector<GpuCall> const& calls) {
  or_fail([&] { enqueue(calls); });
}

std::vector<std::vector<StageTimes>> GpuRun::execute_timed(std::vector<GpuCall> calls) {
  std::vector<std::vector<StageTimes>> times(calls.size(), std::vector<StageTimes>(stages_.stages.size()));
  or_fail([&] {
    std::vector<std::unique_ptr<GpuPhaseTimer>> timers;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      timers.push_back(std::make_unique<GpuPhaseTimer>(*locals_[i]->gpu, calls[i].stream));
      calls[i].timer = timers.back().get();
    }
    enqueue(calls);
    for (std::size_t i = 0; i < calls.size(); ++i) timers[i]->read(times[i]);
  });
  return times;
}

}  // namespace skipper::distributed
