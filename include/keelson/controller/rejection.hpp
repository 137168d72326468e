// Classifies errors of the API server: which ones a status reports to the user.
#pragma once

#include "keelson/detail/base/error.hpp"

namespace keelson::controller {

// True if the API server has understood the write and rejected it: a quota, a webhook, an invalid value, a missing
// permission, a field of another field manager (ApplyOptions). A retry fails until a user or administrator changes
// something, so the status must report it.
//
// False for errors that disappear without a change: no answer, 5xx, 401, 404, 408, 409, 410, 429, a stale read (another
// uid or owner), and a namespace that is being deleted.
[[nodiscard]] bool is_rejection(const Error& error);

// The message of the API server, or our own text if it sent none. The result refers to `error`.
[[nodiscard]] const std::string& words_of(const Error& error);

}  // namespace keelson::controller
