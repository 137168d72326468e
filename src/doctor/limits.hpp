// Limits of room `doctor`, each with the reason for its number.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace keelson::limits {

// Findings of one id that a report contains: a hundred objects with one problem are one problem.
inline constexpr std::size_t kFindingsOfAKind = 10;

// Requests at the same time: an API server in distress must not get a burst.
inline constexpr std::size_t kDoctorRequests = 4;

// Pages of a list that is searched: a namespace rarely has more Deployments or Services.
inline constexpr int kSearchedPages = 10;

// Namespaces of --watch-namespaces in which each permission is reviewed and objects are listed: a request for each.
inline constexpr std::size_t kReviewedNamespaces = 5;

// The bytes of a stream that are read: a watch has a bookmark after the objects of its kind.
inline constexpr std::size_t kStreamedBytes = std::size_t{4} << 20;

}  // namespace keelson::limits
