#!/usr/bin/env bash
# Runs the tutorial's operator, which projects_test.sh has built, on the cluster of KUBECONFIG, and checks its memory: under valgrind,
# which sees the code of the installed library, and with the address and undefined behavior sanitizers in the author's code.
#
#   memory_on_cluster.sh PROJECTS
#
# A program of an author links other parts of the library than ours do, in another order. In CI the library is that of the release,
# as authors install it: with fewer inlined functions, programs share more of them.
set -euo pipefail

# shellcheck source=test/install/cluster_steps.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster_steps.sh"
shared="$1/website-operator/build/shared"
sanitized="$1/website-operator/build/sanitized"
for folder in "$shared" "$sanitized"; do requires_built "$folder/manager" "install: the projects of the tutorial and the seed documents"; done
command -v valgrind >/dev/null || fail "valgrind is missing: run scripts/setup"
# The manager forbids other processes to trace it, which the leak checker would have to do.
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
some_writes=2  # the exit code of `plan`
suppressions="$(dirname "${BASH_SOURCE[0]}")/re2.supp"

# checked PROGRAM ARGUMENT...: the program under valgrind, or as it is if it has the sanitizers.
checked() {
  local program=$1
  shift
  case "$program" in
    "$sanitized"/*) exec "$program" "$@" ;;
    *) exec valgrind --quiet --error-exitcode=99 --suppressions="$suppressions" "$program" "$@" ;;
  esac
}

# start LOG PROGRAM ARGUMENT...
start() {
  local log="$scratch/$1.log"
  shift
  : >"$log"
  checked "$@" --metrics-bind-address=0 --health-probe-bind-address=0 >>"$log" 2>&1 &
  running+=($!)
}

# stop: the program that was started last, which must succeed.
stop() {
  kill "${running[-1]}"
  wait "${running[-1]}" || fail "exit code $? after SIGTERM"
  unset 'running[-1]'
}

# until_logged LOG TEXT...: the log has a line with all of the texts within 120 s.
until_logged() {
  local log="$scratch/$1.log" text lines
  shift
  for _ in {1..600}; do
    lines="$(cat "$log")"
    for text in "$@"; do lines="$(grep -F -- "$text" <<<"$lines" || true)"; done
    [[ -z $lines ]] || return 0
    kill -0 "${running[-1]}" 2>/dev/null || fail "the program has ended"
    sleep 0.2
  done
  fail "not logged within 120 s: $*"
}

for folder in "$shared" "$sanitized"; do
  (checked "$folder/manager" generate all --output "$scratch/website") >"$scratch/generate.log" 2>&1 || fail "generate failed in $folder"
done

"$shared/manager" install >"$scratch/install.log"
port="$(free_port)"
start webhooks "$sanitized/manager" "--webhook-url=https://127.0.0.1:$port" "--webhook-port=$port"
until_logged webhooks "Registered the webhooks"
kubectl apply -k "$scratch/website/samples"
kubectl wait website/hello --for=condition=Ready "--timeout=$patience"
rejected "index.html" kubectl patch website hello --type=json -p '[{"op": "remove", "path": "/spec/pages/index.html"}]'
stop
# The manager has removed its webhooks.
kubectl patch website hello --type=merge \
  -p '{"spec": {"replicas": 5, "image": "nginx:9", "pages": {"index.html": "<h1>New</h1>", "about.html": "<p>About</p>"}}}'
for folder in "$sanitized" "$shared"; do
  start dry-run "$folder/manager" --dry-run
  until_logged dry-run "Dry run: the object would change" '"kind": "Deployment"' "spec.replicas: 2 -> 5"
  stop
  status=0
  (checked "$folder/plan") >"$scratch/plan.log" 2>&1 || status=$?
  [[ $status -eq $some_writes ]] || fail "plan ended with exit code $status in $folder"
  grep -qF "spec.replicas: 2 -> 5" "$scratch/plan.log" || fail "the plan of $folder lacks the replicas"
done
printf 'memory: website-operator has no errors under valgrind and the sanitizers\n'
