#include "src/sandbox/fields/go_values.hpp"

#include <catch2/catch_test_macros.hpp>

#include "src/sandbox/validation/text_formats.hpp"
#include "test/support/data_rows.hpp"

namespace keelson::sandbox {
namespace {

// The error, or the time as it is stored.
std::string result_of_time(const std::string& text, bool is_micro) {
  if (const auto error = time_error(text, is_micro)) return *error;
  const auto time = parse_go_time(text);
  return time ? "-> " + format_go_time(*time, is_micro) : "not a time";
}

TEST_CASE("times of all years are read and printed as by Go") {
  for (const auto& row : testing::data_rows("test/unit/sandbox/times.txt", {"text", "time", "micro"})) {
    CAPTURE(row.place(), row["text"]);
    CHECK(result_of_time(row["text"], false) == row["time"]);
    CHECK(result_of_time(row["text"], true) == row["micro"]);
  }
}

TEST_CASE("the name of an IPAddress is an address in its canonical form") {
  auto errors = [](const std::string& name) { return format_errors("canonical_ip", name); };
  using Errors = std::vector<std::string>;
  CHECK(errors("10.0.0.250").empty());
  CHECK(errors("2001:db8::1").empty());
  CHECK(errors("2001:DB8::1") == Errors{R"(must be in canonical form ("2001:db8::1"))"});
  CHECK(errors("10.0.0.0250") == Errors{"must not have leading 0s"});
  CHECK(errors("abc") == Errors{"must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"});
  CHECK(errors("::ffff:1.2.3.4") == Errors{"must not be an IPv4-mapped IPv6 address"});
}

}  // namespace
}  // namespace keelson::sandbox
