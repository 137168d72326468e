#include "keelson/detail/base/text.hpp"
#include "src/sandbox/tables/pod_columns.hpp"
#include "src/sandbox/tables/table_columns.hpp"

namespace keelson::sandbox {

namespace {

std::string number_text(const Tree& object, std::initializer_list<std::string_view> path) {
  return std::to_string(object.integer_at(path));
}

const std::vector<Tree>& containers_of(const Tree& object) {
  const auto& found = object.items_at({"spec", "template", "spec", "containers"});
  return found.empty() ? object.items_at({"spec", "jobTemplate", "spec", "template", "spec", "containers"}) : found;
}

std::string container_names(const Tree& object) { return joined_members(containers_of(object), "name"); }
std::string images(const Tree& object) { return joined_members(containers_of(object), "image"); }

// The selector of a ReplicationController is a plain map.
std::string plain_selector(const Tree& object) { return labels_text(object.at({"spec", "selector"})); }
std::string label_selector(const Tree& object) { return selector_text(object.at({"spec", "selector"})); }
std::string job_template_selector(const Tree& object) {
  return selector_text(object.at({"spec", "jobTemplate", "spec", "selector"}));
}

void add_wide(Columns& columns, std::string (*selector)(const Tree&)) {
  columns.push_back(computed_column("Containers", container_names, 1));
  columns.push_back(computed_column("Images", images, 1));
  if (selector != nullptr) columns.push_back(computed_column("Selector", selector, 1));
}

// "2/3"
std::string ready_of_desired(const Tree& object) {
  return number_text(object, {"status", "readyReplicas"}) + "/" + number_text(object, {"spec", "replicas"});
}

Columns deployment() {
  auto updated = number_column("Up-to-date", {"status", "updatedReplicas"});
  auto available = number_column("Available", {"status", "availableReplicas"});
  updated.type = available.type = "string";  // although they are numbers
  Columns columns{name_column(), computed_column("Ready", ready_of_desired), updated, available, age_column()};
  add_wide(columns, label_selector);
  return columns;
}

Columns replica_set(std::string (*selector)(const Tree&)) {
  Columns columns{name_column(), number_column("Desired", {"spec", "replicas"}),
                  number_column("Current", {"status", "replicas"}), number_column("Ready", {"status", "readyReplicas"}),
                  age_column()};
  add_wide(columns, selector);
  return columns;
}

Columns stateful_set() {
  Columns columns{name_column(), computed_column("Ready", ready_of_desired), age_column()};
  add_wide(columns, nullptr);
  return columns;
}

std::string node_selector(const Tree& object) {
  return labels_text(object.at({"spec", "template", "spec", "nodeSelector"}));
}

Columns daemon_set() {
  Columns columns{name_column(),
                  number_column("Desired", {"status", "desiredNumberScheduled"}),
                  number_column("Current", {"status", "currentNumberScheduled"}),
                  number_column("Ready", {"status", "numberReady"}),
                  number_column("Up-to-date", {"status", "updatedNumberScheduled"}),
                  number_column("Available", {"status", "numberAvailable"}),
                  computed_column("Node Selector", node_selector),
                  age_column()};
  add_wide(columns, label_selector);
  return columns;
}

std::string job_status(const Tree& job) {
  if (has_condition(job, "Complete")) return "Complete";
  if (has_condition(job, "Failed")) return "Failed";
  if (job.at({"metadata", "deletionTimestamp"}) != nullptr) return "Terminating";
  for (const char* state : {"Suspended", "FailureTarget", "SuccessCriteriaMet"}) {
    if (has_condition(job, state)) return state;
  }
  return "Running";
}

std::string job_completions(const Tree& job) {
  auto done = number_text(job, {"status", "succeeded"});
  if (job.at({"spec", "completions"}) != nullptr) return done + "/" + number_text(job, {"spec", "completions"});
  const bool is_parallel = job.integer_at({"spec", "parallelism"}) > 1;
  return done + "/1" + (is_parallel ? " of " + number_text(job, {"spec", "parallelism"}) : "");
}

Tree job_duration(const Tree& job, WallTime now) {
  return {between(job.at({"status", "startTime"}), job.at({"status", "completionTime"}), now)};
}

Columns job() {
  Columns columns{name_column(),
                  computed_column("Status", job_status),
                  computed_column("Completions", job_completions),
                  {"Duration", job_duration},
                  age_column()};
  add_wide(columns, label_selector);
  return columns;
}

std::string suspended(const Tree& object) {
  const Tree* value = object.at({"spec", "suspend"});
  if (value == nullptr) return "<unset>";
  return *value == Tree(true) ? "True" : "False";
}

Tree last_schedule(const Tree& object, WallTime now) {
  const Tree* last = object.at({"status", "lastScheduleTime"});
  return {last != nullptr ? since(last, now) : "<none>"};
}

Column active_jobs() {
  return {"Active",
          [](const Tree& object, WallTime /*now*/) -> Tree {
            return {static_cast<std::int64_t>(size_at(object, {"status", "active"}))};
          },
          "integer"};
}

Columns cron_job() {
  auto suspend = computed_column("Suspend", suspended);
  suspend.type = "boolean";  // although its cells are strings
  Columns columns{name_column(),
                  text_column("Schedule", {"spec", "schedule"}),
                  text_column("Timezone", {"spec", "timeZone"}, "<none>"),
                  suspend,
                  active_jobs(),
                  {"Last Schedule", last_schedule},
                  age_column()};
  add_wide(columns, job_template_selector);
  return columns;
}

std::string template_names(const Tree& o) {
  return joined_members(o.items_at({"template", "spec", "containers"}), "name");
}
std::string template_images(const Tree& o) {
  return joined_members(o.items_at({"template", "spec", "containers"}), "image");
}
std::string template_labels(const Tree& o) { return labels_text(o.at({"template", "metadata", "labels"})); }

Columns pod_template() {
  return {name_column(), computed_column("Containers", template_names), computed_column("Images", template_images),
          computed_column("Pod Labels", template_labels)};
}

std::string controller_name(const Tree& object) {
  for (const auto& owner : object.items_at({"metadata", "ownerReferences"})) {
    if (!owner.is_true_at({"controller"})) continue;
    auto version = owner.text_at({"apiVersion"});
    auto slash = version.find('/');
    auto kind = owner.text_at({"kind"}) + (slash == std::string::npos ? "" : "." + version.substr(0, slash));
    return base::to_lower(kind) + "/" + owner.text_at({"name"});
  }
  return "<none>";
}

Columns controller_revision() {
  auto revision = number_column("Revision", {"revision"});
  revision.type = "string";
  return {name_column(), computed_column("Controller", controller_name), revision, age_column()};
}

}  // namespace

Columns workload_columns(const std::string& kind) {
  if (kind == "Pod") return pod_columns();
  if (kind == "Deployment") return deployment();
  if (kind == "ReplicaSet") return replica_set(label_selector);
  if (kind == "ReplicationController") return replica_set(plain_selector);
  if (kind == "StatefulSet") return stateful_set();
  if (kind == "DaemonSet") return daemon_set();
  if (kind == "Job") return job();
  if (kind == "CronJob") return cron_job();
  if (kind == "PodTemplate") return pod_template();
  if (kind == "ControllerRevision") return controller_revision();
  return {};
}

}  // namespace keelson::sandbox
