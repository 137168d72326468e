# Builds the measured programs as the release preset does. Sourced by scripts/bench.

build_folder="$here/build/bench"
bench_dir="$build_folder/test/bench"
has_built=false

# use_build FOLDER: the user has built it.
use_build() {
  build_folder="$1"
  bench_dir="$1/test/bench"
  has_built=true
}

# build_bench TARGET...: nothing if the user gave the folder.
build_bench() {
  local compiler log
  ! $has_built || return 0
  log="$(mktemp)"
  # A build folder retains the compiler with which it was created.
  if [[ ! -f $build_folder/build.ninja ]]; then
    compiler="$(choose_compiler)"
    cmake -S "$here" --preset release -B "$build_folder" -DCMAKE_CXX_COMPILER="$compiler" -DKEELSON_TESTS=ON \
      -DKEELSON_BENCH=ON >"$log" 2>&1 || { cat "$log" >&2 && rm -f "$log" && fail "cmake could not configure $build_folder"; }
  fi
  export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$here}" CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
  cmake --build "$build_folder" --target "$@" >"$log" 2>&1 || { cat "$log" >&2 && rm -f "$log" && fail "could not build $*"; }
  rm -f "$log"
}

choose_compiler() {
  local name
  for name in ${CXX:-} clang++-16 clang++-19 clang++-18 clang++-17 g++-14 clang++; do
    if command -v "$name" >/dev/null; then printf '%s\n' "$name" && return; fi
  done
  fail "no compiler: scripts/setup installs one"
}
