// What a kind is called in URLs, asked of the API server: for kinds that are not declared in this program.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "keelson/base/result.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/resource.hpp"

namespace keelson::kube {

// One GET of /apis/<group>/<version> (/api/v1 for the core group). A group, version or kind that the server does not
// have is a kStatus error 404, as if it had been read: `is_not_found` tells.
[[nodiscard]] boost::asio::awaitable<Result<Resource>> discover(Client& client, std::string group, std::string version,
                                                                std::string kind);

// The same by plural, in the version of the group that the server prefers (v1 of the core group): two GETs.
[[nodiscard]] boost::asio::awaitable<Result<Resource>> discover_plural(Client& client, std::string group,
                                                                       std::string plural);

}  // namespace keelson::kube
