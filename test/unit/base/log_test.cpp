#include "keelson/base/log.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using keelson::Logger;
using keelson::LogOptions;
using keelson::LogValue;

namespace {

// Stderr as a socket that preserves message boundaries: each message is a single write(2).
class StderrCapture {
 public:
  StderrCapture() : saved_(dup(STDERR_FILENO)) {
    REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends_.data()) == 0);
    dup2(ends_[0], STDERR_FILENO);
  }
  ~StderrCapture() {
    dup2(saved_, STDERR_FILENO);
    for (int descriptor : {saved_, ends_[0], ends_[1]}) close(descriptor);
  }
  std::vector<std::string> writes() {
    std::vector<std::string> all;
    std::array<char, 65536> buffer;
    for (;;) {
      auto size = recv(ends_[1], buffer.data(), buffer.size(), 0);
      if (size <= 0) return all;
      all.emplace_back(buffer.data(), static_cast<std::size_t>(size));
    }
  }

 private:
  int saved_;
  std::array<int, 2> ends_{};
};

LogOptions options_at(int verbosity, bool development = true) {
  LogOptions options;
  options.development = development;
  options.encoder = LogOptions::Encoder::kConsole;
  options.verbosity = verbosity;
  options.now = [] { return LogOptions::WallTime(0s); };
  return options;
}

// The messages of all levels that a sink of this verbosity writes.
std::vector<std::string> shown_at(int verbosity) {
  StderrCapture capture;
  auto sink = keelson::make_stderr_sink(options_at(verbosity));
  Logger log(*sink);
  log.error(keelson::invalid_error("x"), "error");
  log.info("info");
  log.debug("v1");
  log.debug("v3", {}, 3);
  std::vector<std::string> messages;
  for (const auto& line : capture.writes()) {
    auto start = line.find('\t', line.find('\t') + 1) + 1;
    messages.push_back(line.substr(start, line.find_first_of("\t\n", start) - start));
  }
  return messages;
}

}  // namespace

TEST_CASE("each line is one write to stderr") {
  StderrCapture capture;
  auto sink = keelson::make_stderr_sink(options_at(0));
  Logger log(*sink);

  log.info("first", {{"text", std::string(3000, 'x')}});
  log.info("second");

  auto writes = capture.writes();
  REQUIRE(writes.size() == 2);
  CHECK(writes[0] == "1970-01-01T00:00:00Z\tINFO\tfirst\t{\"text\": \"" + std::string(3000, 'x') + "\"}\n");
  CHECK(writes[1] == "1970-01-01T00:00:00Z\tINFO\tsecond\n");
}

TEST_CASE("names are joined by dots and values are bound in order") {
  StderrCapture capture;
  auto sink = keelson::make_stderr_sink(options_at(0));
  auto log = Logger(*sink).named("controller-runtime").named("metrics").with({{"a", 1}}).with({{"b", "two"}});

  log.error(keelson::timeout_error("no answer"), "Serving failed", {{"c", std::chrono::nanoseconds(1500ms)}});

  CHECK(capture.writes() ==
        std::vector<std::string>{"1970-01-01T00:00:00Z\tERROR\tcontroller-runtime.metrics\tServing failed\t"
                                 "{\"a\": 1, \"b\": \"two\", \"c\": \"1.5s\", \"error\": \"no answer\"}\n"});
}

TEST_CASE("a derived logger does not change its parent") {
  StderrCapture capture;
  auto sink = keelson::make_stderr_sink(options_at(0));
  Logger parent(*sink);
  auto child = parent.named("child").with({{"a", 1}});

  parent.info("parent");

  CHECK(capture.writes() == std::vector<std::string>{"1970-01-01T00:00:00Z\tINFO\tparent\n"});
}

TEST_CASE("the sink writes the lines up to its verbosity") {
  using Shown = std::vector<std::string>;
  CHECK(shown_at(-2) == Shown{});
  CHECK(shown_at(-1) == Shown{"error"});
  CHECK(shown_at(0) == Shown{"error", "info"});
  CHECK(shown_at(1) == Shown{"error", "info", "v1"});
  CHECK(shown_at(3) == Shown{"error", "info", "v1", "v3"});
}

TEST_CASE("a logger reports which verbosity is enabled, before values are built") {
  auto sink = keelson::make_stderr_sink(options_at(1));
  Logger log(*sink);

  CHECK(log.enabled(0));
  CHECK(log.enabled(1));
  CHECK_FALSE(log.enabled(2));
}

TEST_CASE("equal messages are sampled, except in development mode and at V(2)") {
  struct Row {
    bool development;
    int verbosity;
    std::size_t lines;
  };
  for (const auto& row : {Row{false, 0, 101}, Row{false, 1, 101}, Row{false, 2, 200}, Row{true, 0, 200}}) {
    StderrCapture capture;
    auto sink = keelson::make_stderr_sink(options_at(row.verbosity, row.development));
    Logger log(*sink);

    std::size_t lines = 0;
    for (int i = 0; i < 200; ++i) {
      log.info("same");
      lines += capture.writes().size();
    }

    CHECK(lines == row.lines);
  }
}

TEST_CASE("values are written as JSON of their type") {
  CHECK(LogValue("a\"b").as_json() == R"("a\"b")");
  CHECK(LogValue(true).as_json() == "true");
  CHECK(LogValue(-3).as_json() == "-3");
  CHECK(LogValue(std::int64_t{1} << 62).as_json() == "4611686018427387904");
  CHECK(LogValue(~std::uint64_t{0}).as_json() == "18446744073709551615");
  CHECK(LogValue(std::chrono::nanoseconds(90s)).as_json() == "\"1m30s\"");
  CHECK(LogValue::json("[1]").as_json() == "[1]");
}

TEST_CASE("lines have the system's time if the options have no clock") {
  StderrCapture capture;
  auto options = options_at(0);
  options.now = nullptr;
  options.time_encoding = LogOptions::TimeEncoding::kNanos;
  auto sink = keelson::make_stderr_sink(options);
  auto before = std::chrono::system_clock::now().time_since_epoch();

  Logger(*sink).info("m");

  auto writes = capture.writes();
  REQUIRE(writes.size() == 1);
  CHECK(std::chrono::nanoseconds(std::stoll(writes[0])) >= before);
}
