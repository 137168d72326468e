// KEELSON_TRY and KEELSON_LET: propagate an Error in one line, in functions and coroutines that return a Result.
//
// Example (test/examples/base.cpp#try):
//   Result<std::string> url_of(std::string_view host, std::string_view port) {
//     KEELSON_TRY(check_host(host));                      // returns the Error of a failed Result
//     KEELSON_LET(auto address, address_of(host, port));  // the same; otherwise declares `address` with the value
//     return "http://" + address;
//   }
//
//   Task<void> ping(std::string host) {
//     KEELSON_CO_LET(auto url, url_of(host, "80"));  // the same two in a coroutine
//     KEELSON_CO_TRY(co_await send_ping(url));
//     co_return Result<void>();
//   }
//
// They add no context; error.hpp shows how to add it. KEELSON_LET is several statements: it needs braces in the body of
// an `if` or a loop, and a compile error says so. KEELSON_TRY is one statement, so it needs none.
#pragma once

#include <utility>

#include "keelson/base/result.hpp"

#define KEELSON_TRY(...) KEELSON_TRY_BY(return, __VA_ARGS__)
#define KEELSON_CO_TRY(...) KEELSON_TRY_BY(co_return, __VA_ARGS__)
#define KEELSON_LET(declaration, ...) KEELSON_LET_BY(return, __COUNTER__, declaration, __VA_ARGS__)
#define KEELSON_CO_LET(declaration, ...) KEELSON_LET_BY(co_return, __COUNTER__, declaration, __VA_ARGS__)

// A loop that ends in its first pass: an `if` would need an `else`, or take the one after the macro for its own.
#define KEELSON_TRY_BY(leave, ...) \
  for (auto keelson_tried = __VA_ARGS__; !keelson_tried;) leave std::move(keelson_tried).error()
#define KEELSON_LET_BY(leave, number, declaration, ...) KEELSON_LET_NAMED(leave, number, declaration, __VA_ARGS__)
// Without braces, an `if` or a loop ends after the first of these statements, and the compiler prints the undeclared
// name.
#define KEELSON_LET_NAMED(leave, number, declaration, ...)                                            \
  auto KEELSON_LET_needs_braces_##number = __VA_ARGS__;                                               \
  if (!KEELSON_LET_needs_braces_##number) leave std::move(KEELSON_LET_needs_braces_##number).error(); \
  declaration = std::move(*KEELSON_LET_needs_braces_##number)
