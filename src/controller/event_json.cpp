#include "src/controller/event_json.hpp"

#include <array>
#include <cstdio>
#include <utility>

#include "keelson/detail/base/utf8.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::controller {

namespace {

// Bytes of an Event's reportingInstance: the maximum of the API server.
constexpr std::size_t kReportingInstanceBytes = 128;

constexpr std::size_t kSubdomainBytes = 253;  // a DNS subdomain

void write_metadata(json::Writer& writer, const EventSeries& event) {
  writer.key("metadata").begin_object().field("name", event.name).field("namespace", event.ns).end_object();
}

void write_reference(json::Writer& writer, std::string_view name, const Regarding& object) {
  writer.key(name).begin_object().field("apiVersion", object.api_version).field("kind", object.kind);
  if (!object.ns.empty()) writer.field("namespace", object.ns);
  writer.field("name", object.name).field("uid", object.uid);
  if (!object.resource_version.empty()) writer.field("resourceVersion", object.resource_version);
  writer.end_object();
}

void write_series(json::Writer& writer, const EventSeries& event) {
  writer.key("series")
      .begin_object()
      .field("count", event.count)
      .field("lastObservedTime", kube::format_micro_time(event.last))
      .end_object();
}

}  // namespace

std::string event_json(const EventSeries& event, const Reporter& reporter) {
  json::Writer writer;
  writer.begin_object().field("apiVersion", "events.k8s.io/v1").field("kind", "Event");
  write_metadata(writer, event);
  writer.field("eventTime", kube::format_micro_time(event.first))
      .field("reportingController", reporter.component)
      .field("reportingInstance", reporter.instance())
      .field("type", event.type)
      .field("reason", event.reason)
      .field("action", event.action)
      .field("note", event.note);
  write_reference(writer, "regarding", event.regarding);
  if (event.related) write_reference(writer, "related", *event.related);
  if (event.count > 1) write_series(writer, event);
  writer.end_object();
  return std::move(writer).take();
}

std::string core_event_json(const EventSeries& event, const Reporter& reporter) {
  json::Writer writer;
  writer.begin_object().field("apiVersion", "v1").field("kind", "Event");
  write_metadata(writer, event);
  writer.field("firstTimestamp", kube::format_time(event.first))
      .field("lastTimestamp", kube::format_time(event.last))
      .field("count", event.count)
      .field("type", event.type)
      .field("reason", event.reason)
      .field("message", event.note);
  writer.key("source").begin_object().field("component", reporter.component).field("host", reporter.host).end_object();
  write_reference(writer, "involvedObject", event.regarding);
  if (event.related) write_reference(writer, "related", *event.related);
  writer.end_object();
  return std::move(writer).take();
}

std::string series_patch(const EventSeries& event) {
  json::Writer writer;
  writer.begin_object();
  write_series(writer, event);
  writer.end_object();
  return std::move(writer).take();
}

std::string core_series_patch(const EventSeries& event) {
  json::Writer writer;
  writer.begin_object()
      .field("count", event.count)
      .field("lastTimestamp", kube::format_time(event.last))
      .field("message", event.note)
      .end_object();
  return std::move(writer).take();
}

std::string Reporter::instance() const {
  return std::string(base::cut_utf8(component + "-" + host, kReportingInstanceBytes));
}

std::string event_name(std::string_view object, std::uint64_t number) {
  std::array<char, 32> suffix{};
  auto length = std::snprintf(suffix.data(), suffix.size(), ".%llx", static_cast<unsigned long long>(number));
  auto kept = object.substr(0, kSubdomainBytes - static_cast<std::size_t>(length));
  while (!kept.empty() && (kept.back() == '.' || kept.back() == '-')) kept.remove_suffix(1);
  return std::string(kept) + suffix.data();
}

}  // namespace keelson::controller
