#include "keelson/cache/cache.hpp"
#include "keelson/json/value.hpp"

namespace keelson::cache {
namespace asio = boost::asio;

namespace {

class ObservedClient final : public kube::Client {
 public:
  ObservedClient(kube::Client& client, Cache& cache) : client_(client), cache_(cache) {}

  asio::awaitable<Result<kube::ApiReply>> send(kube::ApiRequest request) override {
    auto verb = request.verb;
    auto resource = request.resource;
    auto key = request.key;
    auto reply = co_await client_.send(std::move(request));
    if (reply) observe(verb, resource, key, *reply);
    co_return reply;
  }

  asio::awaitable<Result<std::unique_ptr<net::Stream>>> stream(kube::ApiRequest request) override {
    auto stream = co_await client_.stream(std::move(request));
    co_return stream;
  }

 private:
  void observe(kube::Verb verb, const kube::Resource& resource, const kube::Key& key, const kube::ApiReply& reply) {
    bool writes = verb == kube::Verb::kCreate || verb == kube::Verb::kUpdate || verb == kube::Verb::kPatch;
    if (!writes && verb != kube::Verb::kDelete) return;
    auto document = json::Document::parse(reply.body);
    if (!document) return;
    auto root = document->root();
    // A deletion is answered with a Status when the object is gone, with the object while finalizers hold it. A
    // subresource such as scale answers with another kind.
    if (root.find("kind").string() == "Status") {
      auto uid = root.at({"details", "uid"}).string();
      if (verb == kube::Verb::kDelete && uid) cache_.observe_delete(resource, key, *uid);
      return;
    }
    if (root.find("kind").string() != resource.kind) return;
    auto object = kube::Object::from_json(reply.body);
    if (!object) return;
    // Without finalizers and with no time to wait the object in the answer to a deletion is its last state.
    bool gone = verb == kube::Verb::kDelete && !object->deleting();
    if (gone) {
      cache_.observe_delete(resource, key, object->uid());
    } else {
      cache_.observe_write(resource, *object);
    }
  }

  kube::Client& client_;
  Cache& cache_;
};

}  // namespace

std::unique_ptr<kube::Client> read_your_writes(kube::Client& client, Cache& cache) {
  return std::make_unique<ObservedClient>(client, cache);
}

}  // namespace keelson::cache
