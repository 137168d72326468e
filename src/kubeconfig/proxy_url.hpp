// The URL of a proxy: client-go's check, and URLs without their passwords for error texts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace keelson::kube {

// The error for a URL that client-go rejects; nullopt if the URL is empty or valid.
[[nodiscard]] std::optional<std::string> proxy_url_problem(std::string_view url);

// "http://user:xxxxx@host", as Go's URL.Redacted.
[[nodiscard]] std::string redacted_url(std::string_view url);

// The user part of "scheme://user:password@host/path" without the '@'; nullopt if there is none.
[[nodiscard]] std::optional<std::string_view> userinfo_of(std::string_view url);

}  // namespace keelson::kube
