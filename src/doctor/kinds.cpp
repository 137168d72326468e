#include "src/doctor/kinds.hpp"

#include <algorithm>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/json/member_index.hpp"
#include "keelson/detail/schema/crd.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

// The members of `properties` have the names of fields, which may be "description".
enum class Names { kKeywords, kFields };

std::string shown(json::View view) {
  constexpr std::size_t kLongest = 60;
  if (!view.has_value()) return "absent";
  auto text = view.text();
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "…";
  return text;
}

std::string difference_at(const std::string& path, Names names, json::View desired, json::View live);

std::string difference_of_objects(const std::string& path, Names names, json::View desired, json::View live) {
  const auto skips = [names](std::string_view name) { return names == Names::kKeywords && name == "description"; };
  const auto below = [&](std::string_view name) {
    return path.empty() ? std::string(name) : path + "." + std::string(name);
  };
  for (const auto& [name, value] : desired.members()) {
    if (skips(name)) continue;
    const bool has_fields = names == Names::kKeywords && name == "properties";
    auto found = difference_at(below(name), has_fields ? Names::kFields : Names::kKeywords, value, live.find(name));
    if (!found.empty()) return found;
  }
  for (const auto& [name, value] : live.members()) {
    if (skips(name) || !value.has_value() || !desired.find(name).is_absent()) continue;
    return below(name) + ": " + shown(value) + ", not absent";
  }
  return "";
}

std::string difference_at(const std::string& path, Names names, json::View desired, json::View live) {
  if (desired.is_object() && live.is_object()) return difference_of_objects(path, names, desired, live);
  if (desired.is_array() && live.is_array() && desired.size() == live.size()) {
    for (std::size_t i = 0; i < desired.size(); ++i) {
      auto found = difference_at(path + "[" + std::to_string(i) + "]", Names::kKeywords, desired.item(i), live.item(i));
      if (!found.empty()) return found;
    }
    return "";
  }
  if (json::equal(desired, live) || (!desired.has_value() && !live.has_value())) return "";
  return path + ": " + shown(live) + ", not " + shown(desired);
}

json::View version_in(json::View definition, std::string_view name) {
  return json::item_with(definition.at({"spec", "versions"}), "name", name);
}

std::string storage_version_of(json::View definition) {
  for (const auto version : definition.at({"spec", "versions"}).items()) {
    if (version.find("storage").boolean().value_or(false)) return text_at(version, {"name"});
  }
  return "";
}

void check_conditions(json::View live, const std::string& subject, Findings& findings) {
  if (live.at({"metadata", "deletionTimestamp"}).has_value()) findings.add("crd-terminating", subject);
  if (condition_of(live, "NamesAccepted") == "False") {
    findings.add("crd-names-not-accepted", subject);
  } else if (condition_of(live, "Established") != "True") {
    findings.add("crd-not-established", subject);
  }
}

void check_versions(json::View desired, json::View live, const std::string& subject, Findings& findings) {
  const auto storage = storage_version_of(live);
  if (storage != storage_version_of(desired)) {
    findings.add("crd-other-storage-version", subject, storage + ", not " + storage_version_of(desired));
  }
  for (const auto stored : live.at({"status", "storedVersions"}).items()) {
    const auto version = text_at(stored, {});
    if (version_in(desired, version).is_absent()) findings.add("crd-stored-versions", subject, version);
  }
  if (text_at(live, {"spec", "conversion", "strategy"}) == "Webhook") findings.add("crd-conversion-webhook", subject);
}

void check_schema(json::View desired, json::View live, const std::string& subject, Findings& findings) {
  if (desired.at({"subresources", "status"}).has_value() && !live.at({"subresources", "status"}).has_value()) {
    findings.add("crd-status-missing", subject);
    return;
  }
  for (const char* part : {"schema", "subresources"}) {
    auto difference = first_difference(desired.find(part), live.find(part));
    constexpr std::string_view kRoot = "openAPIV3Schema.properties.";
    if (difference.starts_with(kRoot)) difference.erase(0, kRoot.size());
    if (!difference.empty()) {
      findings.add("crd-schema-differs", subject, std::move(difference));
      return;
    }
  }
}

}  // namespace

awaitable<void> examine_kinds(Reader& reader, const Installation& installation, Findings& findings) {
  const auto kinds = controller::kinds_of(installation.examined.controllers);
  Requests definitions;
  for (const auto& kind : kinds) {
    definitions.emplace_back(get_of(kube::custom_resource_definitions(), "", kind.resource.qualified_plural()));
  }
  co_await reader.read(definitions);
  for (std::size_t i = 0; i < kinds.size(); ++i) check_kind(kinds[i], definitions[i].reply, findings);
  findings.summarize(Area::kKinds, std::to_string(kinds.size()) + " CustomResourceDefinitions");
}

std::string first_difference(json::View desired, json::View live) {
  return difference_at("", Names::kKeywords, desired, live);
}

void check_kind(const kube::Kind& kind, const Reading& reading, Findings& findings) {
  const auto subject = "customresourcedefinitions/" + kind.resource.qualified_plural();
  if (!reading) return findings.add_unread(Area::kKinds, reading.error(), "crd-missing", subject);
  const auto document = json::Document::parse(kube::custom_resource_definition(kind));
  KEELSON_ASSERT(document.has_value());
  const auto desired = document->root();
  const auto live = reading->root();
  check_conditions(live, subject, findings);
  const auto version = version_in(live, kind.resource.version);
  if (!version.find("served").boolean().value_or(false)) {
    findings.add("crd-version-not-served", subject, kind.resource.version);
    return;
  }
  check_versions(desired, live, subject, findings);
  check_schema(version_in(desired, kind.resource.version), version, subject, findings);
}

}  // namespace keelson::doctor
