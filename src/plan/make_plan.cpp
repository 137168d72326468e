#include "src/plan/make_plan.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "keelson/sandbox/simulated_cluster.hpp"

namespace keelson::plan {

namespace {

// Writes of a plan: a controller that writes more in the few minutes of a plan never settles.
constexpr std::size_t kPlanWrites = 100'000;

sandbox::ClusterOptions cluster_options(LiveCopy& copy, const kube::OperatorName& name) {
  sandbox::ClusterOptions options;
  options.operator_name = name;
  options.server.journal = &copy;
  options.tolerates_problems = true;
  options.has_webhooks = false;  // docs/plan.md: admission webhooks are not called
  // A simulated end of a Job would look like an effect of the new version.
  options.server.job_shortest = options.server.job_longest = std::chrono::hours(24 * 365);
  return options;
}

bool is_event(const kube::Resource& resource) { return resource == kube::events() || resource == kube::core_events(); }

// A line's fields, `key=json key=json`, without one whose value is a text.
std::string without_field(std::string fields, std::string_view name) {
  const auto start = fields.find(std::string(name) + "=\"");
  if (start == std::string::npos) return fields;
  auto end = start + name.size() + 2;
  while (end < fields.size() && fields[end] != '"') end += fields[end] == '\\' ? 2 : 1;
  fields.erase(start, std::min(end + 2, fields.size()) - start);
  return fields;
}

// Without what differs between two attempts that fail alike.
std::string lasting_fields(const std::string& fields) {
  auto lasting = without_field(without_field(fields, "reconcileID"), "reason");
  while (lasting.ends_with(' ')) lasting.pop_back();
  return lasting;
}

class Run {
 public:
  Run(LiveCopy& copy, PlanInput input)
      : cluster_(std::move(input.controllers), cluster_options(copy, input.operator_name)) {
    cluster_.environment = std::move(input.environment);
    cluster_.flags = std::move(input.flags);
    cluster_.loop.clock().set_wall(input.now);
    cluster_.http.fail_others("a plan sends no requests to other servers (docs/plan.md)");
  }

  Result<Plan> run() {
    auto resumed = cluster_.server.resume();
    if (!resumed) return std::move(resumed.error()).with_context("copy the cluster's objects");
    cluster_.server.after_write([this](const kube::Resource& resource, const auto& before, const auto& after) {
      hear(resource, before, after);
    });
    auto started = cluster_.start_manager();
    if (!started) return std::move(started.error()).with_context("start the controllers");
    settle();
    collect_errors();
    for (const auto& problem : cluster_.problems()) plan_.warnings.push_back(problem.text);
    return std::move(plan_);
  }

 private:
  void hear(const kube::Resource& resource, const std::optional<kube::Object>& before,
            const std::optional<kube::Object>& after) {
    last_change_ = cluster_.loop.clock().now();
    lines_before_last_change_ = cluster_.sink.entries().size();
    const auto* request = cluster_.server.current_request();
    if (request == nullptr || plan_.writes.size() + plan_.events.size() >= kPlanWrites) return;
    (is_event(resource) ? plan_.events : plan_.writes).push_back(planned_write(*request, resource, before, after));
  }

  void settle() {
    auto& clock = cluster_.loop.clock();
    last_change_ = clock.now();
    const auto end = clock.now() + kLongest;
    while (clock.now() < end && clock.now() - last_change_ < kQuiet) cluster_.pass(std::chrono::seconds(1));
    plan_.has_settled = clock.now() - last_change_ >= kQuiet && plan_.writes.size() < kPlanWrites;
  }

  void collect_errors() {
    std::set<std::string> known;
    const auto& entries = cluster_.sink.entries();
    for (std::size_t i = lines_before_last_change_; i < entries.size(); ++i) {
      if (entries[i].level != LogSink::Level::kError) continue;
      auto text = entries[i].message + ": " + entries[i].error + " " + lasting_fields(entries[i].fields);
      if (known.insert(text).second) plan_.errors.push_back(std::move(text));
    }
  }

  sandbox::SimulatedCluster cluster_;
  Plan plan_;
  async::TimePoint last_change_;
  std::size_t lines_before_last_change_ = 0;
};

}  // namespace

Result<Plan> make_plan(LiveCopy& copy, PlanInput input) { return Run(copy, std::move(input)).run(); }

}  // namespace keelson::plan
