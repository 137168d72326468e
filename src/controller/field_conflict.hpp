// The report of a conflict: two writers that change one field of a child back and forth.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/condition.hpp"
#include "keelson/schema/identity.hpp"
#include "src/controller/managed_field.hpp"

namespace keelson::controller {

// A sentence with the child, the field, both field managers and the remedy. Reads the child from the API server,
// because the cache has no managedFields. Never fails: without an answer the other manager is not named.
[[nodiscard]] boost::asio::awaitable<std::string> conflict_message(kube::Client& client, kube::Resource resource,
                                                                   kube::Key key, ManagedField field);

// The Conflict that this framework has set; null if there is none.
[[nodiscard]] const kube::Condition* own_conflict(const std::vector<kube::Condition>& conditions);

}  // namespace keelson::controller
