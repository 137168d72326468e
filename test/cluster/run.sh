# Runs a command with a cluster around it. Sourced by scripts/cluster.

cluster_run() {
  [[ ${#arguments[@]} -gt 0 ]] || fail "run requires a command: scripts/cluster run -- ctest -L cluster"
  signal=""
  trap 'signal=INT' INT
  trap 'signal=TERM' TERM
  trap 'signal=HUP' HUP
  # Here and not inside `up`, so that a Ctrl-C during the long build ends it immediately.
  build_what_is_needed
  local ours=no status=0
  if ! cluster_is_up; then
    ours=yes
    # A run that was killed leaves a cluster some parts of which may not start again. It should have been removed anyway.
    if [[ -e $dir/complete ]]; then "$here/scripts/cluster" down --name "$name"; fi
    # `up` has its own session: this script handles a Ctrl-C when `up` has finished.
    setsid --wait "$here/scripts/cluster" up --name "$name" ${sandbox:+--sandbox "$sandbox"} --parent "$$" >/dev/null || status=$?
    # After a failure `up` has stopped its processes and retained the logs.
    [[ $status -eq 0 ]] || exit "$status"
  fi
  if [[ -z $signal ]]; then run_command || status=$?; fi
  if [[ $ours == yes ]]; then
    trap '' INT TERM HUP
    "$here/scripts/cluster" down --name "$name"
  fi
  if [[ -n $signal && $status -eq 0 ]]; then status=130; fi
  exit "$status"
}

cluster_is_up() { [[ -e $dir/complete ]] && ! any_missing; }

run_command() {
  local assets group status=0
  assets="$(assets_dir)"
  # With job control the command has its own process group, which can be signalled as a whole.
  set -m
  KUBECONFIG="$dir/kubeconfig" PATH="$assets:$PATH" "${arguments[@]}" <&0 &
  group=$!
  set +m
  while :; do
    status=0
    wait "$group" || status=$?
    # `wait` also returns for a signal to this script; then the command still runs.
    kill -0 "$group" 2>/dev/null || break
    [[ -z $signal ]] || break
  done
  if [[ -n $signal ]]; then
    kill "-$signal" -- "-$group" 2>/dev/null || true
    wait_for_group "$group" 10
    wait "$group" 2>/dev/null || status=$?
  fi
  # Processes that the command has left must not outlive the cluster.
  kill -KILL -- "-$group" 2>/dev/null || true
  return "$status"
}

wait_for_group() {
  local deadline=$((SECONDS + $2))
  while kill -0 -- "-$1" 2>/dev/null && ((SECONDS < deadline)); do sleep 0.05; done
}
