// Any layout: the columns of a row-major matrix, in place, scaled, with the workspace supplied by the caller.
#include <skipper/skipper.h>

#include <cstdio>

int main() {
  std::int64_t const rows = 60, columns = 8;
  std::vector<std::complex<double>> matrix(rows * columns);
  for (std::int64_t c = 0; c < columns; ++c) matrix[c] = double(c);  // the first row

  skipper::Problem problem;
  problem.precision = skipper::Precision::f64;
  problem.axes = {{rows, columns, columns}};  // size, stride in, stride out
  problem.batch = {{columns, 1, 1}};
  problem.placement = skipper::Placement::in_place;
  problem.scale = 0.5;

  skipper::Plan const plan(problem);
  std::vector<std::byte> workspace(plan.workspace_bytes() + 64);
  auto const address = (reinterpret_cast<std::uintptr_t>(workspace.data()) + 63) / 64 * 64;
  plan.execute(matrix.data(), matrix.data(), {.workspace = reinterpret_cast<void*>(address)});

  std::printf("%s: column 3 is now %.2f everywhere\n", skipper::text(plan.problem()).c_str(),
              matrix[5 * columns + 3].real());
  return matrix[5 * columns + 3] == std::complex<double>(1.5) ? 0 : 1;
}
