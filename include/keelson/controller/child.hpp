// Keeping a child object as its owner wants it, with the fewest writes that will do and never touching a stranger's.
//
// The author says what is wanted, the cache says what is there, and one call does the rest: nothing when all that is
// wanted holds and nothing that was once wanted is left over, otherwise one server-side apply. What others add
// (defaults, sidecars, their labels) stays.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/kube/resource.hpp"

namespace keelson::controller {

// Annotation with a hash of the whole desired object, so that a field that is no longer desired is noticed (a removed
// env entry). This is its name in the operator `keelson`; in another one it is
// OperatorName::annotation("applied-hash").
//
// A child of another operator with this annotation was written by a version of it that did not have its name yet. Its
// fields are taken over once: applied by the operator's own name, then released by `keelson`, which removes those that
// are not desired and this annotation. As long as the annotation is there, the next pass repeats the second step.
inline constexpr const char* kAppliedHash = "keelson.dev/applied-hash";

struct Child {
  enum class Outcome {
    kUnchanged,  // as wanted, or being deleted: nothing was sent
    kCreated,
    kUpdated,
    // Of create_child only: the name belongs to an object that our owner does not control. Nothing was sent.
    kForeign,
    // The same, but that object is on its way out: it is being deleted, or its controller is an earlier life of our
    // owner, so that garbage collection takes it. Its deletion is an event; nothing was sent and nothing is wrong.
    kWaiting,
  };
  Outcome outcome = Outcome::kUnchanged;
  std::optional<kube::Object> object;  // as it is now

  [[nodiscard]] bool was_written() const { return outcome == Outcome::kCreated || outcome == Outcome::kUpdated; }
};

// The error of keep_child when the name belongs to an object that our owner does not control. Nothing was sent.
[[nodiscard]] bool is_not_owned(const Error& error);

using MayUpdate = std::function<boost::asio::awaitable<Result<bool>>()>;

// `wanted` is the whole object as JSON with apiVersion, kind, metadata.name (and namespace), without ownerReferences.
// `current` is what the cache has under that name. When the cache was stale the server refuses (409, 422) and nothing
// has been touched: return the error, so that the key is tried again.
// kInvalid when `current` was projected and the projection lacks a path that is wanted, and when the name belongs to an
// object of another owner or of none (is_not_owned): a caller that only passes errors on does not take it for success.
// `may_update` is asked before what is there is changed. False: it stays as it is, kUnchanged.
[[nodiscard]] boost::asio::awaitable<Result<Child>> keep_child(kube::Client& client, kube::Resource resource,
                                                               kube::Resource owner_resource, kube::Object owner,
                                                               std::string wanted, std::optional<kube::Object> current,
                                                               MayUpdate may_update = {});

// `wanted` is what was last made of `child`, whatever somebody has changed in it since.
[[nodiscard]] bool was_applied(const kube::Object& child, std::string_view wanted,
                               const kube::OperatorName& name = kube::OperatorName());

// For a child that is made once and never changed: `body` is the whole of it, owner references included. kUnchanged: it
// is there already and ours, made before an answer was lost or before the cache knew of it. Never touches what is
// there.
[[nodiscard]] boost::asio::awaitable<Result<Child>> create_child(kube::Client& client, kube::Resource resource,
                                                                 kube::Resource owner_resource, kube::Object owner,
                                                                 kube::Key key, std::string body);

// All that is wanted holds in `actual`. Lists of objects with a key (containers, env, volumes, ports …) are matched by
// it and may have more entries, other lists are equal entry by entry, and so are atomic maps (selectors). Empty texts,
// lists and objects may be absent. false and 0 may only where Kubernetes' Go types leave them out (hostNetwork): for
// others, and in kinds of your own, wish for them only when the server stores them. Quantities are compared by value.
[[nodiscard]] bool covers(json::View actual, json::View wanted);

}  // namespace keelson::controller
