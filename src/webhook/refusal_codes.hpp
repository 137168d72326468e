// The HTTP status codes of reviews that are refused for what they are, not for what they ask.
#pragma once

namespace keelson::webhook {

inline constexpr int kBadRequest = 400;
inline constexpr int kTooLarge = 413;

}  // namespace keelson::webhook
