// Kubernetes Events (events.k8s.io/v1) about objects, which `kubectl describe` shows.
//
// Inside a reconcile function use Pass::event and Pass::warning; this interface is for other code of an operator.
//
// Recording never fails and never waits. Events go through a queue of limits::kQueuedEvents, and further ones are
// dropped. Repeated Events become a series with a count. A flood of different Events about one object is cut as in
// client-go: 25 at once, then 1 per 300 s; warnings have a budget of their own. Dropped Events are logged at debug
// level.
#pragma once

#include <string>
#include <utility>

#include "keelson/detail/schema/resource.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::controller {

// The second object of an Event (`related` in the API), such as a child that was created or deleted.
struct RelatedObject {
  std::string api_version;  // "batch/v1"
  std::string kind;
  std::string ns;  // empty: cluster-scoped
  std::string name;
  std::string uid;
};

class EventRecorder {
 public:
  enum class Type { kNormal, kWarning };
  virtual ~EventRecorder() = default;
  // `regarding` is the object under which `kubectl describe` shows the Event, and `resource` its kind. `reason` and
  // `action` are CamelCase words, and `note` is a sentence (cut at 1024 bytes, the API's limit). Events that differ
  // only in their note belong to one series, which shows the note of the first one.
  virtual void record(const kube::Resource& resource, const kube::Object& regarding, Type type, std::string reason,
                      std::string action, std::string note) = 0;
  // The same for an Event with a second object. Each second object has a series of its own.
  virtual void record_related(const kube::Resource& resource, const kube::Object& regarding,
                              const RelatedObject& related, Type type, std::string reason, std::string action,
                              std::string note) {
    static_cast<void>(related);
    record(resource, regarding, type, std::move(reason), std::move(action), std::move(note));
  }
};

}  // namespace keelson::controller
