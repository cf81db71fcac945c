#!/bin/sh
# cufft_symbols_test.sh <list> <library> [<version node>]: whether the library shows what the list names, under that node, and
# nothing else, and has the node as its soname.
set -eu
list=$1 library=$2 node=${3:-}
command -v nm >/dev/null || { echo "skipped: nm is not installed"; exit 77; }
wanted=$(mktemp) shown=$(mktemp)
trap 'rm -f "$wanted" "$shown"' EXIT
awk -v node="$node" '$1 == "function" {print "T " $2 (node ? "@@" node : "")}' "$list" | LC_ALL=C sort >"$wanted"
nm -D --defined-only "$library" | awk '$2 != "A" {print $2, $3}' | LC_ALL=C sort >"$shown"
[ "$(wc -l <"$wanted")" -eq 58 ] || { echo "$list names $(wc -l <"$wanted") functions, not 58"; exit 1; }
diff -u "$wanted" "$shown"
soname=$(readelf -d "$library" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')
[ "$soname" = "${node:-libskipper_cufft.so.12}" ] || { echo "$library: the soname is $soname"; exit 1; }
if readelf -d "$library" | grep -i 'NEEDED.*cu'; then echo "$library needs a library of CUDA"; exit 1; fi
