#!/usr/bin/env bash
# Runs scripts/check-odr on small trees, with and without a type that two sources define differently. 77: there is no g++.
#
#   check_odr_test.sh FOLDER
#
# The tree is made in FOLDER/check-odr-test: nothing else in FOLDER is touched.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
scratch="$1/check-odr-test"
command -v "${GXX:-g++}" >/dev/null || { printf 'check-odr: skipped: g++ is missing (scripts/setup installs it)\n' && exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch"/{scripts,src,build/dev}
cp "$root/scripts/check-odr" "$scratch/scripts/"
cd "$scratch"

fail() {
  printf 'check-odr: %s\n' "$*" >&2
  cat output >&2
  exit 1
}

# source_of NAME MEMBERS: src/NAME.cpp, whose type Shared has these members. Each source is a target, and thus a group.
source_of() {
  printf '#include <vector>\nnamespace room {\nstruct Shared {\n  %s\n};\n%s\n}\n' "$2" \
    "std::vector<Shared> $1(const Shared& one) { std::vector<Shared> all; all.push_back(one); return all; }" >"src/$1.cpp"
}

# expect STATUS TEXT...: the exit status of check-odr, and what it prints.
expect() {
  local expected=$1 status=0 text
  shift
  scripts/check-odr --jobs 2 >output 2>&1 || status=$?
  [[ $status -eq $expected ]] || fail "exit status $status instead of $expected"
  for text in "$@"; do grep -qF -- "$text" output || fail "the output lacks '$text'"; done
}

expect 2 "build/dev is missing: run scripts/build dev"

for name in first second; do
  printf '{"directory": "%s", "file": "%s", "command": "clang++ -std=c++20 -o CMakeFiles/%s.dir/%s.cpp.o -c %s"}\n' \
    "$scratch/build/dev" "$scratch/src/$name.cpp" "$name" "$name" "$scratch/src/$name.cpp"
done | python3 -c 'import json, sys; print(json.dumps([json.loads(line) for line in sys.stdin]))' >build/dev/compile_commands.json

source_of first "int number = 0;"
source_of second "int number = 0;"
expect 0 "the types of 2 groups of sources agree"

source_of second "long number = 0; long more = 0;"
expect 1 "src/first.cpp" "src/second.cpp" "Shared" "[-Wodr]"

source_of second "int number = 0"
expect 2 "cannot compile $scratch/src/second.cpp"

# Distributions may have g++ without its program for link-time optimization, whose name it then prints without a folder.
source_of second "int number = 0;"
compiler="$(command -v "${GXX:-g++}")"
printf '#!/bin/sh\n[ "$1" != -print-prog-name=lto1 ] || exec echo no-lto1-here\nexec "%s" "$@"\n' "$compiler" >no-lto
chmod +x no-lto
export GXX="$scratch/no-lto"
expect 2 "has no program lto1"
printf 'check-odr: finds types that differ\n'
