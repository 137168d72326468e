#include "keelson/detail/controller/explain_policy.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/counted.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"

namespace keelson::controller {

namespace {

using Facts = ExplainFacts;
using Last = ExplainFacts::Last;
using Texts = std::vector<std::string>;

// An answer, when it applies, and the facts in its text. The first answer that applies is given.
struct Row {
  ExplainAnswer answer;
  bool (*applies)(const Facts& facts);
  Texts (*facts)(const Facts& facts);
};

// The answer if the cache were current.
std::string without_stale(Facts facts) {
  facts.stale.clear();
  return explain(facts).text;
}

Texts none(const Facts&) { return {}; }
bool never(const Facts&) { return false; }
bool always(const Facts&) { return true; }

bool is_retried(const Facts& facts, Last last) { return facts.last == last && facts.delay.has_value(); }

std::string error_of(const Facts& facts) {
  return facts.error.empty() ? "its error is not stored any more, but it is in the log" : facts.error;
}

Texts retry(const Facts& facts) {
  return {error_of(facts), short_duration_text(*facts.delay),
          base::counted(static_cast<std::uint64_t>(facts.retries), "failure")};
}

constexpr const char* kBackoff =
    "The table of errors in docs/troubleshooting.md. A change of the object, or the annotation reconcile-at, retries "
    "it "
    "immediately.";

constexpr auto kRows = std::to_array<Row>({
    {{"not-synced", "Not reconciled: a watch that the controller needs has not listed its objects yet: …",
      "Install the CustomResourceDefinition, or grant the permission: the log line `Watch failed; the controllers that "
      "need it are waiting` has the remedy."},
     [](const Facts& facts) { return !facts.unsynced.empty(); },
     [](const Facts& facts) { return Texts{facts.unsynced}; }},
    {{"standby", "Not reconciled by this replica: another replica is the leader.",
      "Ask the leader, the holder of the Lease; without --pod and --address, explain does."},
     [](const Facts& facts) { return !facts.is_started; },
     none},
    {{"stale", "Changes are not observed, because a watch fails: … By the cache of that time: …",
      "Correct what the error names: apply the CustomResourceDefinition of this version "
      "(`kubectl apply -k config/crd`), or grant the permission. The watch is retried every 30 s at the latest; no "
      "restart is needed."},
     [](const Facts& facts) { return !facts.stale.empty(); },
     [](const Facts& facts) {
       return Texts{facts.stale, without_stale(facts)};
     }},
    {{"busy", "It is reconciled again and again: ….",
      "It is a bug of the controller: see \"An object is reconciled again and again\" in docs/troubleshooting.md."},
     [](const Facts& facts) { return !facts.busy.empty(); },
     [](const Facts& facts) { return Texts{facts.busy}; }},
    {{"in-progress", "In progress: a worker has been reconciling it for ….",
      "If it takes minutes, see the alert KeelsonReconcileHangs."},
     [](const Facts& facts) { return facts.in_progress.has_value(); },
     [](const Facts& facts) { return Texts{short_duration_text(*facts.in_progress)}; }},
    {{"controller-paused", "Not reconciled: the whole controller …",
      "`DELETE /debug/controllers/CONTROLLER/pause` on the manager's health port resumes it, and so does a restart: "
      "see docs/operations.md."},
     [](const Facts& facts) { return !facts.controller_pause.empty(); },
     [](const Facts& facts) { return Texts{facts.controller_pause}; }},
    {{"missing", "Not reconciled: the manager does not observe an object of that name.",
      "Check the name and the namespace. If `kubectl get` finds the object, --watch-namespaces does not include its "
      "namespace, or the controller selects other labels."},
     [](const Facts& facts) { return !facts.exists; },
     none},
    {{"paused", "Paused: …", ""},
     [](const Facts& facts) { return !facts.pause.empty(); },
     [](const Facts& facts) { return Texts{facts.pause}; }},
    {{"queued", "Queued for …: all workers are busy with other objects.",
      "If it lasts, raise --max-concurrent-reconciles."},
     [](const Facts& facts) { return facts.queued.has_value(); },
     [](const Facts& facts) { return Texts{short_duration_text(*facts.queued)}; }},
    {{"failed", "The last reconcile failed: … It is retried in …, after … in a row.", kBackoff},
     [](const Facts& facts) { return is_retried(facts, Last::kError); },
     retry},
    {{"timeout", "The last reconcile was canceled: … It is retried in …, after … in a row.",
      "A request or the code of the controller takes too long. Raise the reconcile timeout of the controller if it is "
      "too short."},
     [](const Facts& facts) { return is_retried(facts, Last::kTimeout); },
     retry},
    {{"panic", "The last reconcile ended with an exception: … It is retried in …, after … in a row.",
      "It is a bug of the controller: report it with the object."},
     [](const Facts& facts) { return is_retried(facts, Last::kPanic); },
     retry},
    {{"terminal", "The last reconcile failed: … It is not retried until the object changes.",
      "Correct the object: a retry cannot fix it."},
     [](const Facts& facts) { return facts.last == Last::kTerminal && !facts.delay; },
     [](const Facts& facts) { return Texts{error_of(facts)}; }},
    {{"not-retried", "The last reconcile failed: … It is not retried, because its namespace is being deleted.", ""},
     [](const Facts& facts) { return facts.last == Last::kError && !facts.delay; },
     [](const Facts& facts) { return Texts{error_of(facts)}; }},
    {{"conflict", "Two writers change one field: …", "See the table of field managers in docs/troubleshooting.md."},
     [](const Facts& facts) { return !facts.conflict.empty(); },
     [](const Facts& facts) { return Texts{facts.conflict}; }},
    {{"stalled", "Stalled, a user or administrator must act: …",
      "See the table of reasons in docs/troubleshooting.md."},
     [](const Facts& facts) { return !facts.stalled.empty(); },
     [](const Facts& facts) { return Texts{facts.stalled}; }},
    {{"child-paused", "A child is paused: …", ""},
     [](const Facts& facts) { return !facts.child_pause.empty(); },
     [](const Facts& facts) { return Texts{facts.child_pause}; }},
    {{"deleting", "The object is being deleted, and waits until its finalizers are removed.",
      "`kubectl get KIND NAME -o jsonpath={.metadata.finalizers}` names them. Those of other controllers are theirs to "
      "remove."},
     [](const Facts& facts) { return facts.is_deleting; },
     none},
    {{"degraded", "Degraded: …", "`kubectl describe KIND NAME`, and of what the message names."},
     [](const Facts& facts) { return !facts.degraded.empty(); },
     [](const Facts& facts) { return Texts{facts.degraded}; }},
    {{"dry-run", "Nothing is stored, because the manager runs with --dry-run; its log has the differences.",
      "Start it without --dry-run."},
     [](const Facts& facts) { return facts.is_dry_run; },
     none},
    {{"requeued", "The next reconcile begins in ….", ""},
     [](const Facts& facts) { return is_retried(facts, Last::kNone) || facts.last == Last::kSuperseded; },
     [](const Facts& facts) { return Texts{short_duration_text(facts.delay.value_or(async::Duration(0)))}; }},
    {{"not-ready", "Reconciled, but not ready: …",
      "Its children make it ready: `kubectl describe KIND NAME` names what it waits for."},
     [](const Facts& facts) { return facts.last == Last::kSuccess && !facts.not_ready.empty(); },
     [](const Facts& facts) { return Texts{facts.not_ready}; }},
    {{"progressing", "Reconciled, and not complete yet: …",
      "Its children complete it: `kubectl describe KIND NAME` names what it waits for."},
     [](const Facts& facts) { return facts.last == Last::kSuccess && !facts.progressing.empty(); },
     [](const Facts& facts) { return Texts{facts.progressing}; }},
    {{"waiting", "Nothing to do for …: the last reconcile succeeded and requested the next one for then.", ""},
     [](const Facts& facts) { return facts.last == Last::kSuccess && facts.delay.has_value(); },
     [](const Facts& facts) { return Texts{short_duration_text(*facts.delay)}; }},
    {{"wrote", "Nothing to do: the last reconcile succeeded. It wrote …, and the next one begins with a change.", ""},
     [](const Facts& facts) { return facts.last == Last::kSuccess && !facts.written.empty(); },
     [](const Facts& facts) { return Texts{facts.written}; }},
    {{"nothing", "Nothing to do: the last reconcile wrote nothing.",
      "If you expected a write, the object and its children already have the desired state."},
     [](const Facts& facts) { return facts.last == Last::kSuccess; },
     none},
    {{"history-off", "The last reconciles are not recorded: --reconcile-history is 0.",
      "Start the manager with --reconcile-history=10000."},
     [](const Facts& facts) { return !facts.has_history; },
     none},
    {{"unrecorded", "No reconcile is recorded: it made room for objects that were reconciled later.",
      "Raise --reconcile-history, or request a reconcile with the annotation reconcile-at."},
     always,
     none},
    {{"disabled",
      "Not reconciled: the controller of … is disabled by --controllers, or unknown. This manager reconciles …",
      "Add it to --controllers, whose default is all controllers."},
     never,
     none},
    {{"no-manager", "Not reconciled: no pod of the manager is running in the namespace ….",
      "`kubectl get pods -n NAMESPACE` has the reason. If the manager runs elsewhere, give --namespace or --address."},
     never,
     none},
});

// Texts of errors, then reasons of the condition Stalled.
constexpr auto kCauses = std::to_array<ExplainCause>({
    {"field not declared in schema",
     "the CRD is of another version of the operator: fields that it lacks are dropped, or writes of them are rejected",
     "`kubectl apply -k config/crd`, then restart the manager or wait for the next attempt"},
    {"failed calling webhook",
     "an admission webhook of another program fails or does not answer, and its `failurePolicy` is `Fail`",
     "`kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations` names its Service: correct its pods, "
     "or exclude the namespace"},
    {"failed to create typed patch object",
     "the desired state of the child does not fit its schema: a duplicate entry of a list, or a value of the wrong "
     "type",
     "correct the field that the message names: in the spec, or in the child that the operator applies"},
    {"to proper version: unable to convert",
     "a value of the child is not one of its type, such as the quantity `1e99999999999`",
     "correct the value in the spec"},
    {"Operation cannot be fulfilled on …: the object has been modified", "a concurrent write",
     "nothing, unless it persists"},
    {"is forbidden: … exceeded quota", "a ResourceQuota", "raise it, or request less"},
    {"is forbidden: User … cannot",
     "the roles of this version are not applied, or the Deployment has another service account",
     "`make deploy` applies the roles"},
    {"because it is being terminated", "the namespace is being deleted", "nothing: its objects are deleted, too"},
    {"denied request", "a ValidatingAdmissionPolicy rejects the write",
     "change what the message names, or exclude the namespace from the policy's binding"},
    {"denied the request", "an admission webhook rejects the write",
     "change what the message names, or exclude the namespace from the webhook"},
    {"the server has received too many requests",
     "API Priority and Fairness of the API server limits the manager, or the API server is overloaded",
     "`kubectl get flowschemas`; the write is retried"},
    {"entity too large", "the object is larger than the 3 MiB that the API server accepts",
     "make it smaller: move data into a volume, or into several objects"},
    {"request is too large", "the object is larger than the 1.5 MiB that etcd stores",
     "make it smaller: move data into a volume, or into several objects"},
    {"database space exceeded", "etcd is full: it answers reads and rejects writes",
     "compact and defragment etcd, or raise its quota, then `etcdctl alarm disarm`"},
    {"request did not complete within", "etcd or the API server hangs or is slow",
     "check etcd and its disk: `kubectl get --raw /readyz?verbose`"},
    {"is invalid: ", "the API server rejects a value of the object", "correct the field that the message names"},
    {"NotOwned",
     "an object of that name exists and has another controller or none: it is not changed, and the object is stalled",
     "delete or rename it, or give the object another name"},
    {"DeploymentFailed", "the Deployment makes no progress", "`kubectl describe deployment DEPLOYMENT`, then its pods"},
    {"ProgressDeadlineExceeded", "the rollout of the Deployment takes longer than its `progressDeadlineSeconds`",
     "`kubectl describe deployment DEPLOYMENT`, then its pods"},
    {"QuotaExceeded", "a ResourceQuota rejects the pods", "raise it, or request less"},
    {"FailedCreate",
     "the pods are rejected: Pod Security, a LimitRange, an admission webhook, a missing service account",
     "fix what the message names"},
    {"CrashLoopBackOff", "a container of the pod ends again and again",
     "`kubectl logs POD --previous` has its last words. Exit code 137 with `OOMKilled`: raise its memory limit"},
    {"ImagePullBackOff", "the image does not exist, its registry is unreachable, or it needs `imagePullSecrets`",
     "correct what the message names"},
    {"CreateContainerConfigError", "a ConfigMap or Secret that the pod refers to is missing", "create it"},
    {"NodeLost", "the kubelet of the node does not report to the API server",
     "`kubectl describe node NODE`; after five minutes Kubernetes replaces the pod on another node"},
    {"Unschedulable", "no node has room for the pod, or none matches its selectors and tolerations",
     "add a node, or request less"},
    {"PodNotReady", "a readiness probe fails, or a volume cannot be mounted", "`kubectl describe pod POD`"},
    {"JobsFailed", "the last Job that ended has failed", "`kubectl logs job/JOB`; a later Job that succeeds ends it"},
    {"SpecMissing", "the spec of the color in `routeTo` is missing", "add it, or change `routeTo`"},
    {"UnknownColor", "`routeTo` is neither Blue nor Green", "correct it"},
    {"InvalidSchedule", "the schedule or the time zone is invalid, or the schedule never fires",
     "correct it; `manager schedule EXPRESSION` prints the next times"},
    {"JobCreationFailed",
     "the API server rejects the Jobs: an invalid template, a quota, a policy or an admission webhook",
     "correct what the message names"},
    {"PodsNotReady",
     "no pod of the Job has become ready for two minutes: its image cannot be pulled, no node fits, a container "
     "crashes, or a volume is missing",
     "`kubectl describe pods -l job-name=JOB`"},
    {"NoPods", "the Job's pods are rejected: a ResourceQuota, a LimitRange, Pod Security or an admission webhook",
     "`kubectl describe job JOB` has the Events with the rejection"},
});

bool has_sign(std::string_view text, std::string_view sign) {
  constexpr std::string_view kAny = "…";
  for (;;) {
    const auto any = sign.find(kAny);
    const auto part = base::trim(sign.substr(0, any));
    const auto at = text.find(part);
    if (at == std::string_view::npos) return false;
    if (any == std::string_view::npos) return true;
    text.remove_prefix(at + part.size());
    sign.remove_prefix(any + kAny.size());
  }
}

// The name of a link without its target, which only a page has.
std::string without_links(std::string_view markdown) {
  std::string text;
  for (;;) {
    const auto begin = markdown.find('[');
    const auto end = markdown.find("](", begin);
    text += markdown.substr(0, begin);
    if (begin == std::string_view::npos || end == std::string_view::npos) return text;
    text += '"' + std::string(markdown.substr(begin + 1, end - begin - 1)) + "\" in docs/troubleshooting.md";
    markdown.remove_prefix(std::min(markdown.find(')', end), markdown.size() - 1) + 1);
  }
}

std::string remedy_of(const ExplainAnswer& answer, const Facts& facts) {
  // Other answers are not about an error.
  const bool has_error = answer.name == "failed" || answer.name == "not-retried" || answer.name == "stalled";
  const bool is_degraded = answer.name == "degraded";
  for (const auto& cause : kCauses) {
    const bool is_error = has_error && (has_sign(facts.error, cause.sign) || facts.stalled.starts_with(cause.sign));
    if (!is_error && !(is_degraded && facts.degraded.starts_with(cause.sign))) continue;
    return "Cause: " + std::string(cause.cause) + ". To do: " + without_links(cause.remedy) + ".";
  }
  return std::string(answer.remedy);
}

void replace_placeholder(std::string& text, std::string_view placeholder, std::string_view value) {
  if (value.empty()) return;
  for (auto at = text.find(placeholder); at != std::string::npos; at = text.find(placeholder, at + value.size())) {
    text.replace(at, placeholder.size(), value);
  }
}

// The name after `word` in the message of a condition: "web-0" of "Pod web-0 on node a: …". Empty if there is none.
std::string named_in(std::string_view message, std::string_view word) {
  const auto at = message.find(word);
  if (at == std::string_view::npos) return "";
  message.remove_prefix(at + word.size());
  auto name = message.substr(0, message.find_first_of(" :,;"));
  while (name.ends_with('.')) name.remove_suffix(1);
  return std::string(name);
}

// The Deployment that a condition of a Deployment is about: "web" of `ReplicaSet "web-5d89bdfbf9" has timed out …`, of
// `Deployment "web" …` and of "Deployment web: …". Empty if there is none.
std::string deployment_in(std::string_view message) {
  constexpr std::string_view kSet = "ReplicaSet \"";
  if (const auto at = message.find(kSet); at != std::string_view::npos) {
    message.remove_prefix(at + kSet.size());
    const auto set = message.substr(0, message.find('"'));
    return std::string(set.substr(0, set.rfind('-')));
  }
  if (const auto quoted = named_in(message, "Deployment \""); !quoted.empty()) {
    return quoted.substr(0, quoted.find('"'));
  }
  auto name = named_in(message, "Deployment ");
  return message.find("Deployment " + name + ":") == std::string_view::npos ? "" : name;
}

// Commands that can be copied: the placeholders have the names of the object, and of what its condition names.
std::string with_names(std::string text, const Facts& facts) {
  const auto place = facts.ns.empty() ? "" : " -n " + facts.ns;
  if (!facts.name.empty()) replace_placeholder(text, "KIND NAME", facts.kind + " " + facts.name + place);
  replace_placeholder(text, "NAMESPACE", facts.ns);
  const auto& message = facts.stalled.empty() ? facts.degraded : facts.stalled;
  const auto pod = named_in(message, "Pod ");
  const auto job = named_in(message, "Job ");
  if (!pod.empty()) replace_placeholder(text, "POD", pod + place);
  if (!job.empty()) replace_placeholder(text, "JOB", job + place);
  replace_placeholder(text, "NODE", named_in(message, " on node "));
  const auto deployment = deployment_in(message);
  replace_placeholder(text, "deployment DEPLOYMENT",
                      deployment.empty() ? "deployments" + place : "deployment " + deployment + place);
  replace_placeholder(text, "CONTROLLER", facts.controller_pause.substr(0, facts.controller_pause.find(' ')));
  return text;
}

std::string with_facts(std::string_view answer, Texts facts) {
  constexpr std::string_view kFact = "…";
  std::string text(answer);
  std::size_t from = 0;
  for (auto& fact : facts) {
    const auto at = text.find(kFact, from);
    KEELSON_ASSERT(at != std::string::npos);
    const auto rest = std::string_view(text).substr(at + kFact.size());
    const bool is_sentence = rest.starts_with(" It") || rest.starts_with(" By");
    if (is_sentence && !fact.ends_with('.')) fact += '.';
    text.replace(at, kFact.size(), fact);
    from = at + fact.size();
  }
  return text;
}

}  // namespace

std::span<const ExplainAnswer> explain_answers() {
  static const auto answers = [] {
    std::array<ExplainAnswer, kRows.size()> all;
    std::transform(kRows.begin(), kRows.end(), all.begin(), [](const Row& row) { return row.answer; });
    return all;
  }();
  return answers;
}

std::span<const ExplainCause> explain_causes() { return kCauses; }

Explanation explain(const ExplainFacts& facts) {
  const auto& row = *std::ranges::find_if(kRows, [&](const Row& each) { return each.applies(facts); });
  return {row.answer, with_facts(row.answer.text, row.facts(facts)), with_names(remedy_of(row.answer, facts), facts)};
}

Explanation explain_as(std::string_view name, std::vector<std::string> facts, std::string_view ns) {
  const auto found = std::ranges::find_if(kRows, [&](const Row& row) { return row.answer.name == name; });
  KEELSON_ASSERT(found != kRows.end());
  Facts place;
  place.ns = ns;
  return {found->answer, with_facts(found->answer.text, std::move(facts)),
          with_names(std::string(found->answer.remedy), place)};
}

std::string short_duration_text(async::Duration duration) {
  using namespace std::chrono;
  using namespace std::chrono_literals;
  if (duration >= 10s) return base::format_go_duration(round<seconds>(duration));
  if (duration >= 10ms) return base::format_go_duration(round<milliseconds>(duration));
  return base::format_go_duration(round<microseconds>(duration));
}

}  // namespace keelson::controller
