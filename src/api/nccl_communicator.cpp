// Messages by NCCL. What a rank starts is collected and handed to NCCL as one group when it waits or enqueues, so that sends and
// receives of all ranks meet whatever their order.
#include <skipper/nccl.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "api/engine.h"
#include "gpu/device.h"
#include "gpu/nccl.h"

namespace skipper {
namespace {

class NcclCommunicator final : public Communicator {
 public:
  NcclCommunicator(std::shared_ptr<Communicator> control, int device)
      : control_(std::move(control)), nccl_(gpu::demand_nccl()), context_(gpu::context_for(device)) {
    gpu::NcclId id;
    if (rank() == 0) gpu::demand_nccl(nccl_.make_id(&id), "making the ranks known to each other");
    std::vector<gpu::NcclId> ids(static_cast<std::size_t>(size()));
    control_->all_gather(&id, ids.data(), sizeof id);
    gpu::Current const current(context_);
    gpu::Status const status = nccl_.init_rank(&comm_, size(), ids[0], rank());
    if (status != 0)
      throw Error("communicator", std::string("NCCL does not bring the ranks together: ") +
                                      nccl_.error_text(status) + " (" + std::to_string(status) +
                                      "); give every rank a GPU of its own");
    gpu::demand(gpu::driver()->create_stream(&stream_, gpu::non_blocking), "making a stream");
  }
  ~NcclCommunicator() override {
    try {
      gpu::Current const current(context_);
      if (stream_) gpu::driver()->destroy_stream(stream_);
      if (comm_) nccl_.destroy(comm_);
    } catch (Error const&) {  // the context is gone, and with it all that was in it
    }
  }

  int rank() const override { return control_->rank(); }
  int size() const override { return control_->size(); }
  int ranks_per_node() const override { return control_->ranks_per_node(); }
  bool takes_device_memory() const override { return true; }
  bool takes_streams() const override { return true; }
  std::unique_ptr<Window> allocate(std::size_t bytes) override { return control_->allocate(bytes); }
  void receive(Message const& message) override { started_.push_back({message, false}); }
  void send(Message const& message) override { started_.push_back({message, true}); }
  void wait() override;
  void enqueue(void* stream) override { start(static_cast<gpu::Stream>(stream)); }
  void all_gather(void const* mine, void* all, std::size_t bytes) override {
    control_->all_gather(mine, all, bytes);
  }
  void barrier() override { control_->barrier(); }
  void fail(std::string const& reason) noexcept override { control_->fail(reason); }

 private:
  struct Started {
    Message message;
    bool sends = false;
  };
  void start(gpu::Stream stream);

  std::shared_ptr<Communicator> control_;
  gpu::Nccl const& nccl_;
  gpu::Context context_;
  gpu::NcclComm comm_ = nullptr;
  gpu::Stream stream_ = nullptr;
  std::vector<Started> started_;
};

/// NCCL matches the messages of two ranks by their order, so both go by tag.
void NcclCommunicator::start(gpu::Stream stream) {
  std::vector<Started> started = std::exchange(started_, {});
  if (started.empty()) return;
  std::stable_sort(started.begin(), started.end(), [](Started const& a, Started const& b) {
    return std::pair(a.message.rank, a.message.tag) < std::pair(b.message.rank, b.message.tag);
  });
  gpu::Current const current(context_);
  gpu::demand_nccl(nccl_.begin_group(), "starting messages");
  for (auto const& [message, sends] : started)
    gpu::demand_nccl(
        sends ? nccl_.send(message.data, message.bytes, gpu::nccl_bytes, message.rank, comm_, stream)
              : nccl_.receive(message.data, message.bytes, gpu::nccl_bytes, message.rank, comm_, stream),
        "starting messages");
  gpu::demand_nccl(nccl_.end_group(), "sending messages");
}

void NcclCommunicator::wait() {
  start(stream_);
  gpu::Current const current(context_);
  gpu::demand(gpu::driver()->synchronise_stream(stream_), "waiting for messages");
}

}  // namespace

std::shared_ptr<Communicator> nccl_communicator(std::shared_ptr<Communicator> control, Device const& device) {
  if (!control) throw Error("control", "is null; give the communicator that the ranks have");
  try {
    auto const number = cuda_number(device.name());
    if (!number) throw Error("device", "is " + device.name() + ", but NCCL is for GPUs; name one");
    return std::make_shared<NcclCommunicator>(control, *number);
  } catch (std::exception const& e) {
    control->fail(e.what());
    throw;
  }
}

}  // namespace skipper
