#include "src/base/log_line.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/base/log.hpp"
#include "keelson/detail/base/limits.hpp"

using namespace std::chrono_literals;
using keelson::Error;
using keelson::LogField;
using keelson::LogOptions;
using keelson::LogSink;
using keelson::LogValue;
using Encoder = LogOptions::Encoder;
using TimeEncoding = LogOptions::TimeEncoding;

namespace {

constexpr LogOptions::WallTime kWhen{1700000000s + 120456789ns};
const std::vector<LogField> kNoFields;

std::string format(const LogSink::Line& line, Encoder encoder, TimeEncoding encoding = TimeEncoding::kRfc3339) {
  return keelson::base::format_log_line(line, kWhen, encoder, encoding);
}

std::string plain_info(Encoder encoder, TimeEncoding encoding = TimeEncoding::kRfc3339) {
  return format({LogSink::Level::kInfo, 0, "", "m", kNoFields, {}, nullptr}, encoder, encoding);
}

// The line for which the output of zap 1.27 is recorded below.
std::string reconciler_error(Encoder encoder) {
  std::vector<LogField> bound{{"controller", "q\"\\\n\t\x01\x7f\xff\u00e4\u2028<&>"},
                              {"Kind", LogValue::json(R"({"name":"n","namespace":"s"})")}};
  Error error = keelson::invalid_error("boom");
  return format({LogSink::Level::kError, 0, "a.b", "Reconciler error", bound, {{"n", 3}, {"b", true}}, &error},
                encoder);
}

}  // namespace

TEST_CASE("a JSON line equals that of zap's production encoder") {
  CHECK(reconciler_error(Encoder::kJson) ==
        "{\"level\":\"error\",\"ts\":\"2023-11-14T22:13:20Z\",\"logger\":\"a.b\",\"msg\":\"Reconciler error\","
        "\"controller\":\"q\\\"\\\\\\n\\t\\u0001\x7f\\ufffd\u00e4\u2028<&>\",\"Kind\":{\"name\":\"n\","
        "\"namespace\":\"s\"},\"n\":3,\"b\":true,\"error\":\"boom\"}");
  CHECK(plain_info(Encoder::kJson) == R"({"level":"info","ts":"2023-11-14T22:13:20Z","msg":"m"})");
}

TEST_CASE("a console line equals that of zap's development encoder") {
  CHECK(reconciler_error(Encoder::kConsole) ==
        "2023-11-14T22:13:20Z\tERROR\ta.b\tReconciler error\t{\"controller\": "
        "\"q\\\"\\\\\\n\\t\\u0001\x7f\\ufffd\u00e4\u2028<&>\", \"Kind\": {\"name\":\"n\",\"namespace\":\"s\"}, "
        "\"n\": 3, \"b\": true, \"error\": \"boom\"}");
  CHECK(plain_info(Encoder::kConsole) == "2023-11-14T22:13:20Z\tINFO\tm");
}

TEST_CASE("times have zap's six encodings") {
  struct Row {
    TimeEncoding encoding;
    const char* json;
    const char* console;
  };
  const Row rows[] = {
      {TimeEncoding::kEpoch, "1700000000.1204567", "1.7000000001204567e+09"},
      {TimeEncoding::kMillis, "1700000000120.4568", "1.7000000001204568e+12"},
      {TimeEncoding::kNanos, "1700000000120456789", "1700000000120456789"},
      {TimeEncoding::kIso8601, "\"2023-11-14T22:13:20.120Z\"", "2023-11-14T22:13:20.120Z"},
      {TimeEncoding::kRfc3339, "\"2023-11-14T22:13:20Z\"", "2023-11-14T22:13:20Z"},
      {TimeEncoding::kRfc3339Nano, "\"2023-11-14T22:13:20.120456789Z\"", "2023-11-14T22:13:20.120456789Z"}};
  for (const auto& row : rows) {
    CHECK(plain_info(Encoder::kJson, row.encoding) ==
          "{\"level\":\"info\",\"ts\":" + std::string(row.json) + ",\"msg\":\"m\"}");
    CHECK(plain_info(Encoder::kConsole, row.encoding) == std::string(row.console) + "\tINFO\tm");
  }
}

TEST_CASE("nanoseconds are written without trailing zeros, and not at all if they are zero") {
  LogSink::Line line{LogSink::Level::kInfo, 0, "", "m", kNoFields, {}, nullptr};
  auto at = [&](LogOptions::WallTime when) {
    return keelson::base::format_log_line(line, when, Encoder::kConsole, TimeEncoding::kRfc3339Nano);
  };

  CHECK(at(LogOptions::WallTime(0s)) == "1970-01-01T00:00:00Z\tINFO\tm");
  CHECK(at(LogOptions::WallTime(100ms)) == "1970-01-01T00:00:00.1Z\tINFO\tm");
}

TEST_CASE("every V level is written as debug") {
  LogSink::Line line{LogSink::Level::kDebug, 4, "", "m", kNoFields, {}, nullptr};

  CHECK(format(line, Encoder::kJson) == R"({"level":"debug","ts":"2023-11-14T22:13:20Z","msg":"m"})");
  CHECK(format(line, Encoder::kConsole) == "2023-11-14T22:13:20Z\tDEBUG\tm");
}

TEST_CASE("control characters of a message do not break a console line") {
  LogSink::Line line{LogSink::Level::kInfo, 0, "a\tb", "one\ntwo\xff", kNoFields, {}, nullptr};

  CHECK(format(line, Encoder::kConsole) == "2023-11-14T22:13:20Z\tINFO\ta b\tone two\ufffd");
}

TEST_CASE("a long value is cut and marked with an ellipsis") {
  std::string text(keelson::limits::kLogValueBytes + 100, 'x');

  LogValue value(text);

  CHECK(value.as_json() == '"' + std::string(keelson::limits::kLogValueBytes - 1, 'x') + "\u2026\"");
}

TEST_CASE("a line that would be too long leaves out values, but not the error") {
  std::string big(keelson::limits::kLogValueBytes * 2, '\x01');
  std::vector<LogField> bound(50, LogField("key", big));
  bound.emplace_back("controller", "memcached");
  Error error = keelson::invalid_error(big);

  for (auto encoder : {Encoder::kJson, Encoder::kConsole}) {
    auto text = format({LogSink::Level::kError, 0, big, big, bound, {{"late", 1}}, &error}, encoder);

    CHECK(text.size() <= keelson::limits::kLogLineBytes);
    CHECK(text.find("memcached") != std::string::npos);
    CHECK(text.find("\"error\"") != std::string::npos);
    CHECK(text.find("\"late\"") != std::string::npos);
    CHECK(text.find(encoder == Encoder::kJson ? ",\"truncated\":true}" : ", \"truncated\": true}") !=
          std::string::npos);
  }
}

TEST_CASE("an object that does not fit is left out completely") {
  auto object = LogValue::json("[" + std::string(keelson::limits::kLogLineBytes, '1') + "]");

  auto text =
      format({LogSink::Level::kInfo, 0, "", "m", kNoFields, {{"o", object}, {"n", 1}}, nullptr}, Encoder::kJson);

  CHECK(text == R"({"level":"info","ts":"2023-11-14T22:13:20Z","msg":"m","n":1,"truncated":true})");
}
