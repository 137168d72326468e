// Truncates an untrusted text for an error text, so that error texts are bounded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace keelson::kube {

// The part of a value that an error quotes, in bytes. Kubernetes omits long values from its messages (field.TooLong);
// the beginning is enough to identify the value.
inline constexpr std::size_t kQuotedBytes = 1024;

// The text if it has at most `limit` bytes; otherwise the whole characters of its first `limit` bytes, and "...".
[[nodiscard]] std::string short_text(std::string_view text, std::size_t limit = kQuotedBytes);
// The same in quotes, as Go's %q.
[[nodiscard]] std::string short_quote(std::string_view text);

}  // namespace keelson::kube
