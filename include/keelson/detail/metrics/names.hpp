// Names, help texts and buckets of controller-runtime's series. The keelson_* series of room R are in
// src/R/*_metrics.cpp.
//
// Except for kWebhookDecisionsTotal, every byte is controller-runtime's or client-go's, because dashboards, alerts and
// joins by `le` depend on it: do not correct the English of the help texts. Each group has a comment with its labels; a
// label "controller" has the controller's name. Other metrics of our own start with "keelson_".
//
// The metrics of room R are registered in src/R/*_metrics.cpp. A class with one or two series registers them itself:
// leader/elector.cpp, lifecycle/loop_lag.cpp, kinds/cronjob/cronjob_runs.cpp.
#pragma once

#include <vector>

namespace keelson::metrics {

// The arguments of Registry::counter, gauge or histogram.
struct Series {
  const char* name;  // a counter ends with _total, a histogram with its unit
  const char* help;  // as Prometheus shows it
};

// The reconciles of a controller. Labels {controller}; kReconcileTotal also has {result}: success, error, requeue,
// requeue_after.
inline constexpr Series kReconcileTotal{"controller_runtime_reconcile_total",
                                        "Total number of reconciliations per controller"};
inline constexpr Series kReconcileErrorsTotal{"controller_runtime_reconcile_errors_total",
                                              "Total number of reconciliation errors per controller"};
// Errors that are not retried (terminal_error); kReconcileErrorsTotal counts them too.
inline constexpr Series kTerminalReconcileErrorsTotal{"controller_runtime_terminal_reconcile_errors_total",
                                                      "Total number of terminal reconciliation errors per controller"};
// Exceptions of the author's code, which are retried as errors.
inline constexpr Series kReconcilePanicsTotal{"controller_runtime_reconcile_panics_total",
                                              "Total number of reconciliation panics per controller"};
inline constexpr Series kReconcileTimeoutsTotal{"controller_runtime_reconcile_timeouts_total",
                                                "Total number of reconciliation timeouts per controller"};
inline constexpr Series kReconcileTimeSeconds{"controller_runtime_reconcile_time_seconds",
                                              "Length of time per reconciliation per controller"};
inline constexpr Series kMaxConcurrentReconciles{"controller_runtime_max_concurrent_reconciles",
                                                 "Maximum number of concurrent reconciles per controller"};
// If it stays at kMaxConcurrentReconciles, keys wait: raise the number of workers.
inline constexpr Series kActiveWorkers{"controller_runtime_active_workers",
                                       "Number of currently used workers per controller"};

// The work queue of a controller (queue/work_queue.hpp). Labels {name, controller}, both with the controller's name;
// kWorkqueueDepth also has {priority}, for at most 25 priorities.
inline constexpr Series kWorkqueueDepth{"workqueue_depth", "Current depth of workqueue by workqueue and priority"};
inline constexpr Series kWorkqueueAddsTotal{"workqueue_adds_total", "Total number of adds handled by workqueue"};
inline constexpr Series kWorkqueueQueueDurationSeconds{
    "workqueue_queue_duration_seconds", "How long in seconds an item stays in workqueue before being requested"};
inline constexpr Series kWorkqueueWorkDurationSeconds{"workqueue_work_duration_seconds",
                                                      "How long in seconds processing an item from workqueue takes."};
// Both are computed at each scrape. A value that grows from scrape to scrape is a reconcile that does not end.
inline constexpr Series kWorkqueueUnfinishedWorkSeconds{
    "workqueue_unfinished_work_seconds",
    "How many seconds of work has been done that is in progress and hasn't been observed by work_duration. Large "
    "values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at which this "
    "increases."};
inline constexpr Series kWorkqueueLongestRunningProcessorSeconds{
    "workqueue_longest_running_processor_seconds",
    "How many seconds has the longest running processor for workqueue been running."};
inline constexpr Series kWorkqueueRetriesTotal{
    "workqueue_retries_total",
    "Total number of items added to the workqueue with a non-zero delay (rate-limited requeues, explicit RequeueAfter "
    "or AddAfter calls)"};

// Requests to the API server, counted by kube's client. Labels {code, method, host}; code is "<error>" if there was no
// response.
inline constexpr Series kRestClientRequestsTotal{
    "rest_client_requests_total", "Number of HTTP requests, partitioned by status code, method, and host."};
// From the start of a try to its response, for streams to its headers. Labels {verb, host}; the verb is the HTTP
// method, as in client-go. controller-runtime does not export it.
inline constexpr Series kRestClientRequestDurationSeconds{"rest_client_request_duration_seconds",
                                                          "Request latency in seconds. Broken down by verb and host."};

// Labels {name}, the name of the Lease; exported only with leader election. client-go defines the second series, but
// controller-runtime does not export it.
inline constexpr Series kLeaderElectionMasterStatus{
    "leader_election_master_status",
    "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' "
    "is the string used to identify the lease. Please make sure to group by name."};
inline constexpr Series kLeaderElectionSlowpathTotal{
    "leader_election_slowpath_total",
    "Total number of slow path exercised in renewing leader leases. 'name' is the string used to identify the lease. "
    "Please make sure to group by name."};

// Labels {webhook}, the path of the webhook; kWebhookRequestsTotal also has {code}, the HTTP status.
inline constexpr Series kWebhookLatencySeconds{"controller_runtime_webhook_latency_seconds",
                                               "Histogram of the latency of processing admission requests"};
inline constexpr Series kWebhookRequestsTotal{"controller_runtime_webhook_requests_total",
                                              "Total number of admission requests by HTTP status code."};
// Rises while reviews wait for memory (net/work_memory.hpp).
inline constexpr Series kWebhookRequestsInFlight{"controller_runtime_webhook_requests_in_flight",
                                                 "Current number of admission requests being served."};
// Without labels; exported from the start.
inline constexpr Series kWebhookPanicsTotal{"controller_runtime_webhook_panics_total",
                                            "Total number of webhook panics"};
inline constexpr Series kConversionWebhookPanicsTotal{"controller_runtime_conversion_webhook_panics_total",
                                                      "Total number of conversion webhook panics"};
// Reads of serving certificates: of the files of --metrics-cert-path and --webhook-cert-path, or of the Secret with a
// self-signed one.
inline constexpr Series kCertificateReadsTotal{"certwatcher_read_certificate_total",
                                               "Total number of certificate reads"};
inline constexpr Series kCertificateReadErrorsTotal{"certwatcher_read_certificate_errors_total",
                                                    "Total number of certificate read errors"};
// Not in controller-runtime: the HTTP status is 200 whatever the decision is, so this counts the decisions. Labels
// {webhook, operation, allowed, code}, with the code inside of the response.
inline constexpr Series kWebhookDecisionsTotal{"controller_runtime_webhook_admission_decisions_total",
                                               "Total number of admission decisions by what was answered."};

// For kReconcileTimeSeconds: 40 bounds from 5 ms to 1 min.
[[nodiscard]] std::vector<double> reconcile_seconds_buckets();
// For kWorkqueue*DurationSeconds and kWebhookLatencySeconds: 12 bounds from 10 ns to 1000 s.
[[nodiscard]] std::vector<double> workqueue_seconds_buckets();
// For kRestClientRequestDurationSeconds: 12 bounds from 5 ms to 1 min.
[[nodiscard]] std::vector<double> request_seconds_buckets();

}  // namespace keelson::metrics
