// The part of an untrusted text that an error quotes: its beginning, so that error texts are bounded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace keelson::kube {

// Kubernetes' own validation leaves long values out of its messages altogether (field.TooLong); the beginning tells
// which one it was.
inline constexpr std::size_t kQuotedBytes = 1024;

// The text, or whole characters of its first `limit` bytes and "..." for the rest.
[[nodiscard]] std::string short_text(std::string_view text, std::size_t limit = kQuotedBytes);
// The same in quotes, as Go prints %q.
[[nodiscard]] std::string short_quote(std::string_view text);

}  // namespace keelson::kube
