#!/usr/bin/env bash
# Installs a build into a fresh prefix and uses it from outside, by CMake and by pkg-config.
#
#     run.sh BUILD_DIR [COMPILER]
set -euo pipefail

build=$(realpath "$1")
compiler=${2:-c++}
here=$(cd "$(dirname "$0")" && pwd)
temporary=$build/consumer
rm -rf "$temporary"
mkdir "$temporary"
# Paths relative to the checkout, as in the build itself.
launcher=()
if command -v ccache >/dev/null; then
  launcher=(ccache)
  export CCACHE_BASEDIR=${here%/tests/consumer} CCACHE_NOHASHDIR=1
fi

# The tree is moved after the install: neither package file may depend on where it was.
cmake --install "$build" --prefix "$temporary/installed" >"$temporary/install.log"
prefix=$temporary/prefix
mv "$temporary/installed" "$prefix"

echo "== find_package"
cmake -S "$here" -B "$temporary/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_CXX_COMPILER_LAUNCHER="${launcher[*]}"
cmake --build "$temporary/build"
"$temporary/build/consumer"
"$temporary/build/contract"
# Where Boost.Context is not installed there are neither fibers nor other machines.
if [[ -f $(find "$prefix" -name hotseatFiberTargets.cmake) ]]; then
  "$temporary/build/consumer_fiber"
  "$temporary/build/contract_fiber"
fi
for machine in explored simulated; do
  if [[ -f $(find "$prefix" -name "hotseat_$machine.cmake") ]]; then
    "$temporary/build/consumer_$machine"
  fi
done
# The same for Boost.Fiber.
if [[ -f $(find "$prefix" -name hotseatBoostFiberTargets.cmake) ]]; then
  "$temporary/build/consumer_boost_fiber"
fi
# And for Asio.
if [[ -f $(find "$prefix" -name hotseatAsioTargets.cmake) ]]; then
  "$temporary/build/consumer_asio"
fi

pc=$(find "$prefix" -name hotseat.pc)
export PKG_CONFIG_PATH=${pc%/*}
# by_pkg_config SOURCE ARGUMENT...
by_pkg_config() {
  local source=$1 program=$temporary/by_pkg_config flags libraries
  shift
  echo "== pkg-config $*"
  # A shell must read them: blanks in the prefix come with a backslash.
  eval "flags=($(pkg-config --cflags "$@"))"
  eval "libraries=($(pkg-config --libs "$@"))"
  "${launcher[@]}" "$compiler" -std=c++20 "${flags[@]}" -c "$here/$source" -o "$program.o"
  "$compiler" "$program.o" -o "$program" "${libraries[@]}"
  "$program"
}
by_pkg_config main.cpp hotseat
by_pkg_config main.cpp --static hotseat
if [[ -f $PKG_CONFIG_PATH/hotseat-fiber.pc ]]; then
  by_pkg_config fiber.cpp hotseat-fiber
fi
