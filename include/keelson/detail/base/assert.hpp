// KEELSON_ASSERT: a check for bugs of Keelson itself, which stays on in release builds and ends the process.
//
// It is for states that no input can cause. A failure of the environment is a Result (result.hpp), and a mistake of an
// operator's author is a base::Misuse (misuse.hpp). The stack is not unwound: no destructor runs, and the lease is not
// released.
#pragma once

namespace keelson::base {

// Prints "FILE:LINE: assertion failed: CONDITION (called from 0xADDRESS)" to stderr, and ends the process by SIGABRT.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace keelson::base

// Evaluates `condition` exactly once, in every build.
#define KEELSON_ASSERT(condition) \
  (static_cast<bool>(condition) ? void(0) : ::keelson::base::assertion_failed(#condition, __FILE__, __LINE__))
