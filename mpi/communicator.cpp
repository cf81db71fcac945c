// The communicator on MPI. Every wait is a loop of tests, so that it can end when a rank says that it failed, or stays away.
// A failure travels as a message with a tag of its own.
#include <skipper/mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "shared_memory.h"

namespace skipper {
namespace {

constexpr int failure_tag = 32767;                               // the largest that every MPI has
constexpr std::size_t most_of_a_message = std::size_t(1) << 30;  // counts are ints

void demand(int code, char const* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error("communicator",
              std::string("MPI failed to ") + what + ": " + std::string(text, std::size_t(length)));
}

class MpiWindow final : public Window {
 public:
  MpiWindow(std::vector<mpi::SharedMemory> maps, std::vector<std::byte> own, int rank)
      : maps_(std::move(maps)), own_(std::move(own)), rank_(rank) {}
  void* memory(int rank) const override {
    if (rank == rank_ && !own_.empty()) return own();
    return maps_[std::size_t(rank)].data();
  }

 private:
  void* own() const {
    auto const at = reinterpret_cast<std::uintptr_t>(own_.data());
    return reinterpret_cast<void*>((at + 63) / 64 * 64);
  }
  std::vector<mpi::SharedMemory> maps_;  // of the ranks of this node
  std::vector<std::byte> own_;           // where no other rank is on the node
  int rank_;
};

class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator(MPI_Comm given, std::chrono::milliseconds timeout) : timeout_(timeout) {
    demand(MPI_Comm_dup(given, &comm_), "duplicate the communicator");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    demand(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node_),
           "find the ranks of the node");
    int on_node = 1;
    MPI_Comm_size(node_, &on_node);
    std::vector<int> ranks(static_cast<std::size_t>(on_node));
    MPI_Allgather(&rank_, 1, MPI_INT, ranks.data(), 1, MPI_INT, node_);
    on_node_ = ranks;
    MPI_Comm_free(&node_);
  }
  ~MpiCommunicator() override {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized && failure_.empty()) MPI_Comm_free(&comm_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int ranks_per_node() const override { return int(on_node_.size()); }

  std::unique_ptr<Window> allocate(std::size_t bytes) override {
    // Name and size of each rank's memory; a rank alone on its node needs no name.
    struct Offer {
      char name[48] = {};
      std::uint64_t bytes = 0;
      char reason[200] = {};
    };
    bytes = std::max<std::size_t>(bytes, 64);
    Offer mine;
    mine.bytes = bytes;
    mpi::SharedMemory own;
    std::vector<std::byte> alone;
    if (on_node_.size() > 1) {
      try {
        own = mpi::SharedMemory::create(bytes);
        own.name().copy(mine.name, sizeof mine.name - 1);
      } catch (Error const& e) {
        std::string(e.what()).copy(mine.reason, sizeof mine.reason - 1);
      }
    } else {
      alone.resize(bytes + 64);
    }
    std::vector<Offer> all(static_cast<std::size_t>(size_));
    all_gather(&mine, all.data(), sizeof mine);
    for (int r = 0; r < size_; ++r)
      if (all[std::size_t(r)].reason[0])
        throw Error("communicator", "rank " + std::to_string(r) + ": " + all[std::size_t(r)].reason);
    std::vector<mpi::SharedMemory> maps(static_cast<std::size_t>(size_));
    for (int const r : on_node_)
      if (r != rank_ && all[std::size_t(r)].name[0])
        maps[std::size_t(r)] = mpi::SharedMemory::open(all[std::size_t(r)].name, all[std::size_t(r)].bytes);
    barrier();
    own.unlink();
    if (own.data()) maps[std::size_t(rank_)] = std::move(own);
    return std::make_unique<MpiWindow>(std::move(maps), std::move(alone), rank_);
  }

  void receive(Message const& m) override {
    in_parts(m, [&](std::byte* data, int count) {
      MPI_Request request = MPI_REQUEST_NULL;
      demand(MPI_Irecv(data, count, MPI_BYTE, m.rank, m.tag, comm_, &request), "receive");
      requests_.push_back(request);
    });
  }
  void send(Message const& m) override {
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
    MPI_Request request = MPI_REQUEST_NULL;
    demand(MPI_Iallgather(mine, int(bytes), MPI_BYTE, all, int(bytes), MPI_BYTE, comm_, &request), "gather");
    finish({request}, "gather");
  }

  void barrier() override {
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
    for (int r = 0; r < size_; ++r) {
      MPI_Request request = MPI_REQUEST_NULL;
      if (r != rank_ && MPI_Isend(failure_.data(), int(failure_.size()), MPI_CHAR, r, failure_tag, comm_,
                                  &request) == MPI_SUCCESS)
        MPI_Request_free(&request);  // short enough to leave at once; failure_ stays as long as this object
    }
  }

 private:
  template <class Use>
  static void in_parts(Message const& m, Use use) {
    for (std::size_t at = 0; at < m.bytes; at += most_of_a_message)
      use(static_cast<std::byte*>(m.data) + at, int(std::min(most_of_a_message, m.bytes - at)));
  }

  void finish(std::vector<MPI_Request> requests, char const* what) {
    if (!failure_.empty()) throw Error("communicator", failure_);
    auto const begin = std::chrono::steady_clock::now();
    for (unsigned tries = 0;; ++tries) {
      int done = 0;
      demand(MPI_Testall(int(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE), what);
      if (done) return;
      if (tries % 64 == 63) look_for_failure();
      if (tries < 200) continue;
      std::this_thread::yield();  // where there are more ranks than cores, another one has work to do
      if (std::chrono::steady_clock::now() - begin > timeout_) {
        fail("waited longer than " + std::to_string(timeout_.count()) + " ms for other ranks to " + what);
        throw Error("communicator", failure_);
      }
    }
  }

  void look_for_failure() {
    int found = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, failure_tag, comm_, &found, &status) != MPI_SUCCESS || !found) return;
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    std::string reason(std::size_t(std::max(length, 0)), ' ');
    MPI_Recv(reason.data(), length, MPI_CHAR, status.MPI_SOURCE, failure_tag, comm_, MPI_STATUS_IGNORE);
    failure_ = reason;
    throw Error("communicator", failure_);
  }

  MPI_Comm comm_ = MPI_COMM_NULL, node_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  std::vector<int> on_node_;  // ranks of this node
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
