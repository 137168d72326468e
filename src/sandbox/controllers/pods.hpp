// Pods as controllers make and count them: from a template, ready, available, done.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "src/sandbox/controllers/operations.hpp"

namespace keelson::sandbox {

// When a controller has to look at the object again although nothing changes.
using Again = std::optional<async::TimePoint>;

// Labels, annotations and spec of the template, status.phase Pending; without a name.
[[nodiscard]] Tree pod_of(const Tree* pod_template, const kube::Resource& resource, const kube::Object& owner);
// Creates it as "PREFIX-xxxxx".
void create_named(Operations& operations, const kube::Resource& resource, const kube::Object& owner,
                  const std::string& prefix, Tree pod);
void remove_owned(Operations& operations, const kube::Resource& resource, const kube::Object& owner,
                  const kube::Key& pod);

[[nodiscard]] bool is_ready(const Tree& pod);
// Its phase is Succeeded or Failed.
[[nodiscard]] bool is_done(const Tree& pod);
// How long until it has been ready for minReadySeconds: zero if it has, nothing if it is not ready.
[[nodiscard]] std::optional<async::Duration> until_available(const World& world, const Tree& pod,
                                                             std::int64_t min_ready_seconds);
// The earlier of the two.
[[nodiscard]] Again earlier(Again one, Again other);

// FNV-1a of the text, in the letters that Kubernetes writes hashes with.
[[nodiscard]] std::string hash_of(std::string_view text);

}  // namespace keelson::sandbox
