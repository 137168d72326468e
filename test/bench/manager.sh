# A manager to measure: started with its own name, which the audit log shows, and observed through /proc.
# Sourced by scripts/bench.

manager_name="bench-manager-$$"
manager_pid=""

# start_manager FOLDER [FLAG...]: the binary of the build folder, as a user runs it, with its log in FOLDER/manager.log.
start_manager() {
  local to=$1
  shift
  ln -sfn "$build_folder/manager" "$to/$manager_name"
  metrics_port="$(free_port)"
  "$to/$manager_name" --zap-devel=false --metrics-bind-address="127.0.0.1:$metrics_port" --health-probe-bind-address=127.0.0.1:0 \
    "$@" 2>"$to/manager.log" &
  manager_pid=$!
  wait_until 30 grep -qs '"Starting workers"' "$to/manager.log" || fail "the manager did not start: $(cat "$to/manager.log")"
}

stop_manager() {
  [[ -n $manager_pid ]] || return 0
  kill "$manager_pid" 2>/dev/null || true
  wait "$manager_pid" || true
  manager_pid=""
}

# A field of /proc/PID/status in KiB.
manager_memory() { awk -v field="$1:" '$1 == field { print $2 }' "/proc/$manager_pid/status"; }

# manager_metric PREFIX: the value of the first series with this prefix; 0 if there is none.
manager_metric() {
  curl -s "http://127.0.0.1:$metrics_port/metrics" |
    awk -v prefix="$1" 'index($0, prefix) == 1 && !found { print int($NF); found = 1 } END { if (!found) print 0 }'
}

# manager_metric_sum NAME: over all its series.
manager_metric_sum() {
  curl -s "http://127.0.0.1:$metrics_port/metrics" |
    awk -v name="$1" 'index($0, name "{") == 1 { sum += $NF } END { print int(sum) }'
}

# The number of times that its thread has slept: once for each wait, for timers and for bytes.
manager_wake_ups() { awk '$1 == "voluntary_ctxt_switches:" { print $2 }' "/proc/$manager_pid/status"; }

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# User and system time so far; a tick is 10 ms.
manager_cpu() { awk '{ printf "%.2f\n", ($14 + $15) / 100 }' "/proc/$manager_pid/stat"; }

manager_error_lines() { grep -c '"level":"error"' "$1/manager.log" || true; }

# wait_until SECONDS COMMAND...
wait_until() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < deadline)) || return 1
    sleep 0.2
  done
}
