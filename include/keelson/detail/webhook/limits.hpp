// Limits of room `webhook` that several files use, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// An admission request. An object that etcd stores is at most 1.5 MiB, and the API server sends custom resources as it
// stores them: the old and the new object are 3 MiB. Kinds that etcd stores in binary form are longer in JSON, but an
// object longer than 3 MiB, the API server's limit for a request, is rejected by etcd anyway: twice that is 6 MiB. The
// envelope (users, groups, names) comes from HTTP headers, of which the API server accepts 1 MiB. The sum equals
// controller-runtime's limit.
inline constexpr std::size_t kAdmissionBytes = std::size_t{7} << 20;

// Warnings of an admission response: the API server shows at most 4096 bytes of them.
inline constexpr std::size_t kAdmissionWarnings = 32;

}  // namespace keelson::limits
