#include "keelson/kube/client.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/json/metadata.hpp"
#include "keelson/detail/json/scan.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "src/kube/api_request.hpp"
#include "src/kube/too_large.hpp"

namespace keelson::kube {

namespace {

// Rejects what client-go rejects, with its texts: without a name, the DELETE of an object would be a DELETE of all.
Result<void> check_address(const ApiRequest& request) {
  const auto& [ns, name] = request.key;
  bool names_one = request.verb == Verb::kGet || request.verb == Verb::kUpdate || request.verb == Verb::kPatch ||
                   request.verb == Verb::kDelete;
  if (names_one && name.empty()) return invalid_error("resource name may not be empty");
  if (!request.resource.namespaced || !ns.empty()) return {};
  if (names_one) return invalid_error("an empty namespace may not be set when a resource name is provided");
  if (request.verb == Verb::kCreate) return invalid_error("an empty namespace may not be set during creation");
  return {};
}

Task<ApiReply> ask(Client& client, ApiRequest request) {
  auto context = describe(request);
  auto checked = check_address(request);
  if (!checked) co_return std::move(checked).error().with_context(context);
  auto reply = co_await client.send(std::move(request));
  if (!reply) co_return std::move(reply).error().with_context(context);
  co_return std::move(*reply);
}

Result<Object> read_object(const ApiReply& reply) {
  auto object = Object::from_json(reply.body);
  if (!object || !object->name().empty()) return object;
  // Reviews have no name. A Status with a success code instead of an object is an error.
  auto metadata = json::scan_metadata(reply.body);
  if (metadata && metadata->kind == "Status") return malformed_error("the reply is a Status, not an object");
  return object;
}

Task<Applied> ask_for_applied(Client& client, ApiRequest request) {
  auto context = describe(request);
  KEELSON_CO_LET(auto reply, co_await ask(client, std::move(request)));
  auto object = read_object(reply);
  if (!object) co_return std::move(object).error().with_context(context);
  co_return Applied{std::move(*object), reply.code == 201};
}

Task<Object> ask_for_object(Client& client, ApiRequest request) {
  KEELSON_CO_LET(auto applied, co_await ask_for_applied(client, std::move(request)));
  co_return std::move(applied.object);
}

ApiRequest request_for(Verb verb, Resource resource, Key key, std::string subresource) {
  ApiRequest request;
  request.verb = verb;
  request.resource = std::move(resource);
  request.key = std::move(key);
  request.subresource = std::move(subresource);
  return request;
}

ApiRequest write_request(const std::string& manager, Verb verb, Resource resource, Key key, std::string subresource,
                         std::string body) {
  auto request = request_for(verb, std::move(resource), std::move(key), std::move(subresource));
  request.body = std::move(body);
  request.query.emplace_back("fieldManager", manager);
  return request;
}

void add_selection(ApiRequest& request, const ListOptions& options) {
  if (!options.labels.empty()) request.query.emplace_back("labelSelector", options.labels.text());
  if (!options.fields.empty()) request.query.emplace_back("fieldSelector", options.fields);
  if (options.limit > 0) request.query.emplace_back("limit", std::to_string(options.limit));
  if (!options.continue_token.empty()) request.query.emplace_back("continue", options.continue_token);
}

Result<List> read_list(const std::string& body) {
  List list;
  json::ListSplitter splitter;
  auto split = splitter.feed(body, [&list](std::string_view item) -> Result<void> {
    KEELSON_LET(auto object, Object::from_json(item));
    list.items.push_back(std::move(object));
    return {};
  });
  if (!split) return std::move(split).error();
  KEELSON_LET(auto envelope, splitter.finish());
  KEELSON_LET(auto document, json::Document::parse(envelope));
  auto root = document.root();
  if (root.find("items").is_absent()) return malformed_error("the reply is not a list");
  list.resource_version = root.at({"metadata", "resourceVersion"}).string().value_or("");
  list.continue_token = root.at({"metadata", "continue"}).string().value_or("");
  return list;
}

std::string delete_body(const DeleteOptions& options) {
  json::Writer writer;
  writer.begin_object().field("kind", "DeleteOptions").field("apiVersion", "v1");
  if (options.grace_period_seconds) writer.field("gracePeriodSeconds", *options.grace_period_seconds);
  if (!options.uid.empty() || !options.resource_version.empty()) {
    writer.key("preconditions").begin_object();
    if (!options.uid.empty()) writer.field("uid", options.uid);
    if (!options.resource_version.empty()) writer.field("resourceVersion", options.resource_version);
    writer.end_object();
  }
  if (!options.propagation.empty()) writer.field("propagationPolicy", options.propagation);
  writer.end_object();
  return std::move(writer).take();
}

std::string body_without_fields(const Resource& resource, const Key& key, const std::string& uid) {
  json::Writer writer;
  writer.begin_object().field("apiVersion", resource.api_version()).field("kind", resource.kind);
  writer.key("metadata").begin_object().field("name", key.name);
  if (!key.ns.empty()) writer.field("namespace", key.ns);
  writer.field("uid", uid).end_object().end_object();
  return std::move(writer).take();
}

// The body of a server-side apply in one of the three forms. Throws base::Misuse if `body` is not a JSON object, or has
// no metadata.uid for kUpdate. kForce is not checked.
std::string apply_body(ApplyForm form, std::string body) {
  if (form == ApplyForm::kForce) return body;
  auto document = json::Document::parse(body);
  if (!document) throw base::Misuse("apply: the body is not JSON: " + document.error().message());
  if (!document->root().is_object()) throw base::Misuse("apply: the body is not a JSON object");
  // An apply with a resourceVersion changes only an object of that version. No stored object has version 1, so the
  // apply of an existing object fails with 409, and a missing one is created. ("0" and "" count as no version.)
  if (form == ApplyForm::kCreateOnly) return with_resource_version(document->root(), "1");
  if (document->root().at({"metadata", "uid"}).string().value_or("").empty()) {
    throw base::Misuse("apply: ApplyForm::kUpdate needs metadata.uid in the body, so that only that object is changed");
  }
  return body;
}

// The field managers that the conflicts of an apply name, with their fields: the API server's own text has a line for
// each, and does not say what to do.
Error with_conflicts(Error error, const std::string& manager) {
  constexpr std::size_t kShown = 10;
  const auto status = json::Document::parse(error.status_body);
  if (!status) return error;
  const auto causes = status->root().at({"details", "causes"});
  std::string text;
  std::size_t count = 0;
  for (const json::View cause : causes.items()) {
    if (++count > kShown) continue;
    text += (count == 1 ? "" : "; ") + std::string(cause.find("field").string().value_or("a field")) + ": " +
            std::string(cause.find("message").string().value_or("conflict"));
  }
  if (count == 0) return error;
  if (count > kShown) text += "; and " + std::to_string(count - kShown) + " more";
  error.server_text = text + ". The field manager " + base::quote_go(manager) +
                      " sets another value and does not force it: let only one of them set the field";
  return error;
}

}  // namespace

const OperatorName& Client::operator_name() const {
  static const OperatorName keelson;
  return keelson;
}

Task<Object> get(Client& client, Resource resource, Key key, std::string subresource) {
  auto request = request_for(Verb::kGet, std::move(resource), std::move(key), std::move(subresource));
  return ask_for_object(client, std::move(request));
}

Task<List> list(Client& client, Resource resource, ListOptions options) {
  for (;;) {
    auto request = request_for(Verb::kList, resource, Key(options.ns, ""), "");
    add_selection(request, options);
    request.content = options.content;
    auto context = describe(request);
    auto reply = co_await ask(client, std::move(request));
    if (!reply && is_too_large(reply.error()) && options.limit > 1) {
      options.limit /= 2;
      continue;
    }
    if (!reply) co_return std::move(reply).error();
    auto read = read_list(reply->body);
    if (!read) co_return std::move(read).error().with_context(context);
    co_return read;
  }
}

Task<Object> create(Client& client, Resource resource, std::string ns, std::string object) {
  auto request = write_request(client.operator_name().text(), Verb::kCreate, std::move(resource), Key(ns, ""), "",
                               std::move(object));
  return ask_for_object(client, std::move(request));
}

Task<Object> update(Client& client, Resource resource, Key key, std::string object, std::string subresource) {
  auto request = write_request(client.operator_name().text(), Verb::kUpdate, std::move(resource), std::move(key),
                               std::move(subresource), std::move(object));
  return ask_for_object(client, std::move(request));
}

Task<Object> patch(Client& client, Resource resource, Key key, PatchType type, std::string body,
                   std::string subresource) {
  auto request = write_request(client.operator_name().text(), Verb::kPatch, std::move(resource), std::move(key),
                               std::move(subresource), std::move(body));
  request.patch_type = type;
  return ask_for_object(client, std::move(request));
}

Task<Applied> apply(Client& client, Resource resource, Key key, ApplyForm form, std::string body,
                    std::string subresource) {
  auto request = write_request(client.operator_name().text(), Verb::kPatch, std::move(resource), std::move(key),
                               std::move(subresource), apply_body(form, std::move(body)));
  request.patch_type = PatchType::kApply;
  if (form != ApplyForm::kCreateOnly) request.query.emplace_back("force", "true");
  return ask_for_applied(client, std::move(request));
}

Task<Applied> apply(Client& client, Resource resource, Key key, ApplyOptions options, std::string body) {
  const auto manager = options.field_manager.empty() ? client.operator_name().text() : std::move(options.field_manager);
  auto request = write_request(manager, Verb::kPatch, std::move(resource), std::move(key),
                               std::move(options.subresource), std::move(body));
  request.patch_type = PatchType::kApply;
  if (options.force) request.query.emplace_back("force", "true");
  auto applied = co_await ask_for_applied(client, std::move(request));
  if (!applied && is_apply_conflict(applied.error())) co_return with_conflicts(std::move(applied).error(), manager);
  co_return applied;
}

Task<Object> release_fields(Client& client, Resource resource, Key key, std::string uid, std::string manager) {
  auto body = body_without_fields(resource, key, uid);
  auto request = write_request(manager, Verb::kPatch, std::move(resource), std::move(key), "", std::move(body));
  request.patch_type = PatchType::kApply;
  request.query.emplace_back("force", "true");
  return ask_for_object(client, std::move(request));
}

Task<void> remove(Client& client, Resource resource, Key key, DeleteOptions options) {
  auto request = request_for(Verb::kDelete, std::move(resource), std::move(key), "");
  request.body = delete_body(options);
  KEELSON_CO_TRY(co_await ask(client, std::move(request)));
  co_return Result<void>();
}

Task<void> remove_collection(Client& client, Resource resource, ListOptions which, DeleteOptions options) {
  auto request = request_for(Verb::kDeleteCollection, std::move(resource), Key(which.ns, ""), "");
  add_selection(request, which);
  request.body = delete_body(options);
  KEELSON_CO_TRY(co_await ask(client, std::move(request)));
  co_return Result<void>();
}

}  // namespace keelson::kube
