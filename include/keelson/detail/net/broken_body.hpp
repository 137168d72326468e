// The exception that aborts a streamed response body: StreamingBody::next() throws it, and the client sees the
// connection close before the proper end of the body.
//
// Use it when a complete-looking body would be wrong, for example a watch whose history is gone. Any other exception
// has the same effect for the client, but is logged as "http: handler failed"; BrokenBody is not logged.
#pragma once

#include <exception>

namespace keelson::net {

class BrokenBody final : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "the body was broken off"; }
};

}  // namespace keelson::net
