// The communicator whose ranks are threads of one process. All state is in one object under one mutex: mailboxes, a
// barrier that counts generations, and the reason why a rank failed, which wakes everyone who waits.
#include <skipper/communicator.h>

#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <tuple>

namespace skipper {
namespace {

struct FreeAligned {
  void operator()(std::byte* memory) const { ::operator delete(memory, std::align_val_t(64)); }
};

/// What all ranks of a group share.
struct Group {
  Group(int ranks, std::chrono::milliseconds longest) : size(ranks), timeout(longest) {}

  using Key = std::tuple<int, int, int>;  // from, to, tag
  struct Sent {
    void const* data = nullptr;
    std::size_t bytes = 0;
    bool* taken = nullptr;  // of the sender
  };

  int const size;
  std::chrono::milliseconds const timeout;
  std::mutex mutex;
  std::condition_variable changed;
  std::map<Key, Sent> sent;
  int arrived = 0;
  unsigned long generation = 0;
  std::vector<void const*> gathered;  // what each rank shows the others, between two barriers
  std::string failure;

  /// Waits for `done()` under the lock. Throws where a rank has failed, or does not come.
  template <class Done>
  void wait(std::unique_lock<std::mutex>& lock, int rank, char const* what, Done done) {
    bool const in_time = changed.wait_for(lock, timeout, [&] { return !failure.empty() || done(); });
    if (done()) return;
    if (in_time) throw Error("communicator", failure);
    failure = "rank " + std::to_string(rank) + " waited longer than " + std::to_string(timeout.count()) +
              " ms for another rank to " + what;
    changed.notify_all();
    throw Error("communicator", failure);
  }
};

/// Holds everyone's memory, for a rank may be done with a window before the others are.
class ThreadWindow final : public Window {
 public:
  explicit ThreadWindow(std::vector<std::shared_ptr<std::byte>> all) : all_(std::move(all)) {}
  void* memory(int rank) const override { return all_[std::size_t(rank)].get(); }

 private:
  std::vector<std::shared_ptr<std::byte>> all_;
};

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(std::shared_ptr<Group> group, int rank) : group_(std::move(group)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return group_->size; }
  int ranks_per_node() const override { return group_->size; }

  std::unique_ptr<Window> allocate(std::size_t bytes) override {
    std::shared_ptr<std::byte> const own(
        static_cast<std::byte*>(::operator new(bytes ? bytes : 64, std::align_val_t(64))), FreeAligned{});
    auto const* const mine = &own;
    std::vector<std::shared_ptr<std::byte> const*> each(static_cast<std::size_t>(size()));
    all_gather(&mine, each.data(), sizeof mine);
    std::vector<std::shared_ptr<std::byte>> all;
    for (auto const* memory : each) all.push_back(*memory);
    barrier();  // nobody leaves, and takes `own` away, before all have a share of it
    return std::make_unique<ThreadWindow>(std::move(all));
  }

  void send(Message const& message) override {
    std::lock_guard const lock(group_->mutex);
    auto taken = std::make_unique<bool>(false);
    Group::Key const key{rank_, message.rank, message.tag};
    if (!group_->sent.try_emplace(key, Group::Sent{message.data, message.bytes, taken.get()}).second)
      throw Error("tag", std::to_string(message.tag) + " is already that of a message to rank " +
                             std::to_string(message.rank) + ", which has not received it; give each a tag of its own");
    sends_.push_back(std::move(taken));
    group_->changed.notify_all();
  }
  void receive(Message const& message) override { receives_.push_back(message); }

  void wait() override {
    for (Message const& message : receives_) take(message);
    receives_.clear();
    std::unique_lock lock(group_->mutex);
    for (auto const& taken : sends_) group_->wait(lock, rank_, "take a message", [&] { return *taken; });
    sends_.clear();
  }

  void all_gather(void const* mine, void* all, std::size_t bytes) override {
    {
      std::lock_guard const lock(group_->mutex);
      group_->gathered[std::size_t(rank_)] = mine;
    }
    barrier();
    for (int r = 0; r < size(); ++r)
      std::memcpy(static_cast<std::byte*>(all) + std::size_t(r) * bytes, group_->gathered[std::size_t(r)],
                  bytes);
    barrier();  // nobody leaves, and takes `mine` away, before all have read it
  }

  void barrier() override {
    std::unique_lock lock(group_->mutex);
    unsigned long const generation = group_->generation;
    if (++group_->arrived == size()) {
      group_->arrived = 0;
      ++group_->generation;
      group_->changed.notify_all();
      return;
    }
    group_->wait(lock, rank_, "reach a barrier", [&] { return group_->generation != generation; });
  }

  void fail(std::string const& reason) noexcept override {
    std::lock_guard const lock(group_->mutex);
    if (group_->failure.empty()) group_->failure = "rank " + std::to_string(rank_) + " failed: " + reason;
    group_->changed.notify_all();
  }

 private:
  /// Copies a message once its sender has come. The sender keeps its array until it is notified.
  void take(Message const& message) {
    std::unique_lock lock(group_->mutex);
    Group::Key const key{message.rank, rank_, message.tag};
    group_->wait(lock, rank_, "send", [&] { return group_->sent.contains(key); });
    Group::Sent const sent = group_->sent[key];
    group_->sent.erase(key);
    lock.unlock();
    if (sent.bytes != message.bytes)
      throw Error("communicator", "a message from rank " + std::to_string(message.rank) + " has " +
                                      std::to_string(sent.bytes) + " bytes where " +
                                      std::to_string(message.bytes) + " were expected");
    std::memcpy(message.data, sent.data, sent.bytes);
    lock.lock();
    *sent.taken = true;
    group_->changed.notify_all();
  }

  std::shared_ptr<Group> group_;
  int rank_;
  std::vector<Message> receives_;
  std::vector<std::unique_ptr<bool>> sends_;  // whether each was taken; under the group's mutex
};

}  // namespace

std::vector<std::shared_ptr<Communicator>> thread_communicators(int ranks,
                                                                std::chrono::milliseconds timeout) {
  if (ranks < 1) throw Error("ranks", "is " + std::to_string(ranks) + " but must be at least 1");
  auto const group = std::make_shared<Group>(ranks, timeout);
  group->gathered.resize(std::size_t(ranks));
  std::vector<std::shared_ptr<Communicator>> all;
  for (int r = 0; r < ranks; ++r) all.push_back(std::make_shared<ThreadCommunicator>(group, r));
  return all;
}

}  // namespace skipper
