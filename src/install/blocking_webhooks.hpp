// Webhooks without which the API server removes no finalizer of an object.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "keelson/json/value.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::install {

// Whether a webhook of this configuration must answer before an object of the kind can be updated. Only webhooks that
// are called at one of `paths` count: those of other programs, such as a policy engine, are not ours to delete.
[[nodiscard]] bool must_answer_updates(json::View configuration, const kube::Resource& resource,
                                       const std::vector<std::string>& paths);

// The configurations with such a webhook for one of the kinds, as kubectl names them:
// "validatingwebhookconfiguration/keelson-validating-webhook-configuration". Empty if they cannot be read.
[[nodiscard]] boost::asio::awaitable<std::vector<std::string>> blocking_webhooks(kube::Client& client,
                                                                                 std::vector<kube::Resource> kinds,
                                                                                 std::vector<std::string> paths);

}  // namespace keelson::install
