// Limits of room `doctor`, each with the reason for its number.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace keelson::limits {

// Findings of one id that a report contains: a hundred objects with one problem are one problem.
inline constexpr std::size_t kFindingsOfAKind = 10;

// Subjects of a finding about many objects that are named next to the first one, and bytes of the list of missing
// permissions: a reader needs examples, not all of them.
inline constexpr std::size_t kNamedSubjects = 2;
inline constexpr std::size_t kPermissionsText = 2000;

// Requests at the same time: an API server in distress must not get a burst.
inline constexpr std::size_t kDoctorRequests = 4;

// Objects of a list that are examined: a sample of each kind.
inline constexpr std::int64_t kSampledObjects = 100;

// Pages of a list that is searched: a namespace rarely has more Deployments or Services. RoleBindings have larger
// pages, because clusters with a namespace for each tenant have tens of thousands.
inline constexpr int kSearchedPages = 10;
inline constexpr std::int64_t kBindingsPage = 500;

// Namespaces of --watch-namespaces in which each permission is reviewed and objects are listed: a request for each.
inline constexpr std::size_t kReviewedNamespaces = 5;

// Children that are not owned, of which the owner is read, and namespaces of --watch-namespaces that are read.
inline constexpr std::size_t kNotOwnedChildren = 10;
inline constexpr std::size_t kCheckedNamespaces = 20;

// The bytes of a stream that are read: a watch has a bookmark after the objects of its kind.
inline constexpr std::size_t kStreamedBytes = std::size_t{4} << 20;

// The longest time of a request with its retries. The client gives up one attempt after ten seconds.
inline constexpr std::chrono::seconds kDoctorRequestTime{12};

// Pods of the manager that are asked until one answers.
inline constexpr std::size_t kAskedPods = 3;

// The /statusz of the manager, through the API server: a port that a firewall closes must not delay the other checks.
inline constexpr std::chrono::seconds kStatuszTime{4};

// After so many timeouts in succession the API server counts as lost, so that a network that drops all packets ends the
// examination within a minute.
inline constexpr int kDoctorTimeouts = 4;

}  // namespace keelson::limits
