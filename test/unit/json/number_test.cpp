// Numbers in a process whose locale has another decimal point: an operator's libraries may have called setlocale().
#include "src/json/number.hpp"

#include <sys/wait.h>

#include <catch2/catch_test_macros.hpp>
#include <clocale>
#include <cstdlib>
#include <string>
#include <utility>

#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::json {
namespace {

// Numbers of the C library have a comma while it exists. The locale is compiled for the test, because machines have
// few locales: localedef is a part of glibc, and a definition of one category needs no other files.
class CommaLocale {
 public:
  CommaLocale() {
    const auto source = folder_.write("source",
                                      "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\n"
                                      "thousands_sep \"\"\ngrouping -1\nEND LC_NUMERIC\n");
    // The exit code is 1, because the other categories are missing.
    const auto command = "localedef --no-archive -c -f ANSI_X3.4-1968 -i '" + source + "' '" +
                         (folder_.path() / "comma").string() + "' 2>/dev/null";
    const auto status = std::system(command.c_str());
    REQUIRE(WIFEXITED(status));
    ::setenv("LOCPATH", folder_.path().c_str(), 1);
    REQUIRE(std::setlocale(LC_NUMERIC, "comma") != nullptr);
    REQUIRE(std::string(std::localeconv()->decimal_point) == ",");
  }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;
  ~CommaLocale() {
    std::setlocale(LC_NUMERIC, "C");
    ::unsetenv("LOCPATH");
  }

 private:
  testing::TemporaryFolder folder_;
};

constexpr std::pair<const char*, double> kNumbers[] = {
    {"0.5", 0.5}, {"-1.25", -1.25}, {"1048576.75", 1048576.75}, {"0.30000000000000004", 0.1 + 0.2}, {"7", 7}};

std::string written(double value) {
  Writer writer;
  writer.number(value);
  return std::move(writer).take();
}

TEST_CASE("numbers are read and written with a point in a locale with a decimal comma") {
  const CommaLocale locale;
  // Without help, the C library ignores what follows the point.
  REQUIRE(std::strtod("0.5", nullptr) == 0);

  for (const auto& [text, value] : kNumbers) {
    INFO(text);
    CHECK(parse_double(text) == value);
    const auto document = Document::parse(text);
    REQUIRE(document);
    CHECK(document->root().number() == value);
    CHECK(written(value) == text);
  }
  CHECK(parse_double("1.5e3") == 1500);
}

TEST_CASE("a number that is too large for a double is not read, and one that is too small is zero") {
  CHECK(parse_double("1e308") == 1e308);
  CHECK(parse_double("1e309") == std::nullopt);
  CHECK(parse_double("-1.5e309") == std::nullopt);
  CHECK(parse_double("1e-400") == 0);
}

}  // namespace
}  // namespace keelson::json
