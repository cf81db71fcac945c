// The program `skipper-bench`: what measures, and compares with other libraries and with earlier results.
#include "command.h"

namespace skipper::cli {

Program bench_program() {
  return {"skipper-bench",
          "measures Skipper's transforms, and compares them with those of others",
          {bench_command, compare_command, crossover_command, plot_command, run_command, completion_command,
           man_command},
          {}};
}

}  // namespace skipper::cli
