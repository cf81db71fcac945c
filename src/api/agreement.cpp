// See agreement.h.
#include "api/agreement.h"

#include <algorithm>

#include "api/settings.h"
#include "distributed/box.h"
#include "gpu/cache.h"

namespace skipper {
namespace {

/// The texts of all ranks, in order of rank.
std::vector<std::string> gathered(Communicator& c, std::string const& mine) {
  std::uint64_t const length = mine.size();
  std::vector<std::uint64_t> lengths(std::size_t(c.size()));
  c.all_gather(&length, lengths.data(), sizeof length);
  std::uint64_t const longest = *std::max_element(lengths.begin(), lengths.end());
  std::string padded = mine, all(std::size_t(c.size()) * longest, ' ');
  padded.resize(longest, ' ');
  if (longest > 0) c.all_gather(padded.data(), all.data(), longest);
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < lengths.size(); ++r) texts.push_back(all.substr(r * longest, lengths[r]));
  return texts;
}

std::string name(AxisOrder order) { return order == AxisOrder::permuted ? "permuted" : "natural"; }

/// A field is a line when it goes round.
std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

CommonFields common_fields(DistributedSettings const& s) {
  auto const number = [](auto value) { return std::to_string(value); };
  return {{"in", number(s.in.empty() ? 0 : 1)},
          {"out", number(s.out.empty() ? 0 : 1)},
          {"any_output", number(int(s.any_output))},
          {"in_order", name(s.in_order)},
          {"out_order", name(s.out_order)},
          {"exchange", number(int(s.exchange))},
          {"pieces", number(s.pieces)},
          {"device", s.device.name() == "cpu" ? "cpu" : "a GPU"},
          {"gpu.streams", number(s.gpu.streams)},
          {"links", s.links},
          {"program", s.program}};
}

void demand_agreement(Communicator& c, CommonFields const& fields) {
  std::string mine;
  for (auto const& field : fields) mine += in_one_line(field.second) + "\n";
  std::vector<std::string> const all = gathered(c, mine);
  auto const lines = [](std::string const& text) {
    std::vector<std::string> found;
    for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
      found.push_back(text.substr(at, end - at));
    return found;
  };
  std::vector<std::string> const first = lines(all[0]);
  for (std::size_t r = 1; r < all.size(); ++r) {
    std::vector<std::string> const other = lines(all[r]);
    for (std::size_t f = 0; f < fields.size(); ++f)
      if (first[f] != other[f])
        throw Error(fields[f].first, "is '" + first[f] + "' on rank 0 but '" + other[f] + "' on rank " +
                                         std::to_string(r) + "; all ranks make the same plan");
  }
}

void demand_same_program(Communicator& c, std::string const& program) {
  demand_agreement(c, {{"program", "planned as " + gpu::hex(gpu::hash(program))}});
}

double least_of_all(Communicator& c, double mine) {
  std::vector<double> all(std::size_t(c.size()));
  c.all_gather(&mine, all.data(), sizeof mine);
  return *std::min_element(all.begin(), all.end());
}

distributed::Links links_for(DistributedSettings const& settings, char const* usual, Index ranks_per_node) {
  distributed::Links joined = distributed::links(settings.links.empty() ? usual : settings.links);
  if (settings.links.empty()) joined.ranks_per_node = std::max<Index>(1, ranks_per_node);
  return joined;
}

std::vector<Box> all_boxes(Communicator& c, std::vector<Box> const& given, std::vector<Index> const& sizes,
                           std::string const& argument) {
  // What each rank says goes round as numbers: how many boxes it named, then its own.
  std::size_t const ranks = std::size_t(c.size()), dims = sizes.size();
  Box own;
  if (given.size() == 1)
    own = given[0];
  else if (given.size() == ranks)
    own = given[std::size_t(c.rank())];
  bool const sound = own.first.size() == dims && own.size.size() == dims;
  std::vector<Index> mine(1 + 2 * dims, 0), all(ranks * (1 + 2 * dims));
  mine[0] = sound ? 1 : 0;
  for (std::size_t d = 0; sound && d < dims; ++d) {
    mine[1 + d] = own.first[d];
    mine[1 + dims + d] = own.size[d];
  }
  c.all_gather(mine.data(), all.data(), mine.size() * sizeof(Index));
  std::vector<Box> boxes;
  for (std::size_t r = 0; r < ranks; ++r) {
    Index const* const at = all.data() + r * mine.size();
    if (at[0] != 1)
      throw Error(argument, "of rank " + std::to_string(r) + " is not one box, or one a rank (" +
                                std::to_string(ranks) + "), of " + std::to_string(dims) +
                                " dimensions, batch and axes");
    boxes.push_back({{at + 1, at + 1 + dims}, {at + 1 + dims, at + 1 + 2 * dims}});
  }
  distributed::check_cover(boxes, sizes, argument);
  return boxes;
}

std::vector<Box> boxes_of_devices(std::size_t devices, std::vector<Box> const& given,
                                  std::vector<Index> const& sizes, std::string const& argument) {
  if (given.size() != devices)
    throw Error(argument, "has " + std::to_string(given.size()) + " boxes but there are " +
                              std::to_string(devices) + " devices; give one each");
  for (Box const& box : given)
    if (box.first.size() != sizes.size() || box.size.size() != sizes.size())
      throw Error(argument,
                  "has a box that is not of " + std::to_string(sizes.size()) + " dimensions, batch and axes");
  distributed::check_cover(given, sizes, argument);
  return given;
}

void demand_dense(Problem const& problem) {
  Problem apart = problem;
  apart.placement = Placement::out_of_place;
  Problem const dense = dense_layout(problem), dense_apart = dense_layout(apart);
  // Of a dimension of one point nobody looks at the stride.
  auto const fits = [](auto const& given, auto const& first, auto const& second) {
    auto const same = [&](std::int64_t mine, std::int64_t one, std::int64_t other) {
      return given.size == 1 || mine == 0 || mine == one || mine == other;
    };
    return same(given.in_stride, first.in_stride, second.in_stride) &&
           same(given.out_stride, first.out_stride, second.out_stride);
  };
  auto const refuse = [](char const* name, std::size_t i) {
    throw Error(
        name + ("[" + std::to_string(i) + "]"),
        "has strides of its own, but the arrays of a distributed plan are boxes, which are dense; give "
        "dense_layout(problem), and boxes in the order of the dimensions");
  };
  for (std::size_t i = 0; i < problem.axes.size(); ++i)
    if (!fits(problem.axes[i], dense.axes[i], dense_apart.axes[i])) refuse("axes", i);
  for (std::size_t i = 0; i < problem.batch.size(); ++i)
    if (!fits(problem.batch[i], dense.batch[i], dense_apart.batch[i])) refuse("batch", i);
}

void check_settings(DistributedSettings const& settings) {
  check_settings(settings.cpu);
  int const streams = settings.gpu.streams;
  if (streams < 0 || streams > 2)
    throw Error("gpu.streams", "is " + std::to_string(streams) + " but must be 1 or 2, or 0 for the best");
  for (auto const& [argument, order] :
       {std::pair{"in_order", settings.in_order}, std::pair{"out_order", settings.out_order}})
    if (int(order) < 0 || int(order) > int(AxisOrder::permuted))
      throw Error(argument, "is " + std::to_string(int(order)) + ", which is no AxisOrder");
  if (!is_method(settings.exchange))
    throw Error("exchange", "is " + std::to_string(int(settings.exchange)) + ", which is no ExchangeMethod");
  if (settings.pieces < 0 || settings.pieces > 1024)
    throw Error("pieces", "is " + std::to_string(settings.pieces) + " but must be 0 to 1024");
}

void check_cpu_exchange(ExchangeMethod method) {
  if (method == ExchangeMethod::automatic || method == ExchangeMethod::direct ||
      method == ExchangeMethod::messages)
    return;
  throw Error("exchange", "is one of GPUs but ranks are on CPUs; use automatic, direct or messages");
}

}  // namespace skipper
