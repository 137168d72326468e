// Structured logging in zap's format: a constant message with keys and values, one line each, to stderr.
//
// A Logger is a cheap value: a name, bound key-value pairs, and a pointer to a LogSink that must outlive it. `main`
// owns the sink; each service gets a Logger with its name and derives others from it.
//
// Example (test/examples/base.cpp#log):
//   void start_workers(const Logger& root, int workers) {
//     auto log = root.named("controller").with({{"kind", "Memcached"}});
//     log.info("Starting workers", {{"worker count", workers}});
//   }
//
// A message is a constant, so that lines can be searched and sampled; everything that varies is a value. Log an error
// once, where its propagation ends. Never log a Secret, a token or a whole object.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/base/error.hpp"

namespace keelson {

// The value of a key, converted to JSON at once. A text is cut at limits::kLogValueBytes, and its bytes that are not
// UTF-8 are replaced.
class LogValue {
 public:
  LogValue(std::string_view text);
  LogValue(const char* text) : LogValue(std::string_view(text)) {}
  LogValue(const std::string& text) : LogValue(std::string_view(text)) {}
  LogValue(bool value) : json_(value ? "true" : "false") {}
  LogValue(int value) : json_(std::to_string(value)) {}
  LogValue(std::int64_t value) : json_(std::to_string(value)) {}
  LogValue(std::uint64_t value) : json_(std::to_string(value)) {}
  LogValue(std::chrono::nanoseconds duration);  // "1.5s", in Go's format
  // A value that is JSON already, such as {"name":"a","namespace":"b"}; it must be well-formed, in one line.
  [[nodiscard]] static LogValue json(std::string text);

  [[nodiscard]] const std::string& as_json() const { return json_; }

 private:
  LogValue() = default;
  std::string json_;
};

// A key and its value. Keys are controller-runtime's where it has one: "controller", "namespace", "reconcileID".
struct LogField {
  LogField(std::string_view k, LogValue v) : key(k), value(std::move(v)) {}
  std::string key;
  LogValue value;
};

// The destination of lines: a seam for tests. make_stderr_sink() creates the sink of a program.
class LogSink {
 public:
  virtual ~LogSink() = default;
  enum class Level { kError, kInfo, kDebug };
  // A line under construction. Its references are valid during write() only.
  struct Line {
    Level level;
    int verbosity;  // logr's V: 0 for info and errors
    std::string_view logger;
    std::string_view message;
    const std::vector<LogField>& bound;             // the values bound by Logger::with
    const std::initializer_list<LogField>& fields;  // the values of this line
    const Error* error;                             // null for lines without an error
  };
  // Called before each line; write() is called only after true.
  [[nodiscard]] virtual bool enabled(Level level, int verbosity) const = 0;
  virtual void write(const Line& line) = 0;
};

// Writes lines to a sink. Copying is cheap; lines of copies go to the same sink.
class Logger {
 public:
  // `sink` must outlive the logger and everything derived from it.
  explicit Logger(LogSink& sink) : sink_(&sink) {}

  // A logger whose name is appended with a dot, as zap joins names: "controller-runtime.metrics".
  [[nodiscard]] Logger named(std::string_view name) const;
  // A logger whose lines also have these values. It copies all bound values: call it once per service or reconcile.
  [[nodiscard]] Logger with(std::initializer_list<LogField> fields) const;

  // A line with level "error" and the key "error", whose value is error.message().
  void error(const Error& error, std::string_view message, std::initializer_list<LogField> fields = {}) const;
  void info(std::string_view message, std::initializer_list<LogField> fields = {}) const;
  // logr's V(verbosity): written with --zap-log-level=debug (1) or a number that is at least `verbosity`.
  void debug(std::string_view message, std::initializer_list<LogField> fields = {}, int verbosity = 1) const;
  // False if a line of this verbosity would be dropped: check it before you compute expensive values.
  [[nodiscard]] bool enabled(int verbosity) const;

 private:
  LogSink* sink_;
  std::string name_;
  std::shared_ptr<const std::vector<LogField>> bound_;
};

// The options behind the flags --zap-*.
struct LogOptions {
  enum class Encoder { kJson, kConsole };
  // Of "ts", always in UTC: seconds, milliseconds or nanoseconds since 1970, or a date with milliseconds (ISO 8601),
  // whole seconds (RFC 3339) or nanoseconds.
  enum class TimeEncoding { kEpoch, kMillis, kNanos, kIso8601, kRfc3339, kRfc3339Nano };
  // Disables sampling, as zap's development mode does.
  bool development = false;
  Encoder encoder = Encoder::kJson;
  TimeEncoding time_encoding = TimeEncoding::kRfc3339;
  // The highest V that is written: 0 is info; -1 writes only errors; -2 writes nothing, as zap's level "panic".
  int verbosity = 0;

  using WallTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;
  // The source of "ts"; if empty, the system clock.
  std::function<WallTime()> now{};
};

// Writes lines to stderr, each with a single write(2) of at most limits::kLogLineBytes, so that lines of several
// processes do not mix. Values that do not fit are left out, and the line has "truncated": true. Outside of development
// mode and below V(2), equal messages are sampled as zap does: the first 100 in a second, then every 100th.
[[nodiscard]] std::unique_ptr<LogSink> make_stderr_sink(LogOptions options);

}  // namespace keelson
