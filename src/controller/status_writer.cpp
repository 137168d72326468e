#include "src/controller/status_writer.hpp"

#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/json/patch.hpp"
#include "keelson/detail/kube/fields.hpp"
#include "keelson/json/writer.hpp"
#include "src/controller/child.hpp"

namespace keelson::controller {
namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds kHold(1);

std::string apply_body(const kube::Resource& resource, const kube::Object& object, std::string_view status) {
  json::Writer body;
  body.begin_object().field("apiVersion", resource.api_version()).field("kind", resource.kind);
  body.key("metadata").begin_object().field("name", object.name());
  if (!object.ns().empty()) body.field("namespace", object.ns());
  body.field("uid", object.uid()).end_object();
  body.raw_field("status", status).end_object();
  return std::move(body).take();
}

// The patch has the fields of the struct that differ from the stored status, and removes none. The resourceVersion
// makes the API server reject a patch of an object that has changed since.
Result<std::string> patch_body(const kube::Object& object, const StatusChange& change) {
  KEELSON_LET(const auto fields, kube::Fields::of(object));
  KEELSON_LET(const auto after, json::Document::parse(change.text));
  const auto stored = fields.root().find("status");
  json::Writer body;
  body.begin_object().key("metadata").begin_object().field("uid", object.uid());
  body.field("resourceVersion", std::to_string(object.resource_version())).end_object();
  body.key("status").begin_object();
  for (const auto& [name, value] : after.root().members()) {
    if (stored.find(name).text() != value.text()) body.field(name, value);
  }
  body.end_object().end_object();
  return std::move(body).take();
}

// An apply removes only fields that no other manager owns, so a patch removes the rest. Conditions of other controllers
// are left alone.
Result<std::string> leftovers_patch(const kube::Object& written, const StatusChange& change) {
  KEELSON_LET(const auto fields, kube::Fields::of(written));
  KEELSON_LET(const auto desired, json::Document::parse(change.text));
  const auto stored = fields.root().find("status");
  json::Writer body;
  body.begin_object().key("metadata").begin_object().field("uid", written.uid()).end_object();
  body.key("status").begin_object();
  bool has_leftovers = false;
  for (const auto& field : change.fields->fields()) {
    const bool is_left = stored.find(field.name).has_value() && desired.root().find(field.name).is_absent();
    if (!is_left || field.name == "conditions" || field.name == "observedGeneration") continue;
    body.key(field.name).raw("null");
    has_leftovers = true;
  }
  body.end_object().end_object();
  return has_leftovers ? std::move(body).take() : std::string();
}

}  // namespace

StatusWriter::StatusWriter(async::Clock& clock, kube::Resource resource)
    : clock_(clock), resource_(std::move(resource)) {}

Task<std::optional<Outcome>> StatusWriter::write(kube::Client& client, kube::Object object, StatusChange change) {
  const auto key = object.key();
  if (change.urgency == StatusChange::Urgency::kCoalesced) {
    const auto now = clock_.now();
    const auto since = held_back_.try_emplace(key, now).first->second;
    if (now - since < kHold) co_return std::optional(Outcome::requeue_after(since + kHold - now));
  }
  held_back_.erase(key);
  KEELSON_CO_LET(auto written, co_await send(client, std::move(object), change));
  if (!written) co_return std::optional<Outcome>();
  if (change.form == StatusChange::Form::kApply) {
    KEELSON_CO_TRY(co_await remove_leftovers(client, std::move(*written), change));
  }
  co_return std::optional(Outcome::done());
}

// Empty: the object is gone.
Task<std::optional<kube::Object>> StatusWriter::send(kube::Client& client, kube::Object object,
                                                     const StatusChange& change) {
  const auto key = object.key();
  auto written = Result<kube::Object>(object);
  if (change.form == StatusChange::Form::kPatch) {
    KEELSON_CO_LET(auto body, patch_body(object, change));
    written = co_await kube::patch(client, resource_, key, kube::PatchType::kMerge, std::move(body), "status");
  } else {
    auto applied = co_await kube::apply(client, resource_, key, kube::ApplyForm::kUpdate,
                                        apply_body(resource_, object, change.text), "status");
    if (applied) {
      written = std::move(applied->object);
    } else {
      written = std::move(applied).error();
    }
  }
  if (written) co_return std::optional(std::move(*written));
  if (!kube::is_not_found(written.error())) co_return std::move(written).error();
  KEELSON_CO_TRY(co_await check_served(client, std::move(object)));
  co_return std::optional<kube::Object>();
}

Task<void> StatusWriter::remove_leftovers(kube::Client& client, kube::Object written, const StatusChange& change) {
  KEELSON_CO_LET(auto body, leftovers_patch(written, change));
  if (body.empty()) co_return Result<void>();
  auto removed =
      co_await kube::patch(client, resource_, written.key(), kube::PatchType::kMerge, std::move(body), "status");
  if (!removed && !kube::is_not_found(removed.error())) co_return std::move(removed).error();
  co_return Result<void>();
}

// A 404 is about the object, its subresource or the whole kind: a list distinguishes them.
Task<void> StatusWriter::check_served(kube::Client& client, kube::Object object) {
  auto live = co_await read_live(client, resource_, object.key());
  if (!live) co_return std::move(live).error().with_context("checking why the status was not found");
  if (!*live || (*live)->uid() != object.uid()) co_return Result<void>();
  co_return invalid_error("the API server serves no status of " + resource_.qualified_plural() + " " +
                          object.key().text() +
                          ": apply the CustomResourceDefinition of this version, which has the subresource");
}

}  // namespace keelson::controller
