# A manager to measure: started with a name of its own, which the audit log shows, and looked at through /proc.
# Sourced by scripts/bench.

manager_name="bench-manager-$$"
manager_pid=""

# start_manager FOLDER: the binary of build/bench, as a user runs it, with its log in FOLDER/manager.log.
start_manager() {
  ln -sfn "$build_folder/manager" "$1/$manager_name"
  metrics_port="$(free_port)"
  "$1/$manager_name" --zap-devel=false --metrics-bind-address="127.0.0.1:$metrics_port" --health-probe-bind-address=127.0.0.1:0 \
    2>"$1/manager.log" &
  manager_pid=$!
  wait_until 30 grep -q '"Starting workers"' "$1/manager.log" || fail "the manager did not start: $(cat "$1/manager.log")"
}

stop_manager() {
  [[ -n $manager_pid ]] || return 0
  kill "$manager_pid" 2>/dev/null || true
  wait "$manager_pid" || true
  manager_pid=""
}

# A field of /proc/PID/status in KiB.
manager_memory() { awk -v field="$1:" '$1 == field { print $2 }' "/proc/$manager_pid/status"; }

# manager_metric PREFIX: the value of the first series that begins so; 0 when there is none.
manager_metric() {
  curl -s "http://127.0.0.1:$metrics_port/metrics" |
    awk -v prefix="$1" 'index($0, prefix) == 1 && !found { print int($NF); found = 1 } END { if (!found) print 0 }'
}

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
