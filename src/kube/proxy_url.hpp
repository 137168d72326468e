// A proxy's URL: whether client-go would accept it, and how to show a URL without the password in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace keelson::kube {

// Nothing when it is empty or fine.
[[nodiscard]] std::optional<std::string> proxy_url_problem(std::string_view url);

// "http://user:xxxxx@host", as Go's URL.Redacted.
[[nodiscard]] std::string redacted_url(std::string_view url);

// The user part of "scheme://user:password@host/path", without the '@'; nothing when there is none.
[[nodiscard]] std::optional<std::string_view> userinfo_of(std::string_view url);

}  // namespace keelson::kube
