#include "src/sandbox/simulation/manager_log.hpp"

#include <algorithm>
#include <array>

namespace keelson::sandbox {

namespace {

// The fields that name the place of the error; other fields differ between retries.
std::string place_of(const LogSink::Line& line) {
  constexpr std::array<std::string_view, 6> kShown{"controller", "webhookKind", "namespace",
                                                   "name",       "source",      "object"};
  std::string text;
  auto add = [&](const LogField& field) {
    if (std::ranges::find(kShown, field.key) == kShown.end()) return;
    text += " " + field.key + "=" + field.value.as_json();
  };
  for (const auto& field : line.bound) add(field);
  for (const auto& field : line.fields) add(field);
  return text;
}

}  // namespace

void ManagerLog::write(const Line& line) {
  if (inner_.enabled(line.level, line.verbosity)) inner_.write(line);
  if (line.level != Level::kError) return;
  auto text = std::string(line.message);
  if (line.error != nullptr) text += ": " + line.error->message();
  text += place_of(line);
  // The panic of a reconciler is in the error, that of a webhook in the message.
  const bool is_panic =
      line.message == "Observed a panic" || (line.error != nullptr && line.error->text.starts_with("panic: "));
  if (is_panic) problems_.add(text);
  keep(std::move(text));
}

void ManagerLog::keep(std::string text) {
  Entry entry{clock_.wall_now(), std::move(text)};
  auto known = std::ranges::find_if(errors_, [&](const Entry& one) { return one.text == entry.text; });
  if (known != errors_.end()) {
    entry.times += known->times;
    errors_.erase(known);
  }
  errors_.push_back(std::move(entry));
  if (errors_.size() > kMost) errors_.pop_front();
}

}  // namespace keelson::sandbox
