#include "src/kinds/cronjob/cronjob.hpp"

#include "keelson/controller/own_condition.hpp"
#include "keelson/detail/schema/workload_schema.hpp"

namespace keelson::kinds {

namespace {

constexpr std::string_view kSample = R"(apiVersion: batch.tutorial.kubebuilder.io/v1
kind: CronJob
metadata:
  labels:
    app.kubernetes.io/name: cronjob
    app.kubernetes.io/instance: cronjob-sample
    app.kubernetes.io/part-of: keelson
    app.kubernetes.io/managed-by: kustomize
    app.kubernetes.io/created-by: keelson
  name: cronjob-sample
spec:
  schedule: "*/1 * * * *"
  startingDeadlineSeconds: 60
  concurrencyPolicy: Allow # explicitly specify, but Allow is also default.
  jobTemplate:
    spec:
      template:
        spec:
          securityContext:
            runAsNonRoot: true
            runAsUser: 1000
            seccompProfile:
              type: RuntimeDefault
          containers:
          - name: hello
            image: busybox
            args:
            - /bin/sh
            - -c
            - date; echo Hello from the Kubernetes cluster
            securityContext:
              allowPrivilegeEscalation: false
              capabilities:
                drop:
                - ALL
          restartPolicy: OnFailure
)";

}  // namespace

void describe(kube::Description& d, CronJobSpec& spec) {
  d.document("CronJobSpec defines the desired state of CronJob.");
  d.field("schedule", spec.schedule,
          "The schedule in Cron format: minute, hour, day of month, month, day of week; or a macro such as @hourly or "
          "@every 90m. See https://en.wikipedia.org/wiki/Cron.")
      .required()
      .min_length(0)
      .rule("!self.contains('TZ')", "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
  d.field("timeZone", spec.time_zone,
          "Name of the time zone of the schedule, such as Europe/Berlin. Defaults to that of the manager, usually UTC.")
      .min_length(1);
  d.field(
       "startingDeadlineSeconds", spec.starting_deadline_seconds,
       "Deadline in seconds for starting a run that missed its scheduled time for any reason. No deadline if absent.")
      .minimum(0);
  d.field("concurrencyPolicy", spec.concurrency_policy,
          "How to treat a run that is due while an earlier run is active. Allow (default): both run. Forbid: the run "
          "waits until the earlier run ends; it is skipped if its deadline passes or a newer slot is due. Replace: the "
          "earlier run is canceled.")
      .one_of({kAllow, kForbid, kReplace});
  d.field("suspend", spec.suspend,
          "Whether to suspend subsequent runs. It does not apply to runs that have started. Defaults to false.");
  d.field("jobTemplate", spec.job_template, "The Job that is created for a run.")
      .required()
      .schema(kube::job_template_schema());
  d.field("successfulJobsHistoryLimit", spec.successful_jobs_history_limit,
          "Number of successful finished Jobs to retain; 0 retains none. Defaults to 3.")
      .minimum(0);
  d.field("failedJobsHistoryLimit", spec.failed_jobs_history_limit,
          "Number of failed finished Jobs to retain; 0 retains none. Defaults to 1.")
      .minimum(0);
}

void describe(kube::Description& d, JobReference& reference) {
  d.document("ObjectReference to a Job.");
  d.field("apiVersion", reference.api_version, "API version of the Job.");
  d.field("kind", reference.kind, "Kind of the Job.");
  d.field("name", reference.name, "Name of the Job.");
  d.field("namespace", reference.ns, "Namespace of the Job.");
  d.field("uid", reference.uid, "UID of the Job.");
}

void describe(kube::Description& d, CronJobStatus& status) {
  d.document("CronJobStatus defines the observed state of CronJob.");
  d.field("active", status.active, "The Jobs that are running now.").list_type(kube::ListType::kAtomic);
  d.field("activeJobs", status.active_jobs, "Number of Jobs that are running now.");
  d.field("lastScheduleTime", status.last_schedule_time, "The last scheduled time for which a Job was created.");
  d.field("lastSuccessfulTime", status.last_successful_time, "When a Job last completed successfully.");
  d.field("observedGeneration", status.observed_generation, "Generation of the spec that this status is about.");
  controller::describe_conditions<CronJob>(d, status.conditions);
}

void CronJob::describe_kind(kube::Kind& kind) {
  kind.columns = {{"Schedule", "string", ".spec.schedule"},
                  {"Timezone", "string", ".spec.timeZone"},
                  {"Suspend", "boolean", ".spec.suspend"},
                  {"Active", "integer", ".status.activeJobs"},
                  {"Last-Schedule", "date", ".status.lastScheduleTime"},
                  {"Age", "date", ".metadata.creationTimestamp"}};
  const auto too_long = "must be no more than " + std::to_string(kCronJobNameBytes) + " characters";
  // The schema is checked before the webhook: its error is the same, with the name that is too long.
  kind.rules = {{"size(self.metadata.name) <= " + std::to_string(kCronJobNameBytes), too_long, ".metadata.name",
                 "'\"' + self.metadata.name + '\": " + too_long + "'"}};
  kind.sample = kSample;
}

}  // namespace keelson::kinds
