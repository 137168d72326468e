// What the running manager itself reports as a problem: the section Attention of its /statusz.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <set>
#include <string>

#include "keelson/detail/doctor/findings.hpp"
#include "src/doctor/installation.hpp"

namespace keelson::doctor {

// The /statusz of a pod as JSON.
struct ManagerPage {
  std::string pod;
  std::optional<Reading> statusz;  // nullopt: no pod was asked
};
// Asks the leader, or without an answer of it the next pods. `holder` is the identity in the lease; empty if it is
// unknown.
[[nodiscard]] boost::asio::awaitable<void> ask_manager(kube::Client& client, async::Clock& clock,
                                                       const Installation& installation, std::string holder,
                                                       ManagerPage& page, Findings& findings);

// `statusz` is the page of `pod`. A page that cannot be read is a note, because a firewall may close the port
// to the API server; a missing permission is check-forbidden. Rows about `examined` have findings of their own: objects
// as "memcacheds.cache.example.com/default/web", and kinds of which all objects were examined as
// "memcacheds.cache.example.com".
void check_attention(const std::string& pod, const Reading& statusz, const std::set<std::string>& examined,
                     Findings& findings);

}  // namespace keelson::doctor
