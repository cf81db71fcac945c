#include "node_window.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

#include "shared_memory.h"

namespace skipper::mpi {
namespace {

class NodeWindow final : public Window {
 public:
  NodeWindow(std::vector<SharedMemory> maps, std::vector<std::byte> own, int rank)
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
  std::vector<SharedMemory> maps_;  // of the ranks of this node
  std::vector<std::byte> own_;      // where the node's ranks do not share
  int rank_;
};

template <class T>
std::vector<T> gathered(Communicator& communicator, T const& mine) {
  std::vector<T> all(static_cast<std::size_t>(communicator.size()));
  communicator.all_gather(&mine, all.data(), sizeof mine);
  return all;
}

struct Offer {
  char name[48] = {};
  std::uint64_t bytes = 0;
};

/// Memory of this rank alone; an Error on all ranks where one cannot have it.
std::vector<std::byte> own_memory(Communicator& communicator, std::vector<Offer> const& offers,
                                  bool is_wanted) {
  std::vector<std::byte> memory;
  bool lacking = false;
  try {
    if (is_wanted) memory.resize(offers[std::size_t(communicator.rank())].bytes + 64);
  } catch (std::bad_alloc const&) {
    lacking = true;
  }
  std::vector<char> const all_lacking = gathered(communicator, char(lacking));
  for (std::size_t r = 0; r < all_lacking.size(); ++r)
    if (all_lacking[r])
      throw Error("communicator", "rank " + std::to_string(r) + " cannot have " +
                                      std::to_string(offers[r].bytes) +
                                      " bytes of memory; give it more, or take more ranks");
  return memory;
}

}  // namespace

std::unique_ptr<Window> node_window(Communicator& communicator, std::vector<int> const& on_node,
                                    std::size_t bytes) {
  auto const rank = std::size_t(communicator.rank()), size = std::size_t(communicator.size());
  Offer mine;
  mine.bytes = std::max<std::size_t>(bytes, 64);
  SharedMemory own;
  if (on_node.size() > 1) own = SharedMemory::create(mine.bytes);
  own.name().copy(mine.name, sizeof mine.name - 1);
  std::vector<Offer> const offers = gathered(communicator, mine);
  std::vector<SharedMemory> maps(size);
  for (int const r : on_node) {
    Offer const& offer = offers[std::size_t(r)];
    if (std::size_t(r) != rank && offer.name[0])
      maps[std::size_t(r)] = SharedMemory::open(offer.name, offer.bytes);
  }
  maps[rank] = std::move(own);
  auto const is_mapped = [&](int r) { return maps[std::size_t(r)].data() != nullptr; };
  std::vector<char> const mapped =
      gathered(communicator, char(std::all_of(on_node.begin(), on_node.end(), is_mapped)));
  maps[rank].unlink();  // all that can have mapped it
  bool const shared =
      std::all_of(on_node.begin(), on_node.end(), [&](int r) { return mapped[std::size_t(r)] != 0; });
  if (!shared) maps = std::vector<SharedMemory>(size);
  std::vector<std::byte> alone = own_memory(communicator, offers, !shared);
  return std::make_unique<NodeWindow>(std::move(maps), std::move(alone), int(rank));
}

}  // namespace skipper::mpi
