#include "keelson/detail/zpages/error_log.hpp"

#include <algorithm>
#include <array>

#include "src/zpages/shortened.hpp"

namespace keelson::zpages {

namespace {

std::string cut(std::string_view text) { return shortened(text, limits::kRecentErrorBytes); }

// The text of a JSON string without escapes, which names of objects and controllers have; empty for other values.
std::string_view plain_text(const LogValue& value) {
  std::string_view json = value.as_json();
  if (json.size() < 2 || json.front() != '"' || json.find('\\') != std::string_view::npos) return {};
  return json.substr(1, json.size() - 2);
}

std::string about(const LogSink::Line& line) {
  constexpr std::array<std::string_view, 3> kKeys{"controller", "namespace", "name"};
  std::array<std::string_view, 3> found{};
  const auto look = [&](const LogField& field) {
    const auto place = std::ranges::find(kKeys, field.key);
    if (place != kKeys.end()) found.at(static_cast<std::size_t>(place - kKeys.begin())) = plain_text(field.value);
  };
  std::ranges::for_each(line.bound, look);
  std::ranges::for_each(line.fields, look);
  const auto& [controller, ns, name] = found;
  std::string text(controller);
  if (!text.empty() && !name.empty()) text += " ";
  if (!ns.empty()) text.append(ns).append("/");
  return cut(text.append(name));
}

}  // namespace

void ErrorLog::write(const Line& line) {
  if (line.level == Level::kError) record(line);
  if (next_.enabled(line.level, line.verbosity)) next_.write(line);
}

void ErrorLog::record(const Line& line) {
  ++total_;
  RecentError made{std::string(line.logger), cut(line.message), about(line),
                   line.error != nullptr ? cut(line.error->message()) : std::string()};
  const auto same = [&made](const RecentError& other) {
    return other.error == made.error && other.about == made.about && other.message == made.message &&
           other.logger == made.logger;
  };
  const auto known = std::ranges::find_if(recent_, same);
  if (known != recent_.end()) {
    made.count = known->count;
    recent_.erase(known);
  } else if (recent_.size() >= limits::kRecentErrors) {
    recent_.pop_back();
  }
  ++made.count;
  made.last = clock_.wall_now();
  recent_.push_front(std::move(made));
}

}  // namespace keelson::zpages
