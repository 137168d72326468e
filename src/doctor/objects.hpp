// Objects of the operator's kinds, and objects that have the names of their children.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <set>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/detail/doctor/findings.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/schema/identity.hpp"
#include "src/doctor/installation.hpp"

namespace keelson::doctor {

// Adds to `known` what was examined: each object, as object_subject() names it, and each kind of which all objects were
// examined, as "memcacheds.cache.example.com".
[[nodiscard]] boost::asio::awaitable<void> examine_objects(Reader& reader, const Installation& installation,
                                                           std::set<std::string>& known, Findings& findings);

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

}  // namespace keelson::doctor
