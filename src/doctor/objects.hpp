// Objects of the operator's kinds, and other writers of their children.
#pragma once

#include "keelson/async/clock.hpp"
#include "keelson/doctor/findings.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/operator_name.hpp"
#include "keelson/schema/resource.hpp"
#include "src/doctor/reader.hpp"

namespace keelson::doctor {

// "memcacheds.cache.example.com/a/web"
[[nodiscard]] std::string object_subject(const kube::Resource& resource, json::View object);

// Objects that are paused, stalled, in conflict, not reconciled, or that cannot be deleted. `now` is the API server's.
void check_objects(const kube::Resource& resource, json::View list, const kube::OperatorName& name, async::WallTime now,
                   Findings& findings);

// An object that has the name of a child and is not owned, as the condition of the owner names it.
struct NotOwnedChild {
  std::string owner;        // "memcacheds.cache.example.com/a/web"
  std::string message;      // of the condition
  kube::Resource resource;  // of `children`
  kube::Key key;            // without a name if the kind is not one of `children`
};
[[nodiscard]] std::vector<NotOwnedChild> not_owned_children(const kube::Resource& resource, json::View list,
                                                            const std::vector<kube::Resource>& children);
// Names the controller of `object`, or its writers.
void check_not_owned(const NotOwnedChild& child, const Reading& object, Findings& findings);

// The children among the objects of a list (whose controller is of a kind of this operator), and the fields that this
// operator and another field manager own together.
void check_writers(const kube::Resource& resource, json::View list, const std::vector<kube::Resource>& owners,
                   const kube::OperatorName& name, Findings& findings);

}  // namespace keelson::doctor
