// The C interface to what is known of plans over ranks before there are any: predictions, links, and kept exchanges.
#include <skipper/distributed_planning.h>

#include "api/c_distributed.h"
#include "api/c_problem.h"

struct skipper_planned_ranks {
  skipper::PlannedRanks planned;
};

using namespace skipper::c;
using skipper::Error;

extern "C" {

int skipper_kept_exchange(char const* const* devices, int count, int* exchange) {
  return guarded([&] {
    demanded(exchange, "exchange") = number_of(skipper::kept_exchange(devices_of(devices, count, "count")));
  });
}

int skipper_keep_exchange(char const* const* devices, int count, int exchange) {
  return guarded([&] { skipper::keep_exchange(devices_of(devices, count, "count"), exchange_of(exchange)); });
}

int skipper_links_count(int* count) {
  return guarded([&] { demanded(count, "count") = int(skipper::links_names().size()); });
}

int skipper_links_name(int i, char* text, long long size, long long* needed) {
  return guarded([&] {
    std::vector<std::string> const all = skipper::links_names();
    hand_out(all[index("i", i, all.size(), "links")], text, size, needed);
  });
}

int skipper_planned_ranks_create(skipper_planned_ranks** planned, skipper_problem const* problem,
                                 char const* machine, int ranks,
                                 skipper_distributed_settings const* settings) {
  return guarded([&] {
    demanded(planned, "planned") = nullptr;
    skipper::Problem const made = problem_without_strides(problem);
    demand_no_device(settings);
    auto const given =
        settings_of(settings, made.batch.size() + made.axes.size(), ranks > 0 ? std::size_t(ranks) : 0);
    *planned =
        new skipper_planned_ranks{skipper::planned_ranks(made, ranks, &demanded(machine, "machine"), given)};
  });
}

void skipper_planned_ranks_destroy(skipper_planned_ranks* planned) { delete planned; }

int skipper_planned_ranks_text(skipper_planned_ranks const* planned, char* text, long long size,
                               long long* needed) {
  return guarded([&] { hand_out(demanded(planned, "planned").planned.text, text, size, needed); });
}

int skipper_planned_ranks_links(skipper_planned_ranks const* planned, char* text, long long size,
                                long long* needed) {
  return guarded([&] { hand_out(demanded(planned, "planned").planned.links, text, size, needed); });
}

int skipper_planned_ranks_get(skipper_planned_ranks const* planned, skipper_planned_costs* costs) {
  return guarded([&] {
    skipper::PlannedRanks const& p = demanded(planned, "planned").planned;
    demanded(costs, "costs") = {p.seconds, p.rank_bandwidth, p.array_bytes, p.buffer_bytes,
                                int(p.stages.size())};
  });
}

int skipper_planned_ranks_get_stage(skipper_planned_ranks const* planned, int stage,
                                    skipper_planned_stage* costs) {
  return guarded([&] {
    std::vector<skipper::PlannedStage> const& all = demanded(planned, "planned").planned.stages;
    skipper::PlannedStage const& s = all[index("stage", stage, all.size(), "stages")];
    demanded(costs, "costs") = {s.transform_seconds, s.exchange_seconds, s.seconds,
                                s.node_bytes,        s.network_bytes,    s.messages};
  });
}

}  // extern "C"
