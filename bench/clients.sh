#!/bin/bash
# Times of programs on FFTW and on the drop-in libraries, as tables for docs/drop-in.md: Octave, GROMACS and Quantum ESPRESSO, one
# thread each, first plans, and calls. The two are run in turn, ROUNDS times (5), and the best wall and CPU times are printed: other work
# on the machine then meets both alike. Needs `make compat`, and what scripts/test-clients.sh installs; what is not there is left out.
#   bench/clients.sh [octave] [gromacs] [espresso] [planning] [calls]      all of them unless named
# LIBRARIES names another folder than build/compat/fftw3, SKIPPER_ARCHIVE another libskipper.a than the release's.
set -uo pipefail
cd "$(dirname "$0")/.."
libraries=${LIBRARIES:-$PWD/build/compat/fftw3}
work=$PWD/build/clients
rounds=${ROUNDS:-5}
mkdir -p "$work"
[ -e "$libraries/libfftw3.so.3" ] || { echo "bench/clients.sh: $libraries is missing; run make compat first" >&2; exit 1; }
export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

on() { # on <fftw|skipper> <command>
  local which=$1
  shift
  if [ "$which" = skipper ]; then LD_LIBRARY_PATH=$libraries "$@"; else "$@"; fi
}

# best <file>: the least of its first and of its second numbers.
best() { awk 'NR == 1 || $1 < a {a = $1} NR == 1 || $2 < b {b = $2} END {printf "%.4g s | %.4g s", a, b}' "$1"; }

row() { echo "| $1 | $(best "$work/times-fftw") | $(best "$work/times-skipper") |"; }

# pairs <title> <command>: whole processes, wall and CPU time.
pairs() {
  local title=$1 which round
  shift
  : >"$work/times-fftw" && : >"$work/times-skipper"
  for ((round = 0; round < rounds; ++round)); do
    for which in fftw skipper; do
      TIMEFORMAT='%R %U %S'
      { time on $which "$@" >"$work/timed.log" 2>&1; } 2>"$work/time" || { echo "bench/clients.sh: $title failed on $which (see $work/timed.log)" >&2; return 1; }
      awk '{print $1, $2 + $3}' "$work/time" >>"$work/times-$which"
    done
  done
  row "$title"
}

# Within one Octave: the best of many calls, so that its start does not count.
octave() {
  command -v octave-cli >/dev/null || return
  local title expression which round
  while IFS=';' read -r title expression; do
    : >"$work/times-fftw" && : >"$work/times-skipper"
    for ((round = 0; round < rounds; ++round)); do
      for which in fftw skipper; do
        cat >"$work/time.m" <<M
fftw("threads", 1); x = $expression
wall = cpu = Inf;
for i = 1:15
  c = cputime; t = tic; y = f(x); wall = min(wall, toc(t)); cpu = min(cpu, cputime - c);
end
printf("%g %g\n", wall, cpu);
M
        on $which octave-cli --no-init-file "$work/time.m" >>"$work/times-$which" 2>/dev/null
      done
    done
    row "$title"
  done <<'CASES'
Octave, `fft` of 2^20 complex points;complex(rand(2^20, 1), rand(2^20, 1)); f = @fft;
Octave, `fft2` of 2048 x 2048 complex points;complex(rand(2048), rand(2048)); f = @fft2;
CASES
}

gromacs() {
  local system=$work/gromacs-all/complex/nbnxn_pme
  command -v gmx >/dev/null && [ -d "$system" ] || return
  mkdir -p "$work/gromacs-time" && cp -r "$system"/. "$work/gromacs-time" && pushd "$work/gromacs-time" >/dev/null || return
  gmx grompp -maxwarn 9 -o time.tpr >"$work/grompp.log" 2>&1 || { popd >/dev/null; return; }
  pairs "GROMACS, \`nbnxn_pme\`, 1000 steps" gmx mdrun -nt 1 -pin off -nsteps 1000 -s time.tpr -noconfout
  popd >/dev/null || return
}

espresso() {
  [ -f "$work/espresso/silicon.in" ] || return
  pushd "$work/espresso" >/dev/null || return
  sed "s/ecutwfc = 18.0/ecutwfc = 60.0/" silicon.in >time.in
  pairs "Quantum ESPRESSO, silicon at 60 Ry, 36^3 grid" pw.x -in time.in
  popd >/dev/null || return
}

# Sums of the first plans of some sizes in microseconds, and the largest ratio of one.
planning() {
  local precision=fftw suffix= kind sizes round program=$work/first_plans
  c++ -std=c++20 -O2 bench/compat/first_plans.cpp -ldl -o "$program" || return
  echo
  echo "| first plans by \`FFTW_ESTIMATE\` | FFTW | Skipper | largest ratio of one size |"
  echo "|---|---|---|---|"
  for precision in fftw fftwf; do
    suffix=${precision#fftw}
    while read -r kind sizes; do
      : >"$work/plans-fftw" && : >"$work/plans-skipper"
      for ((round = 0; round < rounds; ++round)); do
        "$program" libfftw3$suffix.so.3 $precision "$kind" $sizes >>"$work/plans-fftw" || return
        "$program" "$libraries/libskipper_fftw3$suffix.so" $precision "$kind" $sizes >>"$work/plans-skipper" || return
      done
      awk -v title="\`${precision}_\` $kind, n = ${sizes// /, }" '
        FNR == 1 {++file}
        {if (!((file, $1) in least) || $2 < least[file, $1]) least[file, $1] = $2; size[$1] = 1}
        END {
          for (n in size) {
            fftw += least[1, n]; skipper += least[2, n]; ratio = least[2, n] / least[1, n]
            if (ratio > worst) {worst = ratio; at = n}
          }
          printf "| %s | %.0f us | %.0f us | %.2f at %d |\n", title, fftw, skipper, worst, at
        }' "$work/plans-fftw" "$work/plans-skipper"
    done <<'SIZES'
c2c 32 64 128 256 512 1024 2048 4096
c2c 12 35 60 97 100 210 243 360 500 625 729 1000 1001 1009 1536 2047 2187 2520 3000 3125 4000 4093 4095
r2c 32 64 128 256 512 1024 2048 4096
r2c 12 35 60 97 100 210 243 1000 1001 1009 2520 3125 4000 4093
r2r 8 16 32 64 128 256 512 1024 2048 4096
r2r 12 35 60 97 100 210 243 1000 1001 1009 2520 3125 4000
2d 4 8 16 32 64
SIZES
  done
}

calls() {
  local archive=${SKIPPER_ARCHIVE:-build/release/lib/libskipper.a}
  [ -f "$archive" ] || return
  c++ -std=c++20 -O2 -Iinclude -Icompat/fftw3/include bench/compat/call_overhead.cpp "$archive" -L"$libraries" -lskipper_fftw3 \
    -lpthread -ldl -o "$work/call_overhead" || return
  echo
  on skipper "$work/call_overhead"
}

echo "| $rounds rounds in turn, the best | FFTW, wall | CPU | Skipper, wall | CPU |"
echo "|---|---|---|---|---|"
for client in "${@:-octave gromacs espresso planning calls}"; do for name in $client; do $name; done; done
