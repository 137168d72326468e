// What we may never do to ourselves: a check that stays on in release builds and ends the process.
#pragma once

namespace keelson::base {

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace keelson::base

#define KEELSON_ASSERT(condition) \
  (static_cast<bool>(condition) ? void(0) : ::keelson::base::assertion_failed(#condition, __FILE__, __LINE__))
