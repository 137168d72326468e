// How long, how often and how much of it: the limits of what the guard asks and remembers.
#pragma once

#include <chrono>
#include <cstddef>

namespace keelson::access {

// A token of a service account is 1 KiB, one of a company's identity provider with all groups in it some more.
inline constexpr std::size_t kTokenBytes = std::size_t{16} << 10;

// How long an answer of the API server counts. The first, third and fourth are controller-runtime's; a refused token
// may be good in a moment, when its account has just been made.
inline constexpr std::chrono::minutes kAuthenticated{1};
inline constexpr std::chrono::seconds kRefused{10};
inline constexpr std::chrono::minutes kAllowed{5};
inline constexpr std::chrono::seconds kDenied{30};

// Remembered answers of one of these four kinds. Scrapers are a handful; each kind has its own, so that tokens that
// somebody makes up push out no good one.
inline constexpr std::size_t kRememberedAnswers = 1024;
inline constexpr std::size_t kRememberedBytes = std::size_t{1} << 20;

// What one of them takes beside a user's name and groups: its hash, a node of a list and one of a map.
inline constexpr std::size_t kBytesPerAnswer = 192;

// One review, with waiting for its turn and all tries.
inline constexpr std::chrono::seconds kReviewTime{10};

// Tries of one review (client-go).
inline constexpr int kReviewTries = 5;

// Reviews under way at once: strangers with made-up tokens must not use up the connections that controllers need.
inline constexpr std::size_t kReviewsAtOnce = 16;

// Requests that wait for reviews, half of what a server has connections for: while the API server is away, strangers
// must leave room for those whom we remember.
inline constexpr std::size_t kRequestsWaiting = 256;

}  // namespace keelson::access
