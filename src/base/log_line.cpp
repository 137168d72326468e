#include "src/base/log_line.hpp"

#include "keelson/detail/base/limits.hpp"
#include "src/base/log_text.hpp"

namespace keelson::base {

namespace {

constexpr std::string_view kTruncated = "truncated";

// `"key":value,` pairs up to a budget of bytes; on the console with spaces, as zap's spaced encoder writes them.
class Pairs {
 public:
  Pairs(LogOptions::Encoder encoder, std::size_t budget)
      : colon_(encoder == LogOptions::Encoder::kJson ? ":" : ": "),
        comma_(encoder == LogOptions::Encoder::kJson ? "," : ", "),
        budget_(budget) {}

  // Returns false and adds nothing if the pair does not fit.
  bool add(std::string_view key, std::string_view json) {
    auto name = log_json_string(key, limits::kLogValueBytes);
    auto size = comma_.size() + name.size() + colon_.size() + json.size();
    if (text_.size() + size > budget_) return false;
    if (!text_.empty()) text_.append(comma_);
    text_.append(name).append(colon_).append(json);
    return true;
  }
  // Adds bytes to the budget: those reserved for the end of the line.
  void grow(std::size_t bytes) { budget_ += bytes; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string_view colon_;
  std::string_view comma_;
  std::size_t budget_;
  std::string text_;
};

template <class Fields>
bool add_all(Pairs& pairs, const Fields& fields) {
  bool complete = true;
  for (const LogField& field : fields) complete = pairs.add(field.key, field.value.as_json()) && complete;
  return complete;
}

// Adds the values, then "error" and "truncated", which always fit because their bytes are reserved.
void add_values(Pairs& pairs, const LogSink::Line& line) {
  constexpr std::size_t kEnd = limits::kLogValueBytes + 128;
  bool complete = add_all(pairs, line.bound);
  complete = add_all(pairs, line.fields) && complete;
  pairs.grow(kEnd);
  if (line.error != nullptr) pairs.add("error", log_json_string(line.error->message(), limits::kLogValueBytes));
  if (!complete) pairs.add(kTruncated, "true");
}

// The budget of the bound values and the line's own, without the head, "error" and "truncated".
constexpr std::size_t kValuesBudget = limits::kLogLineBytes - 2 * limits::kLogValueBytes - 1024;

// Every V level is written as "debug": log pipelines do not know zap's "Level(-2)".
std::string_view level_name(LogSink::Level level, LogOptions::Encoder encoder) {
  bool json = encoder == LogOptions::Encoder::kJson;
  switch (level) {
    case LogSink::Level::kError:
      return json ? "error" : "ERROR";
    case LogSink::Level::kInfo:
      return json ? "info" : "INFO";
    case LogSink::Level::kDebug:
      return json ? "debug" : "DEBUG";
  }
  return "";
}

std::string json_line(const LogSink::Line& line, const std::string& time) {
  constexpr auto kJson = LogOptions::Encoder::kJson;
  Pairs pairs(kJson, limits::kLogLineBytes);
  pairs.add("level", '"' + std::string(level_name(line.level, kJson)) + '"');
  pairs.add("ts", time);
  if (!line.logger.empty()) pairs.add("logger", log_json_string(line.logger, 256));
  pairs.add("msg", log_json_string(line.message, limits::kLogValueBytes));
  Pairs values(kJson, kValuesBudget);
  add_values(values, line);
  if (values.text().empty()) return '{' + pairs.text() + '}';
  return '{' + pairs.text() + ',' + values.text() + '}';
}

std::string console_line(const LogSink::Line& line, const std::string& time) {
  constexpr auto kConsole = LogOptions::Encoder::kConsole;
  std::string text = time;
  text.append("\t").append(level_name(line.level, kConsole));
  if (!line.logger.empty()) text.append("\t").append(log_plain_text(line.logger, 256));
  text.append("\t").append(log_plain_text(line.message, limits::kLogValueBytes));
  Pairs values(kConsole, kValuesBudget);
  add_values(values, line);
  if (!values.text().empty()) text.append("\t{").append(values.text()).append("}");
  return text;
}

}  // namespace

std::string format_log_line(const LogSink::Line& line, LogOptions::WallTime when, LogOptions::Encoder encoder,
                            LogOptions::TimeEncoding time_encoding) {
  auto time = log_time(when, time_encoding, encoder);
  return encoder == LogOptions::Encoder::kJson ? json_line(line, time) : console_line(line, time);
}

}  // namespace keelson::base
