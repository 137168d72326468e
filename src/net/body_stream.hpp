// The Stream of a response whose header has come: its body by pieces, then its connection back to the pool.
#pragma once

#include <memory>
#include <string>

#include "src/net/connection_pool.hpp"
#include "src/net/message_parser.hpp"

namespace keelson::net {

// A response on its way: the connection it comes on and what has been parsed of it.
struct Exchange {
  Exchange(ConnectionPool::Lease l, std::unique_ptr<MessageParser> p) : lease(std::move(l)), parser(std::move(p)) {}
  ConnectionPool::Lease lease;
  std::unique_ptr<MessageParser> parser;
};

// `what` names the request in errors.
[[nodiscard]] std::unique_ptr<Stream> make_body_stream(Exchange exchange, std::string what);

}  // namespace keelson::net
