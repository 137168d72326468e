// Kubernetes Events (events.k8s.io/v1) about objects: what a user sees under `kubectl describe`.
//
// Recording never fails and never waits: events go through one bounded queue, repeated ones become a series,
// a flood about one object is cut (client-go: burst 25, then one in 300 s; warnings are counted apart).
#pragma once

#include <string>
#include <utility>

#include "keelson/kube/object.hpp"
#include "keelson/kube/resource.hpp"

namespace keelson::controller {

// The second object of an event: a child that was made, or deleted.
struct RelatedObject {
  std::string api_version;
  std::string kind;
  std::string ns;
  std::string name;
  std::string uid;
};

class EventRecorder {
 public:
  enum class Type { kNormal, kWarning };
  virtual ~EventRecorder() = default;
  // `reason` and `action` are CamelCase words, `note` is a sentence (cut at 1024 bytes, the API's limit).
  virtual void record(const kube::Resource& resource, const kube::Object& regarding, Type type, std::string reason,
                      std::string action, std::string note) = 0;
  // The same of an event that has to do with a second object: a series of its own for each of those.
  virtual void record_related(const kube::Resource& resource, const kube::Object& regarding,
                              const RelatedObject& related, Type type, std::string reason, std::string action,
                              std::string note) {
    static_cast<void>(related);
    record(resource, regarding, type, std::move(reason), std::move(action), std::move(note));
  }
};

}  // namespace keelson::controller
