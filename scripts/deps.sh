#!/usr/bin/env bash
# deps.sh [build]: sees to it that what the build and (unless asked for the build alone) the tests need is here.
# Says nothing and touches no network when all of it is.
# On Debian and Ubuntu, as root or with passwordless sudo, installs just what is missing; elsewhere says what is.
# The tests do without MPI, OpenCL and CUDA's disassembler where these cannot be had. That is said in one line, and tried once:
# build/without-mpi, build/without-opencl and build/without-nvdisasm remember.
set -euo pipefail
cd "$(dirname "$0")/.."

has() { command -v "$1" >/dev/null 2>&1; }

has_header() { echo "#include <$1>" | g++ -std=c++20 -E -x c++ - >/dev/null 2>&1; }

has_googletest() {
  [ -f /usr/src/googletest/CMakeLists.txt ] && return
  [ -f carried/googletest/CMakeLists.txt ] && return
  has_header gtest/gtest.h
}

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
can_install() { has apt-get && { [ ${#as_root[@]} -eq 0 ] || "${as_root[@]}" true 2>/dev/null; }; }

# Through env, because sudo does not pass the variable on. Without a network it gives up soon.
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq \
    -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 "$@"
}
install() {
  echo "skipper: installing $*"
  apt update && apt install -y --no-install-recommends "$@"
}

missing=()
has g++ || missing+=(g++)
has cmake || missing+=(cmake)
has make || missing+=(make)
has git || missing+=(git)
has_header CLI/CLI.hpp || missing+=(libcli11-dev)
has_header nlohmann/json.hpp || missing+=(nlohmann-json3-dev)
has_header fmt/core.h || missing+=(libfmt-dev)
[ "${1:-}" = build ] || has_googletest || missing+=(libgtest-dev)

if [ ${#missing[@]} -gt 0 ]; then
  # Ninja is optional (make does as well), so it alone is no reason to install; with the rest it comes along.
  has ninja || missing+=(ninja-build)
  if ! can_install; then
    {
      echo "skipper: missing: ${missing[*]}"
      echo "On Debian or Ubuntu: sudo apt-get install --no-install-recommends ${missing[*]}"
    } >&2
    exit 1
  fi
  if ! install "${missing[@]}"; then
    echo "skipper: could not install ${missing[*]}; is there a network?" >&2
    exit 1
  fi
fi
[ "${1:-}" = build ] && exit 0

# For the tests of the Python package; without these they are left out, and scripts/python.sh says so.
has_python_headers() { python3 -c 'import ensurepip, os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null; }
if has python3 && ! has_python_headers && [ ! -f build/without-python ]; then
  { can_install && install python3-dev python3-venv; } || { mkdir -p build && touch build/without-python; }
fi

# CUDA's disassembler, for the test that runs kernels as machine code, where NVRTC is there to compile some.
cuda=${CUDA_HOME:-${CUDA_PATH:-/usr/local/cuda}}
has_nvrtc() { ls "$cuda"/lib64/libnvrtc.so* >/dev/null 2>&1 || ldconfig -p 2>/dev/null | grep -q libnvrtc.so; }
has_nvdisasm() { has nvdisasm || [ -x "$cuda/bin/nvdisasm" ] || [ -n "$(find build/nvdisasm -name nvdisasm -type f 2>/dev/null)" ]; }
if has_nvrtc && ! has_nvdisasm && [ ! -f build/without-nvdisasm ]; then
  echo "skipper: installing nvidia-cuda-nvdisasm into build/nvdisasm"
  python3 -m pip --disable-pip-version-check install -q --no-compile --no-deps --retries 1 --timeout 20 \
    --target build/nvdisasm nvidia-cuda-nvdisasm >/dev/null 2>&1 || {
    mkdir -p build && touch build/without-nvdisasm
    echo "skipper: tests go without nvdisasm, which pip cannot install (remove build/without-nvdisasm to try again)"
  }
fi

# An OpenCL that runs on CPUs, for the test that runs kernels as OpenCL C.
has_opencl() { has_header CL/cl.h && ls /etc/OpenCL/vendors/*.icd >/dev/null 2>&1; }
if ! has_opencl && [ ! -f build/without-opencl ]; then
  { can_install && install pocl-opencl-icd ocl-icd-opencl-dev; } || { mkdir -p build && touch build/without-opencl; }
fi

# Both implementations of MPI, which Debian lets stand side by side, and FFTW-MPI to compare results with.
wanted=()
{ has mpicc.openmpi && has mpirun.openmpi; } || wanted+=(libopenmpi-dev openmpi-bin)
{ has mpicc.mpich && has mpirun.mpich; } || wanted+=(libmpich-dev mpich)
[ -f /usr/include/fftw3-mpi.h ] || wanted+=(libfftw3-mpi-dev)
has apt-get || ! has mpicc || wanted=()  # elsewhere one MPI, by whatever name, is enough
[ ${#wanted[@]} -eq 0 ] && exit 0
if [ ! -f build/without-mpi ] && can_install && install "${wanted[@]}"; then exit 0; fi
mkdir -p build
echo "${wanted[*]}" >build/without-mpi
echo "skipper: tests go without what needs ${wanted[*]} (remove build/without-mpi to try to install it again)"
