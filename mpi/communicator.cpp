// The communicator on MPI. Every wait is a loop of tests, so that it can end when a rank says that it failed, stays away, or is a
// process of this node that has ended. A failure travels as a message with a tag of its own.
#include <skipper/mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <vector>

#include "device_memory.h"
#include "node_window.h"
#include "processes.h"

namespace skipper {
namespace {

constexpr int failure_tag = 32767;                               // the largest that every MPI has
constexpr std::size_t max_of_a_message = std::size_t(1) << 30;  // counts are ints

void demand(int code, char const* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error("communicator",
              std::string("MPI failed to ") + what + ": " + std::string(text, std::size_t(length)));
}

/// Memory of a request that was given up: MPI may still write to it, whenever it is called next.
void keep_for_good(std::vector<std::byte>&& memory) {
  static std::mutex mutex;
  static auto& kept = *new std::vector<std::vector<std::byte>>;
  std::lock_guard const lock(mutex);
  kept.push_back(std::move(memory));
}

class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator(MPI_Comm given, std::chrono::milliseconds timeout) : timeout_(timeout) {
    demand(MPI_Comm_dup(given, &comm_), "duplicate the communicator");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    MPI_Comm node = MPI_COMM_NULL;
    demand(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node),
           "find the ranks of the node");
    int count = 1;
    MPI_Comm_size(node, &count);
    on_node_.resize(static_cast<std::size_t>(count));
    MPI_Allgather(&rank_, 1, MPI_INT, on_node_.data(), 1, MPI_INT, node);
    auto const mine = mpi::ProcessName::own();
    std::vector<mpi::ProcessName> names(on_node_.size());
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, names.data(), sizeof mine, MPI_BYTE, node);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (on_node_[i] != rank_) node_processes_.watch(on_node_[i], names[i]);
    MPI_Comm_free(&node);
  }
  ~MpiCommunicator() override {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized && failure_.empty()) MPI_Comm_free(&comm_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int ranks_per_node() const override { return int(on_node_.size()); }
  bool takes_device_memory() const override { return takes_device_memory_; }

  std::unique_ptr<Window> allocate(std::size_t bytes) override {
    return mpi::node_window(*this, on_node_, bytes);
  }

  void receive(Message const& m) override {
    demand_no_failure();
    in_parts(m, [&](std::byte* data, int count) {
      MPI_Request request = MPI_REQUEST_NULL;
      demand(MPI_Irecv(data, count, MPI_BYTE, m.rank, m.tag, comm_, &request), "receive");
      requests_.push_back(request);
    });
  }
  void send(Message const& m) override {
    demand_no_failure();
    in_parts(m, [&](std::byte* data, int count) {
      MPI_Request request = MPI_REQUEST_NULL;
      demand(MPI_Isend(data, count, MPI_BYTE, m.rank, m.tag, comm_, &request), "send");
      requests_.push_back(request);
    });
  }
  void wait() override {
    std::vector<MPI_Request> const started = std::move(requests_);
    requests_.clear();
    finish(started, "exchange messages");
  }

  void all_gather(void const* mine, void* all, std::size_t bytes) override {
    demand_no_failure();
    std::vector<std::byte> sent(bytes), received(bytes * std::size_t(size_));
    std::memcpy(sent.data(), mine, bytes);
    MPI_Request request = MPI_REQUEST_NULL;
    demand(MPI_Iallgather(sent.data(), int(bytes), MPI_BYTE, received.data(), int(bytes), MPI_BYTE, comm_,
                          &request),
           "gather");
    try {
      finish({request}, "gather");
    } catch (Error const&) {
      keep_for_good(std::move(sent));
      keep_for_good(std::move(received));
      throw;
    }
    std::memcpy(all, received.data(), received.size());
  }

  void barrier() override {
    demand_no_failure();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    MPI_Request request = MPI_REQUEST_NULL;
    demand(MPI_Ibarrier(comm_, &request), "start a barrier");
    finish({request}, "reach a barrier");
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }

  void fail(std::string const& reason) noexcept override {
    if (!failure_.empty()) return;
    failure_ = "rank " + std::to_string(rank_) + " failed: " + reason;
    failure_.resize(std::min<std::size_t>(failure_.size(), 1000));
    auto const* const text = reinterpret_cast<std::byte const*>(failure_.data());
    std::vector<std::byte> sent(text, text + failure_.size());
    for (int r = 0; r < size_; ++r) {
      MPI_Request request = MPI_REQUEST_NULL;
      if (r != rank_ &&
          MPI_Isend(sent.data(), int(sent.size()), MPI_BYTE, r, failure_tag, comm_, &request) == MPI_SUCCESS)
        MPI_Request_free(&request);
    }
    keep_for_good(std::move(sent));
  }

 private:
  template <class Use>
  static void in_parts(Message const& m, Use use) {
    for (std::size_t at = 0; at < m.bytes; at += max_of_a_message)
      use(static_cast<std::byte*>(m.data) + at, int(std::min(max_of_a_message, m.bytes - at)));
  }

  /// Before anything is started: a rank that has given up would answer another call of the others than they make.
  void demand_no_failure() const {
    if (!failure_.empty()) throw Error("communicator", failure_);
  }

  void finish(std::vector<MPI_Request> requests, char const* what) {
    demand_no_failure();
    auto const done = [&] {
      int all = 0;
      demand(MPI_Testall(int(requests.size()), requests.data(), &all, MPI_STATUSES_IGNORE), what);
      return all != 0;
    };
    std::string const why = node_processes_.wait(done, [&] { look_for_failure(); }, timeout_, what);
    if (!why.empty()) give_up(why);
  }

  [[noreturn]] void give_up(std::string const& why) {
    fail(why);
    throw Error("communicator", failure_);
  }

  void look_for_failure() {
    int found = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, failure_tag, comm_, &found, &status) != MPI_SUCCESS || !found) return;
    int length = 0;
    MPI_Get_count(&status, MPI_BYTE, &length);
    std::string reason(std::size_t(std::max(length, 0)), ' ');
    MPI_Recv(reason.data(), length, MPI_BYTE, status.MPI_SOURCE, failure_tag, comm_, MPI_STATUS_IGNORE);
    failure_ = reason;
    throw Error("communicator", failure_);
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  std::vector<int> on_node_;  // ranks of this node
  mpi::Processes node_processes_;
  bool const takes_device_memory_ = mpi::takes_device_memory();
  std::chrono::milliseconds timeout_;
  std::vector<MPI_Request> requests_;
  std::string failure_;
};

}  // namespace

std::shared_ptr<Communicator> mpi_communicator(MPI_Comm communicator, std::chrono::milliseconds timeout) {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (!initialized || finalized)
    throw Error("communicator", "MPI is not initialised, or finalised already; call MPI_Init() first");
  if (communicator == MPI_COMM_NULL) throw Error("communicator", "is MPI_COMM_NULL; give one of this rank's");
  return std::make_shared<MpiCommunicator>(communicator, timeout);
}

}  // namespace skipper
