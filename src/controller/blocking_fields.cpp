#include "src/controller/blocking_fields.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/json/member_index.hpp"
#include "keelson/detail/schema/field_error.hpp"
#include "keelson/json/writer.hpp"
#include "src/controller/child.hpp"
#include "src/controller/list_keys.hpp"

namespace keelson::controller {

namespace {

using kube::FieldReason;

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
      const auto place = base::parse_number<std::size_t>(field.substr(1, end - 1));
      if (!place) return {};
      step.place = *place;
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

// With more errors nothing is taken over.
constexpr std::size_t kMostCauses = 16;

struct Cause {
  std::vector<Step> steps;
  std::optional<FieldReason> reason;
  std::string_view message;

  static Cause of(json::View view) {
    const auto text = [view](std::string_view member) { return view.find(member).string().value_or(""); };
    return {steps_of(text("field")), kube::field_reason(text("reason")), text("message")};
  }
};

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

// FieldsV1 as a tree that can be changed.
struct Fields {
  std::map<std::string, Fields, std::less<>> below = {};

  static Fields of(json::View view) {
    Fields fields;
    for (const auto& [step, value] : view.members()) fields.below.emplace(step, of(value));
    return fields;
  }
  // Null: there is nothing.
  [[nodiscard]] const Fields* find(const Path& path) const {
    const auto* fields = this;
    for (const auto& step : path) {
      const auto place = fields->below.find(step);
      if (place == fields->below.end()) return nullptr;
      fields = &place->second;
    }
    return fields;
  }
  // True if an apply of `desired`, whose member is `name`, removes a field. Lists without keys are not compared.
  [[nodiscard]] bool has_more_than(json::View desired, std::string_view name = "") const {
    if (const auto* key = desired.is_array() ? list_key(name, desired) : nullptr) {
      std::size_t found = 0;
      for (const json::View entry : desired.items()) {
        const auto place = below.find(entry_step(*key, entry));
        if (place == below.end()) continue;
        ++found;
        if (place->second.has_more_than(entry)) return true;
      }
      return found < below.size() - below.count(".");
    }
    const json::MemberIndex members(desired);
    return std::ranges::any_of(below, [&](const auto& owned) {
      if (!owned.first.starts_with("f:")) return false;
      const auto member = std::string_view(owned.first).substr(2);
      const auto wanted = members.find(member);
      return wanted.is_absent() || owned.second.has_more_than(wanted, member);
    });
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

// A walk along the field of an error, in both states.
class Walk {
 public:
  // `own`: the fields of the last apply.
  Walk(json::View live, json::View desired, const Fields& own) : live_(live), desired_(desired), own_(own) {}

  // The fields that only `live` has and that certainly cause the error.
  [[nodiscard]] std::vector<Path> blocking(const Cause& cause) {
    const auto& steps = cause.steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const bool is_place = steps[i].member.empty();
      if (is_place && i + 2 == steps.size() && cause.reason == FieldReason::kDuplicate) return duplicates(cause);
      if (is_place && i + 2 == steps.size() && cause.reason == FieldReason::kRequired) return replaced(cause);
      const bool is_found = is_place ? enter_entry() : enter_member(steps[i].member);
      if (!is_found) return {};
    }
    const bool is_about_member = cause.reason == FieldReason::kForbidden || cause.reason == FieldReason::kInvalid;
    const bool is_of_other = desired_.is_absent() && !path_.empty() && path_.front() != "f:metadata";
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
    if (is_list_) list_ = {live_, desired_, path_, list_key(name, desired_)};
    return live_.has_value();
  }

  // A place in an error counts in the merged list, whose order is neither that of the stored nor that of the desired
  // one. So the entry is known only if the apply changes no other: the others were valid before.
  bool enter_entry() {
    if (!is_list_ || list_.key == nullptr) return false;
    is_list_ = false;
    const ItemIndex stored(list_.live, list_.key);
    std::size_t changes = 0;
    for (const json::View wanted : list_.desired.items()) {
      const auto entry = stored.find(wanted);
      if (entry.has_value() && covers(entry, wanted) && !loses_fields(entry, wanted)) continue;
      ++changes;
      live_ = entry;
      desired_ = wanted;
    }
    if (changes != 1 || !live_.is_object()) return false;
    path_.push_back(entry_step(*list_.key, live_));
    return true;
  }

  [[nodiscard]] bool loses_fields(json::View entry, json::View wanted) const {
    const auto* fields = own_.find(path_to(entry));
    return fields != nullptr && fields->has_more_than(wanted);
  }

  // The entries of others with the value that the error names, if exactly one desired entry has it.
  [[nodiscard]] std::vector<Path> duplicates(const Cause& cause) const {
    if (!is_list_ || list_.key == nullptr) return {};
    const auto has_value = [&](json::View entry) {
      const auto value = entry.find(cause.steps.back().member);
      return value.has_value() && cause.message == "Duplicate value: " + value.text();
    };
    const auto wanted = list_.desired.items();
    if (std::ranges::count_if(wanted, has_value) != 1) return {};
    const ItemIndex own(list_.desired, list_.key);
    std::vector<Path> all;
    for (const json::View entry : list_.live.items()) {
      if (has_value(entry) && own.find(entry).is_absent()) all.push_back(path_to(entry));
    }
    return all;
  }

  // A stored entry without a required member, alone in its list, proves that only one of several entries needs it. So
  // the error ends if the desired entry replaces it.
  [[nodiscard]] std::vector<Path> replaced(const Cause& cause) const {
    if (!is_list_ || list_.key == nullptr || list_.live.size() != 1 || list_.desired.size() != 1) return {};
    const auto entry = list_.live.item(0);
    const bool has_member = entry.find(cause.steps.back().member).has_value();
    if (has_member || list_.key->same(entry, list_.desired.item(0))) return {};
    return {path_to(entry)};
  }

  [[nodiscard]] Path path_to(json::View entry) const {
    auto path = list_.path;
    path.push_back(entry_step(*list_.key, entry));
    return path;
  }

  struct List {
    json::View live;
    json::View desired;
    Path path = {};
    const ListKey* key = nullptr;
  };

  json::View live_;
  json::View desired_;
  const Fields& own_;
  Path path_;
  List list_;             // the last one on the way
  bool is_list_ = false;  // the walk is at `list_`
};

bool is_own(json::View entry, std::string_view manager) {
  return entry.find("manager").string() == manager && entry.find("operation").string() == "Apply" &&
         entry.find("subresource").is_absent();
}

// An entry of managedFields.
struct Owner {
  json::View entry;  // absent: it is new
  Fields fields = {};
  bool is_own = false;
};

// An own entry is always among them.
std::vector<Owner> owners_of(json::View live, std::string_view manager) {
  std::vector<Owner> owners;
  bool has_own = false;
  for (const json::View entry : live.at({"metadata", "managedFields"}).items()) {
    owners.push_back({entry, Fields::of(entry.find("fieldsV1")), is_own(entry, manager)});
    has_own = has_own || owners.back().is_own;
  }
  if (!has_own) owners.push_back({json::View(), {}, true});
  return owners;
}

// True if something has changed.
bool take_over(std::vector<Owner>& owners, const Path& path) {
  bool differs = false;
  for (auto& owner : owners) {
    const bool has_changed = owner.is_own ? owner.fields.add(path) : owner.fields.remove(path);
    differs = differs || has_changed;
  }
  return differs;
}

void write_owner(json::Writer& writer, const Owner& owner, json::View desired, std::string_view manager) {
  if (owner.fields.below.empty()) return;
  writer.begin_object();
  for (const auto& [name, value] : owner.entry.members()) {
    if (name != "fieldsV1") writer.field(name, value);
  }
  if (owner.entry.is_absent()) {
    writer.field("manager", manager).field("operation", "Apply").field("apiVersion", desired.find("apiVersion"));
    writer.field("fieldsType", "FieldsV1");
  }
  owner.fields.write(writer.key("fieldsV1"));
  writer.end_object();
}

// Takes over the fields that cause the errors. False: an error has another cause, so the apply would be rejected again.
bool take_over_all(std::vector<Owner>& owners, json::View live, json::View desired, json::View causes) {
  if (causes.size() == 0 || causes.size() > kMostCauses) return false;
  const auto own = std::ranges::find(owners, true, &Owner::is_own)->fields;
  std::set<Path> paths;
  for (const json::View cause : causes.items()) {
    const auto blocking = Walk(live, desired, own).blocking(Cause::of(cause));
    if (blocking.empty()) return false;
    for (const auto& path : blocking) {
      if (paths.insert(path).second && !take_over(owners, path)) return false;
    }
  }
  return true;
}

}  // namespace

std::optional<std::string> take_over_patch(json::View live, json::View desired, const Error& rejection,
                                           std::string_view manager) {
  const auto status = json::Document::parse(rejection.status_body);
  const auto version = live.at({"metadata", "resourceVersion"}).string();
  if (!status || !version) return std::nullopt;
  auto owners = owners_of(live, manager);
  if (!take_over_all(owners, live, desired, status->root().at({"details", "causes"}))) return std::nullopt;
  json::Writer writer;
  writer.begin_array().begin_object().field("op", "replace").field("path", "/metadata/resourceVersion");
  writer.field("value", *version).end_object();
  writer.begin_object().field("op", "add").field("path", "/metadata/managedFields").key("value").begin_array();
  for (const auto& owner : owners) write_owner(writer, owner, desired, manager);
  writer.end_array().end_object().end_array();
  return std::move(writer).take();
}

}  // namespace keelson::controller
