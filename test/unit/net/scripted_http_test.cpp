#include "test/support/scripted_http.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

// A conversation of two steps, each with a retry: "list", then "watch" to its end.
asio::awaitable<std::string> list_and_watch(net::HttpClient& client) {
  std::string trace;
  for (int attempt = 0; attempt < 2; ++attempt) {
    auto list = co_await client.send(get("/list"), {.timeout = 5s});
    trace += list ? std::to_string(list->status) + " " : "failed ";
    if (list && list->status == 200) break;
  }
  for (int attempt = 0; attempt < 2; ++attempt) {
    auto stream = co_await client.open(get("/watch?rv=1"), {.timeout = 5s});
    if (!stream) {
      trace += "failed ";
      continue;
    }
    auto body = co_await read_all(**stream, 3);
    trace += body + " ";
    if ((*stream)->status() == 200 && body.find('!') == std::string::npos) break;
  }
  co_return trace;
}

void write_script(ScriptedHttpClient& client) {
  client.expect("GET", "/list").replies(200, "[]");
  client.expect("GET", "/watch").streams({"one", {"two", 1s}});
}

}  // namespace

TEST_CASE("a script is followed and its delays take virtual time") {
  sandbox::loop::TestLoop loop;
  ScriptedHttpClient client(loop.clock());
  write_script(client);
  auto start = loop.clock().now();
  std::string trace;

  loop.run([&]() -> asio::awaitable<void> { trace = co_await list_and_watch(client); });

  CHECK(trace == "200 onetwo ");
  CHECK(loop.clock().now() - start == 1s);
  CHECK(client.requests().size() == 2);
  CHECK_NOTHROW(client.verify());
}

TEST_CASE("an unexpected request and a missing step are reported") {
  sandbox::loop::TestLoop loop;
  ScriptedHttpClient client(loop.clock());
  client.expect("PUT", "/a").with_body([](const std::string& body) { return body == "x"; });
  auto complaint = [&] {
    try {
      client.verify();
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };

  CHECK(complaint() == "step 0 was not requested: PUT /a");
  loop.run([&]() -> asio::awaitable<void> {
    auto put = get("/a");
    put.method = "PUT";
    put.body = "y";
    auto answer = co_await client.send(put, {});
    CHECK(answer.error().kind == Error::Kind::kInvalid);
  });
  CHECK(complaint() == "unexpected request PUT /a y; expected PUT /a");
}

TEST_CASE("a conversation is rerun with every failure at every step") {
  sandbox::loop::TestLoop loop;
  std::map<std::string, std::string> traces;

  check_every_failure(
      loop.clock(), write_script, [&](ScriptedHttpClient& client, const std::optional<InjectedFailure>& failure) {
        std::string trace;
        loop.run([&]() -> asio::awaitable<void> { trace = co_await list_and_watch(client); });
        auto name = failure ? to_string(failure->fault) + " at " + std::to_string(failure->step) : "none";
        traces[name] = trace;
      });

  CHECK(traces.size() == 9);
  CHECK(traces["none"] == "200 onetwo ");
  CHECK(traces["a transport error at 0"] == "failed 200 onetwo ");
  CHECK(traces["a timeout at 0"] == "failed 200 onetwo ");
  CHECK(traces["a 500 at 0"] == "500 200 onetwo ");
  CHECK(traces["a truncated body at 0"] == "failed 200 onetwo ");
  CHECK(traces["a timeout at 1"] == "200 failed onetwo ");
  CHECK(traces["a truncated body at 1"] == "200 one!unexpected EOF onetwo ");
  CHECK(traces["a 500 at 1"].find("InternalError") != std::string::npos);
}

TEST_CASE("an error under an injected failure is reported with that failure") {
  sandbox::loop::TestLoop loop;
  std::string complaint;

  try {
    check_every_failure(loop.clock(), write_script,
                        [&](ScriptedHttpClient& client, const std::optional<InjectedFailure>& failure) {
                          loop.run([&]() -> asio::awaitable<void> { co_await list_and_watch(client); });
                          if (failure && failure->fault == Fault::kServerError) throw std::runtime_error("not handled");
                        });
  } catch (const std::runtime_error& error) {
    complaint = error.what();
  }

  CHECK(complaint == "with a 500 at step 0: not handled");
}

TEST_CASE("a silent stream waits until it is canceled") {
  sandbox::loop::TestLoop loop;
  ScriptedHttpClient client(loop.clock());
  client.always("GET", "/").streams({"a"}, StreamEnd::kSilent);
  bool finished = true;

  loop.run([&]() -> asio::awaitable<void> {
    auto stream = co_await client.open(get(), {});
    std::string buffer(10, '\0');
    auto got = co_await (*stream)->read_some(buffer);
    CHECK(*got == 1);
    auto more = [](net::Stream& s, std::string& b) -> asio::awaitable<void> {
      auto ended = co_await s.read_some(b);
      CHECK_FALSE(ended.has_value());
    };
    auto waiting = more(**stream, buffer);
    finished = co_await async::finish_within(loop.clock(), 1min, std::move(waiting));
  });

  CHECK_FALSE(finished);
}
