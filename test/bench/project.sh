# Sourced by scripts/bench: measures a project that `keelson init` creates.
# shellcheck shell=bash

# The limits: seconds on two cores, and bytes of the stripped program.
project_build_limit=25 project_edit_limit=8 project_size_limit=9000000

# seconds_of COMMAND...: prints the duration; the output goes into $work/log.
seconds_of() {
  local from
  from="$(date +%s.%N)"
  "$@" >>"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; fail "failed: $*"; }
  awk -v from="$from" -v to="$(date +%s.%N)" 'BEGIN { printf "%.1f", to - from }'
}

# judge WHAT MEASURED LIMIT
judge() {
  printf '  %-52s %12s   limit %s\n' "$1" "$2" "$3"
  awk -v is="$2" -v limit="$3" 'BEGIN { exit is > limit }' || exceeded=yes
}

# Creates a kind with both webhooks, builds the program and the tests as `make` does, and changes one line.
measure_project() (
  local build edit exceeded=no
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT
  cmake --install "$build_folder" --prefix "$work/prefix" >"$work/log" || fail "could not install $build_folder"
  export PATH="$work/prefix/bin:$PATH" CCACHE_DISABLE=1
  mkdir "$work/website-operator" && cd "$work/website-operator"
  {
    keelson init --domain example.com
    keelson create api --group web --version v1 --kind Website --resource --controller
    keelson create webhook --group web --version v1 --kind Website --defaulting --programmatic-validation
  } >>"$work/log"
  build="$(seconds_of make build-dev)"
  sed -i 's/The cluster matches the spec/Everything matches/' src/website/website_controller.cpp
  edit="$(seconds_of make build-dev)"
  judge "make test: configure and compile, s" "$build" "$project_build_limit"
  judge "the same after an edit of one line, s" "$edit" "$project_edit_limit"
  judge "make build: the static program, s" "$(seconds_of make build)" "$project_build_limit"
  judge "its size, bytes" "$(stat -Lc %s bin/manager)" "$project_size_limit"
  [[ $exceeded == no ]] || fail "a limit is exceeded"
)
