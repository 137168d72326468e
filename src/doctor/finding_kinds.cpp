// The table of findings, and the special causes of some of them.
#include <algorithm>
#include <array>

#include "keelson/detail/doctor/findings.hpp"

namespace keelson::doctor {

namespace {

using enum Area;
using enum Severity;

constexpr auto kKindsOfFindings = std::to_array<FindingKind>({
    {"api-server-unreachable", kApiServer, kError, "the API server does not answer",
     "a wrong address, a refused connection, a certificate that is not trusted, or a firewall that drops packets",
     "check `server` in the kubeconfig, proxies and network policies"},
    {"credentials-rejected", kApiServer, kError, "the API server does not accept the credentials",
     "an expired token or client certificate, or credentials of another cluster",
     "log in again, or choose another kubeconfig or context; `kubectl auth whoami` must work"},
    {"version-unsupported", kApiServer, kWarning, "this version of Kubernetes is not tested",
     "the API server is older or newer than the versions that this manager was tested with",
     "use Kubernetes 1.29 to 1.36, or a manager of another version"},
    {"clock-skew", kApiServer, kWarning, "the clocks of this machine and of the API server differ",
     "a clock is wrong: certificates seem expired, and times in this report are off", "correct the clock"},
    {"manager-clock-skew", kApiServer, kWarning, "the clocks of the manager and of the API server differ",
     "the clock of the manager's node or of the API server's node is wrong: schedules fire at wrong times",
     "correct the clock"},
    {"check-forbidden", kApiServer, kUnknown, "this check needs a permission that you do not have",
     "the user that runs `manager doctor` may not read what the check examines",
     "run it as an administrator; or apply, as an administrator, the role that `manager doctor --role` prints "
     "(`kubectl apply -f -`): it gives the manager's ServiceAccount these permissions"},
    {"check-failed", kApiServer, kUnknown, "this check could not be made",
     "the API server answered with an error, or not in time",
     "repeat the command; if the error persists, examine the API server"},

    {"manager-not-deployed", kDeployment, kWarning, "no Deployment of this operator was found",
     "the manager runs outside of the cluster, in another namespace, or is not installed",
     "`make deploy`, or `--namespace` if the Deployment lacks the label `control-plane=controller-manager`"},
    {"several-deployments", kDeployment, kWarning, "this operator is deployed more than once",
     "two installations in one cluster reconcile the same objects",
     "remove one of them, or limit each to its own namespaces with `--watch-namespaces`"},
    {"namespace-terminating", kDeployment, kError, "the manager's namespace is being deleted",
     "`kubectl delete namespace` waits for finalizers, and nothing can be created in it",
     "`kubectl get namespace NAMESPACE -o yaml` names the remaining content; then deploy again"},
    {"manager-scaled-down", kDeployment, kError, "the Deployment has no replicas", "it was scaled to 0",
     "`kubectl scale deployment/DEPLOYMENT -n NAMESPACE --replicas=1`"},
    {"manager-not-ready", kDeployment, kError, "no manager is ready",
     "its pods do not start, do not pass their readiness probe, or cannot be scheduled",
     "`kubectl describe pods -n NAMESPACE` and `kubectl logs deployment/DEPLOYMENT -n NAMESPACE -c manager`"},
    {"rollout-in-progress", kDeployment, kWarning, "the Deployment is being rolled out",
     "its pods are not all of the current template; two versions may run",
     "wait: `kubectl rollout status deployment/DEPLOYMENT -n NAMESPACE`"},
    {"manager-pods-not-ready", kDeployment, kWarning, "some pods of the manager are not ready",
     "they do not start, do not pass their readiness probe, or cannot be scheduled, so that no replica may be left "
     "when "
     "the leader ends",
     "`kubectl describe pods -n NAMESPACE` and `kubectl logs deployment/DEPLOYMENT -n NAMESPACE -c manager`"},
    {"pod-crashing", kDeployment, kError, "a container ends again and again",
     "an invalid flag, a lost lease, a failed assertion, or an image of another architecture: the previous log has the "
     "cause",
     "`kubectl logs NAME -n NAMESPACE --previous`; after `exec format error`: `make docker-buildx`"},
    {"pod-image-unavailable", kDeployment, kError, "an image cannot be pulled",
     "a wrong name or tag, or a registry that needs credentials", "`kubectl describe pod NAME -n NAMESPACE`"},
    {"pod-oom-killed", kDeployment, kWarning, "a container exceeded its memory limit",
     "the cache is larger than the limit (`keelson_cache_bytes` by kind)",
     "raise the limit, or watch fewer namespaces"},
    {"pod-restarts", kDeployment, kWarning, "a container was restarted several times",
     "exit code 1 is a lost lease, 134 a failed assertion, 137 the memory limit or the liveness probe",
     "`kubectl logs NAME -n NAMESPACE --previous`"},
    {"pod-image-differs", kDeployment, kWarning, "a pod runs another image than the Deployment has",
     "the rollout has not replaced it yet, or an admission webhook changes images",
     "`kubectl rollout status deployment/DEPLOYMENT -n NAMESPACE`"},
    {"image-other-version", kDeployment, kWarning, "the deployed manager has another version than this command",
     "the findings about kinds, permissions and webhooks are those of this binary's version",
     "run the `doctor` of the deployed version: `kubectl exec deployment/DEPLOYMENT -n NAMESPACE -c manager -- "
     "/manager doctor`"},
    {"flag-unknown", kDeployment, kError, "the manager does not accept its arguments",
     "an unknown flag, a value that is not valid, or durations that contradict each other: the manager exits with code "
     "2",
     "`manager --help` lists the flags; the error names the flag to change"},
    {"flags-in-file", kDeployment, kUnknown, "the manager reads flags from a file, which this command cannot read",
     "it runs with `--config`: what depends on flags (the lease, the registration of webhooks, metrics) is not "
     "examined",
     "set the flags as arguments of the container"},
    {"flag-without-effect", kDeployment, kNote, "a flag has no effect", "it is accepted for compatibility",
     "remove it"},
    {"watch-namespace-missing", kDeployment, kWarning, "a namespace of `--watch-namespaces` does not exist",
     "its name is misspelled, or it was not created yet: objects elsewhere are not reconciled",
     "correct the flag, or create the namespace"},
    {"manager-dry-run", kDeployment, kWarning, "the deployed manager runs with `--dry-run`",
     "it stores nothing, so nothing is reconciled", "remove `--dry-run` from the arguments"},

    {"manager-attention", kManager, kWarning, "the running manager reports a problem",
     "its page `/statusz` lists it under Attention",
     "`kubectl port-forward -n NAMESPACE deployment/DEPLOYMENT 8081` and http://localhost:8081/statusz; for an object "
     "also `manager explain`"},
    {"manager-not-asked", kManager, kNote, "the running manager was not asked",
     "the API server does not reach its health port: a network policy, a firewall between control plane and nodes, or "
     "`--health-probe-bind-address=0`",
     "`kubectl port-forward -n NAMESPACE deployment/DEPLOYMENT 8081` and http://localhost:8081/statusz"},

    {"crd-missing", kKinds, kError, "the CustomResourceDefinition is missing", "it was not installed, or was deleted",
     "`make install`, or `kubectl apply -k config/crd`; if you do not need the kind, disable its controller with "
     "`--controllers`"},
    {"crd-terminating", kKinds, kError, "the CustomResourceDefinition is being deleted",
     "the last objects of that kind are still being deleted",
     "check the finalizers of these objects; then install it again"},
    {"crd-not-established", kKinds, kError, "the CustomResourceDefinition is not established",
     "the API server does not serve it yet, or rejects it", "`kubectl describe crd NAME`"},
    {"crd-names-not-accepted", kKinds, kError, "names of the CustomResourceDefinition are taken",
     "another definition of the group has its plural, singular, kind or a short name",
     "`kubectl describe crd NAME` names the conflict; delete the other definition"},
    {"crd-version-not-served", kKinds, kError, "the API server does not serve the version that the manager uses",
     "the CustomResourceDefinition is of another version of the operator", "`kubectl apply -k config/crd`"},
    {"crd-status-missing", kKinds, kError, "the CustomResourceDefinition has no status subresource",
     "the CRD is of another version of the operator, and no status can be written", "`kubectl apply -k config/crd`"},
    {"crd-schema-differs", kKinds, kWarning, "the CustomResourceDefinition has another schema than this binary",
     "the CRD is of another version of the operator: fields that it lacks are dropped, or writes of them are rejected "
     "(`field not declared in schema`)",
     "`kubectl apply -k config/crd`, then restart the manager or wait for the next attempt"},
    {"crd-other-storage-version", kKinds, kWarning, "objects are stored in another version than this binary expects",
     "the CustomResourceDefinition is of another version of the operator", "`kubectl apply -k config/crd`"},
    {"crd-stored-versions", kKinds, kWarning, "objects may be stored in a version that this binary does not have",
     "`status.storedVersions` has a version that the new definition lacks, so that the API server rejects the "
     "definition",
     "write all objects again in the current version, then remove the old version from `status.storedVersions`"},
    {"crd-conversion-webhook", kKinds, kWarning, "the CustomResourceDefinition has a conversion webhook",
     "this operator has none: it is of another program, and requests fail when that does not answer",
     R"(`kubectl patch crd NAME --type=merge -p '{"spec":{"conversion":{"strategy":"None","webhook":null}}}'`)"},

    {"permission-missing", kPermissions, kError, "a permission of the manager is missing",
     "the roles of this version are not applied, or the Deployment has another service account",
     "`make deploy` applies the roles"},
    {"permission-unused", kPermissions, kWarning, "the manager has permissions that it does not use",
     "a role of another version, or a rule that was added by hand",
     "remove the rule, or apply the roles of this version"},

    {"lease-missing", kLease, kError, "the lease does not exist",
     "no manager has become the leader: none runs, or the permission for `leases` is missing in the namespace of the "
     "lease",
     "the role `leader-election-role` there, or `--leader-election-namespace`; the log has `Error retrieving lease "
     "lock`"},
    {"lease-released", kLease, kError, "no replica holds the lease",
     "the leader has stopped, and no other replica has acquired the lease",
     "check the pods and their logs; a replica acquires a released lease within two seconds"},
    {"lease-expired", kLease, kError, "the lease has expired",
     "its holder has gone or does not reach the API server, and no other replica has acquired the lease",
     "check the pods and their logs"},
    {"lease-holder-elsewhere", kLease, kWarning, "the leader is not a pod of the Deployment",
     "a manager outside of the cluster or of another Deployment has the lease, and the deployed one stands by",
     "stop that process, and the deployed manager acquires the lease"},
    {"lease-contended", kLease, kError, "the lease changes its holder again and again",
     "two replicas lose it in turn, or another program writes it", "check the log of both holders"},
    {"lease-in-two-namespaces", kLease, kError, "managers hold leases of one name in different namespaces",
     "two managers without a common lease both lead and write the same objects",
     "stop one of them, or start both with `--leader-elect` and the same `--leader-election-id` and namespace"},
    {"replicas-without-lease", kLease, kError, "several replicas run without `--leader-elect`",
     "all of them reconcile the same objects at the same time", "add `--leader-elect`, or scale to one replica"},

    {"webhooks-off", kWebhooks, kWarning, "the webhooks of this operator are off",
     "the arguments of the deployed manager disable them, so objects are stored without defaults and validation",
     "deploy with `--webhook-self-signed` or `--webhook-cert-path`"},
    {"webhook-configuration-missing", kWebhooks, kError, "a webhook is not registered",
     "the configuration was deleted or never applied, so objects are stored without defaults and validation",
     "`make deploy`"},
    {"webhook-rules-differ", kWebhooks, kWarning, "a webhook is registered with other rules than this binary has",
     "the configuration is of another version of the operator, or was changed", "`make deploy`"},
    {"webhook-service-missing", kWebhooks, kError, "the Service of the webhooks does not exist",
     "it was deleted, or the configuration names another one", "`make deploy`"},
    {"webhook-no-endpoints", kWebhooks, kError, "no endpoints available for service", "no manager is ready",
     "check its log; `/readyz/webhook` reports the cause"},
    {"webhook-ca-missing", kWebhooks, kError, "the `caBundle` is missing",
     "the manager or cert-manager has not written the `caBundle`",
     "self-signed: the log line `webhook certificate reconciliation failed` has the cause; cert-manager: `kubectl "
     "describe certificate -n NAMESPACE`"},
    {"webhook-ca-mismatch", kWebhooks, kError, "the `caBundle` does not contain the CA of the webhooks' certificate",
     "the bundle or the Secret was changed, or is of another installation",
     "self-signed: delete the Secret's `data`, and the manager issues a certificate; cert-manager: `kubectl describe "
     "certificate -n NAMESPACE`"},
    {"webhook-secret-missing", kWebhooks, kError, "the Secret of the webhooks' certificate does not exist",
     "it was deleted, or cert-manager has not created it",
     "run `make deploy`: it creates an empty Secret, and the manager stores its current certificate in it"},
    {"webhook-certificate-invalid", kWebhooks, kError, "the webhooks' certificate cannot be used",
     "the Secret is empty or incomplete, or the key is not that of the certificate",
     "self-signed: the log line `webhook certificate reconciliation failed` has the cause; cert-manager: `kubectl "
     "describe certificate -n NAMESPACE`"},
    {"webhook-certificate-expired", kWebhooks, kError, "certificate has expired or is not yet valid",
     "no manager has replaced it, or a clock is wrong, on the node or the control plane",
     "start the manager, or correct the clock"},
    {"webhook-certificate-expires", kWebhooks, kWarning, "the webhooks' certificate expires within a week",
     "no manager or cert-manager has replaced it in time", "check the log of the manager or of cert-manager"},
    {"webhook-certificate-name", kWebhooks, kError, "the webhooks' certificate is for another name",
     "the certificate is for another Service name or namespace",
     "check `--webhook-service-name`, and whether the namespace and the prefix were changed in both files"},
    {"webhook-call-failed", kWebhooks, kError, "the API server cannot call a webhook",
     "the API server does not reach port 9443 of the pod: a network policy, a firewall between control plane and nodes "
     "(GKE private clusters), webhooks that are off; or it does not trust the certificate",
     "allow the control plane to reach port 9443; search the log for `Webhooks are off`"},

    {"metrics-off", kMetrics, kNote, "metrics are off", "`--metrics-bind-address=0`", "nothing, if this is intended"},
    {"metrics-service-missing", kMetrics, kWarning, "no Service leads to the metrics port",
     "it was deleted, or its selector or target port does not fit the pods", "`make deploy`"},
    {"metrics-no-endpoints", kMetrics, kWarning, "the Service of the metrics has no endpoints", "no manager is ready",
     "check the pods and their logs"},
    {"metrics-unprotected", kMetrics, kWarning, "metrics are served without authentication",
     "neither `--metrics-secure` nor a proxy protects a port that other pods can reach",
     "add `--metrics-secure`, or a NetworkPolicy"},
    {"metrics-proxy-missing", kMetrics, kWarning, "metrics are served on the loopback interface only",
     "the pod has no kube-rbac-proxy in front of them", "add the sidecar of `config/default`, or bind to `:8443`"},

    {"lists-not-streamed", kWatches, kNote, "the API server does not stream lists",
     "the feature WatchList is off (on by default since Kubernetes 1.34)", "nothing: the manager uses plain lists"},
    {"watch-without-bookmarks", kWatches, kWarning, "watches have no bookmarks",
     "a proxy in front of the API server drops them, or the API server does not send them",
     "check proxies between the manager and the API server: without bookmarks caches seem stale"},

    {"cache-stale", kWatches, kError, "a watch of the manager fails, so that its cache is stale",
     "the API server does not serve the version any more, or a permission was removed: what the manager reports about "
     "its objects, and what `explain` answers, is as of then",
     "correct what the error names; the watch is retried every 30 s at the latest"},

    {"fields-of-two-managers", kWriters, kWarning, "another field manager owns fields that this operator applies",
     "another writer has set the same value, and a change by either is reverted by the other",
     "stop the other writer from setting the field; `kubectl get KIND NAME -o yaml --show-managed-fields`"},
    {"field-manager-twice", kWriters, kWarning, "an object has fields of this operator by apply and by update",
     "another program or version writes with this field manager, and fields that it set are not removed",
     "stop the other program, then delete the child: the manager creates it again"},

    {"object-conflict", kObjects, kWarning, "the manager and another writer change one field again and again",
     "two managers without a common lease, an autoscaler, or a tool that applies the child",
     "the condition `Conflict` names the field and the other field manager: stop one of the writers"},
    {"object-paused", kObjects, kNote, "an object is paused", "the annotation `paused` stops all writes for it",
     "remove the annotation to resume"},
    {"object-stalled", kObjects, kWarning, "an object is stalled",
     "the condition `Stalled` has the reason: a user or administrator must act", "`kubectl describe KIND NAME`"},
    {"object-degraded", kObjects, kWarning, "an object is degraded",
     "the condition `Degraded` has the reason: its pods crash, their images or nodes are missing, a quota rejects "
     "them, or "
     "its Jobs fail",
     "`manager explain KIND OBJECT`"},
    {"object-child-not-owned", kObjects, kWarning, "the name of a child is taken by an object that is not owned",
     "an object of that name exists and has another controller or none: it is not changed, and the object is stalled",
     "delete or rename it, or give the object another name"},
    {"object-not-ready-yet", kObjects, kNote, "an object is not ready yet",
     "the condition `Ready` has the reason; a rollout takes minutes", "wait, or `manager explain KIND OBJECT`"},
    {"object-not-ready", kObjects, kWarning, "an object has not been ready for ten minutes",
     "the condition `Ready` has the reason", "`manager explain KIND OBJECT`"},
    {"object-not-reconciled", kObjects, kError, "an object was not reconciled since its last change",
     "its reconcile fails (`Reconciler error` in the log), no manager observes it, or `--watch-namespaces` lacks its "
     "namespace",
     "check the log of the leader"},
    {"object-deletion-stuck", kObjects, kWarning, "an object is being deleted for more than a minute",
     "an entry of `metadata.finalizers` blocks its removal, and the manager that would remove it does not run or fails",
     "start the manager again; if it will never run again, remove the finalizer"},
});

constexpr std::string_view kCredentialsCause =
    "the API server does not accept the credentials of the manager: its token or client certificate has expired, its "
    "ServiceAccount was created again, or the API server has other signing keys";
constexpr std::string_view kCredentialsRemedy =
    "`kubectl rollout restart deployment/DEPLOYMENT -n NAMESPACE` for new tokens; if it persists, `kubectl describe "
    "pods -n NAMESPACE`, and the alert KeelsonUnauthorized has the other cases";

// The texts are those of Go's net/http and crypto/tls in the API server, and of our own client.
constexpr auto kCausesOfFindings = std::to_array<FindingCause>({
    {"webhook-call-failed", "unable to load root certificates",
     "the `caBundle` of the configuration is not PEM, so that the API server trusts no certificate",
     "self-signed: remove the `caBundle`, and the manager writes it; cert-manager: check its annotation "
     "`cert-manager.io/inject-ca-from`"},
    {"webhook-call-failed", "certificate signed by unknown authority",
     "the `caBundle` is not that of the served certificate",
     "self-signed: delete the Secret's `data`, and the manager issues a certificate; cert-manager: `kubectl describe "
     "certificate -n NAMESPACE`"},
    {"webhook-call-failed", "certificate has expired or is not yet valid",
     "the served certificate was not replaced in time, or a clock is wrong",
     "start the manager, which rotates its certificate, or correct the clock; cert-manager: `kubectl describe "
     "certificate -n NAMESPACE`"},
    {"webhook-call-failed", "x509: certificate is", "the served certificate is for another name",
     "check `--webhook-service-name`, and whether the namespace and the prefix were changed in both files"},
    {"webhook-call-failed", "x509:", "the API server does not accept the served certificate",
     "`kubectl describe certificate -n NAMESPACE`, or the log line `webhook certificate reconciliation failed`"},
    {"webhook-call-failed", "connection refused",
     "no process listens at the port to which the Service leads: the manager has just stopped, its webhooks are off, "
     "or "
     "`--webhook-port` and the Service's `targetPort` differ",
     "check the pods, search the log for `Webhooks are off`, and compare the ports"},
    {"webhook-call-failed", "no endpoints available for service", "no manager is ready",
     "`kubectl describe pods -n NAMESPACE`; `/readyz/webhook` reports the cause"},
    {"webhook-call-failed", "not found", "the Service that the configuration names does not exist", "`make deploy`"},
    {"webhook-call-failed", "no such host", "the API server cannot resolve the name of the webhook's URL",
     "correct `--webhook-url`, or the DNS of the control plane"},
    {"webhook-call-failed", "deadline exceeded",
     "the API server does not reach the pod, or the manager does not answer in time: a network policy, a firewall "
     "between control plane and nodes (GKE private clusters), a throttled CPU",
     "allow the control plane to reach port 9443; check the alert KeelsonLoopLag and the CPU limit"},
    {"webhook-call-failed", "timeout",
     "the API server does not reach the pod: a network policy, or a firewall between control plane and nodes",
     "allow the control plane to reach port 9443"},
    {"webhook-call-failed", "no route to host", "the node of the pod is not reachable from the control plane",
     "check the node and its network: `kubectl get pods -n NAMESPACE -o wide`"},
    {"webhook-call-failed", "does not look like a TLS handshake", "another program without TLS answers at the port",
     "compare `--webhook-port` and the Service's `targetPort`; exclude the port from a service mesh"},
    {"webhook-call-failed", "connection reset by peer",
     "the connection was closed before the reply: the manager is being stopped, or a proxy or service mesh is in "
     "between",
     "check the restarts of the pods; exclude the port from the service mesh"},
    {"webhook-call-failed", "EOF",
     "the connection was closed before the reply: the manager is being stopped, or a proxy or service mesh is in "
     "between",
     "check the restarts of the pods; exclude the port from the service mesh"},
    {"webhook-call-failed", "could not find the requested resource",
     "the program that answers has no webhook at this path: it is of another version, or another program",
     "deploy the version of the configuration: `make deploy`"},

    // The manager's error, as its /statusz has it.
    {"lease-expired", "database space exceeded",
     "etcd is full: the API server answers reads and rejects writes, so that no manager can lead",
     "compact and defragment etcd, or raise its quota, then `etcdctl alarm disarm`"},
    {"lease-expired", "Unauthorized", kCredentialsCause, kCredentialsRemedy},
    {"cache-stale", "Unauthorized", kCredentialsCause, kCredentialsRemedy},

    {"api-server-unreachable", "connection refused",
     "no API server listens at this address: it is down, or the address is wrong",
     "check `server` in the kubeconfig, and the control plane"},
    {"api-server-unreachable", "no such host", "the name in the address is unknown",
     "check `server` in the kubeconfig, and DNS"},
    {"api-server-unreachable", "x509:", "the certificate of the API server is not trusted",
     "check `certificate-authority-data` in the kubeconfig; a proxy may replace certificates"},
    {"api-server-unreachable", "in time", "the API server accepts connections and does not reply: it or etcd hangs",
     "check the control plane: `/readyz?verbose`, and the disk of etcd"},
    {"api-server-unreachable", "no answer within",
     "the API server accepts connections and does not reply: it or etcd hangs; or a firewall drops packets",
     "check the control plane (`/readyz?verbose`, the disk of etcd), then network policies and proxies"},
});

}  // namespace

std::span<const FindingKind> finding_kinds() { return kKindsOfFindings; }

const FindingKind* find_kind(std::string_view id) {
  const auto found = std::ranges::find_if(kKindsOfFindings, [id](const FindingKind& kind) { return kind.id == id; });
  return found == kKindsOfFindings.end() ? nullptr : &*found;
}

std::span<const FindingCause> finding_causes() { return kCausesOfFindings; }

}  // namespace keelson::doctor
