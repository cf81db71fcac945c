#!/bin/sh
# symbols_test.sh <list> <library> <fftw|fftwf|fftw_mpi|fftwf_mpi>: whether the library shows what the list names and nothing else.
set -eu
list=$1 library=$2 prefix=$3
command -v nm >/dev/null || { echo "skipped: nm is not installed"; exit 77; }
case $prefix in fftwf) fortran=sfftw ;; *) fortran=dfftw ;; esac
case $prefix in *_mpi) number=68 ;; *) number=176 ;; esac
wanted=$(mktemp) shown=$(mktemp)
trap 'rm -f "$wanted" "$shown"' EXIT
awk -v c="$prefix" -v f="$fortran" '
  $1 == "function" || $1 == "data" {print c "_" $2}
  $1 == "private" {print "skipper_" c "_" $2}
  $1 == "fortran" {print f "_" $2 "_"; print f "_" $2 "__"}' "$list" | LC_ALL=C sort >"$wanted"
nm -D --defined-only "$library" | awk '{print $3}' | LC_ALL=C sort >"$shown"
[ "$(wc -l <"$wanted")" -eq $number ] || { echo "$list names $(wc -l <"$wanted") symbols, not $number"; exit 1; }
diff -u "$wanted" "$shown"
