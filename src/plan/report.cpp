#include "src/plan/report.hpp"

#include <algorithm>
#include <ostream>
#include <sstream>
#include <string_view>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/counted.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::plan {

namespace {

json::Document parsed(std::string_view text) {
  auto document = json::Document::parse(text);
  KEELSON_ASSERT(document.has_value());
  return std::move(*document);
}

std::string place_of(const PlannedWrite& write) {
  auto place = write.resource.qualified_plural();
  if (!write.subresource.empty()) place += "/" + write.subresource;
  return place + " " + write.key.text();
}

void print_new(const std::string& object, std::ostream& out) {
  const auto yaml = json::to_yaml(parsed(object).root());
  for (std::size_t from = 0; from < yaml.size();) {
    const auto end = std::min(yaml.find('\n', from), yaml.size());
    out << "  + " << std::string_view(yaml).substr(from, end - from) << "\n";
    from = end + 1;
  }
}

void print_write(const PlannedWrite& write, std::ostream& out) {
  out << write.verb << " " << place_of(write) << (write.created.empty() ? "" : " (new)") << "\n";
  if (!write.created.empty()) print_new(write.created, out);
  for (const auto& change : write.changes) out << "  " << change.text() << "\n";
  out << "\n";
}

std::string string_or_empty(json::View value) { return std::string(value.string().value_or("")); }

// A changed Event is a repetition with a higher count.
bool is_repetition(const PlannedWrite& event) { return event.created.empty(); }

// Events are stored as v1, also those that a controller sends as events.k8s.io/v1.
void print_event(const PlannedWrite& write, std::ostream& out) {
  const auto event = parsed(write.created);
  const auto root = event.root();
  const auto object = root.find("involvedObject");
  const kube::Key key(string_or_empty(object.find("namespace")), string_or_empty(object.find("name")));
  out << "Event: " << string_or_empty(root.find("type")) << " " << string_or_empty(root.find("reason")) << " "
      << string_or_empty(object.find("kind")) << " " << key.text() << ": "
      << json::quoted(string_or_empty(root.find("message"))) << "\n";
}

void write_value(json::Writer& writer, const char* name, const std::optional<std::string>& value) {
  if (value) writer.raw_field(name, *value);
}

void write_json(json::Writer& writer, const PlannedWrite& write) {
  writer.begin_object().field("verb", write.verb).field("group", write.resource.group);
  writer.field("version", write.resource.version).field("kind", write.resource.kind);
  writer.field("resource", write.resource.plural).field("subresource", write.subresource);
  writer.field("namespace", write.key.ns).field("name", write.key.name);
  if (!write.created.empty()) writer.raw_field("object", write.created);
  writer.key("changes").begin_array();
  for (const auto& change : write.changes) {
    writer.begin_object().field("path", change.path);
    write_value(writer, "before", change.before);
    write_value(writer, "after", change.after);
    writer.end_object();
  }
  writer.end_array().end_object();
}

}  // namespace

void print_text(const Plan& plan, std::ostream& to) {
  std::ostringstream out;
  for (const auto& write : plan.writes) print_write(write, out);
  std::size_t events = 0;
  for (const auto& event : plan.events) {
    if (is_repetition(event)) continue;
    print_event(event, out);
    ++events;
  }
  if (!plan.events.empty()) out << "\n";
  for (const auto& error : plan.errors) out << "Error: " << error << "\n";
  for (const auto& warning : plan.warnings) out << "Warning: " << warning << "\n";
  if (!plan.errors.empty() || !plan.warnings.empty()) out << "\n";
  const auto created = static_cast<std::size_t>(
      std::ranges::count_if(plan.writes, [](const auto& write) { return !write.created.empty(); }));
  const auto deleted = static_cast<std::size_t>(
      std::ranges::count_if(plan.writes, [](const auto& write) { return write.verb.starts_with("delete"); }));
  const auto changes = plan.writes.size() - created - deleted;
  if (plan.writes.empty() && plan.events.empty()) {
    out << "Nothing would be written.\n";
  } else {
    out << base::counted(plan.writes.size(), "write") << ": " << created << " to create, " << changes << " to change, "
        << deleted << " to delete; " << base::counted(events, "Event") << ".\n";
  }
  if (!plan.has_settled) out << "The controllers were still writing when the plan ended.\n";
  // Names of fields, errors and warnings have texts of the cluster's users.
  to << base::for_terminal(std::move(out).str());
}

void print_json(const Plan& plan, std::ostream& out) {
  json::Writer writer;
  writer.begin_object().key("writes").begin_array();
  for (const auto& write : plan.writes) write_json(writer, write);
  writer.end_array().key("events").begin_array();
  for (const auto& event : plan.events) write_json(writer, event);
  writer.end_array().key("errors").begin_array();
  for (const auto& error : plan.errors) writer.string(error);
  writer.end_array().key("warnings").begin_array();
  for (const auto& warning : plan.warnings) writer.string(warning);
  writer.end_array().field("settled", plan.has_settled).end_object();
  out << std::move(writer).take() << "\n";
}

}  // namespace keelson::plan
