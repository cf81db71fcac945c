#!/usr/bin/env bash
# Builds, verifies and times on a CUDA machine in one call, with no downloads:
#   bench/gpu.sh [--clusters] < problems
# Each line of standard input is a problem text or a case of bench/cases.txt.
set -eu
cd "$(dirname "$0")/.."
build=${SKIPPER_BUILD:-build/gpu-bench}
mkdir -p "$build"
flags="-std=c++20 -O2 -ffp-contract=off -Iinclude -Isrc -Itests -DSKIPPER_SOURCE_DIR=\"$PWD\""
cmake -DOUT="$build/kernel_headers.cpp" -P bench/gpu/embed.cmake
sources="$(ls src/base/*.cpp src/plan/*.cpp src/plan/lower/*.cpp src/gpu/*.cpp) tests/support/reference.cpp bench/gpu/time.cpp $build/kernel_headers.cpp"
for s in $sources; do
  o="$build/$(echo "$s" | tr / _).o"
  if [ ! -f "$o" ] || [ "$s" -nt "$o" ]; then echo "g++ $flags -c $s -o $o"; fi
done | xargs -P "$(nproc)" -d '\n' -I{} sh -c '{}' >&2
g++ -o "$build/time" "$build"/*.o -ldl -lpthread
exec "$build/time" "$@"
