// The client of other servers that a runtime gives to its controllers.
#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "keelson/detail/controller/controller_runtime.hpp"
#include "keelson/net/url_client.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/unit/controller/fakes.hpp"

namespace keelson::controller {
namespace {

namespace asio = boost::asio;

// A server that stores the User-Agent of its last request.
class AgentServer final : public net::HttpClient {
 public:
  explicit AgentServer(std::string& agent) : agent_(agent) {}
  Task<net::Response> send(net::Request request, net::CallOptions) override {
    agent_ = net::header(request.headers, "User-Agent");
    co_return net::text_response(200, "");
  }
  Task<std::unique_ptr<net::Stream>> open(net::Request, net::CallOptions) override {
    co_return invalid_error("not used");
  }
  void close_idle() override {}
  void end_streams() override {}

 private:
  std::string& agent_;
};

asio::awaitable<void> get(net::UrlClient& client) {
  const auto response = co_await client.get("https://archive.example.com/");
  CHECK(response.has_value());
}

std::string agent_with(std::string user_agent) {
  sandbox::loop::TestLoop loop;
  base::Random random{1};
  testing::FakeLog lines;
  testing::FakeClient client;
  metrics::Registry registry;
  std::string agent;
  const std::vector<Definition> none;
  ControllerRuntime runtime(
      RuntimeParts{.executor = loop.executor(),
                   .clock = loop.clock(),
                   .random = random,
                   .log = Logger(lines),
                   .registry = registry,
                   .client = client,
                   .environment = [](const char*) -> const char* { return nullptr; },
                   .user_agent = std::move(user_agent),
                   .make_http_client = [&agent](const net::ClientOptions&) -> Result<std::unique_ptr<net::HttpClient>> {
                     return std::unique_ptr<net::HttpClient>(std::make_unique<AgentServer>(agent));
                   }},
      none);
  loop.run(get(runtime.context().http()));
  return agent;
}

TEST_CASE("requests to other servers have the program's User-Agent, by default the name of the operator") {
  CHECK(agent_with("website-operator/1.4.0") == "website-operator/1.4.0");
  CHECK(agent_with("") == "keelson");
}

}  // namespace
}  // namespace keelson::controller
