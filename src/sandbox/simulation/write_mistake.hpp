// Which rejected writes are mistakes of the operator's author, and how a test reports them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/kube/client.hpp"
#include "src/sandbox/served_kind.hpp"

namespace keelson::sandbox {

// "apply Deployment default/web", "create Job default/web-1", "patch Lamp default/desk/status"
[[nodiscard]] std::string described(const kube::ApiRequest& request);

// Whether the server's words are about a field that does not exist.
[[nodiscard]] bool is_about_unknown_field(std::string_view words);

// The words, and for each unknown field the one that was probably meant. `kind`: null if nothing is known of its
// fields.
[[nodiscard]] std::string with_nearest_fields(std::string words, const ServedKind* kind);

// The server's words without the object that they quote, if the write was rejected because the object has a field that
// does not exist or a value of the wrong type. Other rejections depend on what users write, and a controller handles
// them.
[[nodiscard]] std::optional<std::string> words_about_fields(const Error& error);

}  // namespace keelson::sandbox
