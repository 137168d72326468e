#include "src/install/deletion_policy.hpp"

#include <algorithm>
#include <utility>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/pause.hpp"
#include "keelson/json/value.hpp"

namespace keelson::install {

ObjectState state_of(const kube::Object& object, const std::vector<std::string>& finalizers,
                     const kube::OperatorName& name, async::WallTime now) {
  ObjectState state;
  state.is_deleting = object.deleting();
  state.is_paused = controller::pause_of(object, name, now).has_value();
  const auto document = json::Document::parse(object.json());
  if (!document) return state;
  for (const auto item : document->root().at({"metadata", "finalizers"}).items()) {
    std::string finalizer(item.string().value_or(""));
    const bool is_own = std::ranges::find(finalizers, finalizer) != finalizers.end();
    (is_own ? state.own : state.others).push_back(std::move(finalizer));
  }
  return state;
}

std::string reason_of(const ObjectState& state) {
  if (!state.is_deleting) return "was not deleted, or created again";
  std::vector<std::string> reasons;
  if (!state.own.empty()) {
    reasons.push_back("has the finalizer " + base::join(state.own, ", ") + ", which the manager has not removed" +
                      (state.is_paused ? ": the object is paused, remove the annotation" : ""));
  }
  for (const auto& finalizer : state.others) {
    reasons.push_back(finalizer == "foregroundDeletion" ? "waits until the garbage collector has deleted its children"
                                                        : "has the finalizer " + finalizer + " of another controller");
  }
  if (reasons.empty()) return "is being deleted";
  return base::join(reasons, "; ");
}

void Tally::add(const kube::Object& object, const ObjectState& state) {
  ++objects;
  if (!state.own.empty()) ++with_own_finalizer;
  if (object.ns().empty() || object.ns() == last_ns_) return;
  ++namespaces;
  last_ns_ = object.ns();
}

std::string count_of_objects(std::size_t count) { return count == 1 ? "1 object" : std::to_string(count) + " objects"; }

std::string describe(const Tally& tally) {
  if (tally.objects == 0) return "no objects";
  auto text = count_of_objects(tally.objects);
  if (tally.namespaces > 0) {
    text += " in " + std::to_string(tally.namespaces) + (tally.namespaces == 1 ? " namespace" : " namespaces");
  }
  return text;
}

bool Progress::update(std::size_t remaining, async::TimePoint now) {
  if (remaining < lowest_) {
    lowest_ = remaining;
    since_ = now;
  }
  return std::exchange(last_, remaining) != remaining;
}

}  // namespace keelson::install
