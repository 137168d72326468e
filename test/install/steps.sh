# Sourced by the tests that build operators on an installed build. The caller has set `scratch`, a folder for logs.
# shellcheck shell=bash

fail() {
  printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2
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
