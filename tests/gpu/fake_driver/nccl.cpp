// NCCL's entry points, for ranks that are threads. A group is work of its stream: it leaves what it sends, then takes what it
// receives, for which it runs the streams of the senders as far as that, or waits until they have enqueued it. Like NCCL it refuses two
// ranks on one device.
#include <condition_variable>
#include <cstring>
#include <deque>
#include <utility>

#include "gpu/fake_driver/world.h"

namespace skipper::fake_driver {
namespace {

enum NcclStatus { nccl_success = 0, nccl_invalid_usage = 5 };

/// What one rank sends another, in order.
struct Box {
  std::deque<std::string> come;
  std::deque<std::pair<Stream*, unsigned long long>>
      enqueued;  // streams and how far they must have gone for what is to come
};

struct Meeting {
  int ranks = 0, come = 0;
  std::set<int> devices;
  std::map<std::pair<int, int>, Box> boxes;  // by sender and receiver
};

struct Comm {
  std::shared_ptr<Meeting> meeting;
  int rank = 0;
};

struct Nccl {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, std::shared_ptr<Meeting>> meetings;
  int ids = 0;
};
Nccl& nccl() {
  static Nccl& all = *new Nccl;
  return all;
}

struct Op {
  Comm* comm;
  bool sends;
  void* data;
  std::size_t bytes;
  int peer;
  void* stream;

  Box& box() const {
    return comm->meeting->boxes[sends ? std::pair(comm->rank, peer) : std::pair(peer, comm->rank)];
  }
};
std::vector<Op>& group() {
  thread_local std::vector<Op> ops;
  return ops;
}

int run(std::vector<Op> const& ops) {
  for (Op const& op : ops)
    if (op.sends) {
      op.box().come.emplace_back(static_cast<char const*>(op.data), op.bytes);
      op.box().enqueued.pop_front();
    }
  world().changed.notify_all();
  for (Op const& op : ops) {
    if (op.sends) continue;
    Box& box = op.box();
    while (box.come.empty()) {
      if (!box.enqueued.empty()) drain(*box.enqueued.front().first, box.enqueued.front().second);
      if (box.come.empty() && !wait_for_change()) return nccl_invalid_usage;
    }
    if (box.come.front().size() != op.bytes) return nccl_invalid_usage;
    std::memcpy(op.data, box.come.front().data(), op.bytes);
    mark_written(Address(reinterpret_cast<std::uintptr_t>(op.data)), op.bytes);
    box.come.pop_front();
  }
  return nccl_success;
}

}  // namespace
}  // namespace skipper::fake_driver

using namespace skipper::fake_driver;

#define FAKE_DRIVER extern "C" __attribute__((visibility("default")))

struct NcclUniqueId {
  char bytes[128];
};

FAKE_DRIVER int ncclGetVersion(int* version) { return *version = 22703, nccl_success; }
FAKE_DRIVER char const* ncclGetErrorString(int status) {
  return status == nccl_invalid_usage ? "invalid usage" : "a planned failure";
}
FAKE_DRIVER int ncclGetUniqueId(NcclUniqueId* id) {
  std::lock_guard const lock(nccl().mutex);
  std::memset(id->bytes, 0, sizeof id->bytes);
  std::strncpy(id->bytes, std::to_string(++nccl().ids).c_str(), 16);
  return nccl_success;
}
FAKE_DRIVER int ncclCommInitRank(void** comm, int ranks, NcclUniqueId id, int rank) {
  std::unique_lock lock(nccl().mutex);
  auto& meeting = nccl().meetings[id.bytes];
  if (!meeting) meeting = std::make_shared<Meeting>();
  meeting->ranks = ranks;
  ++meeting->come;
  meeting->devices.insert(current()->device);
  nccl().changed.notify_all();
  auto const mine = meeting;
  nccl().changed.wait(lock, [&] { return mine->come == ranks; });
  if (int(mine->devices.size()) < ranks) return nccl_invalid_usage;
  *comm = new Comm{mine, rank};
  return nccl_success;
}
FAKE_DRIVER int ncclCommDestroy(void* comm) { return delete static_cast<Comm*>(comm), nccl_success; }
FAKE_DRIVER int ncclCommAbort(void* comm) { return ncclCommDestroy(comm); }
FAKE_DRIVER int ncclGroupStart() { return group().clear(), nccl_success; }
FAKE_DRIVER int ncclSend(void const* data, std::size_t bytes, int, int peer, void* comm, void* stream) {
  group().push_back({static_cast<Comm*>(comm), true, const_cast<void*>(data), bytes, peer, stream});
  return nccl_success;
}
FAKE_DRIVER int ncclRecv(void* data, std::size_t bytes, int, int peer, void* comm, void* stream) {
  group().push_back({static_cast<Comm*>(comm), false, data, bytes, peer, stream});
  return nccl_success;
}
FAKE_DRIVER int ncclGroupEnd() {
  std::lock_guard const lock(world().mutex);
  if (int const planned = called("ncclGroupEnd")) return planned;
  std::vector<Op> const ops = std::exchange(group(), {});
  if (ops.empty()) return nccl_success;
  Stream* const stream = stream_of(ops.front().stream);
  if (!stream) return nccl_invalid_usage;
  for (Op const& op : ops) {  // device memory, live and large enough
    Address const first = Address(reinterpret_cast<std::uintptr_t>(op.data));
    auto const held = holder(first);
    if (op.stream != ops.front().stream || held == world().memory.end() ||
        held->second.sort == Allocation::Sort::pinned || first + op.bytes > held->first + held->second.bytes)
      return nccl_invalid_usage;
  }
  int const status = enqueue(*stream, [ops] { return run(ops); });
  for (Op const& op : ops)
    if (op.sends) op.box().enqueued.emplace_back(stream, stream->enqueued);
  world().changed.notify_all();
  return status;
}
