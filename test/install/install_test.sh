#!/usr/bin/env bash
# Installs a build, then builds and runs the operator beside this file as its author would.
#
#   install_test.sh CMAKE BUILD_FOLDER COMPILER
set -euo pipefail

cmake=$1 build=$2 compiler=$3
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
scratch="$build/install-test"
rm -rf "$scratch"
mkdir -p "$scratch"

fail() {
  printf 'install: %s\n' "$*" >&2
  exit 1
}

# quietly LOG COMMAND...
quietly() {
  local log="$scratch/$1.log"
  shift
  "$@" >"$log" 2>&1 || {
    cat "$log" >&2
    fail "failed: $*"
  }
}

quietly install "$cmake" --install "$build" --prefix "$scratch/prefix"
for file in include/keelson/program/run.hpp lib/libkeelson.a bin/manager share/doc/keelson/LICENSE; do
  [[ -e $scratch/prefix/$file ]] || fail "$file was not installed"
done

cp -r "$here/operator" "$scratch/operator"
quietly configure "$cmake" -S "$scratch/operator" -B "$scratch/operator/build" -G Ninja \
  "-DCMAKE_CXX_COMPILER=$compiler" "-DCMAKE_PREFIX_PATH=$scratch/prefix" -DCMAKE_BUILD_TYPE=Debug
quietly build "$cmake" --build "$scratch/operator/build"

program="$scratch/operator/build/greeter"
"$program" version | grep -q '^keelson ' || fail "greeter version does not say which keelson it is: $("$program" version 2>&1)"
"$program" --help 2>&1 | grep -q -- '-metrics-bind-address' || fail "greeter --help does not list the flags"
"$program" generate all --output "$scratch/config" >"$scratch/generate.log"
grep -rq 'kind: Greeting$' "$scratch/config" || fail "greeter generate all wrote no CRD of Greeting"
"$scratch/prefix/bin/manager" version >"$scratch/version.log"

# A compiler that miscompiles coroutines is refused as in our own build, where there is one to try it with.
if command -v g++ >/dev/null && (($(g++ -dumpversion | cut -d. -f1) < 14)); then
  ! "$cmake" -S "$scratch/operator" -B "$scratch/operator/refused" -G Ninja -DCMAKE_CXX_COMPILER=g++ \
    "-DCMAKE_PREFIX_PATH=$scratch/prefix" >"$scratch/refused.log" 2>&1 || fail "find_package(keelson) takes this g++"
  grep -q 'miscompiles coroutines' "$scratch/refused.log" || fail "g++ is refused without saying why: $(cat "$scratch/refused.log")"
fi

# Hundreds of megabytes with debug information; the logs stay.
rm -rf "$scratch/prefix" "$scratch/operator"
printf 'install: a program that was built against the installed library runs\n'
