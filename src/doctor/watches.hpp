// Watches: whether the API server streams lists and sends bookmarks, and which caches of the running manager are stale.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>

#include "keelson/detail/doctor/findings.hpp"
#include "src/doctor/installation.hpp"

namespace keelson::doctor {

// `statusz` is the page of the manager as JSON; nullopt: no pod was asked.
[[nodiscard]] boost::asio::awaitable<void> examine_watches(Reader& reader, const Installation& installation,
                                                           const std::optional<Reading>& statusz, Findings& findings);

// The reply to a watch that requested a streamed list.
void check_watch(const StreamedReply& watch, Findings& findings);

// Which watches fail, since when, and why. A page that could not be read is only noted in the summary: a firewall may
// close the port to the API server.
void check_caches(const Reading& statusz, Findings& findings);

}  // namespace keelson::doctor
