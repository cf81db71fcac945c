#!/usr/bin/env bash
# gpu.sh [OUT]: on a machine with a GPU, whose Python has CuPy, PyTorch, SciPy, nanobind, scikit-build-core and pytest, builds the
# package from this checkout without a network, runs python/tests/gpu_test.py and times the functions against cupy.fft
# and torch.fft. Results go into the folder OUT (build/python/gpu).
set -uo pipefail
cd "$(dirname "$0")/../.."
out=${1:-build/python/gpu}
site=$PWD/build/python/site
mkdir -p "$out" "$site"
out=$(cd "$out" && pwd)
export CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}
python3 -m pip install -q --no-build-isolation --no-deps --upgrade --target "$site" -C build-dir="$PWD/build/python/module/gpu" ./python || exit 1
export PYTHONPATH=$site
cases=$PWD/bench/cases.txt
cd build/python
timeout "${TEST_SECONDS:-240}" python3 -m pytest -q -p no:cacheprovider --durations=5 ../../python/tests/gpu_test.py 2>&1 | tee "$out/tests.txt" | tail -40
for library in cupy torch; do
  timeout "${BENCH_SECONDS:-120}" python3 ../../bench/python/compare.py --gpu $library --list "$cases" --seconds 0.2 \
    --json "$out/$library.json" 2>&1 | tee "$out/$library.txt" | tail -8
done
