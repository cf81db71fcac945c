#!/usr/bin/env bash
# test.sh: what `make test` runs: the quick round, the Python package's tests, and the core under sanitizers (not with SANITIZE=0).
# Python's packages are installed while the library compiles, and its tests, which keep one core busy, run beside the quick round;
# what they print comes at the end.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build

# Fuzz targets begin elsewhere at each commit.
commit=$(git rev-parse --short=8 HEAD 2>/dev/null || echo 1)
export SKIPPER_FUZZ_SEED=${SKIPPER_FUZZ_SEED:-$((16#$commit))}
echo "SKIPPER_FUZZ_SEED=$SKIPPER_FUZZ_SEED"

scripts/python.sh prepare >build/python-packages.log 2>&1 &
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
make --no-print-directory build-quick
wait  # `test quick` says again what could not be installed

scripts/python.sh test quick >build/python-tests.log 2>&1 &
python=$!
failed=0
if [ "${SANITIZE:-1}" = 0 ]; then
  ctest --preset quick -j "$JOBS" || failed=$?
else  # which then looks at the core
  ctest --preset quick -j "$JOBS" -LE '^core$' || failed=$?
  make --no-print-directory test-core || failed=$?
fi
wait "$python" || failed=$?
cat build/python-tests.log
exit "$failed"
