// An object as /debug/objects shows it: what its controller knows, as JSON and as text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/controller/explain_policy.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/schema/condition.hpp"
#include "src/controller/controller.hpp"

namespace keelson::controller {

struct ObjectView {
  const RunningController& controller;
  const ReconcileHistory* history;  // null: off
  kube::Key key;
  std::optional<kube::Object> object;
  std::optional<std::int64_t> observed_generation = {};
  std::vector<kube::Condition> conditions = {};
  queue::KeyState queue = {};
  std::vector<std::string> queued_reasons = {};
  std::vector<ReconcileRecord> records = {};  // the newest first
  ExplainFacts facts = {};
};

[[nodiscard]] ObjectView view_of(const RunningController& controller, const ReconcileHistory* history,
                                 const kube::Key& key);
void write_json(json::Writer& writer, const ObjectView& view);
void write_json(json::Writer& writer, const Explanation& explanation);
[[nodiscard]] std::string view_text(const ObjectView& view);

// "2026-01-02T15:04:05Z"
[[nodiscard]] std::string time_text(async::WallTime time);
[[nodiscard]] std::optional<ReconcileHistory::ControllerId> history_id(const RunningController& controller);

}  // namespace keelson::controller
