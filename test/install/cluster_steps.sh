# Sourced by the tests that run operators on the cluster of KUBECONFIG. Each program in the background is added to `running`, and its
# log is in the folder `scratch`; both end with the script.
# shellcheck shell=bash

scratch="$(mktemp -d)"
running=()

finish() {
  local pid
  for pid in "${running[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait
  rm -rf "$scratch"
}
trap finish EXIT

# The logs are long, so the reason is below them.
fail() {
  tail -n 20 "$scratch"/*.log >&2
  printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2
  exit 1
}

# requires_built FILE TEST: the file exists, which that test builds. `ctest -E` may exclude it although it is a required fixture.
requires_built() {
  [[ -e $1 ]] && return
  printf '%s: %s is missing: run the test "%s" first (ctest does so unless -E excludes it)\n' "$(basename "$0" .sh)" "$1" "$2" >&2
  exit 1
}

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# rejected TEXT COMMAND...: the command fails with this text.
rejected() {
  local expected=$1 output
  shift
  ! output="$("$@" 2>&1)" || fail "not rejected: $*"
  grep -qF "$expected" <<<"$output" || fail "$* fails with '$output' instead of '$expected'"
}

# How long to wait for what happens in the background. On a busy machine, kube-controller-manager's garbage collection alone, which
# looks for new kinds every 30 s, has taken over 60 s.
readonly patience=180s

# eventually EXPECTED COMMAND...: the command has this output in the end.
eventually() {
  local expected=$1 output=""
  shift
  for _ in {1..900}; do
    output="$("$@" 2>&1)" && [[ $output == "$expected" ]] && return
    sleep 0.2
  done
  fail "after $patience: $* prints '$output' instead of '$expected'"
}
