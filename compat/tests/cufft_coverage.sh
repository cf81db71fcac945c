#!/bin/sh
# cufft_coverage.sh <symbols.txt>: the table of what the library with cuFFT's interface has, as docs/drop-in.md shows it.
# cufft_coverage.sh <symbols.txt> <drop-in.md>: whether the document has that table.
set -eu
table() {
  awk '
    function add(group) { names[group] = names[group] (count[group]++ ? ", " : "") "`" name "`" }
    $1 == "function" {
      name = substr($2, 6)
      if (name ~ /Guru64|Debug/) add("in no header of NVIDIA'\''s: NOT_IMPLEMENTED")
      else if (name ~ /Callback/) add("callbacks: refused")
      else if (name ~ /Descriptor|XtMalloc|XtFree|XtMemcpy|XtQueryPlan|XtSetGPUs/) add("several GPUs: refused")
      else if (name ~ /Estimate|GetSize/) add("size of the work area")
      else if (name ~ /Exec/) add("execute")
      else if (name ~ /Plan[123]d|PlanMany|Create|Destroy/) add("plans")
      else if (name ~ /Stream|WorkArea|AutoAllocation/) add("streams, work areas")
      else if (name ~ /Property|Version/) add("properties, versions")
      else add("others")
    }
    END {
      print "| | number | names, after `cufft` |"
      print "|---|---|---|"
      order = "plans;size of the work area;execute;streams, work areas;properties, versions;several GPUs: refused;callbacks: refused;in no header of NVIDIA'\''s: NOT_IMPLEMENTED;others"
      n = split(order, groups, ";")
      for (i = 1; i <= n; ++i) if (count[groups[i]]) print "| " groups[i] " | " count[groups[i]] " | " names[groups[i]] " |"
    }' "$1"
}
[ $# -eq 2 ] || { table "$1"; exit; }
wanted=$(mktemp) found=$(mktemp)
trap 'rm -f "$wanted" "$found"' EXIT
table "$1" >"$wanted"
awk '/<!-- cuFFT coverage -->/ {inside = 1; next} /<!-- end of cuFFT coverage -->/ {inside = 0} inside' "$2" >"$found"
diff -u "$wanted" "$found" || { echo "docs/drop-in.md: put the output of compat/tests/cufft_coverage.sh compat/cufft/symbols.txt there"; exit 1; }
