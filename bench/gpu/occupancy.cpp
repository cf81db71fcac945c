// What the compiler makes of a plan's kernels, without a GPU: registers and spills from NVRTC, hence the blocks, warps
// and bytes of loads that an SM has in flight, and the exact counts of sectors and bank conflicts. Problems come on
// standard input, one text or one case a line; prints one line a sweep. --no-clusters leaves the cluster tier out.
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

#include "plan/counts.h"
#include "plan/lower/occupancy.h"
#include "plan/planner.h"
#include "plan/lower/lower.h"
#include "plan/spec_text.h"
#include "support/nvrtc.h"

using namespace skipper;
using namespace skipper::testing;

namespace {

void report(Program const& program, int s, Machine const& machine, Nvrtc const& nvrtc) {
  bool const is_double = program.problem.precision == Precision::f64;
  Index const element = element_bytes(program.problem);
  kernel::SweepSpec const spec = lower(program, s, machine).spec;
  KernelText const kernel = kernel_text({spec}, is_double);
  Compiled const compiled = nvrtc.compile(kernel.source, kernel.names, machine.architecture);
  if (!compiled.ok) return (void)std::printf("    does not compile: %.300s\n", compiled.log.c_str());
  KernelUse const& use = compiled.kernels.front();
  Occupancy const o = occupancy(spec, element, use.registers, machine);
  SharedCount exchanges;
  for (int i = 1; i < spec.steps; ++i)
    if (spec.step[i].exchange.needed) {
      exchanges += exchange_writes(spec, i, element);
      exchanges += exchange_reads(spec, i, element);
    }
  SharedCount mirror = mirror_reads(spec, element);
  mirror += mirror_writes(spec, element);
  SectorCount remote;
  for (int i = 1; i < spec.steps; ++i)
    if (spec.step[i].exchange.remote) remote += exchange_sectors(spec, i, element);
  SectorCount const loads = load_sectors(spec, 0, element), stores = store_sectors(spec, 0, element);
  std::string radices;
  for (int i = 0; i < spec.steps; ++i) {
    radices += (i ? (spec.step[i].exchange.needed ? (spec.step[i].exchange.remote ? "=" : "-") : ".") : "") +
               std::to_string(spec.step[i].radix) + "x" + std::to_string(held(spec, i) / spec.step[i].radix);
  }
  Work const work = work_of(spec, element);
  std::printf(
      "    %s%-3d %4d threads  %-24s shared %5.1f KB  registers %3d (%d needed)%s  blocks %2d of %d  loads "
      "%5.1f KB  "
      "instructions %4d (%4.0f)  pace %.2f  sectors %.2f/%.2f  conflicts %.2f  mirror %.2f  remote %.2f\n",
      spec.ranks > 1 ? "cluster " : "block ", spec.ranks, spec.threads, radices.c_str(),
      double(spec.shared * element) / 1024, use.registers, int(work.registers),
      use.local_bytes ? (" SPILLS " + std::to_string(use.spill_stores)).c_str() : "", int(o.blocks),
      spec.resident, double(o.load_bytes) / 1024, use.instructions, work.instructions, pace(work, machine),
      double(loads.sectors) / double(loads.ideal), double(stores.sectors) / double(stores.ideal),
      exchanges.ideal ? double(exchanges.wavefronts) / double(exchanges.ideal) : 1.0,
      mirror.ideal ? double(mirror.wavefronts) / double(mirror.ideal) : 1.0,
      remote.ideal ? double(remote.sectors) / double(remote.ideal) : 1.0);
}

}  // namespace

int main(int argc, char** argv) {
  PlanOptions options{.clusters = true, .chunks = false, .most = 1};
  for (int i = 1; i < argc; ++i)
    if (!std::strcmp(argv[i], "--no-clusters")) options.clusters = false;
  auto const nvrtc = Nvrtc::open();
  if (!nvrtc) return std::fprintf(stderr, "occupancy: NVRTC is not installed here\n"), 77;
  Machine const h200 = machine("h200");
  for (std::string line; std::getline(std::cin, line);) {
    if (line.empty() || line[0] == '#') continue;
    try {
      Problem const problem = parse_problem(line);
      Candidate const best = planner(problem, h200, options).front();
      std::printf("%s  estimate %.2f\n", text(problem).c_str(), best.cost);
      for (int s = 0; s < int(best.program.sweeps.size()); ++s) report(best.program, s, h200, *nvrtc);
      std::fflush(stdout);
    } catch (Error const& e) {
      std::printf("%s: %s\n", line.c_str(), e.what());
    }
  }
}
