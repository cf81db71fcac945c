#!/usr/bin/env bash
# Builds, tests and measures on a CUDA machine, with no downloads. Jobs run in the order given; each is bounded in
# time (seconds, the variable in brackets), and what it found lies under $OUT (else build/gpu-results) and is printed
# last, as a short table.
#   bench/gpu.sh build                 the program and the tests that need a GPU [BUILD_S 240]; GoogleTest is the installed
#                                      one or carried/googletest, without it there is only the program; BUILD_TARGETS names others
#   bench/gpu.sh test                  the tests that need a GPU, in 16 shards of each file, as many at a time as there are cores
#                                      [TEST_S 480]
#   bench/gpu.sh lengths               all lengths to 2048, cosines, sines, mixed kinds and primes, in as many processes as there
#                                      are cores, in a shuffled order until the time is up [LENGTHS_S 180]
#   bench/gpu.sh random [N]            N problems (3000) drawn at random that cover the mechanisms of the plans, verified in as many
#                                      processes as there are cores; the table of what was covered [RANDOM_S 240]; RANDOM_FLAGS is handed on. To be run with a
#                                      fresh seed (SKIPPER_SEED=random) after any change to plan, kernel or gpu
#   bench/gpu.sh bench [LIST]          verify and time a case list against cuFFT and a copy [BENCH_S 360]; default
#                                      bench/cases.txt. BENCH_FLAGS is handed on to `skipper bench`; a LIST of - is standard input
#   bench/gpu.sh times                 plan creation of three-sweep problems, cold and warm
#   bench/gpu.sh cpu                   the CPU engine against FFTW, planned ahead on all cores [CPU_PLAN_S 80], with 1 and with
#                                      all threads [CPU_S 110 each]; AGAINST_FFTW is a program that is built already
#   bench/gpu.sh stream [large]        data in host memory through 4 GiB of the device, both strategies; large: 60 GB in
#                                      place through 32 GiB [STREAM_S 300]
#   bench/gpu.sh poisson ['SIZES']     Poisson solves in core, checked, against a copy; default '256 512' [POISSON_S 240]
#   bench/gpu.sh ranks ['SHAPES']      one GPU as 2, 4 and 8 devices by every exchange, beside the plan on it alone, then two
#                                      processes by CUDA's IPC; default '512x512x512', by '2 4 8' [RANKS, RANKS_S 300]; EXCHANGE_FLAGS is
#                                      handed on
#   bench/gpu.sh sanitize              compute-sanitizer memcheck and racecheck on a short run [SANITIZE_S 120 each]
#   bench/gpu.sh ncu 'PROBLEM'         Nsight Compute on one problem's kernels [NCU_S 120]
#   bench/gpu.sh tune [LIST]           measure the planner's candidates and keep the best [TUNE_S 300]
# Samples and orders are drawn by SKIPPER_SEED, 1 unless given, and printed; `random` draws another.
# Two calls of ten minutes: `build test times`, then `bench`. A list is 'c2c f32 512 64 64 64' a line.
set -u
cd "$(dirname "$0")/.."
out=${OUT:-build/gpu-results}
skipper=${SKIPPER:-build/gpu/bin/skipper}
device=${DEVICE:-cuda:0}
export SKIPPER_SEED=${SKIPPER_SEED:-1}
[ "$SKIPPER_SEED" = random ] && SKIPPER_SEED=$RANDOM
export SKIPPER_CACHE=${SKIPPER_CACHE:-$PWD/build/gpu-cache}
command -v ninja >/dev/null && export CMAKE_GENERATOR=Ninja
mkdir -p "$out"
failed=0
summary=""

note() { summary+="$1"$'\n'; }
# bounded SECONDS LOG COMMAND...: runs it with a limit, its output in a log; says how it ended.
bounded() {
  local limit=$1 log=$2 begin=$SECONDS code
  shift 2
  if [ "$(type -t "$1")" = function ]; then
    export -f "${1?}"
    export out skipper device BENCH_FLAGS
    set -- bash -c '"$@"' bash "$@"
  fi
  timeout --kill-after=10 "$limit" "$@" >"$out/$log" 2>&1
  code=$?
  [ $code -eq 124 ] && note "  (cut off after $limit s)"
  return $code
}
is_job() { case ${1:-} in build | test | lengths | random | bench | times | cpu | stream | poisson | ranks | sanitize | ncu | tune) return 0 ;; *) return 1 ;; esac; }

build() {
  local begin=$SECONDS
  # shellcheck disable=SC2016
  if bounded "${BUILD_S:-240}" build.log sh -c '
      { cmake --preset gpu && targets="skipper tests_gpu"; } ||
        { cmake --preset gpu -DSKIPPER_TESTS=OFF && targets=skipper; } || exit
      grep -q "^MPI_CXX_LIBRARIES" build/gpu/CMakeCache.txt && ! grep -q "^MPI_CXX_LIBRARIES.*NOTFOUND" build/gpu/CMakeCache.txt &&
        targets="$targets skipper_mpi"
      cmake --build --preset gpu -j "$(nproc)" --target ${BUILD_TARGETS:-$targets} && echo "built ${BUILD_TARGETS:-$targets}"'; then
    note "$(tail -1 "$out/build.log") in $((SECONDS - begin)) s"
  else
    note "build FAILED:"$'\n'"$(grep -E 'error|Error' "$out/build.log" | head -20)"
    return 1
  fi
}
# What passed and how long it took, a line a file; then what failed, was skipped or did not come to its end.
run_tests() {
  bounded "${TEST_S:-480}" test.log ctest --preset gpu -V -j "$(nproc)"
  local code=$?
  note "$(awk '
    match($0, /Start +[0-9]+: .*/) { began[$NF] }
    match($0, /^ *[0-9]+\/[0-9]+ Test +#/) {
      name = $4; delete began[name]; file = name; sub(/_[0-9]+$/, "", file)
      seconds[file] += $(NF - 1); ++shards[file]
      if (/Passed/) ++passed[file]; else if (/Skipped/) ++skipped[file]; else failed = failed "\n  failed: " name
    }
    / golden programs ran$/ { golden += $(NF - 3) }
    END {
      for (file in shards)
        printf "  %-28s %2d shards passed, %d skipped, of %d; %.0f s in all\n", file, passed[file], skipped[file], shards[file], seconds[file]
      printf "  %d golden programs ran%s", golden, failed
      for (name in began) printf "\n  did not end: %s", name
    }' "$out/test.log")"
  note "$(grep -E '^[0-9]+: (not run here|skipped:)|Failure|tests passed|tests failed' "$out/test.log" | sort | uniq -c | sort -rn | head -40)"
  return $code
}
lengths() {
  local i n
  n=$(nproc)
  for ((i = 0; i < n; i++)); do
    SKIPPER_LONG=1 GTEST_SHUFFLE=1 GTEST_RANDOM_SEED=$((SKIPPER_SEED % 99999 + 1)) GTEST_TOTAL_SHARDS=$n GTEST_SHARD_INDEX=$i timeout "${LENGTHS_S:-180}" \
      "$(dirname "$skipper")/../tests/test_device" device/lengths >"$out/lengths-$i.txt" 2>&1 &
  done
  wait
  note "lengths: $(cat "$out"/lengths-*.txt | grep -c '^\[       OK') of $((5 * 128)) shares right in ${LENGTHS_S:-180} s"
  ! grep -h -A8 'Failure' "$out"/lengths-*.txt >"$out/lengths-failures.txt" || { note "$(head -40 "$out/lengths-failures.txt")"; return 1; }
}
# Each process takes a share; their tables are added up, and problems that are wrong come last, where they are seen.
random() {
  local i n begin=$SECONDS limit=${RANDOM_S:-240}
  n=$(nproc)
  rm -f "$out"/random-*
  for ((i = 0; i < n; i++)); do
    # shellcheck disable=SC2086
    timeout $((limit + 60)) "$skipper" verify --random "${1:-3000}" --seed "$SKIPPER_SEED" --share "$i/$n" --within "$limit" \
      --device "$device" --threads 1 ${RANDOM_FLAGS:-} >"$out/random-$i.txt" 2>"$out/random-$i.log" &
  done
  wait
  awk -F '   *' '
    / problems, seed / { split($0, w, " "); problems += w[1]; wrong += w[5]; refused += w[7]; ++ended; next }
    $1 == "mechanism" { heading = sprintf("%-36s", $1); for (i = 2; i <= NF; ++i) heading = heading sprintf("%14s", $i); next }
    NF > 1 {
      if (!($1 in columns)) order[++rows] = $1
      columns[$1] = NF
      for (i = 2; i <= NF; ++i) count[$1, i] += $i
    }
    END {
      print heading
      for (r = 1; r <= rows; ++r) {
        line = sprintf("%-36s", order[r])
        for (i = 2; i <= columns[order[r]]; ++i) line = line sprintf("%14s", count[order[r], i])
        print line
        if (!count[order[r], 2]) never = never (never ? ", " : "") order[r]
      }
      print "never covered: " (never ? never : "none")
      printf "%d problems, %d wrong, %d refused; %d shares came to their end\n", problems, wrong, refused, ended
    }' "$out"/random-*.txt >"$out/random.txt"
  sort "$out"/random-*.log >"$out/random-faults.txt"
  note "$(cat "$out/random.txt")"
  # What is wrong in full; of what is refused each reason once, with one of its problems.
  note "$(grep '^refused: ' "$out/random-faults.txt" | awk '{ reason = $0; sub(/^refused: [^:]*: /, "", reason); gsub(/[0-9]+/, "N", reason)
    if (!count[reason]++) first[reason] = $0 } END { for (r in count) printf "%6d %s\n", count[r], first[r] }' | sort -rn | head -30)"
  note "$(grep -v '^refused: ' "$out/random-faults.txt" | head -40)"$'\n'"random took $((SECONDS - begin)) s on $n cores, seed $SKIPPER_SEED"
  [ ! -s "$out/random-faults.txt" ] && grep -q " $n shares came" "$out/random.txt"
}
# Plans of a list, in as many processes as there are cores: NVRTC parses one text at a time within a process.
prepare() {
  rm -f "$out"/prepare.??
  grep -vE '^[[:space:]]*(#|$)' "$1" | split -n "r/$(nproc)" - "$out/prepare."
  for part in "$out"/prepare.??; do
    # shellcheck disable=SC2086
    [ -s "$part" ] && $skipper bench --prepare --device "$device" --threads 1 --list "$part" ${BENCH_FLAGS:-} &
  done
  wait
  rm -f "$out"/prepare.??
}
bench() {
  local list=${1:-bench/cases.txt} name limit=${BENCH_S:-360} begin=$SECONDS
  if [ "$list" = - ]; then
    list=$out/stdin.txt
    cat >"$list"
  fi
  name=bench-$(basename "$list" .txt)${BENCH_FLAGS:+$(tr -cd a-z- <<<"$BENCH_FLAGS")}
  # Kernels first, on all cores; then one case after the other, each plan from the warm cache.
  bounded "$limit" "$name-prepare.log" prepare "$list"
  note "$(grep -c ' s (\| ms (\| us (' "$out/$name-prepare.log") plans in $((SECONDS - begin)) s (kernels compiled on $(nproc) cores)"
  local left=$((limit - (SECONDS - begin)))
  # shellcheck disable=SC2086
  bounded $((left + 60)) "$name.txt" $skipper bench --device "$device" --list "$list" --repeats 9 --seconds 0.15 \
    --within "$left" --save "$out/$name.json" ${BENCH_FLAGS:-}
  local code=$?
  note "$(cat "$out/$name.txt")"
  return $code
}
times() {
  local problem
  for problem in "c2c f32 forward 512x512x512" "c2c f32 forward 134217728" "c2c f32 forward 100x100x100 batch 134"; do
    for round in cold warm; do
      [ $round = cold ] && rm -rf build/gpu-cold
      note "$round $(SKIPPER_CACHE=build/gpu-cold timeout 60 $skipper bench --prepare --device "$device" "$problem" | head -2 | tac | paste -sd';')"
    done
  done
}
# FFTW plans the list for one thread first, a part in each of as many processes as there are cores, so that its measuring
# is not cut short; with threads a plan has the whole machine, and CPU_PLANNING_S seconds.
cpu() {
  local binary=${AGAINST_FFTW:-build/gpu/bin/against_fftw} parts=${CPU_PARTS:-$(nproc)} begin=$SECONDS part
  [ -n "${AGAINST_FFTW:-}" ] ||
    cmake --build --preset gpu -j "$(nproc)" --target against_fftw >"$out/cpu-build.log" 2>&1 ||
    { note "cpu: no build"; return 1; }
  mkdir -p build/wisdom  # many files, not results
  for ((part = 0; part < parts; part++)); do
    timeout $((${CPU_PLAN_S:-80} + 30)) "$binary" --plan $part/$parts --threads 1 --wisdom build/wisdom/fftw \
      --within "${CPU_PLAN_S:-80}" >"build/wisdom/plan-$part.txt" 2>&1 &
  done
  wait
  note "$(sort build/wisdom/plan-*.txt | uniq -c)"$'\n'"planned in $((SECONDS - begin)) s"
  for threads in 1 0; do
    bounded $((${CPU_S:-110} + 20)) "cpu-$threads.txt" "$binary" --threads $threads --planning "${CPU_PLANNING_S:-1}" \
      --wisdom build/wisdom/fftw --seconds 0.03 --within "${CPU_S:-110}" --json "$out/cpu"
    note "$threads threads (0: all):"$'\n'"$(tail -40 "$out/cpu-$threads.txt")"
  done
}
stream() {
  local cube='"c2c f32 forward 1024x1024x1024"'
  local cases="4G $cube solve=1 $cube solve=0 pinned=1 \"c2c f32 forward 24x24x24 batch 512\" $cube solve=1 $cube"
  [ "${1:-}" = large ] && cases='32G once=1 "c2c f32 forward 2048x2048x1800 in-place"'
  # shellcheck disable=SC2016
  bounded "${STREAM_S:-300}" stream.txt sh -c 'cmake --build --preset gpu -j "$(nproc)" --target bench_stream >/dev/null &&
    eval "$(dirname "$0")/bench_stream" "$1" "$2"' "$skipper" "$device" "$cases"
  local code=$?
  note "$(cat "$out/stream.txt")"
  return $code
}
poisson() {
  # shellcheck disable=SC2016
  bounded "${POISSON_S:-240}" poisson.txt sh -c 'cmake --build --preset gpu -j "$(nproc)" --target bench_poisson >/dev/null &&
    "$(dirname "$0")/bench_poisson" "$1" $2 describe' "$skipper" "$device" "${1:-256 512}"
  local code=$?
  note "$(cat "$out/poisson.txt")"
  return $code
}
exchanges() {
  local shape count list
  for shape in $1; do
    "$skipper" bench "$shape" --device "$device" --no-peers
    for count in ${RANKS:-2 4 8}; do
      list=$(printf "$device,%.0s" $(seq "$count"))
      # shellcheck disable=SC2086
      "$skipper" bench --exchanges "$shape" --devices "${list%,}" ${EXCHANGE_FLAGS:-}
    done
  done
  command -v mpirun >/dev/null || return 0
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 \
    "$skipper" bench --distributed 256x256x256 --device "$device" --any-output
}
ranks() {
  bounded "${RANKS_S:-300}" ranks.txt exchanges "${1:-512x512x512}"
  local code=$?
  note "$(cat "$out/ranks.txt")"
  return $code
}
sanitize() {
  local tool code=0
  cat >"$out/sanitize.list" <<END
c2c f32 64 16 16 16
c2c f32 40 24 24 24
c2c f32 2 100 100 100
c2c f32 1 65536
c2c f64 2 1000000
c2c f32 1 1048576
END
  for tool in memcheck racecheck; do
    bounded "${SANITIZE_S:-120}" "sanitize-$tool.txt" compute-sanitizer --tool $tool --error-exitcode 9 \
      $skipper verify --device "$device" --list "$out/sanitize.list" || code=1
    note "$tool: $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY|not supported|Error' "$out/sanitize-$tool.txt" | tail -3)"
  done
  return $code
}
ncu_one() {
  bounded "${NCU_S:-120}" ncu.txt ncu --clock-control none --kernel-name regex:sweep --launch-count "${NCU_COUNT:-4}" \
    --section SpeedOfLight --section MemoryWorkloadAnalysis --section Occupancy --section WarpStateStats \
    --section LaunchStats $skipper verify --device "$device" "$1"
  local code=$?
  note "$(grep -E 'sweep|DRAM Throughput|Memory Throughput|Duration|Registers|Achieved Occupancy|L1/TEX Hit|L2 Hit|Bank|bank|Stall|Shared Memory Config' "$out/ncu.txt" | head -80)"
  return $code
}
tune() {
  bounded "${TUNE_S:-300}" tune.txt $skipper tune --device "$device" --list "${1:-bench/cases.txt}" --file "$out/tuning.txt"
  local code=$?
  note "$(cat "$out/tune.txt")"
  return $code
}

note "SKIPPER_SEED=$SKIPPER_SEED"
[ $# -gt 0 ] || set -- build test bench
while [ $# -gt 0 ]; do
  job=$1
  shift
  argument=""
  if [ $# -gt 0 ] && ! is_job "$1"; then
    argument=$1
    shift
  fi
  is_job "$job" || { echo "gpu.sh: '$job' is no job; use build, test, lengths, random, bench, times, cpu, stream, poisson, ranks, sanitize, ncu or tune" >&2; exit 2; }
  note "== $job $argument"
  begin=$SECONDS
  case $job in
    build) build || { echo "$summary"; exit 1; } ;;
    test) run_tests || failed=1 ;;
    lengths) lengths || failed=1 ;;
    random) random ${argument:+"$argument"} || failed=1 ;;
    bench) bench ${argument:+"$argument"} || failed=1 ;;
    times) times || failed=1 ;;
    cpu) cpu || failed=1 ;;
    stream) stream ${argument:+"$argument"} || failed=1 ;;
    poisson) poisson ${argument:+"$argument"} || failed=1 ;;
    ranks) ranks ${argument:+"$argument"} || failed=1 ;;
    sanitize) sanitize || failed=1 ;;
    ncu) ncu_one "${argument:-c2c f32 forward 256x256x256 batch 8}" || failed=1 ;;
    tune) tune ${argument:+"$argument"} || failed=1 ;;
  esac
  note "-- $job took $((SECONDS - begin)) s"
done
echo "$summary" | tee "$out/summary.txt"
exit $failed
