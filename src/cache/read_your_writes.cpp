#include "keelson/detail/cache/cache.hpp"
#include "keelson/detail/json/metadata.hpp"
#include "keelson/detail/kube/dry_run.hpp"
#include "keelson/json/value.hpp"

namespace keelson::cache {
namespace asio = boost::asio;

namespace {

// An update that removes the last finalizer of a deleting object removes the object, and the API server replies with
// its last state (ShouldDeleteDuringUpdate in apiserver/pkg/registry/generic/registry/store.go).
bool is_gone(const kube::Object& replied) {
  if (!replied.deleting()) return false;
  auto document = json::Document::parse(replied.json());
  if (!document) return false;
  auto metadata = document->root().find("metadata");
  return metadata.find("finalizers").size() == 0 && metadata.find("deletionGracePeriodSeconds").integer() == 0;
}

// Decision: docs/decisions/0002-informers-store-own-writes.md
class ObservedClient final : public kube::Client {
 public:
  ObservedClient(kube::Client& client, Cache& cache) : client_(client), cache_(cache) {}

  const kube::OperatorName& operator_name() const override { return client_.operator_name(); }

  Task<kube::ApiReply> send(kube::ApiRequest request) override {
    auto verb = request.verb;
    auto resource = request.resource;
    auto key = request.key;
    const bool is_stored = !kube::is_dry_run(request);
    auto reply = co_await client_.send(std::move(request));
    if (reply && is_stored) observe(verb, resource, key, *reply);
    co_return reply;
  }

  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest request) override {
    auto stream = co_await client_.stream(std::move(request));
    co_return stream;
  }

 private:
  void observe(kube::Verb verb, const kube::Resource& resource, const kube::Key& key, const kube::ApiReply& reply) {
    if (verb < kube::Verb::kCreate) return;
    if (verb != kube::Verb::kDeleteCollection) return observe_one(verb, resource, key, reply.body);
    auto document = json::Document::parse(reply.body);
    if (!document) return;
    for (auto item : document->root().find("items").items()) {
      auto object = kube::Object::from_json(item.text());
      if (object) observe_deleted(resource, *object);
    }
  }

  void observe_one(kube::Verb verb, const kube::Resource& resource, const kube::Key& key, std::string_view body) {
    // The reply to a deletion is a Status if the object is gone, and the object while finalizers delay its removal. The
    // reply of a subresource such as scale has another kind.
    auto metadata = json::scan_metadata(body);
    if (!metadata) return;
    if (metadata->kind == "Status") {
      auto status = json::Document::parse(body);
      auto uid = status ? status->root().at({"details", "uid"}).string() : std::nullopt;
      if (verb == kube::Verb::kDelete && uid) cache_.observe_delete(resource, key, *uid);
      return;
    }
    if (metadata->kind != resource.kind) return;
    auto object = kube::Object::from_json(body);
    if (!object) return;
    if (verb == kube::Verb::kDelete) return observe_deleted(resource, *object);
    if (is_gone(*object)) return cache_.observe_delete(resource, object->key(), object->uid());
    cache_.observe_write(resource, *object);
  }

  // Without finalizers and without a grace period the object in the reply to a deletion is its last state.
  void observe_deleted(const kube::Resource& resource, const kube::Object& answered) {
    if (answered.deleting()) return cache_.observe_write(resource, answered);
    cache_.observe_delete(resource, answered.key(), answered.uid());
  }

  kube::Client& client_;
  Cache& cache_;
};

}  // namespace

std::unique_ptr<kube::Client> read_your_writes(kube::Client& client, Cache& cache) {
  return std::make_unique<ObservedClient>(client, cache);
}

}  // namespace keelson::cache
