#!/usr/bin/env bash
# bench/mpi/peers.sh BUILD [ROUNDS [SECONDS]]: times distributed transforms beside FFTW-MPI, heFFTe and mpi4py-fft with Open MPI on 2 and
# 4 ranks, one after another in each round, and prints the fastest of all rounds. BUILD has the target bench_distributed.
#   HEFFTE   where heFFTe was built with Heffte_ENABLE_FFTW, with HEFFTE_SOURCE its sources; left out where unset
#   WISDOM   a folder that keeps FFTW's plans; LD_LIBRARY_PATH, an FFTW of your own (Debian's in double precision on aarch64 has
#            neither NEON nor a timer, so it cannot measure)
#   PYTHON   a Python that has mpi4py-fft (PYTHONPATH helps); left out where it has none
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1 rounds=${2:-3} seconds=${3:-2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_plm_rsh_agent=true OMP_NUM_THREADS=1
export WISDOM=${WISDOM:-$work}  # so that FFTW measures its plans once
python=${PYTHON:-/usr/bin/python3}

if [ -n "${HEFFTE:-}" ]; then
  mpicxx.openmpi -O2 -std=c++17 -I"$HEFFTE_SOURCE/include" -I"$HEFFTE/include" "$here/heffte.cpp" -o "$work/heffte" \
    -L"$HEFFTE" -Wl,-rpath,"$HEFFTE" -lheffte -lfftw3 -lfftw3f
fi
for ((round = 0; round < rounds; ++round)); do
  for ranks in 2 4; do
    run=(mpirun.openmpi -n $ranks)
    "${run[@]}" "$build/bin/bench_distributed" "$seconds" >>"$work/lines" 2>"$work/programs"
    [ ! -x "$work/heffte" ] || "${run[@]}" "$work/heffte" "$seconds" >>"$work/lines"
    ! "$python" -c 'import mpi4py_fft' 2>/dev/null || "${run[@]}" "$python" "$here/mpi4py_fft_cases.py" "$seconds" >>"$work/lines"
  done
done
echo "# load $(cut -d' ' -f1-3 /proc/loadavg), $(getconf _NPROCESSORS_ONLN) cores, $(date -u +%FT%RZ)"
"$here/table.py" "$work/lines"
cat "$work/lines"
