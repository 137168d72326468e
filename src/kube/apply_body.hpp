// Changes the body of a server-side apply to one of the three forms.
#pragma once

#include <string>
#include <string_view>

#include "keelson/kube/client.hpp"

namespace keelson::kube {

// Throws base::Misuse if `body` is not a JSON object, or has no metadata.uid for kUpdate. kForce is not checked.
[[nodiscard]] std::string apply_body(ApplyForm form, std::string body);

}  // namespace keelson::kube
