// Sends requests to the server's HTTP handler without a socket, and reads its replies.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keelson/detail/net/http_server.hpp"
#include "src/sandbox/storage/tree.hpp"
#include "test/support/result_of.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox::fixtures {

struct HttpTalk : Talk {
  using Talk::Talk;

  net::Response send(const std::string& method, const std::string& target, std::string body = "",
                     net::Headers headers = {}) {
    auto reply = ask_http(method, target, std::move(body), std::move(headers));
    for (const auto& piece : rest_of(reply)) reply.response.body += piece;
    return reply.response;
  }
  net::ServerReply ask_http(const std::string& method, const std::string& target, std::string body = "",
                            net::Headers headers = {}) {
    net::Request request;
    request.method = method;
    request.target = target;
    request.headers = std::move(headers);
    request.headers.emplace_back("Authorization", "Bearer alice");
    request.body = std::move(body);
    return testing::result_of(loop, handler(std::move(request)));
  }
  // The next piece of a stream; nullopt at its end.
  std::optional<std::string> next_piece(net::ServerReply& reply) {
    return testing::result_of(loop, reply.streaming->next());
  }
  // All remaining pieces of a stream that ends; none for a reply that is not a stream.
  std::vector<std::string> rest_of(net::ServerReply& reply) {
    std::vector<std::string> pieces;
    while (auto piece = reply.streaming ? next_piece(reply) : std::nullopt) pieces.push_back(std::move(*piece));
    return pieces;
  }
  Tree json(const std::string& target, net::Headers headers = {}) {
    auto parsed = Tree::parse(send("GET", target, "", std::move(headers)).body);
    return parsed ? *parsed : Tree();
  }

  net::Handler handler = server.handler();
};

}  // namespace keelson::sandbox::fixtures
