#include "src/controller/blocking_fields.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "keelson/json/writer.hpp"
#include "src/controller/list_keys.hpp"

namespace keelson::controller {

namespace {

// The steps of FieldsV1 to a field, from the root: "f:spec", "f:ports", `k:{"port":80,"protocol":"TCP"}`.
using Path = std::vector<std::string>;

// A step of a field in an error, `spec.ports[1].name`: a member, or the place in a list.
struct Step {
  std::string_view member;
  std::size_t place = 0;  // if `member` is empty
};

// Empty for a field with keys of a map, such as `metadata.labels[app]`.
std::vector<Step> steps_of(std::string_view field) {
  std::vector<Step> steps;
  while (!field.empty()) {
    if (field.front() == '.') field.remove_prefix(1);
    if (field.starts_with('[')) {
      Step step;
      const auto end = field.find(']');
      if (end == std::string_view::npos) return {};
      const auto* last = field.data() + end;
      const auto [rest, error] = std::from_chars(field.data() + 1, last, step.place);
      if (error != std::errc() || rest != last) return {};
      steps.push_back(step);
      field.remove_prefix(end + 1);
      continue;
    }
    const auto name = field.substr(0, field.find_first_of(".["));
    if (name.empty()) return {};
    steps.push_back({name});
    field.remove_prefix(name.size());
  }
  return steps;
}

// The errors that are evaluated: they are about the same few lists.
constexpr std::size_t kMostCauses = 16;

// The step to an entry, as the API server writes it: with the members of the key in alphabetical order, and with the
// default protocol.
std::string entry_step(const ListKey& key, json::View entry) {
  json::Writer writer;
  writer.begin_object();
  for (const auto member : key.members) {
    if (member.empty()) continue;
    const auto value = entry.find(member);
    if (member == "protocol" && value.string().value_or("").empty()) {
      writer.field(member, "TCP");
    } else {
      writer.field(member, value);
    }
  }
  writer.end_object();
  return "k:" + std::move(writer).take();
}

// A walk along the field of an error, in both states.
class Walk {
 public:
  Walk(json::View live, json::View desired) : live_(live), desired_(desired) {}

  // The fields that only `live` has and that explain the error.
  [[nodiscard]] std::vector<Path> blocking(const std::vector<Step>& steps, std::string_view reason) {
    const auto enter = [this](const Step& step) {
      return step.member.empty() ? enter_entry(step.place) : enter_member(step.member);
    };
    const bool is_found = std::ranges::all_of(steps, enter);
    // Not about a list that only the live state has.
    const auto places = std::ranges::count_if(steps, [](const Step& step) { return step.member.empty(); });
    const bool is_about_list =
        (reason == "FieldValueDuplicate" || reason == "FieldValueTooMany") && list_.entries_around + 1 >= places;
    if (is_in_other_entry_ || is_about_list) return other_entries();
    const bool is_about_member = reason == "FieldValueForbidden" || reason == "FieldValueInvalid";
    const bool is_of_other = is_found && desired_.is_absent() && !path_.empty() && path_.front() != "f:metadata";
    return is_about_member && is_of_other ? std::vector<Path>{path_} : std::vector<Path>();
  }

 private:
  // These return false where the walk ends: one of the states has nothing there.
  bool enter_member(std::string_view name) {
    if (!desired_.is_object()) return false;
    live_ = live_.find(name);
    desired_ = desired_.find(name);
    path_.push_back("f:" + std::string(name));
    is_list_ = live_.is_array() && desired_.is_array();
    if (is_list_) list_ = {live_, desired_, path_, list_key(name, desired_), entries_};
    return live_.has_value();
  }

  bool enter_entry(std::size_t place) {
    const auto* key = list_.key;
    const auto entry = live_.item(place);
    if (!is_list_ || key == nullptr || !entry.is_object()) return false;
    is_list_ = false;
    const auto items = desired_.items();
    const auto found =
        std::find_if(items.begin(), items.end(), [&](json::View item) { return key->same(item, entry); });
    is_in_other_entry_ = found == items.end();
    if (is_in_other_entry_) return false;
    path_.push_back(entry_step(*key, entry));
    ++entries_;
    live_ = entry;
    desired_ = *found;
    return true;
  }

  [[nodiscard]] std::vector<Path> other_entries() const {
    std::vector<Path> all;
    if (list_.key == nullptr) return all;
    std::unordered_set<std::string> own;
    for (const json::View entry : list_.desired.items()) own.insert(entry_step(*list_.key, entry));
    for (const json::View entry : list_.live.items()) {
      auto step = entry_step(*list_.key, entry);
      if (own.contains(step)) continue;
      all.push_back(list_.path);
      all.back().push_back(std::move(step));
    }
    return all;
  }

  struct List {
    json::View live;
    json::View desired;
    Path path = {};
    const ListKey* key = nullptr;
    std::ptrdiff_t entries_around = 0;
  };

  json::View live_;
  json::View desired_;
  Path path_;
  List list_;                   // the last one on the way
  std::ptrdiff_t entries_ = 0;  // that the walk has entered
  bool is_list_ = false;        // the walk is at `list_`
  bool is_in_other_entry_ = false;
};

// FieldsV1 as a tree that can be changed.
struct Fields {
  std::map<std::string, Fields, std::less<>> below = {};

  static Fields of(json::View view) {
    Fields fields;
    for (const auto& [step, value] : view.members()) fields.below.emplace(step, of(value));
    return fields;
  }
  // True if something has changed.
  bool add(const Path& path, std::size_t from = 0) {
    if (from == path.size()) return false;
    const auto [place, is_new] = below.try_emplace(path[from]);
    const bool has_changed = place->second.add(path, from + 1);
    return is_new || has_changed;
  }
  // A step without steps below it would own the whole field, so emptied steps are removed as well.
  bool remove(const Path& path, std::size_t from = 0) {
    const auto place = below.find(path[from]);
    if (place == below.end()) return false;
    const bool is_last = from + 1 == path.size();
    if (!is_last && !place->second.remove(path, from + 1)) return false;
    if (is_last || place->second.below.empty()) below.erase(place);
    return true;
  }
  void write(json::Writer& writer) const {
    writer.begin_object();
    for (const auto& [step, fields] : below) {
      writer.key(step);
      fields.write(writer);
    }
    writer.end_object();
  }
};

bool is_own(json::View entry, std::string_view manager) {
  return entry.find("manager").string() == manager && entry.find("operation").string() == "Apply" &&
         entry.find("subresource").is_absent();
}

// Writes an entry of managedFields with the paths added or removed. True if it differs.
bool write_entry(json::Writer& writer, json::View entry, std::string_view manager, const std::set<Path>& paths) {
  auto fields = Fields::of(entry.find("fieldsV1"));
  bool differs = false;
  for (const auto& path : paths) {
    const bool has_changed = is_own(entry, manager) ? fields.add(path) : fields.remove(path);
    differs = differs || has_changed;
  }
  if (fields.below.empty()) return differs;
  writer.begin_object();
  for (const auto& [name, value] : entry.members()) {
    if (name != "fieldsV1") writer.field(name, value);
  }
  fields.write(writer.key("fieldsV1"));
  writer.end_object();
  return differs;
}

}  // namespace

std::optional<std::string> take_over_patch(json::View live, json::View desired, const Error& rejection,
                                           std::string_view manager) {
  const auto status = json::Document::parse(rejection.status_body);
  if (!status) return std::nullopt;
  std::set<Path> paths;
  std::size_t count = 0;
  for (const json::View cause : status->root().at({"details", "causes"}).items()) {
    if (++count > kMostCauses) break;
    const auto steps = steps_of(cause.find("field").string().value_or(""));
    auto blocking = Walk(live, desired).blocking(steps, cause.find("reason").string().value_or(""));
    for (auto& path : blocking) paths.insert(std::move(path));
  }
  const auto entries = live.at({"metadata", "managedFields"});
  const auto version = live.at({"metadata", "resourceVersion"}).string();
  if (paths.empty() || !version) return std::nullopt;
  json::Writer writer;
  writer.begin_array().begin_object().field("op", "replace").field("path", "/metadata/resourceVersion");
  writer.field("value", *version).end_object();
  writer.begin_object().field("op", "replace").field("path", "/metadata/managedFields").key("value").begin_array();
  bool differs = false;
  for (const json::View entry : entries.items()) {
    const bool has_changed = write_entry(writer, entry, manager, paths);
    differs = differs || has_changed;
  }
  writer.end_array().end_object().end_array();
  return differs ? std::optional(std::move(writer).take()) : std::nullopt;
}

}  // namespace keelson::controller
