#include "src/program/commands/doctor_run.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "keelson/detail/async/timeout.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/unit/program/examined_sea.hpp"

namespace keelson::program {
namespace {

// An API server that answers no request for `delay`, and refuses connections then.
class RefusingClient final : public kube::Client {
 public:
  RefusingClient(async::Clock& clock, async::Duration delay) : clock_(clock), delay_(delay) {}
  Task<kube::ApiReply> send(kube::ApiRequest) override {
    ++requests;
    co_return transport_error("connection refused");
  }
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest) override {
    ++requests;
    co_await async::sleep_for(clock_, delay_);
    co_return transport_error("connection refused");
  }

  int requests = 0;

 private:
  async::Clock& clock_;
  async::Duration delay_;
};

boost::asio::awaitable<void> watch(kube::Client& client, async::Clock& clock, DoctorWatch options,
                                   std::optional<doctor::Report>& last, std::ostream& out, std::ostream& progress) {
  (void)co_await watch_findings(client, clock, examined_sea(), options, last, out, progress);
}

}  // namespace

TEST_CASE("an examination that takes long prints what it examines, and a short one prints nothing") {
  for (const auto delay : {std::chrono::seconds(1), std::chrono::seconds(5)}) {
    sandbox::loop::TestLoop loop;
    RefusingClient client(loop.clock(), delay);
    doctor::Report report;
    std::ostringstream progress;

    loop.run([&]() -> boost::asio::awaitable<void> {
      co_await examine_with_progress(client, loop.clock(), examined_sea(), report, progress);
    });

    const std::string lines = delay == std::chrono::seconds(1)
                                  ? ""
                                  : "manager doctor: examining the API server, 2 s so far\n"
                                    "manager doctor: examining the API server, 4 s so far\n";
    CHECK(progress.str() == lines);
    CHECK(report.findings.has("api-server-unreachable"));
  }
}

TEST_CASE("doctor --watch prints a finding once, sends a bounded number of requests, and can be ended at any time") {
  for (const bool wants_json : {false, true}) {
    sandbox::loop::TestLoop loop;
    RefusingClient client(loop.clock(), std::chrono::seconds(0));
    std::optional<doctor::Report> last;
    std::ostringstream out;
    std::ostringstream progress;

    loop.run([&]() -> boost::asio::awaitable<void> {
      co_await async::finish_within(
          loop.clock(), std::chrono::minutes(10),
          watch(client, loop.clock(), {std::chrono::seconds(30), wants_json}, last, out, progress));
    });

    const auto text = out.str();
    INFO(text);
    CHECK(std::ranges::count(text, '\n') == 1);
    CHECK(text.find("api-server-unreachable") != std::string::npos);
    CHECK(text.starts_with("{") == wants_json);
    if (!wants_json) {
      CHECK(progress.str() == "manager doctor: 1 finding; examining every 30s, and printing changes\n");
    }
    CHECK(client.requests <= 21);
    REQUIRE(last);
    CHECK(doctor::exit_code(*last) == 2);
  }
}

}  // namespace keelson::program
