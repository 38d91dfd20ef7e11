#!/usr/bin/env bash
# Installs missing Debian packages, for one purpose or several; quick if none is missing.
#
#     install_deps.sh            what `make test` needs: test and java
#     install_deps.sh demo       what builds and runs hotseat-bench, and no more
#     install_deps.sh java       JUnit, and a JDK if Debian has one that is new enough
#     install_deps.sh rivals     what hotseat-bench compares with if it is there: Go, Tokio, and Redis,
#                                whose package starts a server where there is systemd.  150 MB to
#                                download and 800 MB on disk, so only on request
#
# HOTSEAT_SKIP_DEPS=1 turns it off, for systems without apt-get.
set -euo pipefail

demo=(
  ccache clang-19 cmake g++ git make ninja-build pkg-config python3
  libhwloc-dev libboost-fiber-dev libcli11-dev libfmt-dev libtbb-dev nlohmann-json3-dev
)
test=(
  # build and sanitizers
  binutils libbenchmark-dev libboost-context-dev libclang-rt-19-dev libgmock-dev libgtest-dev
  # Asio, and the clients of its key-value server
  libasio-dev redis-tools
  # LevelDB
  dpkg-dev libleveldb-dev libsnappy-dev
  # lint
  clang-format-19 clang-tidy-19
  # the report in a browser
  chromium
)
rivals=(cargo golang-go librust-tokio-dev redis-server)
least_jdk=21

[[ $# != 0 ]] || set -- test java
packages=()
wants_java=
for purpose in "$@"; do
  case $purpose in
    demo) packages+=("${demo[@]}") ;;
    test) packages+=("${demo[@]}" "${test[@]}") ;;
    java) wants_java=1 ;;
    rivals) packages+=("${rivals[@]}") ;;
    *)
      echo "usage: install_deps.sh [demo|test|java|rivals]..." >&2
      exit 2
      ;;
  esac
done

if [[ ${HOTSEAT_SKIP_DEPS:-0} == 1 ]]; then
  exit 0
fi

missing=("${packages[@]}")
fail() {
  echo "install_deps: $1" >&2
  echo "install_deps: install these by hand, then set HOTSEAT_SKIP_DEPS=1: ${missing[*]}" >&2
  exit 1
}
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  fail "this system has no apt-get"
fi

has_jdk() {
  local javac version
  for javac in ${JAVA_HOME:+"$JAVA_HOME/bin/javac"} javac /usr/lib/jvm/*/bin/javac; do
    version=$("$javac" -version 2>&1) || continue
    version=${version#javac }
    [[ ${version%%[!0-9]*} -ge $least_jdk ]] && return
  done
  return 1
}

# JUnit brings a JRE along; where Debian has no JDK for us, that JRE is too old.
java_packages() {
  if has_jdk; then
    echo junit5
  elif apt-cache show "openjdk-$least_jdk-jdk-headless" >/dev/null 2>&1; then
    echo "openjdk-$least_jdk-jdk-headless junit5"
  fi
}

# Sets `missing`.  A package that is only half installed counts as missing.
look() {
  local wanted=("${packages[@]}") installed package
  # Split into words on purpose.
  # shellcheck disable=SC2207
  if [[ $wants_java ]]; then wanted+=($(java_packages)); fi
  missing=()
  if [[ ${#wanted[@]} == 0 ]]; then return; fi
  installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "${wanted[@]}" \
    2>/dev/null || true)
  for package in "${wanted[@]}"; do
    grep --quiet --line-regexp --fixed-strings "installed $package" <<<"$installed" ||
      missing+=("$package")
  done
}
look
if [[ ${#missing[@]} == 0 ]]; then
  exit 0
fi

as_root=()
if [[ $(id -u) != 0 ]]; then
  command -v sudo >/dev/null || fail "not root, and there is no sudo"
  as_root=(sudo)
fi

# One at a time: apt-get would give up if another clone installs at the same time.
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive flock /var/lib/apt apt-get --quiet "$@"
}
echo "install_deps: ${missing[*]}"
apt update || fail "apt-get update failed"
look  # Again: now it is known whether there is a JDK.
apt install --yes --no-install-recommends "${missing[@]}" || fail "apt-get install failed; is there a network?"
