#include "keelson/controller/status.hpp"

#include <utility>

#include "keelson/json/writer.hpp"

namespace keelson::controller {

namespace {

// Progress is gathered for so long at most.
constexpr std::chrono::seconds kGather(1);

// What the server finds wrong when the object under that name is not the one we read: its uid, or its owner.
bool is_about_identity(const Error& error) {
  if (!kube::is_invalid(error)) return false;
  return error.status_body.find("\"metadata.uid\"") != std::string::npos ||
         error.status_body.find("\"metadata.ownerReferences\"") != std::string::npos;
}

// A 404 speaks of the object, of its subresource or of the whole kind. A list tells them apart, and needs no right that
// a watch does not need.
boost::asio::awaitable<Result<bool>> is_there(kube::Client& client, kube::Resource resource, kube::Object object) {
  kube::ListOptions options;
  options.ns = object.ns();
  options.fields = "metadata.name=" + std::string(object.name());
  auto found = co_await kube::list(client, std::move(resource), std::move(options));
  if (!found) co_return std::move(found).error();
  co_return !found->items.empty() && found->items.front().uid() == object.uid();
}

}  // namespace

boost::asio::awaitable<Result<bool>> apply_status(kube::Client& client, kube::Resource resource, kube::Object object,
                                                  std::string status) {
  auto key = object.key();
  json::Writer body;
  body.begin_object().field("apiVersion", resource.api_version()).field("kind", resource.kind);
  body.key("metadata").begin_object().field("name", key.name);
  if (!key.ns.empty()) body.field("namespace", key.ns);
  body.field("uid", object.uid()).end_object();
  body.raw_field("status", status).end_object();
  auto written =
      co_await kube::apply(client, resource, key, kube::ApplyForm::kUpdate, std::move(body).take(), "status");
  if (written) co_return true;
  if (!kube::is_not_found(written.error())) co_return std::move(written).error();
  auto there = co_await is_there(client, resource, std::move(object));
  if (!there) co_return std::move(there).error().within("looking why the status was not found");
  if (!*there) co_return false;
  co_return invalid("the API server serves no status of " + resource.qualified_plural() + " " + key.text() +
                    ": apply the CustomResourceDefinition of this version, which has the subresource");
}

StatusWriter::StatusWriter(async::Clock& clock, kube::Client& client, kube::Resource resource)
    : clock_(clock), client_(client), resource_(std::move(resource)) {}

boost::asio::awaitable<Result<Outcome>> StatusWriter::write(kube::Object object, std::string status, Urgency urgency) {
  auto key = object.key();
  if (urgency == Urgency::kSoon) {
    auto now = clock_.now();
    auto since = held_back_.try_emplace(key, now).first->second;
    if (now - since < kGather) co_return Outcome::requeue_after(since + kGather - now);
  }
  held_back_.erase(key);
  auto written = co_await apply_status(client_, resource_, std::move(object), std::move(status));
  if (!written) co_return std::move(written).error();
  co_return Outcome::done();
}

bool is_refusal(const Error& error) {
  if (error.kind != Error::Kind::kStatus || error.code < 400 || error.code >= 500) return false;
  if (kube::is_namespace_terminating(error) || is_about_identity(error)) return false;
  // Not found: the namespace, and with it the object whose status would say so. 401: our credentials, not the object.
  switch (error.code) {
    case 401:
    case 404:
    case 408:
    case 409:
    case 410:
    case 429:
      return false;
    default:
      return true;
  }
}

}  // namespace keelson::controller
