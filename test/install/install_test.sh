#!/usr/bin/env bash
# Installs a build, then builds and runs the operators in this folder as their authors would, among them that of README.
#
#   install_test.sh CMAKE BUILD_FOLDER COMPILER
set -euo pipefail

cmake=$1 build=$2 compiler=$3
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
scratch="$build/install-test"
rm -rf "$scratch"
mkdir -p "$scratch"

# shellcheck source=test/install/steps.sh
. "$here/steps.sh"

# build_outside FOLDER: builds a copy of it, which only has the prefix and nothing else of this tree.
build_outside() {
  cp -r "$here/$1" "$scratch/$1"
  quietly "configure-$1" "$cmake" -S "$scratch/$1" -B "$scratch/$1/build" -G Ninja \
    "-DCMAKE_CXX_COMPILER=$compiler" "-DCMAKE_PREFIX_PATH=$scratch/prefix" -DCMAKE_BUILD_TYPE=Debug
  quietly "build-$1" "$cmake" --build "$scratch/$1/build"
}

# check_operator PROGRAM KIND: checks the commands of every operator that need no cluster.
check_operator() {
  local program=$1 kind=$2 name config version help
  name="$(basename "$program")"
  config="$scratch/config-$name"
  # Through variables: `grep -q` in a pipe ends at its match, and then the program's next write fails.
  version="$("$program" version 2>&1)" || fail "$name version failed: $version"
  grep -q '^keelson ' <<<"$version" || fail "$name version does not say which keelson it is: $version"
  help="$("$program" --help 2>&1)" || fail "$name --help failed: $help"
  grep -q -- '-metrics-bind-address' <<<"$help" || fail "$name --help does not list the flags: $help"
  "$program" generate all --output "$config" >"$scratch/generate-$name.log"
  grep -rq "kind: $kind\$" "$config" || fail "$name generate all wrote no CRD of $kind"
}

# A compiler that miscompiles coroutines is rejected as in our own build, if such a compiler is installed.
check_refusal() {
  if ! command -v g++ >/dev/null || (($(g++ -dumpversion | cut -d. -f1) >= 14)); then return; fi
  ! "$cmake" -S "$scratch/operator" -B "$scratch/operator/refused" -G Ninja -DCMAKE_CXX_COMPILER=g++ \
    "-DCMAKE_PREFIX_PATH=$scratch/prefix" >"$scratch/refused.log" 2>&1 || fail "find_package(keelson) accepts this g++"
  grep -q 'miscompiles coroutines' "$scratch/refused.log" || fail "g++ is rejected without the reason: $(cat "$scratch/refused.log")"
}

# A Result that is not used does not compile, although the author has not enabled warnings.
check_discarded_result() {
  cp -r "$here/discarded" "$scratch/discarded"
  quietly configure-discarded "$cmake" -S "$scratch/discarded" -B "$scratch/discarded/build" -G Ninja \
    "-DCMAKE_CXX_COMPILER=$compiler" "-DCMAKE_PREFIX_PATH=$scratch/prefix" -DCMAKE_BUILD_TYPE=Debug
  ! "$cmake" --build "$scratch/discarded/build" >"$scratch/discarded.log" 2>&1 || fail "a Result that is not used compiles"
  grep -q 'error: .*-W.*unused-result' "$scratch/discarded.log" || fail "not for the Result: $(cat "$scratch/discarded.log")"
}

quietly install "$cmake" --install "$build" --prefix "$scratch/prefix"
for file in include/keelson/program/operator.hpp lib/libkeelson.a lib/libkeelson-testing.a lib/keelson/libre2.a bin/manager bin/plan bin/keelson bin/keelson-sandbox share/keelson/scripts/setup share/keelson/scripts/cluster share/keelson/test/cluster/build.sh share/doc/keelson/LICENSE; do
  [[ -e $scratch/prefix/$file ]] || fail "$file was not installed"
done
"$scratch/prefix/bin/manager" version >"$scratch/version.log"

build_outside operator
check_operator "$scratch/operator/build/greeter" Greeting
check_refusal

build_outside bare
for program in bare-shared bare-static; do
  "$scratch/bare/build/$program" || fail "exit code $? of $program, which does nothing"
done

check_discarded_result
[[ -f $scratch/operator/build/compile_commands.json ]] || fail "the operator has no compile_commands.json for clangd"

for name in warehouse twins redis tenant cookbook; do
  build_outside "$name"
done
check_operator "$scratch/warehouse/build/warehouse" Stock
check_operator "$scratch/twins/build/twins" Cluster
check_operator "$scratch/redis/build/redis-operator" Redis
check_operator "$scratch/cookbook/build/shop-operator" Shop
"$scratch/tenant/build/tenant-operator" generate all --output "$scratch/config-tenant" >"$scratch/generate-tenant.log"
[[ ! -e $scratch/config-tenant/crd ]] || fail "the operator of Namespaces generates a CRD"
grep -q vnamespace-v1.kb.io "$scratch/config-tenant/webhook/manifests.yaml" || fail "the webhook for deletes of Namespaces is not registered"

# For on_cluster.sh.
mkdir "$scratch/programs"
for program in operator/build/greeter warehouse/build/warehouse twins/build/twins redis/build/redis-operator tenant/build/tenant-operator; do
  strip -o "$scratch/programs/${program##*/}" "$scratch/$program"
done

# The builds have hundreds of megabytes of debug information; the logs are retained.
rm -rf "$scratch/prefix" "$scratch/operator" "$scratch/bare" "$scratch/discarded" "$scratch/warehouse" "$scratch/twins" "$scratch/redis" "$scratch/tenant" "$scratch/cookbook"
printf 'install: programs that were built against the installed library run\n'
