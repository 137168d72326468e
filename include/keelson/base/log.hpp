// Structured logging as zap writes it: a constant message and known keys, one line, to stderr.
//
// A Logger is a cheap value: a name, key-value pairs, and a pointer to a LogSink that must outlive it.
// Never log a Secret, a token or a whole object. Level 1 and up are logr's V(n).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/error.hpp"

namespace keelson {

// One value of a line. Objects (`{name, namespace}`) are passed as JSON text with LogValue::json.
class LogValue {
 public:
  LogValue(std::string_view text);
  LogValue(const char* text) : LogValue(std::string_view(text)) {}
  LogValue(const std::string& text) : LogValue(std::string_view(text)) {}
  LogValue(bool value) : json_(value ? "true" : "false") {}
  LogValue(int value) : json_(std::to_string(value)) {}
  LogValue(std::int64_t value) : json_(std::to_string(value)) {}
  LogValue(std::uint64_t value) : json_(std::to_string(value)) {}
  LogValue(std::chrono::nanoseconds duration);  // "1.5s", as Go prints durations
  [[nodiscard]] static LogValue json(std::string text);

  [[nodiscard]] const std::string& as_json() const { return json_; }

 private:
  LogValue() = default;
  std::string json_;
};

struct LogField {
  LogField(std::string_view k, LogValue v) : key(k), value(std::move(v)) {}
  std::string key;
  LogValue value;
};

// Where lines go. The seam for tests; the real one is made by `make_stderr_sink`.
class LogSink {
 public:
  virtual ~LogSink() = default;
  enum class Level { kError, kInfo, kDebug };
  struct Line {
    Level level;
    int verbosity;  // logr's V: 0 for info and errors
    std::string_view logger;
    std::string_view message;
    const std::vector<LogField>& bound;             // the logger's own values
    const std::initializer_list<LogField>& fields;  // this line's
    const Error* error;                             // or null
  };
  [[nodiscard]] virtual bool enabled(Level level, int verbosity) const = 0;
  virtual void write(const Line& line) = 0;
};

class Logger {
 public:
  explicit Logger(LogSink& sink) : sink_(&sink) {}

  // "controller-runtime" named "metrics" gives "controller-runtime.metrics", as zap joins names.
  [[nodiscard]] Logger named(std::string_view name) const;
  [[nodiscard]] Logger with(std::initializer_list<LogField> fields) const;

  void error(const Error& error, std::string_view message, std::initializer_list<LogField> fields = {}) const;
  void info(std::string_view message, std::initializer_list<LogField> fields = {}) const;
  // V(verbosity): shown at --zap-log-level=debug (1) or a number.
  void debug(std::string_view message, std::initializer_list<LogField> fields = {}, int verbosity = 1) const;
  [[nodiscard]] bool enabled(int verbosity) const;

 private:
  LogSink* sink_;
  std::string name_;
  std::shared_ptr<const std::vector<LogField>> bound_;
};

struct LogOptions {
  enum class Encoder { kJson, kConsole };
  enum class TimeEncoding { kEpoch, kMillis, kNanos, kIso8601, kRfc3339, kRfc3339Nano };
  bool development = false;
  Encoder encoder = Encoder::kJson;
  TimeEncoding time_encoding = TimeEncoding::kRfc3339;
  // Highest V that is shown; 0 is info, -1 only errors, -2 only panics.
  int verbosity = 0;

  using WallTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;
  // Where "ts" comes from; empty: the system clock.
  std::function<WallTime()> now{};
};

// Lines to stderr, one write(2) each, at most limits::kLogLineBytes. Not in development and below V(2) equal
// messages are sampled: the first 100 in a second, then every 100th. A value's text is cut at
// limits::kLogValueBytes and what is not UTF-8 in it replaced.
[[nodiscard]] std::unique_ptr<LogSink> make_stderr_sink(LogOptions options);

}  // namespace keelson
