#!/usr/bin/env bash
# Runs the operators of projects_test.sh on the cluster of KUBECONFIG, and uses them as the tutorial and the seed documents do.
#
#   projects_on_cluster.sh PROJECTS
set -euo pipefail

projects=$1
# shellcheck source=test/install/cluster_steps.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster_steps.sh"
requires_built "$projects/zundoko/build/dev/manager" "install: the projects of the tutorial and the seed documents"

# start NAME FLAG...: writes the manifests, installs the CRDs and runs the operator.
start() {
  local name=$1
  shift
  start_program "$name" "$projects/$name/build/dev/manager" "$@"
}

# start_program NAME MANAGER FLAG...: the same with another program of the project.
start_program() {
  local name=$1 manager=$2
  shift 2
  "$manager" generate all --output "$scratch/$name" >"$scratch/$name-generate.log"
  "$manager" install >"$scratch/$name-install.log"
  "$manager" --metrics-bind-address=0 --health-probe-bind-address=0 "$@" >"$scratch/$name.log" 2>&1 &
  running+=($!)
}

# stop: the program that was started last, which must succeed.
stop() {
  kill "${running[-1]}"
  wait "${running[-1]}" || fail "exit code $? after SIGTERM"
  unset 'running[-1]'
}

try_website-operator() {
  "$projects/website-operator/test/e2e.sh" "$projects/website-operator/build/dev/manager" >"$scratch/e2e.log" 2>&1 || fail "test/e2e.sh failed"
  start website-operator
  kubectl apply -k "$scratch/website-operator/samples"
  kubectl wait website/hello --for=condition=Ready "--timeout=$patience"
  eventually http://hello.default.svc kubectl get website hello -o 'jsonpath={.status.url}'
  eventually http://hello.default.svc kubectl get configmap websites -o 'jsonpath={.data.hello}'
  kubectl delete website hello "--timeout=$patience"
  eventually "" kubectl get configmap websites -o 'jsonpath={.data.hello}'
}

# The HTTP service that stores backups: it answers 503 until the file `archive.open` exists, and logs each request.
start_archive() {
  python3 - "$1" "$scratch/archive" <<'PYTHON' &
import http.server, os, sys

class Archive(http.server.BaseHTTPRequestHandler):
    def do_DELETE(self):
        with open(sys.argv[2] + ".log", "a") as log:
            print("DELETE", self.path, file=log)
        self.send_response(200 if os.path.exists(sys.argv[2] + ".open") else 503)
        self.end_headers()

    def log_message(self, *_):
        pass

http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Archive).serve_forever()
PYTHON
  running+=($!)
}

# Volumes for the claims of a StatefulSet: a control plane without a storage driver makes none.
create_volumes() {
  local number
  kubectl apply -f - <<'YAML'
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: manual
  annotations: {storageclass.kubernetes.io/is-default-class: "true"}
provisioner: kubernetes.io/no-provisioner
allowVolumeExpansion: true
YAML
  for number in 1 2; do
    kubectl apply -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata: {name: volume-$number}
spec:
  storageClassName: manual
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  hostPath: {path: /tmp/volume-$number}
YAML
  done
}

field() { kubectl get "$1" -o "jsonpath={$2}"; }

# check_plan FLAG...: the next version changes the image of the pods, and nothing else. The rollout changes statuses.
check_plan() {
  local status=0
  "$projects/database-operator/build/next/plan" "$@" -o json >"$scratch/plan.json" 2>"$scratch/plan.log" || status=$?
  [[ $status -eq 2 ]] || fail "plan ended with exit code $status"
  python3 - "$scratch/plan.json" >"$scratch/plan-check.log" 2>&1 <<'PYTHON' || fail "the plan of the next version differs"
import json, sys

plan = json.load(open(sys.argv[1]))
print(json.dumps(plan, indent=1))
assert plan["settled"] and not plan["errors"] and not plan["warnings"]
writes = [w for w in plan["writes"] if w["subresource"] != "status"]
assert [(w["verb"], w["resource"], w["name"]) for w in writes] == [("patch", "statefulsets", "main")]
changes = {c["path"]: (c.get("before"), c.get("after")) for c in writes[0]["changes"]}
image = changes.pop("/spec/template/spec/containers/0/image")
assert image == ("postgres:17.2-alpine", "postgres:17.4-alpine")
assert list(changes) == ["/metadata/annotations/database-operator.keelson.dev~1applied-hash"]
statuses = {w["resource"] for w in plan["writes"] if w["subresource"] == "status"}
assert statuses <= {"databases", "databaseusers"}, statuses
PYTHON
}

# check_dry_run FLAG...: the same of the operator itself.
check_dry_run() {
  local changes
  start_program database-operator "$projects/database-operator/build/next/manager" --dry-run "$@"
  for _ in {1..900}; do
    grep -q 'Dry run: the object would change.*"StatefulSet"' "$scratch/database-operator.log" && break
    sleep 0.2
  done
  # Until the other objects have been reconciled, too.
  sleep 2
  stop
  # At level debug the same change is logged again.
  changes="$(grep 'INFO.*Dry run: the object would' "$scratch/database-operator.log" | grep -v '"subresource": "status"')"
  [[ $(wc -l <<<"$changes") -eq 1 ]] || fail "the dry run of the next version would write: $changes"
  grep -qF 'postgres:17.2-alpine\" -> \"postgres:17.4-alpine' <<<"$changes" || fail "the dry run lacks the image: $changes"
  ! grep -q ERROR "$scratch/database-operator.log" || fail "the dry run has errors"
}

try_database-operator() {
  local port archive_port password claim=persistentvolumeclaim/data-main-0
  port="$(free_port)" archive_port="$(free_port)"
  local archive="--archive-url=http://127.0.0.1:$archive_port"
  local flags=("--webhook-url=https://127.0.0.1:$port" "--webhook-port=$port" "$archive")
  start_archive "$archive_port"
  create_volumes
  start_program database-operator "$projects/database-operator/build/first/manager" "${flags[@]}"
  until grep -q 'Registered the webhooks' "$scratch/database-operator.log"; do sleep 0.1; done
  kubectl apply -k "$scratch/database-operator/samples"
  kubectl wait database/main databaseuser/reports backuppolicy/gold --for=condition=Ready "--timeout=$patience"
  password="$(field secret/main-admin .data.password)"
  [[ ${#password} -eq 32 ]] || fail "the password has not 24 characters"
  eventually "1" field poddisruptionbudget/main .spec.maxUnavailable

  # The policy selects the Database as long as that has the label.
  eventually "0 * * * *" field cronjob/main-backup .spec.schedule
  kubectl label database main tier=silver --overwrite
  eventually "0 3 * * *" field cronjob/main-backup .spec.schedule
  eventually "0" field backuppolicy/gold .status.databases

  rejected "spec.storage: Forbidden" kubectl patch database main --type=merge -p '{"spec": {"storage": "512Mi"}}'
  rejected "spec.engine: Forbidden" kubectl patch database main --type=merge -p '{"spec": {"engine": "mysql"}}'
  rejected "spec.schedule: Invalid value" kubectl patch backuppolicy gold --type=merge -p '{"spec": {"schedule": "hourly"}}'
  kubectl annotate database main db.example.com/protected=true
  rejected "remove the annotation" kubectl delete database main
  kubectl annotate database main db.example.com/protected-

  # Claims with a volume grow; those of keelson-sandbox have none.
  kubectl patch database main --type=merge -p '{"spec": {"storage": "2Gi"}}'
  if [[ $(field $claim .status.phase) == Bound ]]; then eventually 2Gi field $claim .spec.resources.requests.storage; fi
  stop
  check_plan "$archive"
  check_dry_run "$archive"

  start_program database-operator "$projects/database-operator/build/next/manager" "${flags[@]}"
  eventually postgres:17.4-alpine field statefulset/main '.spec.template.spec.containers[0].image'
  kubectl wait database/main databaseuser/reports --for=condition=Ready "--timeout=$patience"
  [[ $(field secret/main-admin .data.password) == "$password" ]] || fail "the password has changed"

  # The finalizer waits for the archive.
  kubectl delete database main --wait=false
  eventually False field databaseuser/reports '.status.conditions[?(@.type=="Ready")].status'
  until [[ $(grep -c 'DELETE /databases/default/main' "$scratch/archive.log") -ge 2 ]]; do sleep 0.2; done
  kubectl get database main >/dev/null
  touch "$scratch/archive.open"
  kubectl wait database/main --for=delete "--timeout=$patience"
  eventually "" kubectl get statefulset main --ignore-not-found
  eventually DatabaseMissing field databaseuser/reports '.status.conditions[?(@.type=="Ready")].reason'
}

try_guestbook() {
  start guestbook
  kubectl apply -k "$scratch/guestbook/samples"
  kubectl wait guestbook/guestbook-sample --for=condition=Ready "--timeout=$patience"
  rejected "Unsupported value" kubectl patch guestbook guestbook-sample --type=merge -p '{"spec": {"alias": "Fax"}}'
}

try_cronjob() {
  local port cronjobs=cronjobs.batch.tutorial.kubebuilder.io
  port="$(free_port)"
  start cronjob "--webhook-url=https://127.0.0.1:$port" "--webhook-port=$port"
  until grep -q 'Registered the webhooks' "$scratch/cronjob.log"; do sleep 0.1; done
  kubectl apply -k "$scratch/cronjob/samples"
  kubectl wait "$cronjobs/cronjob-sample" --for=condition=Ready "--timeout=$patience"
  eventually "Allow false 3 1" kubectl get "$cronjobs" cronjob-sample \
    -o 'jsonpath={.spec.concurrencyPolicy} {.spec.suspend} {.spec.successfulJobsHistoryLimit} {.spec.failedJobsHistoryLimit}'
  rejected "spec.schedule" kubectl patch "$cronjobs" cronjob-sample --type=merge -p '{"spec": {"schedule": "at noon"}}'
  kubectl patch "$cronjobs" cronjob-sample --type=merge -p '{"spec": {"schedule": "@every 1s"}}'
  # Three of the ended Jobs are retained; others may run.
  for _ in {1..900}; do
    [[ $(kubectl get jobs -o name | wc -l) -ge 3 ]] && break
    sleep 0.2
  done
  kubectl patch "$cronjobs" cronjob-sample --type=merge -p '{"spec": {"suspend": true}}'
  [[ $(kubectl get jobs -o name | wc -l) -ge 3 ]] || fail "the CronJob has created no Jobs"
  eventually "" kubectl get "$cronjobs" cronjob-sample -o 'jsonpath={.status.active[*]}'
  eventually "Complete Complete Complete" kubectl get jobs -o 'jsonpath={.items[*].status.conditions[-1:].type}'
}

try_zundoko() {
  start zundoko
  kubectl apply -k "$scratch/zundoko/samples"
  kubectl wait hikawa/hikawa-sample --for=condition=Ready "--timeout=$patience"
  eventually "Kiyoshi!" kubectl get kiyoshi hikawa-sample-kiyoshi -o 'jsonpath={.spec.say}'
  kubectl get zundokos -o 'jsonpath={.items[*].spec.say}' | grep -q 'Zun Zun Zun Zun Doko$' || fail "the song ends otherwise"
}

for project in website-operator database-operator guestbook cronjob zundoko; do
  "try_$project"
  printf 'projects: %s works\n' "$project"
done
