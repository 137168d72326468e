#include "keelson/base/log.hpp"

#include <spdlog/details/log_msg.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "keelson/detail/base/adjustable_sink.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/limits.hpp"
#include "src/base/log_line.hpp"
#include "src/base/log_sampler.hpp"
#include "src/base/log_text.hpp"

namespace keelson {

namespace {

const std::vector<LogField>& no_fields() {
  static const std::vector<LogField> empty;
  return empty;
}

const std::vector<LogField>& bound_or_none(const std::shared_ptr<const std::vector<LogField>>& bound) {
  return bound ? *bound : no_fields();
}

class StderrSink final : public AdjustableSink {
 public:
  explicit StderrSink(LogOptions options) : options_(std::move(options)) {
    output_.set_formatter(
        std::make_unique<spdlog::pattern_formatter>("%v", spdlog::pattern_time_type::utc, std::string("\n")));
  }

  [[nodiscard]] int verbosity() const override { return options_.verbosity; }
  void set_verbosity(int verbosity) override { options_.verbosity = verbosity; }

  [[nodiscard]] bool enabled(Level level, int verbosity) const override {
    if (level == Level::kError) return options_.verbosity >= -1;
    return options_.verbosity >= verbosity;
  }

  void write(const Line& line) override {
    auto now = options_.now ? options_.now() : std::chrono::system_clock::now();
    // zap disables sampling at V(2) too, because a user of that level needs every line.
    bool sampled = !options_.development && options_.verbosity < 2;
    if (sampled && !sampler_.admits(line.level, line.message, now)) return;
    auto text = base::format_log_line(line, now, options_.encoder, options_.time_encoding);
    // The sink hands text and newline to the unbuffered stderr in one fwrite, which is one write(2).
    output_.log(spdlog::details::log_msg(spdlog::source_loc{}, "", spdlog::level::info, text));
  }

 private:
  LogOptions options_;
  base::LogSampler sampler_;
  spdlog::sinks::stderr_sink_st output_;
};

}  // namespace

LogValue::LogValue(std::string_view text) : json_(base::log_json_string(text, limits::kLogValueBytes)) {}

LogValue::LogValue(std::chrono::nanoseconds duration) : LogValue(base::format_go_duration(duration)) {}

LogValue LogValue::json(std::string text) {
  LogValue value;
  value.json_ = std::move(text);
  return value;
}

Logger Logger::named(std::string_view name) const {
  Logger child = *this;
  if (!child.name_.empty()) child.name_.push_back('.');
  child.name_.append(name);
  return child;
}

Logger Logger::with(std::initializer_list<LogField> fields) const {
  Logger child = *this;
  auto all = bound_or_none(bound_);
  all.insert(all.end(), fields.begin(), fields.end());
  child.bound_ = std::make_shared<const std::vector<LogField>>(std::move(all));
  return child;
}

void Logger::error(const Error& error, std::string_view message, std::initializer_list<LogField> fields) const {
  if (!sink_->enabled(LogSink::Level::kError, 0)) return;
  sink_->write({LogSink::Level::kError, 0, name_, message, bound_or_none(bound_), fields, &error});
}

void Logger::info(std::string_view message, std::initializer_list<LogField> fields) const {
  if (!enabled(0)) return;
  sink_->write({LogSink::Level::kInfo, 0, name_, message, bound_or_none(bound_), fields, nullptr});
}

void Logger::debug(std::string_view message, std::initializer_list<LogField> fields, int verbosity) const {
  if (!enabled(verbosity)) return;
  sink_->write({LogSink::Level::kDebug, verbosity, name_, message, bound_or_none(bound_), fields, nullptr});
}

bool Logger::enabled(int verbosity) const {
  return sink_->enabled(verbosity == 0 ? LogSink::Level::kInfo : LogSink::Level::kDebug, verbosity);
}

std::unique_ptr<LogSink> make_stderr_sink(LogOptions options) { return make_adjustable_sink(std::move(options)); }

std::unique_ptr<AdjustableSink> make_adjustable_sink(LogOptions options) {
  return std::make_unique<StderrSink>(std::move(options));
}

}  // namespace keelson
