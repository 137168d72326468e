#include "keelson/kube/watch.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

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

// Splits the line's object into its members, in any order. Values are skipped by their brackets and strings only.
class Members {
 public:
  explicit Members(std::string_view text) : text_(text) {}

  bool begin() { return take('{'); }
  // The next member's name and value, not decoded; nullopt at the end, and for malformed text (then ended() is false).
  std::optional<std::pair<std::string_view, std::string_view>> next() {
    if (take('}')) {
      skip_blanks();
      ended_ = position_ == text_.size();
      return std::nullopt;
    }
    if (!is_first_ && !take(',')) return std::nullopt;
    is_first_ = false;
    auto name = value();
    if (name.size() < 2 || name.front() != '"' || !take(':')) return std::nullopt;
    auto content = value();
    if (content.empty()) return std::nullopt;
    return std::pair(name.substr(1, name.size() - 2), content);
  }
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  void skip_blanks() { position_ = std::min(text_.find_first_not_of(" \t\r\n", position_), text_.size()); }

  bool take(char expected) {
    skip_blanks();
    if (position_ == text_.size() || text_[position_] != expected) return false;
    ++position_;
    return true;
  }

  // A string, a bracketed value or a bare word; empty if it has no end.
  std::string_view value() {
    skip_blanks();
    auto start = position_;
    if (position_ == text_.size()) return {};
    char first = text_[position_];
    if (first == '"') {
      if (!skip_string()) return {};
    } else if (first == '{' || first == '[') {
      if (!skip_brackets()) return {};
    } else {
      position_ = std::min(text_.find_first_of(" \t\r\n,:]}\"", position_), text_.size());
    }
    return text_.substr(start, position_ - start);
  }

  bool skip_brackets() {
    std::size_t depth = 0;
    while (position_ < text_.size()) {
      char c = text_[position_];
      if (c == '"') {
        if (!skip_string()) return false;
        continue;
      }
      ++position_;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return true;
    }
    return false;
  }

  bool skip_string() {
    for (++position_; position_ < text_.size(); ++position_) {
      if (text_[position_] == '\\') {
        ++position_;
      } else if (text_[position_] == '"') {
        ++position_;
        return true;
      }
    }
    return false;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  bool is_first_ = true;
  bool ended_ = false;
};

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
  Members members(line);
  std::string_view type_text;
  WatchEvent event;
  bool began = members.begin();
  while (began) {
    auto member = members.next();
    if (!member) break;
    if (member->first == "type") type_text = member->second;
    if (member->first == "object") event.object = member->second;
  }
  if (!members.ended()) return malformed_error("watch event is not a JSON object");
  if (event.object.empty() || event.object.front() != '{') return malformed_error("watch event has no object");
  if (type_text.size() < 2 || type_text.front() != '"') return malformed_error("watch event has no type");
  auto type = type_of(type_text.substr(1, type_text.size() - 2));
  if (!type) return malformed_error("watch event of unknown type " + std::string(type_text.substr(0, 64)));
  event.type = *type;
  return event;
}

}  // namespace

Result<WatchEvent> parse_watch_line(std::string_view line) {
  auto end = line.find_last_not_of(" \t\r\n");
  line = end == std::string_view::npos ? std::string_view() : line.substr(0, end + 1);
  if (line.empty()) return malformed_error("watch event is not a JSON object");
  if (auto usual = split_usual(line)) return *usual;
  return split_any(line);
}

}  // namespace keelson::kube
