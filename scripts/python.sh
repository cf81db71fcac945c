#!/usr/bin/env bash
# python.sh wheel: the wheel and the sdist of the Python package, into build/python.
# python.sh test quick|all: installs the package into build/python/venv and runs its tests. `all` takes the wheel; `quick` a module
# that is linked with the library of the dev build, so that `make test` compiles nothing twice. Where pip can install
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

# ensure_venv FOLDER PACKAGE..: a virtual environment with these packages; fails where they cannot be had.
ensure_venv() {
  local folder=$1
  shift
  [ -x "$folder/bin/python" ] || python3 -m venv "$folder" >/dev/null 2>&1 || return 1
  "$folder/bin/python" -m pip --disable-pip-version-check install -q --retries 1 --timeout 20 "$@" >"$folder/pip.log" 2>&1
}

# build_wheel LIBRARY FOLDER: a wheel that is linked with this libskipper.a.
build_wheel() {
  "$out/tools/bin/python" -m pip --disable-pip-version-check wheel -q --no-build-isolation --no-deps -w "$2" \
    -C cmake.define.SKIPPER_LIBRARY="$1" -C build-dir="$out/module/$(basename "$(dirname "$(dirname "$1")")")" \
    -C build.verbose=false ./python
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
  build_wheel "$root/build/release/lib/libskipper.a" "$out"
  tag_wheel "$out"/*.whl
  build_sdist
  ls "$out"/*.whl "$out"/*.tar.gz
  ;;
test)
  command -v python3 >/dev/null || skip "there is no python3"
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || skip "python3 is older than 3.10"
  python3 -c 'import ensurepip, os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null ||
    skip "python3 has no headers or no venv (Debian: python3-dev, python3-venv)"
  mkdir -p "$out"
  ensure_venv "$out/tools" "${build_packages[@]}" || skip "pip cannot install ${build_packages[*]} (build/python/tools/pip.log)"
  ensure_venv "$out/venv" "${test_packages[@]}" || skip "pip cannot install ${test_packages[*]} (build/python/venv/pip.log)"
  more=(mpi4py)
  [ "${2:-quick}" = quick ] || more=("${more_packages[@]}")
  ensure_venv "$out/venv" "${more[@]}" || echo "skipper: pip cannot install ${more[*]}; tests that need them are skipped"
  if [ "${2:-quick}" = all ]; then
    wheel=$(ls "$out"/*.whl | head -1)
  else
    rm -rf "$out/quick"
    build_wheel "$root/build/dev/lib/libskipper.a" "$out/quick"
    wheel=$(ls "$out"/quick/*.whl | head -1)
  fi
  "$out/venv/bin/python" -m pip --disable-pip-version-check install -q --force-reinstall --no-deps "$wheel"
  export SKIPPER_FAKE_DRIVER=$root/build/dev/tests/libskipper_fake_driver.so  # where it is there, GPU arrays are tested on it
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
