#!/usr/bin/env bash
# Installs what the build, the tests, the benchmarks and the lint need.  Does nothing, quickly,
# if all is there.  HOTSEAT_SKIP_DEPS=1 turns it off, for systems without apt-get.
# With --rivals, also Go and Tokio, beside which hotseat-bench mutex can measure: 150 MB to
# download and 800 MB on the disk, so not by default.
set -euo pipefail

packages=(
  # build
  ccache clang-19 cmake g++ git libclang-rt-19-dev make ninja-build pkg-config
  # library and tests
  libboost-context-dev libgtest-dev libhwloc-dev python3
  # benchmarks
  libbenchmark-dev libboost-fiber-dev libcli11-dev libfmt-dev libtbb-dev nlohmann-json3-dev
  python3-matplotlib
  # the report in a browser, in its test
  chromium
  # integrations
  binutils dpkg-dev libgmock-dev libleveldb-dev libsnappy-dev
  # Java, where there is a JDK 21 or newer; Debian 12 has none
  junit5
  # lint
  clang-format-19 clang-tidy-19
)

if [[ ${1:-} == --rivals ]]; then
  packages+=(cargo golang-go librust-tokio-dev)
elif [[ $# != 0 ]]; then
  echo "usage: install_deps.sh [--rivals]" >&2
  exit 2
fi

if [[ ${HOTSEAT_SKIP_DEPS:-0} == 1 ]]; then
  exit 0
fi

fail() {
  echo "install_deps: $1" >&2
  echo "install_deps: install these by hand, then set HOTSEAT_SKIP_DEPS=1: ${missing[*]}" >&2
  exit 1
}

missing=("${packages[@]}")
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  fail "this system has no apt-get"
fi

installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "${packages[@]}" \
  2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
  grep --quiet --line-regexp --fixed-strings "installed $package" <<<"$installed" ||
    missing+=("$package")
done
if [[ ${#missing[@]} == 0 ]]; then
  exit 0
fi

as_root=()
if [[ $(id -u) != 0 ]]; then
  command -v sudo >/dev/null || fail "not root, and there is no sudo"
  as_root=(sudo)
fi

echo "install_deps: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update --quiet || fail "apt-get update failed"
"${as_root[@]}" apt-get install --quiet --yes --no-install-recommends "${missing[@]}" ||
  fail "apt-get install failed"
