#include "cronjob/cronjob_types.hpp"

#include "keelson/controller/own_condition.hpp"

namespace cronjob {
using namespace keelson;

void describe(kube::Description& d, CronJobSpec& spec) {
  d.document("CronJobSpec is the desired state of CronJob.");
  d.field("schedule", spec.schedule, "The schedule in Cron format.").required().min_length(1);
  d.field("startingDeadlineSeconds", spec.starting_deadline_seconds, "How late a Job may start.").minimum(0);
  d.field("concurrencyPolicy", spec.concurrency_policy, "Allow, Forbid or Replace.")
      .one_of({"Allow", "Forbid", "Replace"});
  d.field("suspend", spec.suspend, "Whether no Jobs are started.");
  d.field("jobTemplate", spec.job_template, "The Job that is created.").required();
  d.field("successfulJobsHistoryLimit", spec.successful_jobs_history_limit, "The successful Jobs to retain.")
      .minimum(0);
  d.field("failedJobsHistoryLimit", spec.failed_jobs_history_limit, "The failed Jobs to retain.").minimum(0);
}

void describe(kube::Description& d, CronJobStatus& status) {
  d.document("CronJobStatus is the observed state of CronJob.");
  d.field("active", status.active, "The names of the Jobs that run.");
  d.field("lastScheduleTime", status.last_schedule_time, "When a Job was last scheduled.");
  d.field("observedGeneration", status.observed_generation, "The generation of the spec that this status is about.");
  controller::describe_conditions<CronJob>(d, status.conditions);
}

void CronJob::describe_kind(kube::Kind& kind) {
  kind.description = "CronJob is the Schema for the cronjobs API.";
  kind.columns = {{"Schedule", "string", ".spec.schedule"},
                  {"Last-Schedule", "date", ".status.lastScheduleTime"},
                  {"Age", "date", ".metadata.creationTimestamp"}};
  kind.sample = R"(apiVersion: batch.tutorial.kubebuilder.io/v1
kind: CronJob
metadata:
  name: cronjob-sample
spec:
  schedule: "*/1 * * * *"
  startingDeadlineSeconds: 60
  jobTemplate:
    spec:
      template:
        spec:
          containers:
          - name: hello
            image: busybox
            args: ["/bin/sh", "-c", "date; echo Hello from the Kubernetes cluster"]
          restartPolicy: OnFailure
)";
}

}  // namespace cronjob
