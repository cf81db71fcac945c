// See run.h.
#include "distributed/run.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "distributed/layout.h"
#include "distributed/strides.h"
#include "distributed/phase_timer.h"
#include "stream/copy.h"

namespace skipper::distributed {
namespace {

struct Side {
  std::byte* data = nullptr;
  Box box;
  std::vector<Index> strides;
};

/// Copies `part`, which both sides hold, on the calling thread or on all.
void copy_part(Box const& part, Index element_bytes, Side const& from, Side const& to,
               stream::Loop const& loop) {
  std::vector<stream::BoxDim> dims;
  for (std::size_t d = 0; d < part.size.size(); ++d)
    dims.push_back({part.size[d], from.strides[d], to.strides[d]});
  stream::copy_box(dims, element_bytes, from.data + offset(part, from.box, from.strides) * element_bytes,
                   to.data + offset(part, to.box, to.strides) * element_bytes, loop);
}

/// Memory of messages that were given up: a transport may still use it.
void keep_for_good(std::vector<std::byte>&& memory) {
  static std::mutex mutex;
  static auto& kept = *new std::vector<std::vector<std::byte>>;
  std::lock_guard const lock(mutex);
  kept.push_back(std::move(memory));
}

void inline_loop(Index count, std::function<void(Index, Index)> const& body) { body(0, count); }

stream::Loop all_threads(Processor const& processor) {
  return [&processor](Index count, std::function<void(Index, Index)> const& body) {
    processor.loop(count, [&](int, Index begin, Index end) { body(begin, end); });
  };
}

}  // namespace

/// What follows a stage: how its box goes to the boxes of the next one.
struct RankRun::Exchange {
  struct Receiver {
    Index rank = 0;
    Box box;     // all that it holds in the next stage
    Box shared;  // what it gets from here
    bool reached = false;
  };
  struct BufferedMessage {  // a message of one round
    Message message;
    Box box;
    Index round = 0;
    std::vector<std::byte> data;
  };

  bool fetched = false;            // receivers fetch, for nothing is transformed behind this exchange
  std::vector<std::size_t> order;  // of the dimensions of windows and messages
  Box box, after;                  // of this rank, before and after the transforms of the stage
  Box next;                        // and behind the exchange
  std::vector<Index> strides;      // of the stage's input
  std::vector<Receiver> receivers;
  std::vector<std::pair<Index, Box>> senders;  // reached ones that this rank fetches from, with their boxes
  std::vector<Pieces> rounds;
  std::map<std::vector<Index>, Action> actions;  // by the sizes of a piece
  std::vector<BufferedMessage> outgoing, incoming;
};

RankRun::RankRun(Program program, std::shared_ptr<Communicator> communicator,
                 std::unique_ptr<Processor const> processor, RunOptions options)
    : program_(std::move(program)),
      rank_(communicator->rank()),
      communicator_(std::move(communicator)),
      processor_(std::move(processor)),
      options_(std::move(options)) {
  std::size_t const last = program_.stages.size() - 1;
  Box const in_box = program_.stages[0].cut.box(rank_), out_box = cut_after(program_, last).box(rank_);
  in_strides_ = options_.in_strides.empty() ? caller_strides(program_, options_.in_place, true, in_box)
                                            : options_.in_strides;
  out_strides_ = options_.out_strides.empty() ? caller_strides(program_, options_.in_place, false, out_box)
                                              : options_.out_strides;
  Index window_bytes = 0;
  for (std::size_t s = 0; s <= last; ++s) {
    if (s > 0)
      window_bytes =
          std::max(window_bytes, volume(program_.stages[s].cut.box(rank_)) * in_element_bytes(program_, s));
    if (s < last)
      window_bytes =
          std::max(window_bytes, volume(cut_after(program_, s).box(rank_)) * out_element_bytes(program_, s));
  }
  if (last > 0)
    for (auto& w : windows_) w = communicator_->allocate(std::size_t(window_bytes));
  memory_bytes_ = last > 0 ? 2 * window_bytes : 0;
  for (std::size_t s = 0; s < last; ++s) make_exchange(s, options_.method);
  whole_.resize(last + 1);
  for (std::size_t s = 0; s <= last; ++s) {
    Box const box = program_.stages[s].cut.box(rank_);
    bool const at_once = s == last || exchanges_[s]->fetched;
    if (!at_once || is_empty(box) || !program_.stages[s].computes()) continue;
    whole_[s] =
        action(s, box.size, s == 0 ? in_strides_ : dense_strides(box.size),
               s == last ? out_strides_ : strides_in(exchanges_[s]->order, exchanges_[s]->after.size), true);
  }
}

Action RankRun::action(std::size_t s, std::vector<Index> const& sizes, std::vector<Index> const& in_strides,
                       std::vector<Index> const& out_strides, bool at_once) const {
  if (options_.middle && s == middle_stage(program_))
    return options_.middle(sizes, in_strides, out_strides, at_once);
  LocalProblem local = local_problem(program_, s, sizes, in_strides, out_strides);
  if (program_.stages.size() == 1 && options_.in_place) local.problem.placement = Placement::in_place;
  std::shared_ptr<Transform const> const ready = processor_->prepare(local, at_once);
  return [ready](Box const&, void const* in, void* out) { ready->run(in, out); };
}

/// Behind the first digit of an axis that is split. The exchange to the second one follows, so parts are always dense.
Action RankRun::twiddled(Action transform, std::size_t s, Box const& part) {
  if (!is_twiddled(program_, s)) return transform;
  SplitAxis const& digits = program_.split->digits;
  if (!roots_) roots_ = std::make_shared<RootSource const>(digits.first * digits.second);
  auto const twiddles = std::make_shared<Twiddles const>(program_, roots_, box_after(program_, s, part).size);
  memory_bytes_ += twiddles->memory_bytes();
  return [transform = std::move(transform), twiddles](Box const& box, void const* in, void* out) {
    transform(box, in, out);
    twiddles->multiply(box, out);
  };
}

RankRun::~RankRun() {
  if (!failed_) return;
  for (auto const& e : exchanges_)
    for (auto* list : {&e->outgoing, &e->incoming})
      for (Exchange::BufferedMessage& buffered : *list) keep_for_good(std::move(buffered.data));
}

ExchangeMethod RankRun::method() const {
  for (auto const& exchange : exchanges_)
    if (!exchange->outgoing.empty() || !exchange->incoming.empty()) return ExchangeMethod::messages;
  return ExchangeMethod::direct;
}

std::byte* RankRun::window(std::size_t stage, Index rank) const {
  return static_cast<std::byte*>(windows_[(stage + parity_) % 2]->memory(int(rank)));
}

void RankRun::make_exchange(std::size_t s, ExchangeMethod method) {
  auto made = std::make_unique<Exchange>();
  Exchange& e = *made;
  Distribution const here = sent_cut(program_, s), next = received_cut(program_, s);
  auto const before = [&](Index rank) {
    return program_.stages[s].computes() ? program_.stages[s].cut.box(rank) : here.box(rank);
  };
  e.fetched = s + 2 == program_.stages.size() && !program_.stages[s + 1].computes();
  e.box = before(rank_);
  e.after = here.box(rank_);
  e.strides = s == 0 ? in_strides_ : dense_strides(e.box.size);
  e.order = waiting_order(program_, s);
  Index const bytes = out_element_bytes(program_, s);
  bool by_message = false;
  auto const is_reached = [&](Index peer) {
    bool const reached = method != ExchangeMethod::messages && windows_[0]->memory(int(peer)) &&
                         windows_[1]->memory(int(peer));
    if (!reached && peer != rank_ && method == ExchangeMethod::direct)
      throw Error("exchange", "is direct but rank " + std::to_string(rank_) +
                                  " cannot reach the memory of rank " + std::to_string(peer) +
                                  "; use automatic, which sends messages there");
    by_message = by_message || (!reached && peer != rank_);
    return reached || peer == rank_;
  };
  next.meet(e.after, [&](Index peer, Box const& shared) {
    e.receivers.push_back({peer, next.box(peer), shared, is_reached(peer)});
    if (peer != rank_) sent_bytes_ += volume(shared) * bytes;
  });
  // Rounds are of the sender: messages leave when their round is computed.
  std::vector<bool> const whole = transformed(program_, s);
  auto const after = [&](Box box) {
    for (std::size_t d = 0; d < whole.size(); ++d)
      if (whole[d] && box.size[d] > 0) box.size[d] = here.sizes()[d];
    return box;
  };
  auto const add_messages = [&](std::vector<Exchange::BufferedMessage>& list, Index peer, Box const& sender,
                                Box const& receiver) {
    Index const rounds = e.fetched ? 1 : program_.pieces;
    for (Index round = 0; round < rounds; ++round) {
      Box const part = intersection(after(round_of(sender, whole, rounds, round)), receiver);
      if (is_empty(part)) continue;
      Exchange::BufferedMessage buffered{
          {int(peer), nullptr, std::size_t(volume(part) * bytes), int(Index(s) * 1024 + round)},
          part,
          round,
          {}};
      buffered.data.resize(buffered.message.bytes);
      memory_bytes_ += Index(buffered.message.bytes);
      list.push_back(std::move(buffered));
    }
  };
  for (auto const& r : e.receivers)
    if (!r.reached) add_messages(e.outgoing, r.rank, e.box, r.box);
  Box const& mine = e.next = next.box(rank_);
  here.meet(mine, [&](Index peer, Box const&) {
    if (is_reached(peer))
      e.senders.emplace_back(peer, here.box(peer));
    else
      add_messages(e.incoming, peer, before(peer), mine);
  });
  for (auto* list : {&e.outgoing, &e.incoming})
    for (Exchange::BufferedMessage& buffered : *list) buffered.message.data = buffered.data.data();
  if (!e.fetched) {
    Index const rounds = by_message ? program_.pieces : 1;
    Index const held = std::max<Index>(1, processor_->cache_bytes() / 2 / bytes);
    Index const share = std::max<Index>(1, volume(e.after) / rounds / processor_->threads());
    for (Index round = 0; round < rounds; ++round)
      e.rounds.push_back(pieces_of(round_of(e.box, whole, rounds, round), whole, std::min(held, share)));
    Index largest = 0;
    for (Pieces const& pieces : e.rounds)
      for (Index i = 0; i < pieces.count; ++i) {
        Box const part = piece(pieces, i);
        largest = std::max(largest, volume(after(part)) * bytes);
        if (!program_.stages[s].computes() || e.actions.contains(part.size)) continue;
        e.actions[part.size] =
            twiddled(action(s, part.size, e.strides, dense_strides(after(part).size), false), s, part);
      }
    buffers_.resize(std::size_t(processor_->threads()));
    for (auto& slot : buffers_)
      if (Index(slot.size()) < largest) {
        memory_bytes_ += largest - Index(slot.size());
        slot.resize(std::size_t(largest));
      }
  }
  exchanges_.push_back(std::move(made));
}

void RankRun::run_whole(std::size_t s, std::byte const* in, std::byte* out) const {
  if (whole_[s]) return whole_[s](program_.stages[s].cut.box(rank_), in, out);
  // Nothing to transform: the data are only handed on, as a first stage that is fetched from.
  Exchange const* const e = s + 1 < program_.stages.size() ? exchanges_[s].get() : nullptr;
  Box const box = e ? e->box : program_.stages[s].cut.box(rank_);
  if (is_empty(box) || in == out) return;
  copy_part(
      box, out_element_bytes(program_, s),
      {const_cast<std::byte*>(in), box, s == 0 ? in_strides_ : dense_strides(box.size)},
      {out, box, s + 1 == program_.stages.size() ? out_strides_ : strides_in(exchanges_[s]->order, box.size)},
      all_threads(*processor_));
}

void RankRun::push_piece(Exchange const& e, std::size_t s, Box const& part, std::byte const* in, int slot,
                         StageTimes* times) {
  StageTimes unused;
  StageTimes& spent = times ? *times : unused;
  PhaseTimer timer(times != nullptr);
  Index const bytes = out_element_bytes(program_, s);
  Side from{const_cast<std::byte*>(in), e.box, e.strides};
  Box done = part;
  if (auto const action = e.actions.find(part.size); action != e.actions.end()) {
    std::vector<bool> const whole = transformed(program_, s);
    for (std::size_t d = 0; d < whole.size(); ++d)
      if (whole[d]) done.size[d] = e.after.size[d];
    std::byte* const buffer = buffers_[std::size_t(slot)].data();
    action->second(part, in + offset(part, e.box, e.strides) * in_element_bytes(program_, s), buffer);
    from = {buffer, done, dense_strides(done.size)};
  }
  timer.lap(spent.transform_seconds);
  for (auto const& r : e.receivers) {
    Box const shared = intersection(done, r.shared);
    if (is_empty(shared) || !r.reached) continue;
    copy_part(shared, bytes, from, {window(s + 1, r.rank), r.box, strides_in(e.order, r.box.size)},
              inline_loop);
  }
  for (auto const& buffered : e.outgoing) {
    Box const shared = intersection(done, buffered.box);
    if (is_empty(shared)) continue;
    copy_part(shared, bytes, from,
              {static_cast<std::byte*>(buffered.message.data), buffered.box,
               strides_in(e.order, buffered.box.size)},
              inline_loop);
  }
  timer.lap(spent.move_seconds);
}

void RankRun::push(std::size_t s, std::byte const* in, StageTimes* times) {
  Exchange& e = *exchanges_[s];
  StageTimes unused;
  StageTimes& spent = times ? *times : unused;
  std::vector<StageTimes> slots(times ? std::size_t(processor_->threads()) : 0);
  double computing = 0;
  for (auto const& buffered : e.incoming) communicator_->receive(buffered.message);
  for (std::size_t round = 0; round < e.rounds.size(); ++round) {
    Pieces const& pieces = e.rounds[round];
    PhaseTimer timer(times != nullptr);
    processor_->loop(pieces.count, [&](int slot, Index begin, Index end) {
      StageTimes* const mine = times ? &slots[std::size_t(slot)] : nullptr;
      for (Index i = begin; i < end; ++i) push_piece(e, s, piece(pieces, i), in, slot, mine);
    });
    timer.lap(computing);
    for (auto const& buffered : e.outgoing)
      if (buffered.round == Index(round)) communicator_->send(buffered.message);
  }
  share_out(computing, slots, spent);
  PhaseTimer timer(times != nullptr);
  finish_messages(e, s, {window(s + 1, rank_), e.next, strides_in(e.order, e.next.size)});
  communicator_->barrier();
  timer.lap(spent.wait_seconds);
}

void RankRun::finish_messages(Exchange& e, std::size_t s, Target const& to) {
  communicator_->wait();
  for (auto const& buffered : e.incoming)
    copy_part(buffered.box, out_element_bytes(program_, s),
              {static_cast<std::byte*>(buffered.message.data), buffered.box,
               strides_in(e.order, buffered.box.size)},
              {to.data, to.box, to.strides}, all_threads(*processor_));
}

void RankRun::fetch(std::size_t s, std::byte* out, StageTimes* times) {
  Exchange& e = *exchanges_[s];
  StageTimes unused;
  StageTimes& spent = times ? *times : unused;
  PhaseTimer timer(times != nullptr);
  Index const bytes = out_element_bytes(program_, s);
  Side const own{window(s + 1, rank_), e.after, strides_in(e.order, e.after.size)};
  for (auto const& buffered : e.incoming) communicator_->receive(buffered.message);
  for (auto const& buffered : e.outgoing) {
    copy_part(buffered.box, bytes, own,
              {static_cast<std::byte*>(buffered.message.data), buffered.box,
               strides_in(e.order, buffered.box.size)},
              all_threads(*processor_));
    communicator_->send(buffered.message);
  }
  timer.lap(spent.move_seconds);
  communicator_->barrier();
  timer.lap(spent.wait_seconds);
  Box const& mine = e.next;
  for (auto const& [peer, box] : e.senders) {
    Box const shared = intersection(box, mine);
    copy_part(shared, bytes, {window(s + 1, peer), box, strides_in(e.order, box.size)},
              {out, mine, out_strides_}, all_threads(*processor_));
  }
  timer.lap(spent.move_seconds);
  finish_messages(e, s, {out, mine, out_strides_});
  timer.lap(spent.wait_seconds);
}

void RankRun::execute(void const* in, void* out, std::vector<StageTimes>* times) {
  std::size_t const last = program_.stages.size() - 1;
  auto const timed_whole = [&](std::size_t s, std::byte const* from, std::byte* to) {
    StageTimes unused;
    PhaseTimer timer(times != nullptr);
    run_whole(s, from, to);
    timer.lap(times ? (*times)[s].transform_seconds : unused.transform_seconds);
  };
  try {
    auto const* from = static_cast<std::byte const*>(in);
    for (std::size_t s = 0; s <= last; ++s) {
      StageTimes* const spent = times ? &(*times)[s] : nullptr;
      if (s == last && !(s > 0 && exchanges_[s - 1]->fetched))
        timed_whole(s, from, static_cast<std::byte*>(out));
      else if (s < last && exchanges_[s]->fetched) {
        timed_whole(s, from, window(s + 1, rank_));
        fetch(s, static_cast<std::byte*>(out), spent);
        break;
      } else
        push(s, from, spent);
      if (s < last) from = window(s + 1, rank_);
    }
  } catch (std::exception const& e) {
    failed_ = true;
    communicator_->fail(e.what());
    throw;
  }
  if (last % 2 == 1) ++parity_;
}

}  // namespace skipper::distributed
