// Creates pods from a template as controllers do, and classifies them: ready, available, finished.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "src/sandbox/controllers/operations.hpp"

namespace keelson::sandbox {

// The delay after which a controller must sync the object again even without a change.
using Again = std::optional<async::TimePoint>;

// A pod with labels, annotations and spec of the template, and status.phase Pending; without a name.
[[nodiscard]] Tree pod_of(const Tree* pod_template, const kube::Resource& resource, const kube::Object& owner);
// Creates the pod with the name "PREFIX-xxxxx".
void create_named(Operations& operations, const kube::Resource& resource, const kube::Object& owner,
                  const std::string& prefix, Tree pod);
void remove_owned(Operations& operations, const kube::Resource& resource, const kube::Object& owner,
                  const kube::Key& pod);

[[nodiscard]] bool is_ready(const Tree& pod);
// Whether the pod's phase is Succeeded or Failed.
[[nodiscard]] bool is_done(const Tree& pod);
// The time until the pod has been ready for minReadySeconds: zero if it has, nullopt if it is not ready.
[[nodiscard]] std::optional<async::Duration> until_available(const World& world, const Tree& pod,
                                                             std::int64_t min_ready_seconds);
// The earlier one.
[[nodiscard]] Again earlier(Again one, Again other);

// The FNV-1a hash of the text, with the letters that Kubernetes uses for hashes.
[[nodiscard]] std::string hash_of(std::string_view text);

}  // namespace keelson::sandbox
