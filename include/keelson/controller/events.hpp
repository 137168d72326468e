// Kubernetes Events (events.k8s.io/v1) about objects: what a user sees under `kubectl describe`.
//
// Recording never fails and never waits: events go through one bounded queue, repeated ones become a series,
// a flood about one object is cut (client-go: burst 25, then one in 300 s).
#pragma once

#include <string>

#include "keelson/kube/object.hpp"
#include "keelson/kube/resource.hpp"

namespace keelson::controller {

class EventRecorder {
 public:
  enum class Type { kNormal, kWarning };
  virtual ~EventRecorder() = default;
  // `reason` and `action` are CamelCase words, `note` is a sentence (cut at 1024 bytes, the API's limit).
  virtual void record(const kube::Resource& resource, const kube::Object& regarding, Type type, std::string reason,
                      std::string action, std::string note) = 0;
};

}  // namespace keelson::controller
