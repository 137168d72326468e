#include "src/sandbox/tables/table_cells.hpp"

#include <algorithm>
#include <map>

#include "keelson/detail/base/text.hpp"
#include "keelson/schema/time.hpp"
#include "src/sandbox/tables/human_duration.hpp"

namespace keelson::sandbox {

namespace {

std::chrono::seconds distance(WallTime from, WallTime until) {
  return std::chrono::duration_cast<std::chrono::seconds>(until - from);
}

Result<kube::Time> time_of(const Tree* time) { return kube::parse_time(time != nullptr ? time->scalar() : ""); }

std::string expression_text(const Tree& expression) {
  auto key = expression.text_at({"key"});
  auto how = expression.text_at({"operator"});
  if (how == "Exists") return key;
  if (how == "DoesNotExist") return "!" + key;
  auto values = expression.texts_at({"values"});
  std::ranges::sort(values);
  return key + (how == "In" ? " in (" : " notin (") + base::join(values, ",") + ")";
}

}  // namespace

std::string since(const Tree* time, WallTime now) {
  auto then = time_of(time);
  return then ? human_duration(distance(*then, now)) : "<unknown>";
}

std::string between(const Tree* begin, const Tree* end, WallTime now) {
  auto first = time_of(begin);
  if (!first) return "";
  auto last = time_of(end);
  return human_duration(distance(*first, last ? WallTime(*last) : now));
}

std::string text_or(const Tree* value, const std::string& otherwise) {
  return value == nullptr || value->scalar().empty() ? otherwise : value->scalar();
}

std::size_t size_at(const Tree& object, std::initializer_list<std::string_view> path) {
  const Tree* value = object.at(path);
  if (value == nullptr) return 0;
  return value->is_array() ? value->items().size() : value->members().size();
}

std::string joined_members(const std::vector<Tree>& list, const char* member) {
  std::vector<std::string> values;
  values.reserve(list.size());
  for (const auto& entry : list) values.push_back(entry.text_at({member}));
  return base::join(values, ",");
}

std::string labels_text(const Tree* labels) {
  std::map<std::string, std::string> sorted;
  if (labels != nullptr) {
    for (const auto& [name, value] : labels->members()) sorted[name] = value.scalar();
  }
  std::vector<std::string> terms;
  for (const auto& [name, value] : sorted) terms.push_back(name + "=" + value);
  return terms.empty() ? "<none>" : base::join(terms, ",");
}

std::string selector_text(const Tree* selector) {
  if (selector == nullptr) return "<none>";
  std::map<std::string, std::string> sorted;
  for (const auto& [name, value] : selector->members_at({"matchLabels"})) sorted[name] = name + "=" + value.scalar();
  for (const auto& one : selector->items_at({"matchExpressions"})) sorted[one.text_at({"key"})] = expression_text(one);
  std::vector<std::string> terms;
  for (const auto& [name, term] : sorted) terms.push_back(term);
  return terms.empty() ? "<none>" : base::join(terms, ",");
}

std::string some_of(const std::vector<std::string>& list, std::size_t most) {
  if (list.size() <= most) return base::join(list, ",");
  std::vector<std::string> shown(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(most));
  return base::join(shown, ",") + " + " + std::to_string(list.size() - most) + " more...";
}

}  // namespace keelson::sandbox
