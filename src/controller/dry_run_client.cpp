#include "src/controller/dry_run_client.hpp"

#include <utility>

#include "keelson/detail/base/fnv.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/controller/controller_runtime.hpp"
#include "keelson/detail/json/metadata.hpp"
#include "keelson/detail/kube/dry_run.hpp"
#include "keelson/json/writer.hpp"
#include "src/controller/child.hpp"
#include "src/controller/event_json.hpp"

namespace keelson::controller {
namespace asio = boost::asio;

namespace {

// Bytes of a value before or after a change.
constexpr std::size_t kDryRunValueBytes = 256;

constexpr int kCreated = 201;

metrics::CounterFamily& writes_in(metrics::Registry& registry) {
  return registry.counter("keelson_dry_run_writes_total",
                          "Number of writes of a dry run, by their result: changed, repeated, unchanged or rejected.",
                          {"group", "kind", "verb", "result"});
}

bool is_review(const kube::Resource& resource) {
  return resource.group == "authentication.k8s.io" || resource.group == "authorization.k8s.io";
}

Result<void> check_stores_nothing(const kube::ApiRequest& request) {
  if (!kube::ignores_dry_run(request)) return {};
  const auto target = request.resource.qualified_plural() + "/" + request.subresource + " " + request.key.text();
  return invalid_error(std::string(kube::verb_name(request.verb)) + " " +
                       (request.raw_path.empty() ? target : request.raw_path) +
                       ": not sent, because the API server executes it even as a dry run; check is_dry_run() first");
}

std::string shortened(const std::string& text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  return std::string(base::cut_utf8(text, bytes)) + "…";
}

std::string change_text(kube::FieldChange change) {
  if (change.before) change.before = shortened(*change.before, kDryRunValueBytes);
  if (change.after) change.after = shortened(*change.after, kDryRunValueBytes);
  return change.text();
}

Result<kube::Object> projected(const kube::Object& object, const json::Projection& projection) {
  std::string text;
  KEELSON_TRY(projection.apply(object.json(), text));
  return kube::Object::from_json(text, &projection);
}

// "2026-01-02T03:04:05Z", also with a fraction of a second.
bool is_time(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:dd";
  if (text.size() <= kForm.size() || text.back() != 'Z') return false;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] == 'd' ? !base::is_digit(text[i]) : text[i] != kForm[i]) return false;
  }
  return true;
}

}  // namespace

void register_dry_run_series(metrics::Registry& registry) { writes_in(registry); }

DryRunClient::DryRunClient(kube::Client& client, cache::Cache& cache, Logger log, metrics::Registry& registry)
    : client_(client),
      cache_(cache),
      log_(std::move(log)),
      writes_(writes_in(registry)),
      reported_(limits::kDryRunDifferences) {}

Task<kube::ApiReply> DryRunClient::send(kube::ApiRequest request) {
  KEELSON_CO_TRY(check_stores_nothing(request));
  const bool is_write = request.verb >= kube::Verb::kCreate;
  const bool is_reported = is_write && !is_review(request.resource) && !kube::is_dry_run(request);
  if (!is_reported) {
    kube::make_dry_run(request);
    auto reply = co_await client_.send(std::move(request));
    co_return reply;
  }
  Write write{request.verb, request.resource, request.key, request.subresource, cached(request.resource, request.key)};
  kube::make_dry_run(request);
  auto reply = co_await client_.send(std::move(request));
  if (!reply) {
    if (reply.error().kind == Error::Kind::kStatus) count(write, "rejected");
    co_return reply;
  }
  auto effect = co_await effect_of(write, *reply);
  report(write, effect);
  co_return reply;
}

Task<std::unique_ptr<net::Stream>> DryRunClient::stream(kube::ApiRequest request) {
  KEELSON_CO_TRY(check_stores_nothing(request));
  kube::make_dry_run(request);
  auto stream = co_await client_.stream(std::move(request));
  co_return stream;
}

// Informers of parts of objects, or of a part of the kind's objects, do not help. What Projection::everything() drops
// is dropped from the reply as well.
std::optional<kube::Object> DryRunClient::cached(const kube::Resource& resource, const kube::Key& key) const {
  if (key.name.empty()) return std::nullopt;
  const auto informer = cache_.find(resource);
  if (!informer || (*informer)->content() != kube::Content::kWhole) return std::nullopt;
  auto found = (*informer)->get(key);
  if (found && found->projection() != nullptr && !found->projection()->covers({})) return std::nullopt;
  return found;
}

asio::awaitable<DryRunClient::Effect> DryRunClient::effect_of(Write write, kube::ApiReply reply) {
  if (write.verb == kube::Verb::kDelete) co_return Effect{"Dry run: the object would be deleted", write.key};
  if (write.verb == kube::Verb::kDeleteCollection) {
    co_return Effect{"Dry run: the objects would be deleted", write.key};
  }
  Effect effect{"Dry run: the object would change", write.key};
  auto after = kube::Object::from_json(reply.body);
  // The reply of a subresource such as scale or eviction is not the object.
  const auto metadata = json::scan_metadata(reply.body);
  if (!after || !metadata || metadata->kind != write.resource.kind) co_return effect;
  effect.key = after->key();
  if (reply.code == kCreated) {
    effect.message = "Dry run: the object would be created";
    co_return effect;
  }
  auto before = co_await object_before(write, *after);
  if (!before) co_return effect;
  if (before->projection() != nullptr) after = projected(*after, *before->projection());
  if (!after) co_return effect;
  for (auto& change : kube::object_changes(write.resource, *before, *after)) {
    effect.add(std::move(change));
  }
  effect.is_difference = !effect.fields.empty();
  if (!effect.is_difference) effect.message = "Dry run: the write would change nothing";
  co_return effect;
}

void DryRunClient::Effect::add(kube::FieldChange change) {
  const auto text = change.text();
  const auto masked = std::to_string(change.masked_hash);
  places = base::fnv1a_64(std::to_string(places) + text.substr(0, text.find(": ")));
  difference = base::fnv1a_64(std::to_string(difference) + without_times(text) + masked);
  fields.push_back(change_text(std::move(change)));
}

// The reply to a dry run has the version of the object that it started from. If that is not the cached one, the object
// is read. If it has changed since the write, its fields would show changes of other writers: it is unknown.
asio::awaitable<std::optional<kube::Object>> DryRunClient::object_before(Write write, kube::Object after) {
  if (write.cached && write.cached->resource_version() == after.resource_version()) co_return std::move(write.cached);
  auto live = co_await read_live(client_, write.resource, after.key());
  if (!live) {
    log_.debug("Dry run: the object before the write cannot be read", {{"error", live.error().message()}});
    co_return std::nullopt;
  }
  if (*live && (*live)->resource_version() != after.resource_version()) co_return std::nullopt;
  co_return std::move(*live);
}

void DryRunClient::report(const Write& write, const Effect& effect) {
  auto log = log_.with({{"group", write.resource.group},
                        {"kind", write.resource.kind},
                        {"namespace", effect.key.ns},
                        {"name", effect.key.name},
                        {"verb", kube::verb_name(write.verb)},
                        {"subresource", write.subresource}});
  if (!effect.fields.empty()) log = log.with({{"changes", LogValue::json(logged_fields(effect.fields))}});
  if (!effect.is_difference) {
    count(write, "unchanged");
    return log.debug(effect.message);
  }
  ++tally_.differences;
  if (is_repeated(write, effect)) {
    ++tally_.repeated;
    count(write, "repeated");
    return log.debug(effect.message);
  }
  count(write, "changed");
  log.info(effect.message);
}

// A pass may write several parts of an object, so the changed fields identify the write.
bool DryRunClient::is_repeated(const Write& write, const Effect& effect) {
  const auto identity = std::string(kube::verb_name(write.verb)) + " " + write.resource.qualified_plural() + "/" +
                        write.subresource + " " + effect.key.text() + " " + std::to_string(effect.places);
  auto* last = reported_.use(identity);
  if (last == nullptr) {
    reported_.add(identity, effect.difference);
    return false;
  }
  return std::exchange(*last, effect.difference) == effect.difference;
}

void DryRunClient::count(const Write& write, const char* result) {
  writes_.with({write.resource.group, write.resource.kind, kube::verb_name(write.verb), result}).increment();
}

std::string logged_fields(const std::vector<std::string>& fields) {
  json::Writer writer;
  writer.begin_array();
  std::size_t logged = 0;
  std::size_t bytes = 0;
  for (; logged < fields.size() && logged < limits::kDryRunFields; ++logged) {
    bytes += fields[logged].size();
    if (bytes > limits::kDryRunFieldsBytes) break;
    writer.string(fields[logged]);
  }
  if (logged < fields.size()) writer.string("… and " + std::to_string(fields.size() - logged) + " more");
  writer.end_array();
  return std::move(writer).take();
}

std::string without_times(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto quote = text.find('"');
    if (quote == std::string_view::npos) break;
    result += text.substr(0, quote + 1);
    text.remove_prefix(quote + 1);
    const auto value = text.substr(0, text.find('"'));
    if (!is_time(value)) continue;
    result += "time";
    text.remove_prefix(value.size());
  }
  return result += text;
}

}  // namespace keelson::controller
