#include "keelson/detail/profiling/endpoints.hpp"

#include <boost/asio/awaitable.hpp>
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>

#include "keelson/net/http.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"
#include "test/unit/profiling/decoded_profile.hpp"

namespace keelson::profiling {
namespace {

using namespace std::chrono_literals;

struct ProfilingEndpoints {
  net::ServerReply ask(const std::string& target, const std::string& method = "GET") {
    const auto path = target.substr(0, target.find('?'));
    for (auto& endpoint : all) {
      if (endpoint.path != path) continue;
      net::Request request;
      request.method = method;
      request.target = target;
      return testing::result_of(loop, endpoint.handler(std::move(request)));
    }
    FAIL("there is no endpoint " + path);
    return {};
  }
  net::Response get(const std::string& target, const std::string& method = "GET") {
    return ask(target, method).response;
  }
  std::optional<std::string> next_piece(const net::ServerReply& reply) {
    return testing::result_of(loop, reply.streaming->next());
  }

  sandbox::loop::TestLoop loop;
  std::vector<Endpoint> all = endpoints({loop.clock(), nullptr, {"manager", "--leader-elect=true"}});
};

TEST_CASE_METHOD(ProfilingEndpoints, "a CPU profile is sent after the requested time") {
  const auto begun = loop.clock().now();
  auto reply = ask("/debug/pprof/profile?seconds=7");
  REQUIRE(reply.response.status == 200);
  REQUIRE(reply.streaming);

  const auto piece = next_piece(reply);

  CHECK(loop.clock().now() - begun == 7s);
  REQUIRE(piece);
  CHECK(decode_profile(*piece).duration_nanos == 7'000'000'000);
  CHECK(!next_piece(reply));
  CHECK(net::header(reply.response.headers, "Content-Disposition") == "attachment; filename=\"profile\"");
}

TEST_CASE_METHOD(ProfilingEndpoints, "without a number, a CPU profile takes 30 seconds as in Go") {
  const auto reply = ask("/debug/pprof/profile");
  REQUIRE(reply.streaming);
  const auto begun = loop.clock().now();

  REQUIRE(next_piece(reply));

  CHECK(loop.clock().now() - begun == 30s);
}

TEST_CASE_METHOD(ProfilingEndpoints, "a second CPU profile is 409 until the first one ends or its client disconnects") {
  std::optional<net::ServerReply> first = ask("/debug/pprof/profile?seconds=7");

  const auto second = get("/debug/pprof/profile?seconds=1");
  CHECK(second.status == 409);
  CHECK(second.body == "Could not enable CPU profiling: cpu profiling already in use\n");
  CHECK(net::header(second.headers, "X-Go-Pprof") == "1");
  first.reset();

  CHECK(get("/debug/pprof/profile?seconds=1").status == 200);
}

TEST_CASE_METHOD(ProfilingEndpoints, "seconds of a profile that are not a number from 1 to 300 are 400") {
  for (const char* seconds : {"0", "-1", "301", "1s", "1.5", "99999999999999999999"}) {
    INFO(seconds);
    const auto response = get(std::string("/debug/pprof/profile?a=b&seconds=") + seconds);
    CHECK(response.status == 400);
    CHECK(response.body == "seconds must be a number from 1 to 300\n");
  }
  CHECK(get("/debug/pprof/profile?seconds=").status == 200);
}

TEST_CASE_METHOD(ProfilingEndpoints, "profiles of memory are 501 without a heap profile") {
  CHECK(get("/debug/pprof/heap").status == 501);
  CHECK(get("/debug/pprof/allocs").status == 501);
}

TEST_CASE_METHOD(ProfilingEndpoints, "methods that change something are 405") {
  for (const char* path : {"/debug/pprof/", "/debug/pprof/profile", "/debug/pprof/heap", "/debug/pprof/cmdline"}) {
    INFO(path);
    CHECK(get(path, "POST").status == 405);
  }
}

TEST_CASE_METHOD(ProfilingEndpoints, "the words of the command line are separated by NUL") {
  CHECK(get("/debug/pprof/cmdline").body == std::string("manager\0--leader-elect=true", 27));
}

TEST_CASE_METHOD(ProfilingEndpoints, "the list of profiles names each path, and there are no symbols") {
  const auto list = get("/debug/pprof/").body;
  for (const auto* path :
       {"/debug/pprof/profile", "/debug/pprof/heap", "/debug/pprof/allocs", "/debug/pprof/cmdline"}) {
    CHECK(list.find(path) != std::string::npos);
  }
  CHECK(get("/debug/pprof/symbol", "POST").body == "num_symbols: 0\n");
}

}  // namespace
}  // namespace keelson::profiling
