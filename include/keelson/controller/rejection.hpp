// Which errors of the API server a status reports.
#pragma once

#include "keelson/base/error.hpp"

namespace keelson::controller {

// The API server has understood the write and rejects it (a quota, a webhook, an invalid value, a missing permission):
// a retry does not help until somebody changes something, so the user has to know. False for what time fixes: no
// answer, 429, 5xx, a stale read, a namespace that is being deleted.
[[nodiscard]] bool is_rejection(const Error& error);

// The API server's words, ours if there are none.
[[nodiscard]] const std::string& words_of(const Error& error);

}  // namespace keelson::controller
