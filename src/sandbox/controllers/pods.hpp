// What controllers ask of pods: whether they are ready or finished.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "src/sandbox/controllers/operations.hpp"

namespace keelson::sandbox {

// The delay after which a controller must sync the object again even without a change.
using Again = std::optional<async::TimePoint>;

[[nodiscard]] bool is_ready(const Tree& pod);
// Whether the pod's phase is Succeeded or Failed.
[[nodiscard]] bool is_done(const Tree& pod);
// The earlier one.
[[nodiscard]] Again earlier(Again one, Again other);

// The FNV-1a hash of the text, with the letters that Kubernetes uses for hashes.
[[nodiscard]] std::string hash_of(std::string_view text);

}  // namespace keelson::sandbox
