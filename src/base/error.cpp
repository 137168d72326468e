#include "keelson/detail/base/error.hpp"

namespace keelson {

std::string Error::message() const {
  if (server_text.empty()) return text;
  if (text.empty()) return server_text;
  return text + ": " + server_text;
}

Error Error::with_context(std::string_view context) && {
  text = text.empty() ? std::string(context) : std::string(context) + ": " + text;
  return std::move(*this);
}

Error invalid_error(std::string text) { return {Error::Kind::kInvalid, std::move(text)}; }
Error transport_error(std::string text) { return {Error::Kind::kTransport, std::move(text)}; }
Error timeout_error(std::string text) { return {Error::Kind::kTimeout, std::move(text)}; }
Error malformed_error(std::string text) { return {Error::Kind::kMalformed, std::move(text)}; }

Error terminal_error(Error cause) {
  cause.kind = Error::Kind::kTerminal;
  return std::move(cause).with_context("terminal error");
}

}  // namespace keelson
