#include "keelson/schema/quantity.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>
#include <vector>

namespace keelson::kube {
namespace {

Quantity quantity(std::string_view text) {
  auto parsed = Quantity::parse(text);
  REQUIRE(parsed);
  return *parsed;
}

struct Case {
  std::string text;
  std::string canonical;
};

}  // namespace

TEST_CASE("a quantity is written in apimachinery's canonical form") {
  const std::vector<Case> cases = {
      {"0", "0"},
      {"-0", "0"},
      {"0Ki", "0"},
      {"1000m", "1"},
      {"250m", "250m"},
      {"0.5", "500m"},
      {".5", "500m"},
      {"1.", "1"},
      {"+5", "5"},
      {"005", "5"},
      {"1500", "1500"},
      {"2000", "2k"},
      {"1.5G", "1500M"},
      {"64Mi", "64Mi"},
      {"1024Mi", "1Gi"},
      {"1.5Gi", "1536Mi"},
      {"1000Ki", "1000Ki"},
      {"0.5Ki", "512"},
      {"1Ki", "1Ki"},
      {"1025", "1025"},
      {"0.1Ki", "102400m"},
      {"1024.5Ki", "1049088"},
      {"1e3", "1e3"},
      {"12E2", "1200"},
      {"1E-3", "1e-3"},
      {"1e+6", "1e6"},
      {"5E", "5E"},
      {"1e21", "1e21"},
      {"1n", "1n"},
      {"0.1n", "1n"},
      {"-0.1n", "-1n"},
      {"1.0000000001", "1000000001n"},
      {"-64Mi", "-64Mi"},
      {"1u", "1u"},
      {"8Ei", "9223372036854775807"},
      {"-9Ei", "-9223372036854775807"},
      {"7.5Ei", "7680Pi"},
      {"100E", "100E"},
      {"99999999999999999999999Ki", "9223372036854775807"},
      {"1e-400", "1e-9"},
      {"0e99999999999", "0"},
  };
  for (const auto& [text, canonical] : cases) {
    INFO(text);
    CHECK(quantity(text).text() == canonical);
  }
}

TEST_CASE("an invalid quantity is rejected with apimachinery's text") {
  const std::string form = "quantities must match the regular expression";
  const std::vector<Case> cases = {
      {"", form},
      {" 1", form},
      {"1 ", form},
      {"1.2.3", form},
      {"1x", form},
      {"--1", "unable to parse quantity's suffix"},
      {"1e3.5", form},
      {"1K", "unable to parse quantity's suffix"},
      {"1e", "unable to parse quantity's suffix"},
      {"1mm", "unable to parse quantity's suffix"},
      {"1k5", "unable to parse quantity's suffix"},
      {"Ki", "unable to parse numeric part of quantity"},
      {"-", "unable to parse numeric part of quantity"},
      {"1e30", "quantities must be below 1e29"},
      {"1e99999999999999999999", "quantities must be below 1e29"},
  };
  for (const auto& [text, error] : cases) {
    INFO(text);
    auto parsed = Quantity::parse(text);

    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().text.starts_with(error));
  }
}

TEST_CASE("quantities are compared by value in any notation") {
  CHECK(quantity("1000m") == quantity("1"));
  CHECK(quantity("1Gi") == quantity("1024Mi"));
  CHECK(quantity("1e3") == quantity("1k"));
  CHECK(quantity("1k") < quantity("1Ki"));
  CHECK(quantity("-1") < quantity("0"));
  CHECK(quantity("1n") > quantity("0"));
  CHECK(Quantity(64 * 1024, Quantity::Format::kBinarySi).text() == "64Ki");
  CHECK(Quantity() == quantity("0"));
}

TEST_CASE("values are rounded away from zero and stay within 64 bits") {
  CHECK(quantity("1.1").value() == 2);
  CHECK(quantity("-1.1").value() == -2);
  CHECK(quantity("1n").value() == 1);
  CHECK(quantity("250m").milli_value() == 250);
  CHECK(quantity("1Ki").value() == 1024);
  CHECK(quantity("0.0001").milli_value() == 1);
  CHECK(quantity("100E").value() == std::numeric_limits<std::int64_t>::max());
  CHECK(quantity("-100E").value() == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("an invalid quantity in the source code is a misuse") {
  CHECK(Quantity("64Mi") == Quantity(std::int64_t{64} << 20));
  CHECK_THROWS_WITH(Quantity("64 MiB"), Catch::Matchers::StartsWith("\"64 MiB\": "));
  CHECK("64Mi"_quantity == Quantity("64Mi"));
}

TEST_CASE("a literal compiles as a quantity exactly if it has the form of one") {
  for (const char* text :
       {"0", "1", "-1.5", "+.5", "1.", "250m", "64Mi", "1e3", "1E-3", "5u", "7n", "1E", "2Ei", "3k"}) {
    INFO(text);
    CHECK(detail::is_quantity(text));
    CHECK(Quantity::parse(text).has_value());
  }
  for (const char* text : {"", "Mi", "64 MiB", "1K", "1mi", "1e", "e3", "1.2.3", "--1", "."}) {
    INFO(text);
    CHECK_FALSE(detail::is_quantity(text));
    CHECK_FALSE(Quantity::parse(text).has_value());
  }
}

}  // namespace keelson::kube
