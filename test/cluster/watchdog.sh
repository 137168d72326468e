#!/usr/bin/env bash
# Takes a cluster down when the process that wanted it is gone, however that ended: kill -9 runs no trap.
#
#   watchdog.sh PID scripts/cluster NAME FOLDER
#
# FOLDER, the cluster's, is there for its pid file: see components.sh.
set -euo pipefail

pid=$1 cluster=$2 name=$3 folder=$4

# The moment a process was started, which tells it from a later one with the same pid.
start_time() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }

started="$(start_time "$pid" || true)"
while [[ -n $started && $(start_time "$pid" || true) == "$started" && -e $folder ]]; do sleep 0.3; done
[[ ! -e $folder ]] || exec "$cluster" down --name "$name"
