#!/bin/sh
# coverage.sh <symbols.txt>: the table of what the drop-in libraries have, as docs/drop-in.md shows it.
# coverage.sh <symbols.txt> <drop-in.md>: whether the document has that table.
set -eu
table() {
  awk '
    function add(group) { names[group] = names[group] (count[group]++ ? ", " : "") "`" $2 "`" }
    $1 == "fortran" {++fortran}
    $1 == "data" {add("data")}
    $1 == "function" {
      if ($2 ~ /^execute/) add("execute, also on new arrays")
      else if ($2 ~ /^plan_many/) add("advanced interface")
      else if ($2 ~ /^plan_guru64/) add("guru interface, 64 bits")
      else if ($2 ~ /^plan_guru/) add("guru interface")
      else if ($2 ~ /thread/) add("threads")
      else if ($2 ~ /^plan_/) add("basic interface")
      else if ($2 ~ /wisdom/) add("wisdom")
      else if ($2 ~ /alloc|^free$|alignment/) add("memory")
      else add("plans")
    }
    END {
      print "| | number | names, after `fftw_` or `fftwf_` |"
      print "|---|---|---|"
      order = "basic interface;advanced interface;guru interface;guru interface, 64 bits;execute, also on new arrays;plans;wisdom;threads;memory;data"
      n = split(order, groups, ";")
      for (i = 1; i <= n; ++i) print "| " groups[i] " | " count[groups[i]] " | " names[groups[i]] " |"
      print "| legacy Fortran | " fortran " | `dfftw_…_`, `dfftw_…__`, `sfftw_…_`, `sfftw_…__` |"
    }' "$1"
}
[ $# -eq 2 ] || { table "$1"; exit; }
wanted=$(mktemp) found=$(mktemp)
trap 'rm -f "$wanted" "$found"' EXIT
table "$1" >"$wanted"
awk '/<!-- coverage -->/ {inside = 1; next} /<!-- end of coverage -->/ {inside = 0} inside' "$2" >"$found"
diff -u "$wanted" "$found" || { echo "docs/drop-in.md: put the output of compat/tests/coverage.sh compat/fftw3/symbols.txt there"; exit 1; }
