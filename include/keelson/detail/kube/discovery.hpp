// API discovery: finds the plural, scope and kind that the API server has for a kind or a plural.
//
// For kinds that no header of this program declares, such as those of a command line or of an owner reference. Nothing
// is cached: each call sends its requests. Errors have the context "discover example.com/v1 Website".
#pragma once

#include <string>

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::kube {

// Finds a kind by its name, with one GET of /apis/<group>/<version> (/api/v1 for the core group). A group, version or
// kind that the server does not have is a kStatus error 404 (is_not_found), even if the group exists without the kind.
[[nodiscard]] Task<Resource> discover(Client& client, std::string group, std::string version, std::string kind);

// Finds a kind by its plural, in the group's preferred version (v1 for the core group), with two GETs. Subresources and
// short names are not found.
[[nodiscard]] Task<Resource> discover_plural(Client& client, std::string group, std::string plural);

}  // namespace keelson::kube
