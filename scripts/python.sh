#!/usr/bin/env bash
# python.sh wheel: the wheel and the sdist of the Python package, into build/python.
# python.sh prepare: the packages that `test quick` needs, into build/python/venv.
# python.sh test quick|all: installs the package into build/python/venv and runs its tests. `all` takes the wheel; `quick` a module
# that is linked with the library of the quick build, so that `make test` compiles nothing twice. Where pip can install
# nothing, that is said in one line, and the tests are left out.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
out=$root/build/python
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
build_packages=(scikit-build-core nanobind numpy ninja wheel)
test_packages=(numpy scipy pytest)
more_packages=(mpi4py nbclient ipykernel matplotlib tqdm)  # ranks and notebooks; their tests say so where one is missing

skip() {
  echo "skipper: the tests of the Python package are left out: $1"
  exit 0
}

# in_venv FOLDER ARGUMENT..: pip for this environment. It is the pip beside python3, where that can work for others (22.3 or
# newer): to install one into the environment takes longer than most packages.
in_venv() {
  local python=$1/bin/python
  shift
  if [ -e "$(dirname "$python")/pip" ]; then
    "$python" -m pip --disable-pip-version-check "$@"
  else
    python3 -m pip --disable-pip-version-check --python "$python" "$@"
  fi
}

# ensure_venv FOLDER PACKAGE..: a virtual environment with these packages; fails where they cannot be had. Modules are compiled
# when they are first imported: most never are.
ensure_venv() {
  local folder=$1
  shift
  if [ ! -x "$folder/bin/python" ]; then
    { python3 -m venv --without-pip "$folder" && python3 -m pip --python "$folder/bin/python" --version; } >/dev/null 2>&1 ||
      python3 -m venv --clear "$folder" >/dev/null 2>&1 || return 1
  fi
  in_venv "$folder" install -q --no-compile --retries 1 --timeout 20 "$@" >"$folder/pip.log" 2>&1
}

# check_python: ends here, saying why, where there is no Python to test with.
check_python() {
  command -v python3 >/dev/null || skip "there is no python3"
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || skip "python3 is older than 3.10"
  python3 -c 'import ensurepip, os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null ||
    skip "python3 has no headers or no venv (Debian: python3-dev, python3-venv)"
  mkdir -p "$out"
}

# prepare_quick: one environment that the module is built in and tested in.
prepare_quick() {
  ensure_venv "$out/venv" "${build_packages[@]}" "${test_packages[@]}" mpi4py && return
  ensure_venv "$out/venv" "${build_packages[@]}" "${test_packages[@]}" ||
    skip "pip cannot install ${build_packages[*]} ${test_packages[*]} (build/python/venv/pip.log)"
  echo "skipper: pip cannot install mpi4py; tests that need it are skipped"
}

# build_wheel LIBRARY FOLDER TOOLS [SETTING..]: a wheel that is linked with this libskipper.a, by the packages of the environment
# TOOLS; each setting is one of scikit-build-core.
build_wheel() {
  local settings=()
  for setting in "${@:4}"; do settings+=(-C "$setting"); done
  in_venv "$out/$3" wheel -q --no-build-isolation --no-deps -w "$2" \
    -C cmake.define.SKIPPER_LIBRARY="$1" -C build-dir="$out/module/$(basename "$(dirname "$(dirname "$1")")")" \
    -C build.verbose=false "${settings[@]}" ./python
}

# tag_wheel WHEEL: names the oldest glibc whose symbols the module needs (PEP 600). C++'s library is linked in.
tag_wheel() {
  local glibc
  rm -rf "$out/unpacked"
  "$out/tools/bin/python" -m zipfile -e "$1" "$out/unpacked"
  glibc=$(readelf -V "$out"/unpacked/skipper/_core*.so | grep -o 'GLIBC_2\.[0-9]*' | sort -t. -k2 -n | tail -1)
  rm -rf "$out/unpacked"
  "$out/tools/bin/python" -m wheel tags --remove --platform-tag "manylinux_2_${glibc##*.}_$(uname -m)" "$1" >/dev/null
}

# The sdist carries the sources of the library in a folder `library`, where CMakeLists.txt looks first.
build_sdist() {
  local stage=$out/stage
  rm -rf "$stage"
  mkdir -p "$stage/library"
  git ls-files -z python | while IFS= read -r -d '' file; do
    mkdir -p "$stage/$(dirname "${file#python/}")"
    cp "$file" "$stage/${file#python/}"
  done
  cp LICENSE "$stage/"
  cp -R CMakeLists.txt LICENSE cmake include mpi src "$stage/library/"
  (cd "$stage" && "$out/tools/bin/python" -c "
import scikit_build_core.build as b
print('sdist:', b.build_sdist('$out'))")
}

case ${1:-} in
wheel)
  ensure_venv "$out/tools" "${build_packages[@]}" || { echo "make python: pip cannot install ${build_packages[*]}; see $out/tools/pip.log" >&2; exit 1; }
  cmake --preset release >/dev/null
  cmake --build --preset release -j "$jobs" --target skipper_library
  rm -f "$out"/*.whl "$out"/*.tar.gz
  build_wheel "$root/build/release/lib/libskipper.a" "$out" tools
  tag_wheel "$out"/*.whl
  build_sdist
  ls "$out"/*.whl "$out"/*.tar.gz
  ;;
prepare)
  check_python
  prepare_quick
  ;;
test)
  check_python
  if [ "${2:-quick}" = all ]; then
    build=dev
    ensure_venv "$out/venv" "${test_packages[@]}" || skip "pip cannot install ${test_packages[*]} (build/python/venv/pip.log)"
    ensure_venv "$out/venv" "${more_packages[@]}" ||
      echo "skipper: pip cannot install ${more_packages[*]}; tests that need them are skipped"
    wheel=$(ls "$out"/*.whl | head -1)
  else
    build=quick
    prepare_quick
    rm -rf "$out/quick"
    # As the library: by its compiler, unoptimised, in bundles of sources.
    build_wheel "$root/build/quick/lib/libskipper.a" "$out/quick" venv cmake.build-type=None \
      cmake.define.CMAKE_CXX_COMPILER="$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$root/build/quick/CMakeCache.txt")" \
      cmake.define.CMAKE_CXX_FLAGS=-O0 cmake.define.CMAKE_UNITY_BUILD=ON cmake.define.CMAKE_UNITY_BUILD_BATCH_SIZE=12
    wheel=$(ls "$out"/quick/*.whl | head -1)
  fi
  in_venv "$out/venv" install -q --no-compile --force-reinstall --no-deps "$wheel"
  export SKIPPER_FAKE_DRIVER=$root/build/$build/tests/libskipper_fake_driver.so  # where it is there, GPU arrays are tested on it
  cd "$out"
  if [ "${2:-quick}" = all ]; then
    ensure_venv "$out/venv" 'jax[cpu]' array-api-strict || echo "skipper: tests go without JAX and array-api-strict, which pip cannot install"
    SKIPPER_WHEEL=$wheel "$out/venv/bin/python" -m pytest -q -p no:cacheprovider "$root/python/tests"
  else
    SKIPPER_QUICK=1 "$out/venv/bin/python" -m pytest -q -p no:cacheprovider -m "not slow" "$root/python/tests"
  fi
  ;;
*)
  echo "usage: python.sh wheel | test quick | test all" >&2
  exit 2
  ;;
esac
