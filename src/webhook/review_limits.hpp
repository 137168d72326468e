// How much of an AdmissionReview is read, kept and answered, each number with its reason.
#pragma once

#include <algorithm>
#include <cstddef>

namespace keelson::webhook {

// Read between two looks at the clock: about 0.2 ms.
inline constexpr std::size_t kReviewStepBytes = std::size_t{64} << 10;

// Larger reviews are processed one at a time, so that only one of them needs memory; smaller ones never wait for them.
// Real reviews have a few KiB.
inline constexpr std::size_t kLargeReviewBytes = std::size_t{64} << 10;

// A name, namespace, kind, operation or user name: the API server accepts far shorter ones.
inline constexpr std::size_t kReviewTextBytes = std::size_t{64} << 10;

// The uid is sent back: the API server's has 36 characters.
inline constexpr std::size_t kReviewUidBytes = 256;

// What a user with its groups, and an object or its spec, may allocate. Users and groups reach the API server in HTTP
// headers, of at most 1 MiB. An object that etcd accepts has 1.5 MiB, and lists and maps need about ten times their
// text.
inline constexpr std::size_t kUserMemoryBytes = std::size_t{8} << 20;
inline constexpr std::size_t kSpecMemoryBytes = std::size_t{16} << 20;

// The same for a text of so many bytes: a short list of empty structs needs more than ten times its text.
[[nodiscard]] constexpr std::size_t decoded_limit(std::size_t text_bytes, std::size_t most) {
  return std::min(most, (std::size_t{128} << 10) + 16 * text_bytes);
}

// What the most expensive small review of so many bytes allocates: contents of decoded_limit and what their lists waste
// while they grow; with defaults also trees of what has changed, and a patch with an operation for every `{}` of a
// list.
[[nodiscard]] constexpr std::size_t small_review_memory(std::size_t body_bytes, bool has_defaults) {
  return (std::size_t{384} << 10) + (has_defaults ? 200 : 32) * body_bytes;
}

// A value of which a tree is made, which needs up to thirty times its text: for ReviewedObject::read, and for a list,
// map or struct that a webhook changed.
inline constexpr std::size_t kReadBytes = std::size_t{256} << 10;
inline constexpr std::size_t kChangedBytes = std::size_t{512} << 10;

// Of a reply: its message, all its causes, one cause, one warning. The API server forwards 4 KiB of warnings.
inline constexpr std::size_t kMessageBytes = std::size_t{16} << 10;
inline constexpr std::size_t kCauseBytes = std::size_t{4} << 10;
inline constexpr std::size_t kWarningBytes = std::size_t{1} << 10;

}  // namespace keelson::webhook
