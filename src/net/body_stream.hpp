// The Stream of a response whose header has arrived: it reads the body in pieces and then returns the connection to the
// pool.
#pragma once

#include <memory>
#include <string>

#include "src/net/connection_pool.hpp"
#include "src/net/message_parser.hpp"

namespace keelson::net {

// A response in progress: its connection, and the parser with the part that has arrived.
struct Exchange {
  Exchange(ConnectionPool::Lease l, std::unique_ptr<MessageParser> p) : lease(std::move(l)), parser(std::move(p)) {}
  ConnectionPool::Lease lease;
  std::unique_ptr<MessageParser> parser;
};

// `what` names the request in errors.
[[nodiscard]] std::unique_ptr<Stream> make_body_stream(Exchange exchange, std::string what);

}  // namespace keelson::net
