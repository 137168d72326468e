#include "src/tracing/otlp_json.hpp"

#include <catch2/catch_test_macros.hpp>

#include "src/tracing/export_policy.hpp"

namespace keelson::tracing {

namespace {

using namespace std::chrono_literals;

Span request_span() {
  Span span;
  span.context = {0x0102030405060708, 0x090a0b0c0d0e0f10, 0x1112131415161718, true};
  span.parent = 0x2a;
  span.name = "PATCH deployments";
  span.kind = Span::Kind::kClient;
  span.start = async::WallTime(1'790'000'000s);
  span.end = span.start + 1500us;
  span.attributes = {{"http.request.method", "PATCH"}, {"http.response.status_code", "409", Attribute::Type::kInteger}};
  span.has_failed = true;
  span.error = "Conflict";
  return span;
}

}  // namespace

TEST_CASE("a traceparent has the version, both identifiers in hexadecimal digits, and the sampled flag") {
  SpanContext context{0x0af7651916cd43dd, 0x8448eb211c80319c, 0xb7ad6b7169203331, true};
  CHECK(traceparent(context) == "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");

  context = {0, 1, 2, false};
  CHECK(traceparent(context) == "00-00000000000000000000000000000001-0000000000000002-00");
}

TEST_CASE("the sampler traceidratio compares the lowest 63 bits of the trace id with the fraction") {
  const auto selected = [](std::uint64_t low, double fraction) {
    return is_selected({0xffffffffffffffff, low, 1, false}, fraction);
  };
  CHECK(selected(0xffffffffffffffff, 1));
  CHECK_FALSE(selected(0, 0));
  CHECK(selected(0x7ffffffffffffffe, 0.5));
  CHECK_FALSE(selected(0x8000000000000000, 0.5));
  CHECK(selected(0x3ffffffffffffffe, 0.25));
  CHECK_FALSE(selected(0x4000000000000000, 0.25));
}

TEST_CASE("a span is encoded in the JSON form of OTLP") {
  const auto json = otlp_json({{"service.name", "manager"}}, {request_span()}, 1);

  CHECK(json ==
        R"({"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"manager"}}]},)"
        R"("scopeSpans":[{"scope":{"name":"keelson"},"spans":[{"traceId":"0102030405060708090a0b0c0d0e0f10",)"
        R"("spanId":"1112131415161718","parentSpanId":"000000000000002a","name":"PATCH deployments","kind":3,)"
        R"("startTimeUnixNano":"1790000000000000000","endTimeUnixNano":"1790000000001500000",)"
        R"("attributes":[{"key":"http.request.method","value":{"stringValue":"PATCH"}},)"
        R"({"key":"http.response.status_code","value":{"intValue":"409"}}],"events":[],)"
        R"("status":{"code":2,"message":"Conflict"}}]}]}]})");
}

TEST_CASE("a root span has no parent, its reasons are events, and its status is not set") {
  auto span = request_span();
  span.parent = 0;
  span.attributes.clear();
  span.events = {"Deployment updated"};
  span.has_failed = false;

  const auto json = otlp_json({}, {span, span}, 1);

  CHECK(json.find("parentSpanId") == std::string::npos);
  CHECK(json.find(
            R"("events":[{"timeUnixNano":"1790000000000000000","name":"Deployment updated"}],"status":{}}]}]}]})") !=
        std::string::npos);
}

TEST_CASE("a long text of a span is cut") {
  auto span = request_span();
  span.error = std::string(limits::kSpanTextBytes, 'a') + "b";

  const auto json = otlp_json({}, {span}, 1);

  CHECK(json.find(std::string(limits::kSpanTextBytes, 'a') + "\"") != std::string::npos);
}

TEST_CASE("a long text of a span is cut between characters, because OTLP requires UTF-8") {
  auto span = request_span();
  span.error = std::string(limits::kSpanTextBytes - 1, 'a') + "\u00e4";

  const auto json = otlp_json({}, {span}, 1);

  CHECK(json.find(std::string(limits::kSpanTextBytes - 1, 'a') + "\"") != std::string::npos);
}

TEST_CASE("a batch is sent again after the replies that OTLP names, and after a lost connection") {
  using Next = ExportVerdict::Next;
  const auto reply = [](int status) { return Result<net::Response>(net::Response{status, {}, ""}); };
  CHECK(judge_export(reply(200)).next == Next::kDone);
  CHECK(judge_export(reply(202)).next == Next::kDone);
  for (const int status : {429, 502, 503, 504}) CHECK(judge_export(reply(status)).next == Next::kRetry);
  for (const int status : {301, 400, 401, 404, 413, 500, 501}) CHECK(judge_export(reply(status)).next == Next::kDrop);
  CHECK(judge_export(transport_error("connection refused")).next == Next::kRetry);
  CHECK(judge_export(timeout_error("no reply")).next == Next::kRetry);
  CHECK(judge_export(invalid_error("a header")).next == Next::kDrop);
}

TEST_CASE("Retry-After in seconds is the delay of the next attempt") {
  const auto after = [](const char* value) {
    return judge_export(net::Response{503, {{"Retry-After", value}}, ""}).retry_after;
  };
  CHECK(after("7") == 7s);
  CHECK(after("0") == 0s);
  CHECK_FALSE(after("Wed, 21 Oct 2026 07:28:00 GMT"));
  CHECK_FALSE(after("-1"));
  CHECK_FALSE(after("9223372036854775807"));
}

TEST_CASE("the rejected spans of a partial success are a text or a number") {
  CHECK(rejected_spans(R"({"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}})") == 3);
  CHECK(rejected_spans(R"({"partialSuccess":{"rejectedSpans":3}})") == 3);
  for (const char* body :
       {"", "{}", "no json", R"({"partialSuccess":{}})", R"({"partialSuccess":{"rejectedSpans":"-1"}})"}) {
    INFO(body);
    CHECK(rejected_spans(body) == 0);
  }
}

}  // namespace keelson::tracing
