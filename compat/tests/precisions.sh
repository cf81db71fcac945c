#!/bin/sh
# precisions.sh <compiler> <folder of the drop-in libraries>: a program that calls fftw_... and fftwl_... has Skipper for the former
# and FFTW's libfftw3l for the latter, by LD_LIBRARY_PATH and by LD_PRELOAD. Where there is no libfftw3l, the loader says so.
set -eu
compiler=$1 folder=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$(dirname "$0")
# What it links stands in for FFTW's libraries by their names, and is not there when it runs.
for precision in "" l; do
  case $precision in l) real="long double" ;; *) real=double ;; esac
  cat >"$work/stub.c" <<C
typedef $real complex_type[2];
char const fftw${precision}_version[64] = "stub";
void* fftw${precision}_plan_dft_1d(int n, complex_type* a, complex_type* b, int s, unsigned f) { return a + n + s + f == b ? a : b; }
void fftw${precision}_execute(void* p) { (void)p; }
void fftw${precision}_destroy_plan(void* p) { (void)p; }
C
  "$compiler" -shared -fPIC -Wl,-soname,libfftw3$precision.so.3 "$work/stub.c" -o "$work/libfftw3$precision.so"
done
"$compiler" -fPIC -I"$folder/include" "$here/precisions.c" -L"$work" -lfftw3 -lfftw3l -o "$work/program" 2>"$work/log" ||
  { cat "$work/log"; exit 1; }

real=$(ldconfig -p 2>/dev/null | awk '/libfftw3l\.so\.3 / {print $NF; exit}')
if [ -z "$real" ]; then
  LD_LIBRARY_PATH=$folder "$work/program" >"$work/said" 2>&1 && { echo "it ran without libfftw3l"; exit 1; }
  grep -q 'libfftw3l\.so\.3' "$work/said" || { echo "the loader does not name libfftw3l.so.3:"; cat "$work/said"; exit 1; }
  exit 0
fi
LD_LIBRARY_PATH=$folder "$work/program" | tee "$work/said"
grep -q '^fftw-3.*-skipper and fftw-3' "$work/said"
ldconfig -p | grep -q 'libfftw3\.so\.3 ' || exit 0
LD_PRELOAD=$folder/libskipper_fftw3.so "$work/program" | tee "$work/said"
grep -q '^fftw-3.*-skipper and fftw-3' "$work/said"
