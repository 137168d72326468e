// Limits of several files that read and decode an AdmissionReview, each with its reason.
#pragma once

#include <algorithm>
#include <cstddef>

namespace keelson::webhook {

// Larger reviews are processed one at a time, so that only one of them needs memory; smaller ones never wait for them.
// Real reviews have a few KiB.
inline constexpr std::size_t kLargeReviewBytes = std::size_t{64} << 10;

// A name, namespace, kind, operation or user name: the API server accepts far shorter ones.
inline constexpr std::size_t kReviewTextBytes = std::size_t{64} << 10;

// The memory that an object or its spec may allocate. An object that etcd accepts is 1.5 MiB.
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

// The largest value that ReviewedObject::read parses into a tree, which needs up to thirty times its text.
inline constexpr std::size_t kReadBytes = std::size_t{256} << 10;

}  // namespace keelson::webhook
