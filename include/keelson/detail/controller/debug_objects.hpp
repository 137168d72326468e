// /debug/objects: what a manager knows about an object and its last reconciles, as text or JSON.
//
// `?kind=memcached&namespace=default&name=web` describes an object: its conditions, its place in the queue, the last
// reconciles, and the answer of explain_policy.hpp to the question why it is in its state. The kind may be the kind or
// its plural, in any case, with or without its group. Without a name the last results of objects are listed, at most
// limits::kListedObjects; `continue` gets the next ones. A part may have fewer of them, even none, because a request
// visits a limited number of recorded objects. A client that accepts application/json gets JSON.
//
// | parameter of a list | objects |
// |---|---|
// | none | that exist; deleted ones are only counted |
// | `result=error` | whose last reconcile failed: an error, a terminal error, a panic or a timeout |
// | `result=` another result, such as `success`, `requeue`, `terminal`, `panic`, `gone` | whose last reconcile ended so
// | | `since=10m` or `since=2026-01-02T15:04:05Z` | whose last reconcile began within this time, or after it |
//
// It has no value of a field except conditions, and no value of a Secret. Serve it to authorized clients only.
#pragma once

#include <cstddef>

#include "keelson/detail/controller/controller_runtime.hpp"
#include "keelson/net/http.hpp"

namespace keelson::limits {

// Objects in a page of /debug/objects.
inline constexpr std::size_t kListedObjects = 100;

}  // namespace keelson::limits

namespace keelson::controller {

inline constexpr std::string_view kDebugObjectsPath = "/debug/objects";

// 400 (also for a parameter that does not exist), 404 and 405 have a text that says what to change. A kind without a
// controller is an answer with status 200. It does not wait. A list takes the same time whatever the number of recorded
// objects is.
[[nodiscard]] net::Response debug_objects(ControllerRuntime& runtime, const net::Request& request);

}  // namespace keelson::controller
