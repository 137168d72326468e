// The body of a server-side apply, made to say which of the three forms it is.
#pragma once

#include <string>
#include <string_view>

#include "keelson/kube/client.hpp"

namespace keelson::kube {

// `body` is ours: a JSON object, and for kUpdate with metadata.uid; anything else is asserted.
[[nodiscard]] std::string apply_body(ApplyForm form, std::string body);

}  // namespace keelson::kube
