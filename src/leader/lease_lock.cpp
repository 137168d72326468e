// The implementation of Lock: a Lease of the API server.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <vector>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/limits.hpp"
#include "keelson/detail/json/patch.hpp"
#include "keelson/detail/json/scan.hpp"
#include "keelson/detail/kube/watch.hpp"
#include "keelson/detail/leader/lock.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::leader {
namespace asio = boost::asio;

namespace {

Result<Lease> read_lease(std::string_view json) {
  KEELSON_LET(auto object, kube::Object::from_json(json));
  KEELSON_LET(auto document, json::Document::parse(json));
  auto spec = document.root().find("spec");
  auto text = [&spec](std::string_view name) { return std::string(spec.find(name).string().value_or("")); };
  auto number = [&spec](std::string_view name) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    return std::clamp<std::int64_t>(spec.find(name).integer().value_or(0), 0, kMost);
  };
  return Lease{{text("holderIdentity"), number("leaseDurationSeconds"), text("acquireTime"), text("renewTime"),
                number("leaseTransitions")},
               std::move(object)};
}

void write_spec(json::Writer& writer, const Record& record) {
  writer.key("spec")
      .begin_object()
      .field("holderIdentity", record.holder)
      .field("leaseDurationSeconds", record.duration_seconds)
      .field("acquireTime", record.acquire_time)
      .field("renewTime", record.renew_time)
      .field("leaseTransitions", record.transitions)
      .end_object();
}

class LeaseLock final : public Lock {
 public:
  LeaseLock(async::Clock& clock, kube::Client& client, LeaseLockOptions options)
      : clock_(clock), client_(client), options_(std::move(options)) {}

  std::string describe() const override { return options_.key.text(); }
  Task<std::optional<Lease>> get() override;
  Task<Lease> create(Record record) override;
  Task<Lease> update(Lease before, Record record) override;
  Task<void> watch(Observer callback) override;
  Task<void> record_event(Lease about, std::string message) override;

 private:
  [[nodiscard]] Task<Lease> send(kube::Verb verb, kube::Key key, std::string body);
  [[nodiscard]] Task<void> read_events(Observer callback);
  [[nodiscard]] Result<void> on_line(std::string_view line, const Observer& callback) const;
  [[nodiscard]] std::string event(const Lease& about, const std::string& message) const;

  async::Clock& clock_;
  kube::Client& client_;
  LeaseLockOptions options_;
};

Task<std::optional<Lease>> LeaseLock::get() {
  auto lease = co_await send(kube::Verb::kGet, options_.key, "");
  if (lease) co_return std::optional<Lease>(std::move(*lease));
  if (kube::is_not_found(lease.error())) co_return std::optional<Lease>();
  co_return std::move(lease).error();
}

Task<Lease> LeaseLock::create(Record record) {
  json::Writer writer;
  writer.begin_object().field("apiVersion", kube::leases().api_version()).field("kind", kube::leases().kind);
  writer.key("metadata")
      .begin_object()
      .field("name", options_.key.name)
      .field("namespace", options_.key.ns)
      .end_object();
  write_spec(writer, record);
  writer.end_object();
  return send(kube::Verb::kCreate, kube::Key(options_.key.ns, ""), std::move(writer).take());
}

// Sends the whole object, as client-go's Update does, so that fields of other clients are preserved.
Task<Lease> LeaseLock::update(Lease before, Record record) {
  json::Writer writer;
  writer.begin_object();
  write_spec(writer, record);
  writer.end_object();
  KEELSON_CO_LET(auto body, json::merge_patch(before.object.json(), std::move(writer).take()));
  co_return co_await send(kube::Verb::kUpdate, options_.key, std::move(body));
}

Task<Lease> LeaseLock::send(kube::Verb verb, kube::Key key, std::string body) {
  kube::ApiRequest request;
  request.verb = verb;
  request.resource = kube::leases();
  request.key = std::move(key);
  request.body = std::move(body);
  auto seconds = std::chrono::ceil<std::chrono::seconds>(options_.request_timeout).count();
  request.query.emplace_back("timeout", std::to_string(seconds) + "s");
  KEELSON_CO_LET(auto reply, co_await client_.send(std::move(request)));
  co_return read_lease(reply.body);
}

Task<void> LeaseLock::watch(Observer callback) {
  auto ended = co_await read_events(std::move(callback));
  if (ended) co_return ended;
  co_return std::move(ended).error().with_context("watch " + kube::leases().qualified_plural() + " in " +
                                                  options_.key.ns);
}

Task<void> LeaseLock::read_events(Observer callback) {
  kube::ApiRequest request;
  request.verb = kube::Verb::kWatch;
  request.resource = kube::leases();
  request.key.ns = options_.key.ns;
  request.query.emplace_back("allowWatchBookmarks", "true");
  request.query.emplace_back("fieldSelector", "metadata.name=" + options_.key.name);
  KEELSON_CO_LET(auto stream, co_await client_.stream(std::move(request)));
  std::vector<char> buffer(limits::kReadBytes);
  json::LineSplitter splitter;
  auto take = [this, &callback](std::string_view line) { return on_line(line, callback); };
  for (;;) {
    KEELSON_CO_LET(auto count, co_await stream->read_some(buffer));
    if (count == 0) co_return Result<void>();
    KEELSON_CO_TRY(splitter.feed(std::string_view(buffer.data(), count), take));
  }
}

Result<void> LeaseLock::on_line(std::string_view line, const Observer& callback) const {
  KEELSON_LET(auto event, kube::parse_watch_line(line));
  if (event.type == kube::WatchEvent::Type::kError) return kube::error_from_status(event.object);
  if (event.type == kube::WatchEvent::Type::kBookmark) return {};
  KEELSON_LET(auto lease, read_lease(event.object));
  if (lease.object.name() != options_.key.name) return {};
  const bool exists = event.type != kube::WatchEvent::Type::kDeleted;
  callback(exists ? std::optional(std::move(lease.record)) : std::nullopt);
  return {};
}

Task<void> LeaseLock::record_event(Lease about, std::string message) {
  auto body = event(about, message);
  KEELSON_CO_TRY(co_await kube::create(client_, kube::core_events(), options_.key.ns, std::move(body)));
  co_return Result<void>();
}

// The Event as client-go's recorder for v1 writes it.
std::string LeaseLock::event(const Lease& about, const std::string& message) const {
  auto now = clock_.wall_now();
  std::array<char, 16> number{};
  auto nanos = static_cast<std::uint64_t>(now.time_since_epoch().count());
  auto end = std::to_chars(number.data(), number.data() + number.size(), nanos, 16).ptr;
  json::Writer writer;
  writer.begin_object().field("apiVersion", "v1").field("kind", "Event");
  writer.key("metadata")
      .begin_object()
      .field("name", options_.key.name + "." + std::string(number.data(), end))
      .field("namespace", options_.key.ns)
      .end_object();
  writer.key("involvedObject")
      .begin_object()
      .field("apiVersion", kube::leases().api_version())
      .field("kind", kube::leases().kind)
      .field("namespace", options_.key.ns)
      .field("name", options_.key.name)
      .field("uid", about.object.uid())
      .field("resourceVersion", std::to_string(about.object.resource_version()))
      .end_object();
  writer.field("type", "Normal").field("reason", "LeaderElection").field("message", message);
  writer.field("firstTimestamp", kube::format_time(now)).field("lastTimestamp", kube::format_time(now));
  writer.field("count", 1);
  writer.key("source").begin_object().field("component", options_.identity).end_object();
  writer.field("reportingComponent", options_.identity).end_object();
  return std::move(writer).take();
}

}  // namespace

std::unique_ptr<Lock> make_lease_lock(async::Clock& clock, kube::Client& client, LeaseLockOptions options) {
  return std::make_unique<LeaseLock>(clock, client, std::move(options));
}

}  // namespace keelson::leader
