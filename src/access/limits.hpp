// Limits of room `access`, each with the reason for its number.
#pragma once

#include <chrono>
#include <cstddef>

#include "keelson/detail/net/limits.hpp"

namespace keelson::limits {

// The entries, and their bytes, of each of the five caches of room `access`: owners of tokens, rejected tokens, tokens
// of authorized requests, permissions, denials.
// There are only a few scrapers. The caches are separate, so that invented tokens never evict a valid one.
inline constexpr std::size_t kRememberedAnswers = 1024;
inline constexpr std::size_t kRememberedAnswerBytes = std::size_t{1} << 20;

// The number of concurrent reviews of room `access`, because random tokens must not exhaust the connections that
// controllers need; and the total time of a review, including its time in the queue and all retries.
inline constexpr std::size_t kReviewsAtOnce = 16;
inline constexpr std::chrono::seconds kReviewTime{10};

// Requests that wait for a review: half of a server's connections. While the API server is unreachable, unknown tokens
// must leave room for the cached ones.
inline constexpr std::size_t kRequestsAwaitingReview = (kServerOwnConnections + kServerSharedConnections) / 2;

}  // namespace keelson::limits
