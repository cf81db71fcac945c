#!/bin/bash
# Runs programs that were written for FFTW on the drop-in libraries, with their own tests: FFTW's checker, alone and over MPI,
# pyFFTW, Octave, GROMACS and Quantum ESPRESSO. What is missing is installed where that is allowed; a client that cannot be had is
# skipped and named.
#   scripts/test-clients.sh [checker] [mpi] [pyfftw] [octave] [gromacs] [espresso]      all of them unless named
# Where GitHub cannot be reached, put pyFFTW's folder `tests` of the installed version into build/clients/pyfftw.
# LIBRARIES names another folder than build/compat/fftw3. CHECK="estimate measure" says how FFTW's checker plans; estimate alone takes half the time.
set -uo pipefail
cd "$(dirname "$0")/.."
libraries=${LIBRARIES:-$PWD/build/compat/fftw3}
work=$PWD/build/clients
mkdir -p "$work"
[ -e "$libraries/libfftw3.so.3" ] || { echo "test-clients: $libraries is missing; run make compat first" >&2; exit 1; }
report=()
failed=0

say() { report+=("$1"); echo "== $1"; }
skip() { say "$1: skipped, $2"; }
fail() { say "$1: FAILED, $2"; failed=1; }

on_skipper() { LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$@"; }

# install <package> ...: whether all are there afterwards.
install() {
  local package missing=()
  for package; do dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package"); done
  [ ${#missing[@]} -eq 0 ] && return 0
  [ "$(id -u)" -eq 0 ] || return 1
  apt-get install -y --no-install-recommends "${missing[@]}" >"$work/install.log" 2>&1
}

# fetch_source <package>: Debian's, into $work/apt; with a list of sources of its own.
fetch_source() {
  ls "$work"/apt/"$1"_*.dsc >/dev/null 2>&1 && return 0
  mkdir -p "$work/apt/lists/partial"
  echo "deb-src http://deb.debian.org/debian bookworm main" >"$work/apt/sources.list"
  local options=(-o "Dir::Etc::sourcelist=$work/apt/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$work/apt/lists")
  (cd "$work/apt" && apt-get "${options[@]}" update && apt-get "${options[@]}" source --download-only "$1") >"$work/source.log" 2>&1
}

# unpack <archive> <folder>
unpack() { [ -d "$2" ] || { mkdir -p "$2" && tar xzf "$1" -C "$2" --strip-components=1; }; }

# build_checker <double|single>: FFTW's benchmark against our library. Its hooks need FFTW's insides and are empty here.
build_checker() {
  local folder=$work/checker-$1 library=skipper_fftw3 option=
  [ "$1" = single ] && { library=skipper_fftw3f option=--enable-float; }
  [ -x "$folder/bench" ] && return 0
  rm -rf "$folder" && cp -r "$work/fftw" "$folder" && cd "$folder" || return 1
  ./configure --enable-threads $option >configure.log 2>&1 || return 1
  printf 'void install_hook(void);\nvoid uninstall_hook(void);\nvoid install_hook(void) {}\nvoid uninstall_hook(void) {}\n' >hooks.c
  mkdir -p objects
  local source
  for source in libbench2/*.c; do
    cc -O2 -DHAVE_CONFIG_H -I. -Ilibbench2 -c "$source" -o "objects/$(basename "$source" .c).o" || return 1
  done
  ar rc objects/libbench2.a objects/*.o
  cc -O2 -DHAVE_CONFIG_H -I. -Ilibbench2 -Iapi -Itests tests/bench.c tests/fftw-bench.c hooks.c objects/libbench2.a \
    -L"$libraries" -l$library -lpthread -lm -o bench
}

# check <precision> <estimate|measure>
check() {
  local flag= log=$work/check-$1-$2.log status count
  [ "$2" = estimate ] && flag=--estimate
  (cd "$work/checker-$1/tests" && on_skipper perl ./check.pl -a -v $flag "$work/checker-$1/bench") >"$log" 2>&1
  status=$?
  count=$(grep -c -E '^[^ ]+ [0-9.e+-]+ [0-9.e+-]+ [0-9.e+-]+$' "$log")
  if [ $status -eq 0 ] && [ "$count" -gt 50000 ]; then
    say "FFTW's checker, $1, $2: $count transforms verified"
  else
    fail "FFTW's checker, $1, $2" "after $count transforms (see $log)"
  fi
}

checker() {
  fetch_source fftw3 || { skip "FFTW's checker" "its source cannot be fetched (see $work/source.log)"; return; }
  unpack "$work"/apt/fftw3_*.orig.tar.gz "$work/fftw"
  local precision how
  for precision in double single; do
    if ! (build_checker $precision) >"$work/build-$precision.log" 2>&1; then
      fail "FFTW's checker, $precision" "cannot be built (see $work/build-$precision.log)"
      continue
    fi
    for how in ${CHECK:-estimate measure}; do check $precision "$how"; done
  done
}

# build_mpi_checker <double|single>: FFTW's mpi-bench against our libraries, in the folder of the other checker.
build_mpi_checker() {
  local suffix=
  [ "$1" = single ] && suffix=f
  cd "$work/checker-$1" || return 1
  "$mpicc" -O2 -DHAVE_CONFIG_H -I. -Ilibbench2 -I"$libraries/include" -Itests mpi/mpi-bench.c tests/fftw-bench.c hooks.c \
    objects/libbench2.a -L"$libraries" -lskipper_fftw3${suffix}_mpi -lskipper_fftw3$suffix -lpthread -lm -o mpi-bench
}

# Its random problems on 1 to 4 processes, some of them transposed on either side.
mpi() {
  local launcher precision ranks log
  mpicc=$(command -v mpicc.openmpi || command -v mpicc) && launcher=$(command -v mpirun.openmpi || command -v mpirun) ||
    { skip mpi-bench "MPI is not installed"; return; }
  [ -e "$libraries/libfftw3_mpi.so.3" ] || { skip mpi-bench "the libraries were built without MPI"; return; }
  fetch_source fftw3 || { skip mpi-bench "its source cannot be fetched (see $work/source.log)"; return; }
  unpack "$work"/apt/fftw3_*.orig.tar.gz "$work/fftw"
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_MCA_plm_rsh_agent=true OMPI_MCA_mpi_yield_when_idle=1
  for precision in double single; do
    if ! (build_checker $precision && build_mpi_checker $precision) >"$work/build-mpi-$precision.log" 2>&1; then
      fail "mpi-bench, $precision" "cannot be built (see $work/build-mpi-$precision.log)"
      continue
    fi
    log=$work/mpi-$precision.log
    : >"$log"
    local status=0 count
    for ranks in 1 2 3 4; do
      (cd "$work/checker-$precision/tests" && on_skipper perl ./check.pl -v --random --maxsize=5000 -c="${MPI_CHECKS:-50}" \
        --estimate --mpi "$launcher -n $ranks $work/checker-$precision/mpi-bench") >>"$log" 2>&1 || status=1
    done
    count=$(grep -c -E '^[^ ]+ [0-9.e+-]+ [0-9.e+-]+ [0-9.e+-]+$' "$log")
    if [ $status -eq 0 ] && [ "$count" -gt 100 ]; then
      say "mpi-bench, $precision, 1 to 4 processes: $count transforms verified"
    else
      fail "mpi-bench, $precision" "after $count transforms (see $log)"
    fi
  done
}

# The tests that fail on our library and pass on FFTW's are the ones that count; but for test_planning_time_limit, which wants
# a limit to shorten planning, where ours never measures.
pyfftw() {
  install python3-pyfftw python3-pytest python3-scipy || { skip pyFFTW "it cannot be installed"; return; }
  local version; version=$(/usr/bin/python3 -c 'import pyfftw; print(pyfftw.__version__)') || { skip pyFFTW "it cannot be loaded"; return; }
  if [ ! -d "$work/pyfftw/tests" ]; then  # the tests alone, lest the package beside them is imported
    local page=https://pypi.org/simple/pyfftw/ source
    source=https://codeload.github.com/pyFFTW/pyFFTW/tar.gz/refs/tags/v$version
    curl -fsSL -m 20 -I "$source" >/dev/null 2>&1 ||  # PyPI has tests from 0.14 on
      source=$(curl -fsSL "$page" | grep -o -i 'https://[^"#]*pyfftw-0.14.0.tar.gz' | head -1)
    mkdir -p "$work/pyfftw"
    curl -fsSL "$source" | tar xz -C "$work/pyfftw" --strip-components=1 --wildcards '*/tests' 2>/dev/null ||
      { skip pyFFTW "its tests cannot be fetched"; rm -rf "$work/pyfftw"; return; }
  fi
  local run=(/usr/bin/python3 -m pytest -q -p no:cacheprovider -rf tests)
  (cd "$work/pyfftw" && on_skipper "${run[@]}") >"$work/pyfftw-skipper.log" 2>&1
  (cd "$work/pyfftw" && "${run[@]}") >"$work/pyfftw-fftw.log" 2>&1
  local name
  for name in skipper fftw; do
    grep -E '^FAILED|^ERROR' "$work/pyfftw-$name.log" | awk '{print $2}' | grep -v test_planning_time_limit | sort -u >"$work/pyfftw-$name.failed"
  done
  local new summary
  new=$(comm -23 "$work/pyfftw-skipper.failed" "$work/pyfftw-fftw.failed" | wc -l)
  summary=$(tail -1 "$work/pyfftw-skipper.log")
  if [ "$new" -eq 0 ] && [[ $summary == *passed* ]]; then
    say "pyFFTW $version: no test fails that passes on FFTW ($summary)"
  else
    fail "pyFFTW $version" "$new tests that pass on FFTW (see $work/pyfftw-skipper.log)"
  fi
}

octave() {
  install octave || { skip Octave "it cannot be installed"; return; }
  cat >"$work/octave.m" <<'M'
root = fullfile(OCTAVE_HOME(), "share", "octave", OCTAVE_VERSION(), "etc", "tests");
files = {"libinterp/corefcn/fft.cc-tst", "libinterp/corefcn/fft2.cc-tst", "libinterp/dldfcn/fftw.cc-tst"};
passed = 0; all = 0;
for file = files
  [p, n] = test(fullfile(root, file{1}), "quiet", "/dev/null");
  passed += p; all += n;
endfor
printf("%s: %d of %d\n", __octave_config_info__("fftw_version"), passed, all);
M
  local line; line=$(on_skipper octave-cli "$work/octave.m" 2>"$work/octave.log" | tail -1)
  if [ "$line" = "fftw-3.3.10-skipper: 36 of 36" ]; then say "Octave: $line"; else fail Octave "$line (see $work/octave.log)"; fi
}

# Four of its regression tests that have PME, energies and forces against their references.
gromacs() {
  install gromacs gromacs-data || { skip GROMACS "it cannot be installed"; return; }
  fetch_source gromacs || { skip GROMACS "its regression tests cannot be fetched (see $work/source.log)"; return; }
  unpack "$work"/apt/gromacs_*.orig-regressiontests.tar.gz "$work/gromacs-all"
  rm -rf "$work/gromacs" && mkdir -p "$work/gromacs/complex"
  cp -r "$work/gromacs-all/gmxtest.pl" "$work/gromacs-all/gmxFile" "$work/gromacs"
  local name
  for name in nbnxn_pme nbnxn_pme_order5 nbnxn-ljpme-LB octahedron; do
    cp -r "$work/gromacs-all/complex/$name" "$work/gromacs/complex"
  done
  (cd "$work/gromacs" && on_skipper perl gmxtest.pl -nt 1 complex) >"$work/gromacs.log" 2>&1
  local line; line=$(tail -1 "$work/gromacs.log")
  if [ "$line" = "All 4 complex tests PASSED" ]; then say "GROMACS: $line"; else fail GROMACS "$line (see $work/gromacs.log)"; fi
}

# Two atoms of silicon: the total energy by our library and by FFTW's, to 1e-8 Ry.
espresso() {
  install quantum-espresso quantum-espresso-data || { skip "Quantum ESPRESSO" "it cannot be installed"; return; }
  local pseudo; pseudo=$(find /usr/share/espresso /usr/share/quantum-espresso -name 'Si.pz-vbc.UPF' 2>/dev/null | head -1)
  [ -n "$pseudo" ] || { skip "Quantum ESPRESSO" "no pseudopotential of silicon is installed"; return; }
  mkdir -p "$work/espresso"
  sed -e "s|@folder@|$(dirname "$pseudo")|; s|@file@|$(basename "$pseudo")|; s|@out@|$work/espresso|" \
    compat/tests/silicon.in >"$work/espresso/silicon.in"
  local ranks launcher ours theirs
  launcher=$(command -v mpirun.openmpi || command -v mpirun)
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_plm_rsh_agent=true
  for ranks in 1 2; do
    [ "$ranks" = 1 ] || [ -n "$launcher" ] || { skip "Quantum ESPRESSO, 2 processes" "there is no mpirun"; continue; }
    ours=$(on_skipper energy $ranks)
    theirs=$(energy $ranks)
    if [ -n "$ours" ] && awk -v a="$ours" -v b="$theirs" 'BEGIN {d = a - b; exit !(d < 1.5e-8 && d > -1.5e-8)}'; then
      say "Quantum ESPRESSO, processes: $ranks: $ours Ry, with FFTW $theirs Ry"
    else
      fail "Quantum ESPRESSO, processes: $ranks" "'$ours' Ry, with FFTW '$theirs' Ry"
    fi
  done
}

# energy <processes>: of the cell in Ry, by $launcher.
energy() {
  local run=(pw.x -in silicon.in)
  [ "$1" = 1 ] || run=("$launcher" -n "$1" "${run[@]}")
  (cd "$work/espresso" && OMP_NUM_THREADS=1 "${run[@]}" 2>&1) | awk '/^!/{print $5}'
}

for client in "${@:-checker mpi pyfftw octave gromacs espresso}"; do for name in $client; do $name; done; done
echo
printf '%s\n' "${report[@]}"
exit $failed
