// The replies on the wire, request by request, as from controller-runtime's webhook server.
#include "src/webhook/admission_handler.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdio>
#include <new>

#include "keelson/detail/json/patch.hpp"
#include "keelson/detail/webhook/limits.hpp"
#include "keelson/json/writer.hpp"
#include "test/support/result_of.hpp"
#include "test/unit/webhook/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;

namespace {

std::string failure(int code, const std::string& message, const std::string& uid = "u-1") {
  return R"({"uid":")" + uid + R"(","allowed":false,"status":{"metadata":{},"message":)" + json::quoted(message) +
         R"(,"code":)" + std::to_string(code) + "}}";
}

constexpr const char* kAllowed = R"({"uid":"u-1","allowed":true,"status":{"metadata":{},"code":200}})";

// A validator that never answers.
class Sleeper final : public webhook::Validator<ToastSpec> {
 public:
  explicit Sleeper(async::Clock& clock) : clock_(clock) {}
  boost::asio::awaitable<webhook::Decision> validate(const webhook::Submission<ToastSpec>&) override {
    co_await async::sleep_for(clock_, std::chrono::hours(1));
    co_return webhook::Decision::allow();
  }

 private:
  async::Clock& clock_;
};

class Hungry final : public webhook::Validator<ToastSpec> {
 public:
  boost::asio::awaitable<webhook::Decision> validate(const webhook::Submission<ToastSpec>&) override {
    throw std::bad_alloc();
    co_return webhook::Decision::allow();
  }
};

// Records whether the request is a dry run.
class DryRunNoter final : public webhook::Validator<ToastSpec> {
 public:
  explicit DryRunNoter(std::vector<bool>& noted) : noted_(noted) {}
  boost::asio::awaitable<webhook::Decision> validate(const webhook::Submission<ToastSpec>& submission) override {
    noted_.push_back(submission.request.dry_run);
    co_return webhook::Decision::allow();
  }

 private:
  std::vector<bool>& noted_;
};

// The signal that ends a process of its own while it answers, or 0.
int deadly_signal(std::unique_ptr<webhook::Validator<ToastSpec>> validator) {
  const auto child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // Its output, and the test framework's report of its end, do not belong to the test report.
    std::signal(SIGABRT, SIG_DFL);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) ::_exit(2);
    HandlerFixture fixture({with_validator(std::move(validator))});
    fixture.post(kValidate, review("CREATE", toast(R"({"slices":1})")));
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace

TEST_CASE("a valid object is allowed, with the uid of the request and without a patch") {
  HandlerFixture fixture;
  auto good = toast(R"({"slices":1,"browning":"dark"})");

  CHECK(fixture.respond(kValidate, review("CREATE", good)) == kAllowed);
  CHECK(fixture.respond(kMutate, review("CREATE", good)) == kAllowed);
  CHECK(fixture.respond(kValidate, review("UPDATE", good, good)) == kAllowed);
}

TEST_CASE("C29: the reply is an AdmissionReview of the requested version, with HTTP 200 and as JSON") {
  HandlerFixture fixture;
  auto good = toast(R"({"slices":1})");

  auto v1 = fixture.post(kValidate, review("CREATE", good));
  auto beta = fixture.post(kValidate, review("CREATE", good, "", "v1beta1"));

  CHECK(v1.status == 200);
  CHECK(net::header(v1.headers, "Content-Type") == "application/json");
  CHECK(v1.body ==
        R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":)" + std::string(kAllowed) + "}\n");
  CHECK(beta.body == R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1","response":)" +
                         std::string(kAllowed) + "}\n");
}

TEST_CASE("a review without a version is answered as v1") {
  HandlerFixture fixture;

  auto reply = fixture.post(kValidate, R"({"request":{"uid":"x","operation":"CONNECT"}})");

  CHECK(reply.body == R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":)"
                      R"({"uid":"x","allowed":true,"status":{"metadata":{},"code":200}}})"
                      "\n");
}

TEST_CASE("defaults are sent as a base64 JSON patch") {
  HandlerFixture fixture;
  auto came = toast(R"({"slices":1,"future":true})");

  auto response = *json::Document::parse(fixture.respond(kMutate, review("CREATE", came)));

  CHECK(response.root().find("patchType").string() == "JSONPatch");
  auto patch = *base::base64_decode(*response.root().find("patch").string());
  CHECK(patch == R"([{"op":"add","path":"/spec/browning","value":"medium"}])");
  CHECK(*json::json_patch(came, patch) == toast(R"({"slices":1,"future":true,"browning":"medium"})"));
}

TEST_CASE("an object without a spec is patched to have one") {
  HandlerFixture fixture;
  auto came = R"({"metadata":{"name":"a"}})";

  auto response = *json::Document::parse(fixture.respond(kMutate, review("CREATE", came)));

  auto patch = *base::base64_decode(*response.root().find("patch").string());
  CHECK(patch == R"([{"op":"add","path":"/spec","value":{"browning":"medium"}}])");
}

TEST_CASE("the defaulter allows every delete, and the validator decides about the old object") {
  HandlerFixture fixture;
  auto old_object = toast(R"({"browning":"dark"})");

  CHECK(fixture.respond(kMutate, review("DELETE", "", old_object)) == kAllowed);
  CHECK(fixture.respond(kMutate, review("DELETE", "")) == kAllowed);
  CHECK(fixture.respond(kValidate, review("DELETE", "", old_object)) ==
        R"({"uid":"u-1","allowed":false,"status":{"metadata":{},"message":"dark toast stays","reason":"Forbidden",)"
        R"("code":403}})");
}

TEST_CASE("C26: field errors are an Invalid with a cause for each, in their order") {
  HandlerFixture fixture;
  auto bad = toast(R"({"slices":1,"browning":"burnt"})", "a-very-long-name");

  CHECK(fixture.respond(kValidate, review("CREATE", bad)) ==
        R"({"uid":"u-1","allowed":false,"status":{"metadata":{},"status":"Failure","message":)"
        R"("Toast.kitchen.example.com \"a-very-long-name\" is invalid: )"
        R"([metadata.name: Invalid value: \"a-very-long-name\": too long for a toast, )"
        R"(spec.browning: Invalid value: \"burnt\": nobody eats that]","reason":"Invalid",)"
        R"("details":{"name":"a-very-long-name","group":"kitchen.example.com","kind":"Toast","causes":[)"
        R"({"reason":"FieldValueInvalid","message":"Invalid value: \"a-very-long-name\": too long for a toast",)"
        R"("field":"metadata.name"},)"
        R"({"reason":"FieldValueInvalid","message":"Invalid value: \"burnt\": nobody eats that",)"
        R"("field":"spec.browning"}]},"code":422}})");
}

TEST_CASE("a single field error is written without brackets") {
  HandlerFixture fixture;

  auto response = *json::Document::parse(fixture.respond(kValidate, review("CREATE", toast(R"({"slices":-1})"))));

  CHECK(response.root().at({"status", "message"}).string() ==
        "Toast.kitchen.example.com \"a\" is invalid: "
        "spec.slices: Invalid value: -1: should be greater than or equal to 0");
}

TEST_CASE("warnings are sent for allowed and for denied objects") {
  HandlerFixture fixture;
  const std::string told = R"("warnings":["more than six slices are cold before they are eaten"]})";

  auto allowed = fixture.respond(kValidate, review("CREATE", toast(R"({"slices":7})")));
  auto denied = fixture.respond(kValidate, review("CREATE", toast(R"({"slices":7,"browning":"burnt"})")));

  CHECK(allowed.ends_with(R"("code":200},)" + told));
  CHECK(denied.ends_with(R"("code":422},)" + told));
}

TEST_CASE("a body that is not a review is denied with HTTP 200 and without a uid") {
  HandlerFixture fixture;
  auto response_of = [](const net::Response& reply) {
    CHECK(reply.status == 200);
    auto document = *json::Document::parse(reply.body);
    return document.root().find("response").text();
  };

  CHECK(response_of(fixture.post(kValidate, "")) == failure(400, "request body is empty", ""));
  CHECK(response_of(fixture.post(kValidate, "{}", "application/json; charset=utf-8")) ==
        failure(400, "contentType=application/json; charset=utf-8, expected application/json", ""));
  CHECK(response_of(fixture.post(kValidate, "{}", "")) == failure(400, "contentType=, expected application/json", ""));
  CHECK(response_of(fixture.post(kValidate, R"({"kind":"Pod","apiVersion":"v1"})")) ==
        failure(400, "no kind \"Pod\" is registered for version \"v1\"", ""));
  CHECK(response_of(fixture.post(kValidate, "[]")) ==
        failure(400, "couldn't get version/kind; json parse error: not an object", ""));
  CHECK(response_of(fixture.post(kValidate, R"({"request":3})")) == failure(400, "request: expected an object", ""));
  CHECK(response_of(fixture.post(kValidate, std::string(limits::kAdmissionBytes, ' '))) ==
        failure(413, "request entity is too large; limit is 7340032 bytes", ""));
  CHECK(response_of(webhook::AdmissionHandler::too_large()) ==
        failure(413, "request entity is too large; limit is 7340032 bytes", ""));
}

TEST_CASE("a body that is invalid JSON or nested too deeply is denied with the position") {
  HandlerFixture fixture;

  auto broken = fixture.respond(kMutate, R"({"request":)");
  auto deep = fixture.respond(kMutate, std::string(100'000, '['));

  CHECK(broken.find(R"("uid":"","allowed":false)") != std::string::npos);
  CHECK(broken.find("couldn't get version/kind; json parse error: ") != std::string::npos);
  CHECK(deep.find(R"("code":400)") != std::string::npos);
}

TEST_CASE("an unknown operation, a missing object and one of another kind are bad requests") {
  HandlerFixture fixture;
  auto good = toast(R"({"slices":1})");
  auto pod = R"({"apiVersion":"v1","kind":"Pod"})";

  for (const auto* path : {kMutate, kValidate}) {
    CHECK(fixture.respond(path, review("PATCH", good)) == failure(400, "unknown operation \"PATCH\""));
    CHECK(fixture.respond(path, review("", good)) == failure(400, "unknown operation \"\""));
    CHECK(fixture.respond(path, review("CREATE", "")) == failure(400, "there is no content to decode"));
    CHECK(fixture.respond(path, review("CREATE", "null")) == failure(400, "there is no content to decode"));
    CHECK(fixture.respond(path, review("CREATE", "[1]")) == failure(400, "the object is not a JSON object: [1]"));
    CHECK(fixture.respond(path, review("CREATE", pod)) ==
          failure(400, "unable to decode v1, Kind=Pod into kitchen.example.com/v1, Kind=Toast"));
    CHECK(fixture.respond(path, review("CREATE", toast(R"({"slices":"one"})"))) ==
          failure(400, "spec.slices: expected an integer, found a string"));
  }
  CHECK(fixture.respond(kValidate, review("UPDATE", good)) == failure(400, "there is no content to decode"));
  CHECK(fixture.respond(kValidate, review("DELETE", good)) == failure(400, "there is no content to decode"));
}

TEST_CASE("an exception of the author is counted as a panic and denied with 500, and the next request is served") {
  HandlerFixture fixture;
  auto bad = review("CREATE", toast(R"({"slices":99})"));

  CHECK(fixture.respond(kMutate, bad) == failure(500, "panic: the toaster burns [recovered]"));
  CHECK(fixture.respond(kValidate, bad) == failure(500, "panic: the toaster burns [recovered]"));

  CHECK(fixture.registry.text().find("controller_runtime_webhook_panics_total 2\n") != std::string::npos);
  CHECK(fixture.sink.count("Observed a panic") == 2);
  CHECK(fixture.respond(kValidate, review("CREATE", toast(R"({"slices":1})"))) == kAllowed);
}

TEST_CASE("a review that runs out of memory ends the process") {
  CHECK(deadly_signal(std::make_unique<Hungry>()) == SIGABRT);
  CHECK(deadly_signal(std::make_unique<ToastValidator>()) == 0);
}

TEST_CASE("an unknown path is answered with 404, and the query does not belong to the path") {
  HandlerFixture fixture;
  auto good = review("CREATE", toast(R"({"slices":1})"));

  auto unknown = fixture.post("/mutate", good);

  CHECK(unknown.status == 404);
  CHECK(unknown.body == "404 page not found\n");
  CHECK(fixture.respond(std::string(kValidate) + "?timeout=10s", good) == kAllowed);
}

TEST_CASE("a review ends when the API server's timeout has passed") {
  HandlerFixture fixture({});
  const auto slow = with_validator(std::make_unique<Sleeper>(fixture.loop.clock()));
  webhook::AdmissionHandler handler(fixture.loop.clock(), Logger(fixture.sink), fixture.registry, fixture.budget,
                                    {slow});
  net::Request request;
  request.target = std::string(kValidate) + "?timeout=3s";
  request.headers = {{"Content-Type", "application/json"}};
  request.body = review("CREATE", toast(R"({"slices":1})"));
  const auto begun = fixture.loop.clock().now();

  const auto reply = result_of(fixture.loop, handler.serve(request));

  CHECK(fixture.loop.clock().now() - begun == std::chrono::seconds(3));
  CHECK(reply.response.body.find(R"("message":"the review took longer than 3s","code":504)") != std::string::npos);
}

TEST_CASE("requests and decisions are counted in controller-runtime's metrics") {
  HandlerFixture fixture;
  auto has = [&](const std::string& line) { return fixture.registry.text().find(line + "\n") != std::string::npos; };
  const std::string path = std::string("{webhook=\"") + kValidate + "\"";
  CHECK(has("controller_runtime_webhook_requests_total{code=\"200\",webhook=\"" + std::string(kValidate) + "\"} 0"));
  CHECK(has("controller_runtime_webhook_requests_total{code=\"500\",webhook=\"" + std::string(kMutate) + "\"} 0"));
  CHECK(has("controller_runtime_webhook_panics_total 0"));
  CHECK(has("controller_runtime_conversion_webhook_panics_total 0"));

  fixture.post(kValidate, review("CREATE", toast(R"({"slices":1})")));
  fixture.post(kValidate, review("CREATE", toast(R"({"slices":-1})")));
  fixture.post(kValidate, review("EAT", toast(R"({"slices":-1})")));
  fixture.post(kValidate, "");

  CHECK(has("controller_runtime_webhook_requests_total{code=\"200\",webhook=\"" + std::string(kValidate) + "\"} 4"));
  CHECK(has("controller_runtime_webhook_requests_in_flight" + path + "} 0"));
  CHECK(has("controller_runtime_webhook_latency_seconds_count" + path + "} 4"));
  auto decisions = [&](const std::string& allowed, const std::string& code, const std::string& operation) {
    return has("controller_runtime_webhook_admission_decisions_total{allowed=\"" + allowed + "\",code=\"" + code +
               "\",operation=\"" + operation + "\",webhook=\"" + kValidate + "\"} 1");
  };
  CHECK(decisions("true", "200", "CREATE"));
  CHECK(decisions("false", "422", "CREATE"));
  CHECK(decisions("false", "400", "UNKNOWN"));
  CHECK(decisions("false", "400", ""));
}

TEST_CASE("denials are logged with their reason, within bounds on the lines and their length") {
  HandlerFixture fixture;
  auto burnt = review("CREATE", toast(R"({"slices":1,"browning":"burnt"})"));
  const std::string name = R"("name":"a")";
  for (auto at = burnt.find(name); at != std::string::npos; at = burnt.find(name, at + 1)) {
    burnt.replace(at, name.size(), R"("name":")" + std::string(5000, 'x') + "\"");
  }

  for (int i = 0; i < 100; ++i) fixture.respond(kValidate, burnt);
  fixture.respond(kValidate, review("CREATE", toast(R"({"slices":1})")));

  CHECK(fixture.sink.count("Denied the request") == async::LogLimit::kLines);
  for (const auto& entry : fixture.sink.entries()) {
    if (entry.message != "Denied the request") continue;
    CHECK(entry.level == LogSink::Level::kInfo);
    const auto reason = entry.fields.find("reason=\"");
    REQUIRE(reason != std::string::npos);
    CHECK(entry.fields.find("metadata.name: Invalid value: ", reason) != std::string::npos);
    CHECK(entry.fields.size() - reason > 1000);
    CHECK(entry.fields.size() - reason < 1100);
  }
}

TEST_CASE("requests that are allowed, and failures that are logged as errors, are not logged as denials") {
  HandlerFixture fixture;

  fixture.respond(kValidate, review("CREATE", toast(R"({"slices":1})")));
  fixture.respond(kValidate, review("CREATE", toast(R"({"slices":99})")));
  CHECK(fixture.sink.count("Denied the request") == 0);

  fixture.respond(kValidate, review("CREATE", toast(R"({"slices":-1})")));
  CHECK(fixture.sink.count("Denied the request") == 1);
}

TEST_CASE("Request::dry_run is true for a dry run only") {
  std::vector<bool> noted;
  HandlerFixture fixture({with_validator(std::make_unique<DryRunNoter>(noted))});

  for (const auto* dry_run : {"", R"("dryRun":true,)", R"("dryRun":false,)", R"("dryRun":null,)"}) {
    auto text = review("CREATE", toast(R"({"slices":1})"));
    text.insert(text.find(R"("uid")"), dry_run);
    CHECK(fixture.respond(kValidate, text) == kAllowed);
  }

  CHECK(noted == std::vector<bool>{false, true, false, false});
}
