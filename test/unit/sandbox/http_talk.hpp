// Talk over HTTP, past any socket: requests as they come from a client, replies as they go to it.
#pragma once

#include <string>
#include <utility>

#include "keelson/net/http_server.hpp"
#include "src/sandbox/tree.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox::testing {

struct HttpTalk : Talk {
  using Talk::Talk;

  net::Response send(const std::string& method, const std::string& target, std::string body = "",
                     net::Headers headers = {}) {
    net::Request request;
    request.method = method;
    request.target = target;
    request.headers = std::move(headers);
    request.headers.emplace_back("Authorization", "Bearer alice");
    request.body = std::move(body);
    net::ServerReply reply;
    loop.run([&]() -> boost::asio::awaitable<void> { reply = co_await handler(std::move(request)); });
    return reply.response;
  }
  Tree json(const std::string& target, net::Headers headers = {}) {
    auto parsed = Tree::parse(send("GET", target, "", std::move(headers)).body);
    return parsed ? *parsed : Tree();
  }

  net::Handler handler = server.handler();
};

}  // namespace keelson::sandbox::testing
