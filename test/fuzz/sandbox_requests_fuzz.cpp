// Any requests, one after the other, to an API server in this process: each gets a well-formed reply, and the
// controllers continue afterward.
//
// The input is requests with a line "---" between them: method, target, content type and accepted types in the first
// line, then the body.
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/json/value.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace {

using namespace keelson;

constexpr std::size_t kMostRequests = 12;

std::string_view take_until(std::string_view& text, std::string_view end) {
  auto at = text.find(end);
  auto taken = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
  return taken;
}

net::Request request_of(std::string_view text) {
  auto line = take_until(text, "\n");
  net::Request request;
  request.method = take_until(line, " ");
  request.target = take_until(line, " ");
  request.headers.emplace_back("Authorization", "Bearer alice");
  request.headers.emplace_back("Content-Type", std::string(take_until(line, " ")));
  request.headers.emplace_back("Accept", std::string(line));
  request.body = text;
  return request;
}

bool is_json(const net::Response& response) {
  for (const auto& [name, value] : response.headers) {
    if (name == "Content-Type" && value == "application/json") return true;
  }
  return false;
}

// Webhooks that an input configures are not called.
Task<net::Response> no_webhook(sandbox::WebhookCall call) {
  co_return Error(Error::Kind::kTransport, "Post \"" + call.url + "\": dial tcp: connection refused");
}

boost::asio::awaitable<void> talk(sandbox::ApiServer& server, async::Clock& clock, std::string_view input) {
  auto handler = server.handler();
  for (std::size_t count = 0; count < kMostRequests && !input.empty(); ++count) {
    auto reply = co_await handler(request_of(take_until(input, "\n---\n")));
    KEELSON_ASSERT(reply.response.status >= 200 && reply.response.status < 600);
    if (reply.streaming || !is_json(reply.response)) continue;
    if (!json::Document::parse(reply.response.body)) {
      std::fputs(reply.response.body.c_str(), stderr);
      KEELSON_ASSERT(false);
    }
  }
  co_await async::sleep_for(clock, std::chrono::seconds(2));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sandbox::loop::TestLoop loop;
  base::Random random(1);
  sandbox::ApiServer server(loop.clock(), random, {.has_cluster_objects = true, .webhooks = no_webhook});
  std::string_view input(reinterpret_cast<const char*>(data), size);
  loop.run(talk(server, loop.clock(), input));
  return 0;
}
