// The communicator on a Python transport. As in libskipper_mpi every wait is a loop of tests, so that it can end when a rank says
// that it failed, stays away, or is a process of this node that has ended; here also when the user presses Ctrl-C.
#include "communicator.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstring>
#include <utility>

#include "gil.h"
#include "mpi/node_window.h"
#include "mpi/processes.h"

namespace skipper::python {
namespace {

namespace nb = nanobind;
using Bytes = std::vector<std::byte>;

std::uintptr_t address(void const* data) { return reinterpret_cast<std::uintptr_t>(data); }

/// Memory of messages that were given up: MPI may still write to it, whenever it is called next.
void keep_for_good(Bytes&& memory) {
  HeldGil const gil;  // stands for a mutex
  static auto& kept = *new std::vector<Bytes>;
  kept.push_back(std::move(memory));
}

class TransportCommunicator final : public Communicator {
 public:
  TransportCommunicator(nb::object transport, std::chrono::milliseconds timeout)
      : transport_(std::move(transport)), timeout_(timeout) {
    rank_ = nb::cast<int>(transport_.attr("rank"));
    size_ = nb::cast<int>(transport_.attr("size"));
    on_node_ = nb::cast<std::vector<int>>(transport_.attr("on_node"));
    ReleasedGil const released;
    auto const mine = mpi::ProcessName::own();
    std::vector<mpi::ProcessName> names(static_cast<std::size_t>(size_));
    all_gather(&mine, names.data(), sizeof mine);
    for (int const r : on_node_)
      if (r != rank_) node_processes_.watch(r, names[std::size_t(r)]);
  }
  ~TransportCommunicator() override {
    if (!nb::is_alive()) {
      transport_.release();
      return;
    }
    HeldGil const gil;
    try {
      transport_.attr("close")(!failure_.empty());
    } catch (nb::python_error& e) {
      e.discard_as_unraisable("skipper.distributed");
    }
    transport_.reset();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int ranks_per_node() const override { return int(on_node_.size()); }
  std::unique_ptr<Window> allocate(std::size_t bytes) override {
    return mpi::node_window(*this, on_node_, bytes);
  }

  void receive(Message const& m) override {
    demand_no_failure();
    call("receive", address(m.data), m.bytes, m.rank, m.tag);
  }
  void send(Message const& m) override {
    demand_no_failure();
    call("send", address(m.data), m.bytes, m.rank, m.tag);
  }
  void wait() override { finish("exchange messages"); }

  void all_gather(void const* mine, void* all, std::size_t bytes) override {
    demand_no_failure();
    Bytes sent(bytes), received(bytes * std::size_t(size_));
    std::memcpy(sent.data(), mine, bytes);
    call("gather", address(sent.data()), address(received.data()), bytes);
    try {
      finish("gather");
    } catch (std::exception const&) {
      keep_for_good(std::move(sent));
      keep_for_good(std::move(received));
      throw;
    }
    std::memcpy(all, received.data(), received.size());
  }

  void barrier() override {
    demand_no_failure();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    call("barrier");
    finish("reach a barrier");
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }

  void fail(std::string const& reason) noexcept override {
    if (!failure_.empty()) return;
    try {
      failure_ = ("rank " + std::to_string(rank_) + " failed: " + reason).substr(0, 1000);
      HeldGil const gil;
      call("fail", nb::bytes(failure_.data(), failure_.size()));
    } catch (std::exception const&) {  // the others wait until their timeout
    }
  }

 private:
  /// A call of the transport, which says by True that what was started is done. What MPI throws becomes an Error; a
  /// KeyboardInterrupt goes on as it is.
  template <class... Arguments>
  bool call(char const* name, Arguments const&... arguments) {
    HeldGil const gil;
    try {
      return nb::cast<bool>(transport_.attr(name)(arguments...));
    } catch (nb::python_error const& e) {
      if (!e.matches(PyExc_Exception)) throw;
      throw Error("comm", std::string("mpi4py failed in ") + name + ": " + text(e));
    }
  }

  static std::string text(nb::python_error const& e) { return nb::str(e.value()).c_str(); }

  /// Before anything is started: a rank that has given up would answer another call of the others than they make.
  void demand_no_failure() const {
    if (!failure_.empty()) throw Error("comm", failure_);
  }

  void finish(char const* what) {
    demand_no_failure();
    std::string const why =
        node_processes_.wait([&] { return call("done"); }, [&] { look_for_failure(); }, timeout_, what);
    if (!why.empty()) give_up(why);
  }

  [[noreturn]] void give_up(std::string const& why) {
    fail(why);
    throw Error("comm", failure_);
  }

  /// What another rank said before it gave up; and Ctrl-C.
  void look_for_failure() {
    HeldGil const gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    nb::object const said = transport_.attr("failure")();
    if (said.is_none()) return;
    failure_ = nb::cast<std::string>(said);
    throw Error("comm", failure_);
  }

  nb::object transport_;
  int rank_ = 0, size_ = 1;
  std::vector<int> on_node_;  // ranks of this node
  mpi::Processes node_processes_;
  std::chrono::milliseconds timeout_;
  std::string failure_;
};

}  // namespace

std::shared_ptr<Communicator> make_communicator(nb::object transport, std::chrono::milliseconds timeout) {
  return std::make_shared<TransportCommunicator>(std::move(transport), timeout);
}

}  // namespace skipper::python
