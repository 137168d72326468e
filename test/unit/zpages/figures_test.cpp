#include "src/zpages/figures.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>

namespace keelson::zpages {
namespace {

using namespace std::chrono_literals;

TEST_CASE("numbers have three digits and no zeros at their end") {
  CHECK(decimal(0) == "0");
  CHECK(decimal(0.05) == "0.05");
  CHECK(decimal(0.5) == "0.5");
  CHECK(decimal(3.14159) == "3.14");
  CHECK(decimal(42.04) == "42");
  CHECK(decimal(42.15) == "42.2");
  CHECK(decimal(9.999) == "10");
  CHECK(decimal(1234.5) == "1235");
  CHECK(decimal(-1) == "0");
}

TEST_CASE("bytes and times have the unit that fits") {
  CHECK(bytes_text(0) == "0 B");
  CHECK(bytes_text(1023) == "1023 B");
  CHECK(bytes_text(1536) == "1.5 KiB");
  CHECK(bytes_text(128.0 * 1024 * 1024) == "128 MiB");
  CHECK(bytes_text(1e30).ends_with(" TiB"));
  CHECK(short_time(0) == "0 s");
  CHECK(short_time(0.00085) == "850 µs");
  CHECK(short_time(0.0125) == "12.5 ms");
  CHECK(short_time(3.2) == "3.2 s");
  CHECK(short_time(61) == "1 min 1 s");
}

TEST_CASE("a span has its two largest units") {
  CHECK(span_text(-5s) == "0 s");
  CHECK(span_text(59s) == "59 s");
  CHECK(span_text(200s) == "3 min 20 s");
  CHECK(span_text(2h) == "2 h");
  CHECK(span_text(5h + 2min + 7s) == "5 h 2 min");
  CHECK(span_text(76h) == "3 d 4 h");
}

TEST_CASE("a quantile is interpolated within its bucket") {
  const auto infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<double, std::uint64_t>> counts{{1, 50}, {2, 100}, {infinity, 100}};

  CHECK(quantile(counts, 0.5) == 1);
  CHECK(quantile(counts, 0.75) == 1.5);
  CHECK(quantile({{1, 0}, {infinity, 3}}, 0.5) == 1);
  CHECK(quantile({{1, 0}, {infinity, 0}}, 0.5) == 0);
  CHECK(quantile({}, 0.5) == 0);
}

}  // namespace
}  // namespace keelson::zpages
