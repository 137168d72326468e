#include "test/sim/cronjob_ledger.hpp"

#include <algorithm>

#include "keelson/json/value.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::testing {
using namespace std::chrono_literals;
using std::chrono::sys_seconds;

namespace {

// The maximum time from when a manager can act to when it has acted: watches, retries, other keys in the queue.
constexpr auto kMargin = 60s;
// The time from a decision to the arrival of its write at the server.
constexpr auto kTravel = 1s;

bool is_finished(const kube::Object& job) {
  if (job.json().find("\"conditions\":[") == std::string_view::npos) return false;  // true for most Jobs
  auto document = json::Document::parse(job.json());
  if (!document) return false;
  for (auto condition : document->root().at({"status", "conditions"}).items()) {
    auto type = condition.find("type").string();
    if ((type == "Complete" || type == "Failed") && condition.find("status").string() == "True") return true;
  }
  return false;
}

std::string at(async::WallTime time) { return kube::format_time(time); }

}  // namespace

void CronJobLedger::hear(const kube::Resource& resource, const std::optional<kube::Object>& before,
                         const std::optional<kube::Object>& after) {
  if (resource != kube::jobs()) return;
  const auto& job = after ? *after : *before;
  if (!before) {
    auto owner = job.controller_owner();
    auto dash = job.name().rfind('-');
    if (!owner || dash == std::string_view::npos) return;
    auto slot = sys_seconds(std::chrono::seconds(std::stoll(std::string(job.name().substr(dash + 1)))));
    auto& runs = all_[std::string(owner->name)][slot];
    runs.reserve(8);  // by_uid_ points into it
    runs.push_back({std::string(job.uid()), clock_.wall_now(), std::nullopt});
    by_uid_[runs.back().uid] = &runs.back();
    ++runs_;
    return;
  }
  auto found = by_uid_.find(std::string(job.uid()));
  if (found == by_uid_.end() || (after && !is_finished(*after))) return;
  found->second->ended = clock_.wall_now();
  by_uid_.erase(found);
}

void CronJobLedger::manager_is(bool up) { up_.emplace_back(clock_.wall_now(), up); }

std::vector<std::string> CronJobLedger::faults(async::WallTime end) const {
  std::vector<std::string> faults;
  required_ = 0;
  for (const auto& cronjob : cronjobs_) judge(cronjob, end, faults);
  return faults;
}

// The time from which the manager has been up for the margin.
async::WallTime CronJobLedger::when_up(async::WallTime from) const {
  auto time = from;
  bool is_up = false;
  for (const auto& [when, up] : up_) {
    if (when >= time + kMargin && is_up) break;
    if (up && !is_up) time = std::max(from, when);
    is_up = up;
  }
  return is_up ? time : async::WallTime::max() - 1h;
}

// The time from which a run could start that must not overlap with others.
async::WallTime CronJobLedger::when_free(const SimulatedCronJob& cronjob, const Runs& runs,
                                         async::WallTime from) const {
  auto time = when_up(from);
  if (cronjob.policy != "Forbid") return time;
  for (bool is_free = false; !is_free;) {
    is_free = true;
    for (const auto& [slot, of_slot] : runs) {
      for (const auto& run : of_slot) {
        if (slot >= from || run.created > time + kMargin || (run.ended && *run.ended <= time)) continue;
        if (!run.ended) return async::WallTime::max() - 1h;
        time = when_up(*run.ended);
        is_free = false;
      }
    }
  }
  return time;
}

void CronJobLedger::judge(const SimulatedCronJob& cronjob, async::WallTime end,
                          std::vector<std::string>& faults) const {
  auto say = [&](const std::string& what) { faults.push_back(cronjob.name + " (" + cronjob.schedule + "): " + what); };
  auto schedule = cron::Schedule::parse(cronjob.schedule, *cron::Zone::find(cronjob.zone));
  auto found = all_.find(cronjob.name);
  static const Runs kNone;
  const auto& runs = found == all_.end() ? kNone : found->second;
  std::size_t slots_with_runs = 0;
  auto slot = schedule->next(cronjob.created);
  for (; slot && *slot < end; slot = schedule->next(*slot)) {
    auto ran = runs.find(*slot);
    if (ran != runs.end()) {
      ++slots_with_runs;
      if (ran->second.size() > 1) {
        say("the slot " + at(*slot) + " ran " + std::to_string(ran->second.size()) + " times");
      }
      for (const auto& run : ran->second) decide_run(cronjob, runs, *slot, run, faults);
      continue;
    }
    if (cronjob.suspended) continue;
    auto next = schedule->next(*slot);
    auto by = when_free(cronjob, runs, *slot) + kMargin;
    bool is_superseded = next && *next <= by;
    bool is_too_late = cronjob.deadline && *slot + std::chrono::seconds(*cronjob.deadline) <= by;
    if (!is_superseded && !is_too_late && by < end) say("the slot " + at(*slot) + " did not run by " + at(by));
  }
  required_ += slots_with_runs;
  if (slots_with_runs != runs.size()) say("Jobs of what is no slot");
  if (cronjob.suspended && !runs.empty()) say("it is suspended and ran");
}

void CronJobLedger::decide_run(const SimulatedCronJob& cronjob, const Runs& runs, sys_seconds slot,
                               const SimulatedRun& run, std::vector<std::string>& faults) const {
  auto say = [&](const std::string& what) {
    faults.push_back(cronjob.name + " (" + cronjob.schedule + "): the slot " + at(slot) + " " + what);
  };
  if (run.created < slot) say("ran early, at " + at(run.created));
  if (cronjob.deadline && run.created > slot + std::chrono::seconds(*cronjob.deadline) + kTravel) {
    say("ran after its deadline, at " + at(run.created));
  }
  if (cronjob.policy == "Allow") return;
  for (const auto& [other_slot, others] : runs) {
    if (other_slot == slot) continue;
    for (const auto& other : others) {
      if (other.is_active_at(run.created) && other.created < run.created) say("began while " + at(other_slot) + " ran");
    }
  }
}

}  // namespace keelson::testing
