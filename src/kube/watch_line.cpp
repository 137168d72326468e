#include "keelson/detail/kube/watch.hpp"

#include <array>
#include <optional>
#include <utility>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/json/metadata.hpp"

namespace keelson::kube {

namespace {

using Type = WatchEvent::Type;

std::optional<Type> type_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Type>, 5> kNames{{{"ADDED", Type::kAdded},
                                                                     {"MODIFIED", Type::kModified},
                                                                     {"DELETED", Type::kDeleted},
                                                                     {"BOOKMARK", Type::kBookmark},
                                                                     {"ERROR", Type::kError}}};
  for (const auto& [known, type] : kNames) {
    if (known == name) return type;
  }
  return std::nullopt;
}

// The form that every API server writes: the type first, the object last. It saves a scan of the object, which the
// reader of the object makes anyway; only that reader decides whether the text in the brackets is an object.
std::optional<WatchEvent> split_usual(std::string_view line) {
  constexpr std::string_view kStart = "{\"type\":\"";
  constexpr std::string_view kMiddle = "\",\"object\":";
  if (line.substr(0, kStart.size()) != kStart || line.back() != '}') return std::nullopt;
  auto rest = line.substr(kStart.size());
  auto quote = rest.find('"');
  if (quote == std::string_view::npos || rest.substr(quote, kMiddle.size()) != kMiddle) return std::nullopt;
  auto type = type_of(rest.substr(0, quote));
  auto object = rest.substr(quote + kMiddle.size());
  object.remove_suffix(1);
  if (!type || object.size() < 2 || object.front() != '{' || object.back() != '}') return std::nullopt;
  return WatchEvent{*type, object};
}

Result<WatchEvent> split_any(std::string_view line) {
  std::string_view type_text;
  WatchEvent event;
  const auto split = json::for_each_member(line, [&](std::string_view name, std::string_view value) {
    if (name == "type") type_text = value;
    if (name == "object") event.object = value;
  });
  if (!split) return malformed_error("watch event is not a JSON object");
  if (event.object.empty() || event.object.front() != '{') return malformed_error("watch event has no object");
  if (type_text.size() < 2 || type_text.front() != '"') return malformed_error("watch event has no type");
  const auto type = type_of(type_text.substr(1, type_text.size() - 2));
  if (!type) return malformed_error("watch event of unknown type " + std::string(type_text.substr(0, 64)));
  event.type = *type;
  return event;
}

}  // namespace

Result<WatchEvent> parse_watch_line(std::string_view line) {
  line = base::trim(line);
  if (line.empty()) return malformed_error("watch event is not a JSON object");
  if (auto usual = split_usual(line)) return *usual;
  return split_any(line);
}

}  // namespace keelson::kube
