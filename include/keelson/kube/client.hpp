// The client of the Kubernetes API: the interface `Client`, and its verbs from get to delete.
//
// Client has two functions: send() returns a reply, stream() a stream. rest_client.hpp implements it over HTTP; the
// sandbox, tests and decorators (read-your-own-writes, the leader's fence) implement it as well. The verbs are
// functions on top of it, so they work with every client. Start with the typed verbs of typed_object.hpp, which take
// and return C++ structs; the verbs of this header take JSON texts and return Objects. To observe objects continuously,
// use an informer (keelson/cache), not list() and watch().
//
// Ownership: requests, options and bodies are passed by value. A client must outlive the calls and streams that were
// started on it. Results own their data and may outlive the client; a Watch and a net::Stream must not.
//
// Threads and cancellation: a client belongs to the thread of its event loop. Calls may overlap. Terminal cancellation
// unwinds the coroutine and closes the connection of the request. A canceled write may have been stored or not, as may
// a write that failed with kTransport or kTimeout: read the object, or make the write idempotent (apply, or an update
// with resourceVersion).
//
// Errors of the verbs have the request as context, "get pods default/a: …":
// - kStatus: the API server replied with 4xx or 5xx, or with a Status that reports a failure. The predicates below
//   (is_not_found, is_conflict) classify it; `status_body` has the whole Status.
// - kTransport, kTimeout: no reply. kMalformed: the reply is not the expected JSON. kFenced: `may_send` returned false.
// - kInvalid: the request has no name or namespace where the verb needs one, so it was not sent. (An empty name would
//   turn the DELETE of an object into a DELETE of all.)
//
// The client of a real API server retries as client-go does, at most 10 times and for 60 s in total per request:
// - 429 and 5xx with Retry-After, for every verb. Not retried: a Status that rejects a write; requeue the key instead.
//   Such a rejection concerns a single object (an eviction that a PodDisruptionBudget forbids);
// - reads whose connection was lost, after 1 s;
// - the first 401 of an idempotent request, with new credentials.
//
// Example (test/examples/kube.cpp#verbs):
//   // Scales a Deployment, unless it was deleted meanwhile.
//   keelson::Task<void> scale(kube::Client& client, kube::Key key, std::int32_t replicas) {
//     auto found = co_await kube::get<apps::v1::Deployment>(client, key);
//     if (!found && kube::is_not_found(found.error())) co_return keelson::Result<void>();
//     if (!found) co_return std::move(found).error();  // "get deployments.apps default/web: …"
//
//     auto changed = *found;
//     changed.spec.replicas = replicas;
//     KEELSON_CO_TRY(co_await kube::patch(client, *found, changed));  // 409 if it changed since the get
//     co_return keelson::Result<void>();
//   }
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/kube/selector.hpp"
#include "keelson/net/http.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::kube {

// The name of an operator, and the names in a cluster that follow from it.
//
// The name is the field manager of everything that the operator writes, so it identifies the operator for the API
// server. Two operators with different names can apply fields of one object without removing each other's fields.
// Renaming an operator is a migration: the former name still owns its fields, until release_fields() releases them.
class OperatorName {
 public:
  // "keelson", the operator with the built-in controllers.
  OperatorName();
  // A DNS label of at most limits::kOperatorNameBytes (40) characters that begins with a letter, so that it can be the
  // name of a Service. Throws base::Misuse for any other text.
  explicit OperatorName(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }
  // Whether it is the default name.
  [[nodiscard]] bool is_keelson() const;
  // "greeter" and "manager" make "greeter-manager".
  [[nodiscard]] std::string with(std::string_view suffix) const;
  // The name of an annotation: "keelson.dev/applied-hash" for keelson, "greeter.keelson.dev/applied-hash" for greeter.
  [[nodiscard]] std::string annotation(std::string_view key) const;

 private:
  std::string text_;
};

enum class Verb { kGet, kList, kWatch, kCreate, kUpdate, kPatch, kDelete, kDeleteCollection };
// The verb as RBAC rules and the audit log name it: "get", "deletecollection".
[[nodiscard]] const char* verb_name(Verb verb);
// application/merge-patch+json (RFC 7396), application/json-patch+json (RFC 6902), server-side apply.
enum class PatchType { kMerge, kJson, kApply };
// The part of each object that a get, list or watch returns: the whole object, or a PartialObjectMetadata
// (meta.k8s.io/v1), which has its metadata but not its apiVersion and kind. A server that does not support this form
// returns whole objects.
enum class Content { kWhole, kMetadata };

// One request. The verbs below fill it; only decorators, tests and code that sends unusual requests need it.
struct ApiRequest {
  Verb verb = Verb::kGet;
  Resource resource;
  Key key;                                                 // without name for list, watch, create, deleteCollection
  std::string subresource;                                 // "status", "scale", …
  std::vector<std::pair<std::string, std::string>> query;  // in this order, not percent-encoded
  PatchType patch_type = PatchType::kMerge;
  Content content = Content::kWhole;
  std::string body;      // JSON; empty: no body
  std::string raw_path;  // if not empty, replaces the path of `resource` and `key` ("/apis/apps/v1")
  // Sent in addition; an Accept replaces that of `content`. Only over HTTP, not in the sandbox.
  std::vector<std::pair<std::string, std::string>> headers = {};
  // The leader's fence (net::CallOptions::may_send), called before each attempt of the request; false: kFenced.
  std::function<bool()> may_send = {};
};

struct ApiReply {
  int code = 200;    // 200 to 206
  std::string body;  // at most 12 MiB, or 32 MiB of a list; larger replies are kMalformed
};

// The seam to the API server. Make one for each ConnectionConfig (rest_client.hpp) and pass it by reference.
class Client {
 public:
  virtual ~Client() = default;
  // The operator that writes through this client; its name is the field manager of the verbs below. `keelson` unless
  // it is overridden. A decorator returns the name of the client that it decorates.
  [[nodiscard]] virtual const OperatorName& operator_name() const;
  // Returns the reply if the code is 2xx; otherwise a kStatus error.
  [[nodiscard]] virtual Task<ApiReply> send(ApiRequest request) = 0;
  // Sends the request and returns when a successful status has arrived; the body is read from the stream. For watches,
  // to which `watch=true` is added, and for lists that are parsed as they arrive. The timeout of requests bounds the
  // time until the status, not that of the body.
  [[nodiscard]] virtual Task<std::unique_ptr<net::Stream>> stream(ApiRequest request) = 0;
};

struct ListOptions {
  std::string ns;              // empty: all namespaces
  Selector labels;             // empty: all objects
  std::string fields;          // field selector, "spec.nodeName=node-1" (FieldSelector); empty: all objects
  std::int64_t limit = 0;      // objects per reply at most; fewer if they are large. 0: all in one reply
  std::string continue_token;  // of the previous page; 410 (is_gone) if it has expired: list from the start
  Content content = Content::kWhole;
};

// If the object has another uid or resourceVersion than the preconditions, the delete fails with 409 (is_conflict). Set
// `uid` to delete exactly the object that was read: its name may belong to a newer object by now.
struct DeleteOptions {
  std::string uid;               // precondition; empty: any
  std::string resource_version;  // precondition; empty: any
  std::string propagation;       // "Background", "Foreground", "Orphan"; empty: the server's default
  std::optional<std::int64_t> grace_period_seconds;  // 0: immediately; nullopt: the object's default
};

// The form of a server-side apply: which objects it may change.
enum class ApplyForm {
  // Creates the object, or fails with 409 if the name exists. The body gets metadata.resourceVersion "1", which no
  // stored object has.
  kCreateOnly,
  // Changes the object with the metadata.uid of the body (without one: base::Misuse), with force=true. If that object
  // was deleted, the apply fails with 409, even if a newer object has the name.
  kUpdate,
  // Creates or changes any object of the name, with force=true: only for the status of kinds of your own.
  kForce,
};

// A server-side apply with the rules of kubectl: of fields that the operator shares with users or other programs.
struct ApplyOptions {
  // The field manager, at most 128 printable characters; empty: the operator's name. With a name for each purpose, an
  // apply of some fields does not release those of another apply to the same object, and release_fields() removes
  // exactly them. The program does not find them by this name later, so do not change it.
  std::string field_manager = {};
  // False: if another field manager has set a field to another value, the apply changes nothing and fails with 409
  // (is_apply_conflict). True: it takes the fields over.
  bool force = false;
  std::string subresource = {};  // "status", "scale", …
};

// One page of a list.
struct List {
  std::vector<Object> items;     // built-in kinds come without apiVersion and kind, as in every list
  std::string resource_version;  // of the collection: watch from here to miss no change
  std::string continue_token;    // empty on the last page
};

// Reads one object. A missing object is a kStatus error (is_not_found).
[[nodiscard]] Task<Object> get(Client& client, Resource resource, Key key, std::string subresource = "");
// Reads one page of objects; pass the page's `continue_token` in the options of the next call until it is empty.
[[nodiscard]] Task<List> list(Client& client, Resource resource, ListOptions options);
// POST of `object`, JSON with apiVersion and kind. 409 (is_already_exists) if the name exists. Returns the stored
// object with its defaults and uid.
[[nodiscard]] Task<Object> create(Client& client, Resource resource, std::string ns, std::string object);
// PUT of the whole object; 409 (is_conflict) if the body's metadata.resourceVersion is not the newest. Fields that the
// body lacks are removed, so do not update from a partial struct: use patch() or apply().
[[nodiscard]] Task<Object> update(Client& client, Resource resource, Key key, std::string object,
                                  std::string subresource = "");
// PATCH of one of the three types. Add metadata.resourceVersion to a merge patch for optimistic locking (409). The
// subresource "status" changes the status only; without it, changes of a status are ignored.
[[nodiscard]] Task<Object> patch(Client& client, Resource resource, Key key, PatchType type, std::string body,
                                 std::string subresource = "");
// The stored object after an apply.
struct Applied {
  Object object;
  bool created = false;  // the reply was 201; 200 means that the object existed
};
// Server-side apply of `body`, the desired fields as JSON with apiVersion, kind and metadata.name. The client's
// operator name is the field manager: it owns these fields afterwards, and fields that it applied before and that
// `body` lacks are removed. Throws base::Misuse if `body` is not a JSON object (kCreateOnly, kUpdate).
[[nodiscard]] Task<Applied> apply(Client& client, Resource resource, Key key, ApplyForm form, std::string body,
                                  std::string subresource = "");
// The same with the field manager and the rule for conflicts of `options`. It creates an object that does not exist,
// unless the body has a metadata.uid: then a missing object, or one with another uid, is a 409. The error of a conflict
// names each field and its manager.
[[nodiscard]] Task<Applied> apply(Client& client, Resource resource, Key key, ApplyOptions options, std::string body);
// Releases every field that `manager` has applied to the object with that uid: an apply without fields. Fields that
// another manager has applied as well stay, the others are removed. 409 if the object has another uid or is missing.
[[nodiscard]] Task<Object> release_fields(Client& client, Resource resource, Key key, std::string uid,
                                          std::string manager);
// DELETE of one object. Succeeds even if the object only got its deletionTimestamp, because finalizers or a grace
// period delay its removal. A missing object is a kStatus error (is_not_found).
[[nodiscard]] Task<void> remove(Client& client, Resource resource, Key key, DeleteOptions options);
// DELETE of all objects that `which` selects (its namespace, labels and fields). Without selectors that is every object
// of the kind in the namespace. The API server rejects it with 405 for a namespaced kind without namespace.
[[nodiscard]] Task<void> remove_collection(Client& client, Resource resource, ListOptions which, DeleteOptions options);

// The kStatus error for a metav1.Status object (its JSON), such as the object of a watch's ERROR event.
[[nodiscard]] Error error_from_status(std::string_view status);

// Classification of errors as in apimachinery's api/errors: by reason, and by code only if the reason is not one of
// Kubernetes' own. False for errors of other kinds.
[[nodiscard]] bool is_not_found(const Error& error);
[[nodiscard]] bool is_conflict(const Error& error);        // 409, but not is_already_exists
[[nodiscard]] bool is_already_exists(const Error& error);  // 409 with reason AlreadyExists
// 409 of an apply without force, because another field manager owns a field: a user must decide who sets it.
[[nodiscard]] bool is_apply_conflict(const Error& error);
[[nodiscard]] bool is_forbidden(const Error& error);
[[nodiscard]] bool is_gone(const Error& error);     // 410 or reason Expired: list again
[[nodiscard]] bool is_invalid(const Error& error);  // 422: the object violates its schema, so a retry fails as well
// 403 because the namespace is being deleted: nothing can be created in it anymore.
[[nodiscard]] bool is_namespace_terminating(const Error& error);

}  // namespace keelson::kube
