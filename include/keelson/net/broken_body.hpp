// What StreamingBody::next() throws to end a body without its end: the connection is closed, and nothing is logged.
#pragma once

#include <exception>

namespace keelson::net {

class BrokenBody final : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "the body was broken off"; }
};

}  // namespace keelson::net
