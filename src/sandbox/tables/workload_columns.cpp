#include "keelson/detail/base/text.hpp"
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

// The columns of `-o wide`. The selector of a ReplicationController is a plain map.
Columns with_wide(Columns columns, const std::string& selector,
                  std::string (*format)(const Tree* selector) = selector_text) {
  columns.push_back(computed_column("Containers", container_names, 1));
  columns.push_back(computed_column("Images", images, 1));
  if (!selector.empty()) columns.push_back(selector_column("Selector", selector, format, 1));
  return columns;
}

// "2/3"
std::string ready_of_desired(const Tree& object) {
  return number_text(object, {"status", "readyReplicas"}) + "/" + number_text(object, {"spec", "replicas"});
}

Columns replica_set(std::string (*format)(const Tree* selector)) {
  return with_wide(
      {name_column(), number_column("Desired", "spec.replicas"), number_column("Current", "status.replicas"),
       number_column("Ready", "status.readyReplicas"), age_column()},
      "spec.selector", format);
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

// In a column of the type boolean, although its cells are strings.
Tree suspended(const Tree& object, WallTime /*now*/) {
  const Tree* value = object.at({"spec", "suspend"});
  if (value == nullptr) return {"<unset>"};
  return {*value == Tree(true) ? "True" : "False"};
}

Tree last_schedule(const Tree& object, WallTime now) {
  const Tree* last = object.at({"status", "lastScheduleTime"});
  return {last != nullptr ? since(last, now) : "<none>"};
}

std::string template_names(const Tree& o) {
  return joined_members(o.items_at({"template", "spec", "containers"}), "name");
}
std::string template_images(const Tree& o) {
  return joined_members(o.items_at({"template", "spec", "containers"}), "image");
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

}  // namespace

const KindColumns& workload_columns() {
  static const KindColumns kColumns{
      {"ControllerRevision",
       {name_column(), computed_column("Controller", controller_name), number_column("Revision", "revision", "string"),
        age_column()}},
      {"CronJob", with_wide({name_column(),
                             text_column("Schedule", "spec.schedule"),
                             text_column("Timezone", "spec.timeZone", "<none>"),
                             {"Suspend", suspended, "boolean"},
                             size_column("Active", "status.active", "integer"),
                             {"Last Schedule", last_schedule},
                             age_column()},
                            "spec.jobTemplate.spec.selector")},
      {"DaemonSet",
       with_wide(
           {name_column(), number_column("Desired", "status.desiredNumberScheduled"),
            number_column("Current", "status.currentNumberScheduled"), number_column("Ready", "status.numberReady"),
            number_column("Up-to-date", "status.updatedNumberScheduled"),
            number_column("Available", "status.numberAvailable"),
            selector_column("Node Selector", "spec.template.spec.nodeSelector", labels_text), age_column()},
           "spec.selector")},
      {"Deployment", with_wide({name_column(), computed_column("Ready", ready_of_desired),
                                number_column("Up-to-date", "status.updatedReplicas", "string"),
                                number_column("Available", "status.availableReplicas", "string"), age_column()},
                               "spec.selector")},
      {"Job", with_wide({name_column(),
                         computed_column("Status", job_status),
                         computed_column("Completions", job_completions),
                         {"Duration", job_duration},
                         age_column()},
                        "spec.selector")},
      {"Pod", pod_columns()},
      {"PodTemplate",
       {name_column(), computed_column("Containers", template_names), computed_column("Images", template_images),
        selector_column("Pod Labels", "template.metadata.labels", labels_text)}},
      {"ReplicaSet", replica_set(selector_text)},
      {"ReplicationController", replica_set(labels_text)},
      {"StatefulSet", with_wide({name_column(), computed_column("Ready", ready_of_desired), age_column()}, "")}};
  return kColumns;
}

}  // namespace keelson::sandbox
