#include "src/sandbox/fields/duplicate_fields.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "keelson/detail/base/text_hash.hpp"
#include "keelson/detail/json/reader.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "src/sandbox/fields/field_check.hpp"
#include "src/sandbox/fields/field_place.hpp"

namespace keelson::sandbox {

namespace {

// An object or array that is still open.
struct Level {
  bool is_array = false;
  std::size_t index = 0;                // the index of the next item of an array
  std::size_t place_size = 0;           // the length of the text of its place
  std::vector<std::string_view> names;  // the names of an object, as long as they are few
  std::set<std::string_view> many;
};

constexpr std::size_t kFew = 16;
constexpr std::size_t kLongestPlace = 512;

bool is_repeated(Level& level, std::string_view name) {
  if (level.many.empty() && level.names.size() < kFew) {
    if (std::ranges::find(level.names, name) != level.names.end()) return true;
    level.names.push_back(name);
    return false;
  }
  if (level.many.empty()) level.many.insert(level.names.begin(), level.names.end());
  return !level.many.insert(name).second;
}

// Follows the tokens of a text. Its place is that of the current value.
class Levels {
 public:
  void begin(bool is_array) {
    begin_value();
    auto& level = levels_.emplace_back();
    level.is_array = is_array;
    level.place_size = place_.size();
  }
  void end() {
    levels_.pop_back();
    end_value();
  }
  // True if the name occurred before.
  [[nodiscard]] bool name(std::string_view raw) {
    place_.resize(levels_.back().place_size);
    append_name(place_, json::decoded(raw));
    return is_repeated(levels_.back(), raw);
  }
  void scalar() {
    begin_value();
    end_value();
  }
  [[nodiscard]] const std::string& place() const { return place_; }

 private:
  void begin_value() {
    if (levels_.empty() || !levels_.back().is_array) return;
    place_.resize(levels_.back().place_size);
    append_index(place_, levels_.back().index);
  }
  void end_value() {
    if (!levels_.empty() && levels_.back().is_array) ++levels_.back().index;
  }

  std::vector<Level> levels_;
  std::string place_;
};

// Calls `visit` with the place of each name, and whether it occurred before in its object, until it returns false.
void visit_names(std::string_view json, const std::function<bool(const std::string& place, bool is_repeated)>& visit) {
  Levels levels;
  json::Reader reader(json);
  reader.allow(json.size() + 1);
  for (;;) {
    switch (reader.next()) {
      case json::Token::kBeginObject:
        levels.begin(false);
        break;
      case json::Token::kBeginArray:
        levels.begin(true);
        break;
      case json::Token::kEndObject:
      case json::Token::kEndArray:
        levels.end();
        break;
      case json::Token::kName: {
        const bool is_again = levels.name(reader.body());
        if (!visit(levels.place(), is_again)) return;
        break;
      }
      case json::Token::kEnd:
      case json::Token::kFailed:
        return;
      case json::Token::kPause:
        reader.allow(json.size() + 1);
        break;
      default:
        levels.scalar();
    }
  }
}

std::string quoted(const char* what, const std::string& place) { return what + kube::short_quote(place); }

}  // namespace

std::vector<std::string> duplicate_fields(std::string_view json) {
  std::vector<std::string> found;
  visit_names(json, [&found](const std::string& place, bool is_repeated) {
    if (is_repeated) found.push_back(quoted("duplicate field ", place));
    return found.size() < kMostFieldFindings;
  });
  return found;
}

std::vector<std::string> strict_findings(std::string_view json, const std::vector<std::string>& unknown) {
  if (unknown.empty()) return duplicate_fields(json);
  std::vector<std::string> found;
  base::TextSet<std::string> left(unknown.begin(), unknown.end());
  base::TextSet<std::string> seen;
  visit_names(json, [&](const std::string& place, bool is_repeated) {
    // Hashing longer places of many names would take seconds.
    const auto as_unknown = place.size() < kLongestPlace ? quoted("unknown field ", place) : std::string();
    if (left.erase(as_unknown) != 0) {
      seen.insert(as_unknown);
      found.push_back(as_unknown);
    } else if (is_repeated && !seen.contains(as_unknown)) {
      found.push_back(quoted("duplicate field ", place));
    }
    return found.size() < kMostFieldFindings;
  });
  for (const auto& one : unknown) {
    if (left.contains(one) && found.size() < kMostFieldFindings) found.push_back(one);
  }
  return found;
}

}  // namespace keelson::sandbox
