// The HTTP status codes of reviews that are denied because the request is invalid, not because of a webhook's decision.
#pragma once

namespace keelson::webhook {

inline constexpr int kBadRequest = 400;
inline constexpr int kTooLarge = 413;

}  // namespace keelson::webhook
