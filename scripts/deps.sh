#!/usr/bin/env bash
# deps.sh [build]: sees to it that what the build and (unless asked for the build alone) the tests need is here.
# Says nothing and touches no network when all of it is.
# On Debian and Ubuntu, as root or with passwordless sudo, installs just what is missing; elsewhere says what is.
set -euo pipefail

has() { command -v "$1" >/dev/null 2>&1; }

has_googletest() {
  [ -f /usr/src/googletest/CMakeLists.txt ] && return
  [ -f "$(dirname "$0")/../carried/googletest/CMakeLists.txt" ] && return
  echo '#include <gtest/gtest.h>' | g++ -std=c++20 -E -x c++ - >/dev/null 2>&1
}

missing=()
has g++ || missing+=(g++)
has cmake || missing+=(cmake)
has make || missing+=(make)
has git || missing+=(git)
[ "${1:-}" = build ] || has_googletest || missing+=(libgtest-dev)
[ ${#missing[@]} -eq 0 ] && exit 0

# Ninja is optional (make does as well), so it alone is no reason to install; with the rest it comes along.
has ninja || missing+=(ninja-build)

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo -n)

if ! has apt-get || { [ ${#as_root[@]} -gt 0 ] && ! "${as_root[@]}" true 2>/dev/null; }; then
  {
    echo "skipper: missing: ${missing[*]}"
    echo "On Debian or Ubuntu: sudo apt-get install --no-install-recommends ${missing[*]}"
  } >&2
  exit 1
fi

echo "skipper: installing ${missing[*]}"
# Through env, because sudo does not pass the variable on.
install=(env DEBIAN_FRONTEND=noninteractive apt-get)
if ! { "${as_root[@]}" "${install[@]}" update -qq &&
       "${as_root[@]}" "${install[@]}" install -y -qq --no-install-recommends "${missing[@]}"; }; then
  echo "skipper: could not install ${missing[*]}; is there a network?" >&2
  exit 1
fi
