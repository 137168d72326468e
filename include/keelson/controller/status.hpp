// Writing an object's status, and telling which refusals of the API server a status should speak of.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "keelson/base/result.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/kube/resource.hpp"

namespace keelson::controller {

// Makes `status` (its JSON) the status of `object`, which is of our own kind `resource`, by server-side apply: fields
// of the last status that are absent from this one go away. Only this life of the name is written; that it is gone
// meanwhile is success.
[[nodiscard]] boost::asio::awaitable<Result<void>> apply_status(kube::Client& client, kube::Resource resource,
                                                                kube::Object object, std::string status);

// The server has understood the write and does not want it (a quota, a webhook, an invalid value, a missing right):
// trying again does not help until somebody changes something, so the user has to be told. Not so for what goes away by
// itself: no answer, 429, 5xx, a stale read of ours, a namespace that is being deleted.
[[nodiscard]] bool is_refusal(const Error& error);

}  // namespace keelson::controller
