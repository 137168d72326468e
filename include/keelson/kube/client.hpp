// The verbs of the Kubernetes API over one seam.
//
// `Client` is what tests, the simulator and decorators (read-your-own-writes, the leader's fence) implement:
// one request, one reply, or one stream. The verbs below are plain functions on top and work on any of them.
// A reply of 4xx/5xx is an Error of kind kStatus that keeps the server's Status whole. Retries follow
// client-go: Retry-After of 429 and 5xx (a minute at most, no Status about one write), broken connections of reads.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/kube/key.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/kube/operator_name.hpp"
#include "keelson/kube/resource.hpp"
#include "keelson/kube/selector.hpp"
#include "keelson/net/http.hpp"

namespace keelson::kube {

enum class Verb { kGet, kList, kWatch, kCreate, kUpdate, kPatch, kDelete, kDeleteCollection };
enum class PatchType { kMerge, kJson, kApply };
// What a get, a list or a watch returns of each object: all of it, or a PartialObjectMetadata (meta.k8s.io/v1), which
// has its metadata, and not its apiVersion and kind. A server that does not have this form returns whole objects.
enum class Content { kWhole, kMetadata };

struct ApiRequest {
  Verb verb = Verb::kGet;
  Resource resource;
  Key key;                                                 // name empty for list, watch, create, deleteCollection
  std::string subresource;                                 // "status", "scale", …
  std::vector<std::pair<std::string, std::string>> query;  // not yet encoded
  PatchType patch_type = PatchType::kMerge;
  Content content = Content::kWhole;
  std::string body;
  std::string raw_path;  // not empty: asked for instead of the resource's path (discovery)
  // net::CallOptions::may_send: the fence of a leader. It holds for every try of the request.
  std::function<bool()> may_send = {};
};

struct ApiReply {
  int code = 200;
  std::string body;
};

class Client {
 public:
  virtual ~Client() = default;
  // The operator that writes through this client: the field manager of the verbs below. `keelson` unless it is
  // overridden; a decorator passes on the name of the client that it decorates.
  [[nodiscard]] virtual const OperatorName& operator_name() const;
  [[nodiscard]] virtual boost::asio::awaitable<Result<ApiReply>> send(ApiRequest request) = 0;
  // For lists that are taken apart as they arrive, and for watches (which get `watch=true`). The status has been
  // checked; the time until then is bounded, the body's is not.
  [[nodiscard]] virtual boost::asio::awaitable<Result<std::unique_ptr<net::Stream>>> stream(ApiRequest request) = 0;
};

struct ListOptions {
  std::string ns;  // empty: all namespaces
  Selector labels;
  std::string fields;  // field selector text
  std::int64_t limit = 0;
  std::string continue_token;
  Content content = Content::kWhole;
};

struct DeleteOptions {
  std::string uid;               // precondition
  std::string resource_version;  // precondition
  std::string propagation;       // "Background", "Foreground", "Orphan"; empty: the server's default
  std::optional<std::int64_t> grace_period_seconds;
};

// Server-side apply in the three forms of docs/design.md section 5.
enum class ApplyForm {
  kCreateOnly,  // body gets metadata.resourceVersion "1": 201 when the name is free, 409 when anyone has it
  kUpdate,  // force=true; the body must carry metadata.uid (else base::Misuse): a new life of the name is never touched
  kForce,   // force=true without a uid (status of our own kinds)
};

struct List {
  std::vector<Object> items;
  std::string resource_version;
  std::string continue_token;
};

[[nodiscard]] boost::asio::awaitable<Result<Object>> get(Client& client, Resource resource, Key key,
                                                         std::string subresource = "");
[[nodiscard]] boost::asio::awaitable<Result<List>> list(Client& client, Resource resource, ListOptions options);
[[nodiscard]] boost::asio::awaitable<Result<Object>> create(Client& client, Resource resource, std::string ns,
                                                            std::string object);
// PUT; conflicts (409) when the body's metadata.resourceVersion is not the newest.
[[nodiscard]] boost::asio::awaitable<Result<Object>> update(Client& client, Resource resource, Key key,
                                                            std::string object, std::string subresource = "");
[[nodiscard]] boost::asio::awaitable<Result<Object>> patch(Client& client, Resource resource, Key key, PatchType type,
                                                           std::string body, std::string subresource = "");
// The reply's code tells a creation (201) from an update (200).
struct Applied {
  Object object;
  bool created = false;
};
[[nodiscard]] boost::asio::awaitable<Result<Applied>> apply(Client& client, Resource resource, Key key, ApplyForm form,
                                                            std::string body, std::string subresource = "");
// Gives up every field that `manager` has applied to the object of that uid. Fields that another manager has applied as
// well stay; the others are removed.
[[nodiscard]] boost::asio::awaitable<Result<Object>> release_fields(Client& client, Resource resource, Key key,
                                                                    std::string uid, std::string manager);
// Done also when the object only got its deletionTimestamp.
[[nodiscard]] boost::asio::awaitable<Result<void>> remove(Client& client, Resource resource, Key key,
                                                          DeleteOptions options);
[[nodiscard]] boost::asio::awaitable<Result<void>> remove_collection(Client& client, Resource resource,
                                                                     ListOptions which, DeleteOptions options);

// The Error that a metav1.Status object (its JSON) stands for.
[[nodiscard]] Error error_from_status(std::string_view status);

// What an Error of kind kStatus says.
[[nodiscard]] bool is_not_found(const Error& error);
[[nodiscard]] bool is_conflict(const Error& error);
[[nodiscard]] bool is_already_exists(const Error& error);
[[nodiscard]] bool is_forbidden(const Error& error);
[[nodiscard]] bool is_gone(const Error& error);     // 410 or reason Expired
[[nodiscard]] bool is_invalid(const Error& error);  // 422
// 403 because the namespace is being deleted: nothing can be created in it any more.
[[nodiscard]] bool is_namespace_terminating(const Error& error);

}  // namespace keelson::kube
