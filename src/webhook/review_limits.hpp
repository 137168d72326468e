// Limits of reading, decoding and answering an AdmissionReview, each with its reason.
#pragma once

#include <algorithm>
#include <cstddef>

namespace keelson::webhook {

// The bytes that are read between two checks of the clock: about 0.2 ms.
inline constexpr std::size_t kReviewStepBytes = std::size_t{64} << 10;

// Larger reviews are processed one at a time, so that only one of them needs memory; smaller ones never wait for them.
// Real reviews have a few KiB.
inline constexpr std::size_t kLargeReviewBytes = std::size_t{64} << 10;

// A name, namespace, kind, operation or user name: the API server accepts far shorter ones.
inline constexpr std::size_t kReviewTextBytes = std::size_t{64} << 10;

// The uid is sent back: the API server's has 36 characters.
inline constexpr std::size_t kReviewUidBytes = 256;

// The memory that a user with its groups, and an object or its spec, may allocate. Users and groups reach the API
// server in HTTP headers, of at most 1 MiB. An object that etcd accepts is 1.5 MiB, and lists and maps need about ten
// times their text.
inline constexpr std::size_t kUserMemoryBytes = std::size_t{8} << 20;
inline constexpr std::size_t kSpecMemoryBytes = std::size_t{16} << 20;

// The same limit for a text of `text_bytes`: a short list of empty structs needs more than ten times its text.
[[nodiscard]] constexpr std::size_t decoded_limit(std::size_t text_bytes, std::size_t most) {
  return std::min(most, (std::size_t{128} << 10) + 16 * text_bytes);
}

// The memory that the most expensive small review of `body_bytes` allocates: contents of decoded_limit and the spare
// capacity of their growing lists; with defaults also trees of changed values, and a patch with an operation for every
// `{}` of a list.
[[nodiscard]] constexpr std::size_t small_review_memory(std::size_t body_bytes, bool has_defaults) {
  return (std::size_t{384} << 10) + (has_defaults ? 200 : 32) * body_bytes;
}

// The largest value that is parsed into a tree, which needs up to thirty times its text: for ReviewedObject::read, and
// for a list, map or struct that a webhook changed.
inline constexpr std::size_t kReadBytes = std::size_t{256} << 10;
inline constexpr std::size_t kChangedBytes = std::size_t{512} << 10;

// The texts of a reply: its message and all its causes, a single cause, a single warning. The API server forwards 4 KiB
// of warnings.
inline constexpr std::size_t kMessageBytes = std::size_t{16} << 10;
inline constexpr std::size_t kCauseBytes = std::size_t{4} << 10;
inline constexpr std::size_t kWarningBytes = std::size_t{1} << 10;

}  // namespace keelson::webhook
