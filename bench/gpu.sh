#!/usr/bin/env bash
# Builds and tests on a CUDA machine, with no downloads: bench/gpu.sh [build] [test]
set -eu
cd "$(dirname "$0")/.."
export CMAKE_GENERATOR=Ninja
for stage in "${@:-build}"; do
  case $stage in
    build) cmake --preset gpu >/dev/null && cmake --build --preset gpu -j "$(nproc)" ;;
    test) ctest --preset gpu ;;
    *) echo "gpu.sh: unknown stage $stage" >&2; exit 2 ;;
  esac
done
