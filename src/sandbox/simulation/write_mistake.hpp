// Decides which rejected requests are mistakes of the operator's author, and formats them for the test.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/kube/client.hpp"
#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

// "apply Deployment default/web", "create Job default/web-1", "patch Lamp default/desk/status"
[[nodiscard]] std::string described(const kube::ApiRequest& request);

// Whether the server's text is about a field that does not exist.
[[nodiscard]] bool is_about_unknown_field(std::string_view words);

// The text, followed by the field that was probably meant for each unknown one. `kind` is null if its fields are not
// known.
[[nodiscard]] std::string with_nearest_fields(std::string words, const ServedKind* kind);

// The server's text without the quoted object, if the object has an unknown field or a value of the wrong type; else
// nullopt. Other rejections depend on the input of users, and a controller handles them.
[[nodiscard]] std::optional<std::string> words_about_fields(const Error& error);

// Finds the rule that the operator's definitions lack, if that is the cause of a 403:
// "add .rbac({"", "services", {"create"}}) to the definition of controller website"; nullopt if the rules of the
// definitions allow the request, because the test itself forbids it.
[[nodiscard]] std::optional<std::string> missing_rule(const kube::ApiRequest& request, const Error& error,
                                                      const std::vector<controller::Definition>& definitions);

}  // namespace keelson::sandbox
