#!/usr/bin/env bash
# Makes the tutorial's project, the complete operator, and the projects of the seed documents with the installed program keelson,
# changes what their authors would change (the files in projects/), and builds and tests them.
#
#   projects_test.sh CMAKE BUILD_FOLDER COMPILER
set -euo pipefail

cmake=$1 build=$2 compiler=$3
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
scratch="$build/projects"
rm -rf "$scratch"
mkdir -p "$scratch"

# shellcheck source=test/install/steps.sh
. "$here/steps.sh"

# api NAME KIND FLAG...: create api of the group, version and kind of the document.
api() {
  local name=$1 kind=$2
  shift 2
  quietly "$name-$kind" keelson create api --group "$group" --version "$version" --kind "$kind" "$@"
}

# begin NAME DOMAIN GROUP VERSION
begin() {
  group=$3 version=$4
  mkdir "$scratch/$1"
  cd "$scratch/$1"
  quietly "$1-init" keelson init --domain "$2" --name "$1"
}

# finish NAME: the author's changes; every file of them replaces a generated one, except additional tests.
finish() {
  cp -r "$here/projects/$1/." .
  quietly "$1-test" make test
  strip build/dev/manager
}

quietly install "$cmake" --install "$build" --prefix "$scratch/prefix"
export PATH="$scratch/prefix/bin:$PATH" CXX="$compiler"

# docs/writing-an-operator.md
begin website-operator example.com web v1
api website-operator Website --resource --controller
quietly website-webhooks keelson create webhook --group web --version v1 --kind Website --defaulting --programmatic-validation
finish website-operator
# Release, because its linker options differ.
quietly website-reference make reference
[[ -f docs/reference/website.md ]] || fail "docs/reference/website.md was not written"
quietly website-plan "$cmake" --build --preset release --target plan
build/release/plan --help >"$scratch/plan.log" || fail "plan --help failed"
rm -r build/release
# For memory_on_cluster.sh: valgrind and the sanitizers replace functions of the shared C library. CI has built the release before,
# with fewer inlined functions; elsewhere a release may be older than the headers.
release="$(dirname "$build")/release"
tests_path=$PATH
if [[ ${CI:-} == true && -f $release/libkeelson.a ]]; then
  quietly install-release "$cmake" --install "$release" --prefix "$scratch/release"
  PATH="$scratch/release/bin:$PATH"
fi
quietly website-shared-configure "$cmake" --preset dev -B build/shared -DKEELSON_STATIC_PROGRAMS=OFF -DBUILD_TESTING=OFF
quietly website-shared "$cmake" --build build/shared --target manager plan
# Debian 12's valgrind does not read clang's debug information.
strip --strip-debug build/shared/{manager,plan}
quietly website-sanitized-configure "$cmake" --preset dev -B build/sanitized -DKEELSON_STATIC_PROGRAMS=OFF -DBUILD_TESTING=OFF \
  "-DCMAKE_CXX_FLAGS=-fsanitize=address,undefined -fno-sanitize-recover=all"
quietly website-sanitized "$cmake" --build build/sanitized --target manager plan
PATH=$tests_path

# docs/cookbook.md, "A complete operator"
begin database-operator example.com db v1
api database Database --resource --controller
api database DatabaseUser --resource --controller
api database BackupPolicy --namespaced=false --resource --controller
quietly database-webhooks keelson create webhook --group db --version v1 --kind Database --defaulting --programmatic-validation
quietly policy-webhook keelson create webhook --group db --version v1 --kind BackupPolicy --programmatic-validation
finish database-operator
lines="$(find src -name '*.?pp' -exec cat {} + | wc -l)"
[[ $lines -le 1300 ]] || fail "database-operator has $lines lines of more than 1300"
# The next version has another image.
mkdir build/next build/first
mv build/dev/manager build/first
sed -i 's/postgres:17.2-alpine/postgres:17.4-alpine/' src/database/database_engine.cpp
quietly database-next "$cmake" --build --preset dev --target manager plan
strip build/dev/manager build/dev/plan
mv build/dev/manager build/dev/plan build/next

begin guestbook my.domain webapp v1
api guestbook Guestbook --resource --controller
finish guestbook

begin cronjob tutorial.kubebuilder.io batch v1
api cronjob CronJob --resource --controller
quietly cronjob-webhooks keelson create webhook --group batch --version v1 --kind CronJob --defaulting --programmatic-validation
finish cronjob

# The document creates the controller only for Hikawa.
begin zundoko kaitoy.github.com zundokokiyoshi v1beta1
api zundoko Hikawa --resource --controller
api zundoko Zundoko --resource --controller=false
api zundoko Kiyoshi --resource --controller=false
finish zundoko

rm -rf "$scratch/prefix" "$scratch/release" "$scratch"/*/build/{dev,shared,sanitized}/{CMakeFiles,*.a,unit_tests}
printf 'projects: website-operator, database-operator, guestbook, cronjob and zundoko build, and their tests pass\n'
