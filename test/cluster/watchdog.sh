#!/usr/bin/env bash
# Stops a cluster when the process that needs it has ended, also by kill -9, which runs no trap.
#
#   watchdog.sh PID scripts/cluster NAME FOLDER
#
# FOLDER, the cluster's, must be in the command line because of the pid file: see components.sh.
set -euo pipefail

pid=$1 cluster=$2 name=$3 folder=$4

# The time at which a process was started, which distinguishes it from a later process with the same pid. This function
# and the loop use builtins of the shell only: a watchdog runs for as long as the tests of its cluster.
start_time() {
  local stat fields
  read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
  # The name, in parentheses, may contain spaces. Behind it come the fields from the third on; this is the 22nd.
  read -ra fields <<<"${stat##*) }"
  time="${fields[19]}"
}

time=""
start_time "$pid" || true
started=$time
exec {never}<> <(:)
while [[ -n $started && -e $folder ]] && start_time "$pid" && [[ $time == "$started" ]]; do
  read -r -t 0.3 -u "$never" || true
done
[[ ! -e $folder ]] || exec "$cluster" down --name "$name"
