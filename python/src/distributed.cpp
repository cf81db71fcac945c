// skipper._core.DistributedPlan: transforms of arrays that are spread over ranks, and the ranks' communicators.
#include <skipper/distributed.h>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "communicator.h"
#include "gil.h"
#include "words.h"

namespace skipper::python {
namespace {

// first, size
using PairOfLists = std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>;

std::vector<Box> boxes_of(std::vector<PairOfLists> const& pairs) {
  std::vector<Box> boxes;
  for (PairOfLists const& pair : pairs) boxes.push_back({pair.first, pair.second});
  return boxes;
}

PairOfLists pair_of(Box const& box) { return {box.first, box.size}; }

std::vector<PairOfLists> pairs_of(std::vector<Box> const& boxes) {
  std::vector<PairOfLists> pairs;
  for (Box const& box : boxes) pairs.push_back(pair_of(box));
  return pairs;
}

AxisOrder order_of(char const* argument, std::string const& word) {
  return value_of<AxisOrder>(argument, word,
                             {{"natural", AxisOrder::natural}, {"permuted", AxisOrder::permuted}});
}

char const* word_of(AxisOrder order) { return order == AxisOrder::natural ? "natural" : "permuted"; }

DistributedSettings settings_of(std::vector<PairOfLists> const& in, std::vector<PairOfLists> const& out,
                                bool any_output, std::string const& in_order, std::string const& out_order,
                                std::string const& exchange, int pieces, std::string const& device,
                                int threads) {
  DistributedSettings settings;
  settings.in = boxes_of(in);
  settings.out = boxes_of(out);
  settings.any_output = any_output;
  settings.in_order = order_of("in_order", in_order);
  settings.out_order = order_of("out_order", out_order);
  settings.exchange = parse_exchange(exchange);
  settings.pieces = pieces;
  settings.device = Device(device);
  settings.cpu.threads = threads;
  return settings;
}

void bind_communicator(nb::module_& m) {
  nb::class_<Communicator>(m, "Communicator", nb::is_weak_referenceable())
      .def_prop_ro("rank", &Communicator::rank)
      .def_prop_ro("size", &Communicator::size)
      .def_prop_ro("ranks_per_node", &Communicator::ranks_per_node)
      .def("fail", &Communicator::fail, nb::arg("reason"),
           "Tells the other ranks that this one has failed and why, so that they raise instead of waiting.");
  m.def("make_communicator", [](nb::object transport, double seconds) {
    return make_communicator(std::move(transport), std::chrono::milliseconds(std::int64_t(seconds * 1000)));
  });
  m.def("thread_communicators", [](int ranks, double seconds) {
    return thread_communicators(ranks, std::chrono::milliseconds(std::int64_t(seconds * 1000)));
  });
}

void bind_boxes(nb::module_& m) {
  using Sizes = std::vector<std::int64_t>;
  m.def("box_slabs", [](Sizes const& sizes, int ranks, std::size_t dimension) {
    return pairs_of(slabs(sizes, ranks, dimension));
  });
  m.def("box_pencils", [](Sizes const& sizes, int ranks, std::size_t whole) {
    return pairs_of(pencils(sizes, ranks, whole));
  });
  m.def("box_bricks", [](Sizes const& sizes, std::vector<int> const& parts, int ranks) {
    return pairs_of(bricks(sizes, parts, ranks));
  });
}

}  // namespace

void bind_distributed(nb::module_& m) {
  bind_communicator(m);
  bind_boxes(m);
  m.def("device_name", [](std::string const& word) { return Device(word).name(); });
  nb::class_<DistributedPlan>(m, "DistributedPlan")
      .def("__init__",
           [](DistributedPlan* self, std::string const& problem, std::shared_ptr<Communicator> communicator,
              std::vector<PairOfLists> const& in, std::vector<PairOfLists> const& out, bool any_output,
              std::string const& in_order, std::string const& out_order, std::string const& exchange,
              int pieces, std::string const& device, int threads) {
             ReleasedGil const released;
             new (self) DistributedPlan(
                 parse_problem(problem), std::move(communicator),
                 settings_of(in, out, any_output, in_order, out_order, exchange, pieces, device, threads));
           })
      .def("execute",
           [](DistributedPlan const& self, std::uintptr_t in, std::uintptr_t out, std::uintptr_t stream) {
             ReleasedGil const released;
             self.execute(static_cast<void const*>(pointer(in)), pointer(out), execution(stream));
           })
      .def("in_box", [](DistributedPlan const& self, int rank) { return pair_of(self.in_box(rank)); })
      .def("out_box", [](DistributedPlan const& self, int rank) { return pair_of(self.out_box(rank)); })
      .def("in_index", [](DistributedPlan const& self, std::int64_t i) { return self.in_index(i); })
      .def("out_index", [](DistributedPlan const& self, std::int64_t i) { return self.out_index(i); })
      .def("describe", &DistributedPlan::describe)
      .def_prop_ro("in_order", [](DistributedPlan const& self) { return word_of(self.in_order()); })
      .def_prop_ro("out_order", [](DistributedPlan const& self) { return word_of(self.out_order()); })
      .def_prop_ro("problem", [](DistributedPlan const& self) { return text(self.problem()); })
      .def_prop_ro("exchanges", &DistributedPlan::exchanges)
      .def_prop_ro("exchange", [](DistributedPlan const& self) { return name(self.exchange()); })
      .def_prop_ro("sent_bytes", &DistributedPlan::sent_bytes)
      .def_prop_ro("memory_bytes", &DistributedPlan::memory_bytes);
}

}  // namespace skipper::python
