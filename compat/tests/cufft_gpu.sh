#!/bin/bash
# cufft_gpu.sh [<folder>]: the library with cuFFT's interface on a GPU, beside NVIDIA's own. The folder has libcufft.so.12 and
# libskipper_cufft.so.12 as `make compat` leaves them in build/compat/cufft; without one they are built here.
#   1. codes        every function with good and bad arguments: what NVIDIA's library returns and what ours does
#   2. transforms   results of both against the definition
#   3. clients      torch.fft, cupy.fft and cupyx.scipy.fft, with ours by LD_PRELOAD
#   4. overhead     a call and a first plan: ours, Skipper's own interface, NVIDIA's
# Logs go to $OUT (build/cufft_gpu). CUDA names the toolkit, PYTHON the interpreter. Every part has a limit of time of its own. The last
# lines sum up; the exit status is 0 where no result is wrong, nothing crashed and no client failed. Codes that differ are listed.
set -u
cd "$(dirname "$0")/../.." || exit 1
cuda=${CUDA:-/usr/local/cuda} python=${PYTHON:-python3} out=${OUT:-$PWD/build/cufft_gpu}
jobs=$(nproc)
mkdir -p "$out" && rm -f "$out"/first-*.txt
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SKIPPER_CACHE=${SKIPPER_CACHE:-$work/cache}
theirs=$cuda/lib64/libcufft.so.12
began=$SECONDS
bad=0
summary() { echo "$*" | tee -a "$out/summary.txt"; }
: >"$out/summary.txt"

# --- Build.
build=
if [ $# -ge 1 ]; then
  libraries=$(cd "$1" && pwd) || exit 1
else
  build=$PWD/build/cufft_gpu_build libraries=$PWD/build/cufft_gpu_build/compat/cufft
  { timeout 60 cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DSKIPPER_TESTS=OFF -DSKIPPER_PROGRAM=OFF \
      -DSKIPPER_SHARED=OFF &&
    timeout 400 cmake --build "$build" -j "$jobs" --target skipper_cufft skipper_cufft_12 skipper_library; } \
    >"$out/build.log" 2>&1 || { tail -20 "$out/build.log"; summary "the library does not build: see build.log"; exit 1; }
fi
ours=$libraries/libskipper_cufft.so.12 preload=$libraries/libcufft.so.12
for file in "$ours" "$preload" "$theirs"; do
  [ -e "$file" ] || { summary "$file is missing"; exit 1; }
done
summary "library: $libraries, there after $((SECONDS - began)) s"

here=compat/tests/cufft_gpu
compile() { g++ -std=c++20 -O2 -I"$cuda/include" -Iinclude -Icompat/tests "$@" -ldl -pthread; }
compile -o "$work/codes" "$here"/codes*.cpp >"$out/compile.log" 2>&1 &
compile -o "$work/transforms" "$here/transforms.cpp" >>"$out/compile.log" 2>&1 &
compile -o "$work/overhead" "$here/overhead.cpp" >>"$out/compile.log" 2>&1 &
static=${SKIPPER_STATIC_LIBRARY:-${build:+$build/lib/libskipper.a}}
if [ -n "$static" ] && [ -e "$static" ]; then
  compile -o "$work/overhead_own" "$here/overhead_own.cpp" "$static" >>"$out/compile.log" 2>&1 &
fi
wait
for program in codes transforms overhead; do
  [ -x "$work/$program" ] || { cat "$out/compile.log"; summary "$program does not compile: see compile.log"; exit 1; }
done

# --- 1, 2, 3 side by side: kernels are compiled one at a time in a process, so there are many processes.
# codes_of <library> <file>: a case that crashes, or leaves the device broken, ends a process; the next begins behind it.
codes_of() {
  local first=0 last status stage=$SECONDS
  : >"$2"
  while [ $((SECONDS - stage)) -lt 100 ]; do
    timeout $((110 - SECONDS + stage)) "$work/codes" "$1" "$first" >>"$2" 2>>"$2.err"
    status=$?
    [ $status -eq 0 ] && return
    [ $status -eq 2 ] && return  # the library or the GPU is missing
    [ -n "$(tail -c 1 "$2")" ] && echo "ends the process ($status)" >>"$2"
    last=$(awk -F '\t' 'END {print $1}' "$2")
    first=$((last + 1))
  done
}
codes_of "$theirs" "$out/codes-nvidia.txt" &
SKIPPER_LOG=1 codes_of "$ours" "$out/codes-skipper.txt" &
shares=5
for share in $(seq 0 $((shares - 1))); do
  timeout 110 "$work/transforms" "$ours" "$share" $shares >"$out/transforms-skipper-$share.txt" 2>&1 &
done
timeout 110 "$work/transforms" "$theirs" 0 1 >"$out/transforms-nvidia.txt" 2>&1 &
# client <name> <script> <arguments>: with our library in place of NVIDIA's.
client() {
  local name=$1
  shift
  SKIPPER_LOG=1 SECONDS_LIMIT=85 LD_PRELOAD=$preload timeout -k 5 130 "$python" "$@" \
    >"$out/$name.txt" 2>"$out/$name.log" || echo "exit status $?" >>"$out/$name.txt"
}
client_shares=5
for share in $(seq 0 $((client_shares - 1))); do
  client "torch-$share" $here/torch_client.py "$share" $client_shares &
  client "cupy-$share" $here/cupy_client.py "$share" $client_shares &
done
client torch-samples $here/torch_client.py samples &
# Their own tests, where somebody installed them.
for tests in $("$python" -c '
import importlib.util, os
for package, path in (("cupy", "../tests/cupy_tests/fft_tests"), ("torch", "../test/test_spectral_ops.py")):
    spec = importlib.util.find_spec(package)
    folder = os.path.join(os.path.dirname(spec.origin), path) if spec else ""
    if os.path.exists(folder):
        print(folder)'); do
  client "own-tests-$(basename "$tests" .py)" -m pytest -q -x --no-header "$tests" &
done
wait

# --- 4, alone.
time_of() { timeout 40 "$@" 2>>"$out/overhead.log" || echo failed; }
exec_ours=$(time_of "$work/overhead" "$ours" exec)
exec_theirs=$(time_of "$work/overhead" "$theirs" exec)
exec_own=- plan_own=-
[ -x "$work/overhead_own" ] && exec_own=$(time_of "$work/overhead_own" exec)
# A first plan: each time a new process with an empty folder of kernels; they take turns, and the least counts.
for round in 1 2 3 4 5; do
  SKIPPER_CACHE=$work/first-ours$round time_of "$work/overhead" "$ours" plan >>"$out/first-ours.txt"
  [ -x "$work/overhead_own" ] &&
    SKIPPER_CACHE=$work/first-own$round time_of "$work/overhead_own" plan >>"$out/first-own.txt"
  time_of "$work/overhead" "$theirs" plan >>"$out/first-nvidia.txt"
done
least() { sort -g "$1" | head -n 1; }
plan_ours=$(least "$out/first-ours.txt") plan_theirs=$(least "$out/first-nvidia.txt")
[ -s "$out/first-own.txt" ] && plan_own=$(least "$out/first-own.txt")

# --- Sums.
join -t $'\t' -a 1 -a 2 -e none -o 0,1.2,2.2 <(cut -f 2,3 "$out/codes-nvidia.txt" | LC_ALL=C sort -t $'\t' -k 1,1) \
  <(cut -f 2,3 "$out/codes-skipper.txt" | LC_ALL=C sort -t $'\t' -k 1,1) >"$out/codes-all.txt" 2>"$out/join.err"
awk -F '\t' '$2 != $3' "$out/codes-all.txt" >"$out/codes-differ.txt"
summary ""
summary "codes: $(wc -l <"$out/codes-all.txt") cases, $(wc -l <"$out/codes-differ.txt") differ (case, NVIDIA's, ours):"
while IFS=$'\t' read -r name nvidia skipper; do summary "  $name: $nvidia, $skipper"; done <"$out/codes-differ.txt"
if grep -q 'ends the process\|device fails' "$out/codes-skipper.txt"; then bad=1; summary "codes: ours CRASHED: $(grep 'ends the process\|device fails' "$out/codes-skipper.txt" | cut -f 2 | tr '\n' ';')"; fi
for file in "$out"/transforms-*.txt; do
  summary "$(basename "$file" .txt): $(grep '^transforms:' "$file" || echo "did not finish")"
  case $file in *skipper*) grep -q ' 0 wrong' "$file" || bad=1 ;; esac
  grep -v '^transforms:' "$file" | head -5 | while read -r line; do summary "  $line"; done
done
for file in "$out"/torch-*.txt "$out"/cupy-*.txt "$out"/own-tests-*.txt; do
  [ -e "$file" ] || continue
  name=$(basename "$file" .txt)
  plans=$(grep -c 'skipper cufft: plan ' "$out/$name.log")
  last=$(grep -v '^FAILED' "$file" | grep -v '^exit status' | tail -1)
  summary "$name: ${last:-did not finish}; $plans plans by our library"
  grep -q '^exit status' "$file" && { bad=1; summary "  $(grep '^exit status' "$file"), $(tail -1 "$out/$name.log" | cut -c 1-200)"; }
  [ "$plans" -gt 0 ] || case $last in *skipped*) ;; *) bad=1; summary "  our library was not used" ;; esac
  grep '^FAILED' "$file" | head -4 | cut -c 1-220 | while read -r line; do summary "  $line"; done
done
summary "a call of cufftExecC2C, 256 points, ns: ours $exec_ours, Skipper's own interface $exec_own, NVIDIA's $exec_theirs"
summary "a first plan of 2^20 points in a process, nothing kept, the least of 5, ms: ours $plan_ours, Skipper's own interface $plan_own, NVIDIA's $plan_theirs"
summary "all of it took $((SECONDS - began)) s; $([ $bad -eq 0 ] && echo "no result is wrong" || echo "SOMETHING IS WRONG")"
exit $bad
