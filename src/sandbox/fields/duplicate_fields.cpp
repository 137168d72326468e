#include "src/sandbox/fields/duplicate_fields.hpp"

#include <algorithm>
#include <set>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/json/reader.hpp"
#include "src/sandbox/fields/field_check.hpp"

namespace keelson::sandbox {

namespace {

// An object or array that is still open.
struct Level {
  bool is_array = false;
  std::size_t index = 0;                // the index of the next item of an array
  std::string_view name;                // the name of the next member of an object
  std::vector<std::string_view> names;  // the names of an object, as long as they are few
  std::set<std::string_view> many;
};

constexpr std::size_t kFew = 16;

bool is_repeated(Level& level, std::string_view name) {
  if (level.many.empty() && level.names.size() < kFew) {
    if (std::ranges::find(level.names, name) != level.names.end()) return true;
    level.names.push_back(name);
    return false;
  }
  if (level.many.empty()) level.many.insert(level.names.begin(), level.names.end());
  return !level.many.insert(name).second;
}

std::string place_of(const std::vector<Level>& levels) {
  std::string text;
  for (const auto& level : levels) {
    if (level.is_array) {
      text += "[" + std::to_string(level.index) + "]";
    } else {
      if (!text.empty()) text += ".";
      text += json::decoded(level.name);
    }
  }
  return text;
}

void end_value(std::vector<Level>& levels) {
  if (!levels.empty() && levels.back().is_array) ++levels.back().index;
}

}  // namespace

std::vector<std::string> duplicate_fields(std::string_view json) {
  std::vector<std::string> found;
  std::vector<Level> levels;
  json::Reader reader(json);
  reader.allow(json.size() + 1);
  for (;;) {
    switch (reader.next()) {
      case json::Token::kBeginObject:
        levels.emplace_back();
        break;
      case json::Token::kBeginArray:
        levels.emplace_back().is_array = true;
        break;
      case json::Token::kEndObject:
      case json::Token::kEndArray:
        levels.pop_back();
        end_value(levels);
        break;
      case json::Token::kName:
        levels.back().name = reader.body();
        if (is_repeated(levels.back(), reader.body()) && found.size() < kMostFieldFindings) {
          found.push_back("duplicate field " + base::quote_go(place_of(levels)));
        }
        break;
      case json::Token::kEnd:
      case json::Token::kFailed:
        return found;
      case json::Token::kPause:
        reader.allow(json.size() + 1);
        break;
      default:
        end_value(levels);
    }
  }
}

}  // namespace keelson::sandbox
