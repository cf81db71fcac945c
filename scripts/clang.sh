#!/usr/bin/env bash
# clang.sh: prints clang, where clang 14 or newer and its sanitizers are here or can be installed, else gcc, saying so.
set -euo pipefail

has_clang() {
  local where
  where=$(mktemp -d)
  trap 'rm -rf "$where"' RETURN
  echo 'int main() {}' >"$where/a.cpp"
  clang++ -std=c++20 -fsanitize=address,undefined -rtlib=compiler-rt -unwindlib=libgcc "$where/a.cpp" -o "$where/a" >/dev/null 2>&1 && "$where/a" >/dev/null 2>&1 &&
    [ "$(clang++ -dumpversion | cut -d. -f1)" -ge 14 ]
}

may_install() {
  command -v apt-get >/dev/null && { [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null; }
}

install() {
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
  echo "skipper: installing clang" >&2
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get)
  command -v clang++ >/dev/null || { "${apt[@]}" update -qq && "${apt[@]}" install -y -qq --no-install-recommends clang; } >/dev/null 2>&1 || return 0
  has_clang && return 0  # its sanitizers are in a package of their own where they did not come along
  "${apt[@]}" install -y -qq --no-install-recommends "libclang-rt-$(clang++ -dumpversion | cut -d. -f1)-dev" >/dev/null 2>&1 || return 0
}

if has_clang || { may_install && install && has_clang; }; then
  echo clang
else
  echo "skipper: clang 14 or newer with its sanitizers is missing: gcc builds the tests, which takes longer, and none run under sanitizers" >&2
  echo gcc
fi
