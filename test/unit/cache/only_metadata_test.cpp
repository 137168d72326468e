// Informers that request only the metadata of objects.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "keelson/detail/cache/content_digest.hpp"
#include "keelson/detail/kube/fields.hpp"
#include "test/unit/cache/cache_on_fake_server.hpp"

namespace keelson::cache {
namespace {

const std::string kMetadata =
    R"("metadata":{"name":"s","namespace":"default","uid":"u","resourceVersion":"3","labels":{"a":"b"},)"
    R"("annotations":{"note":"x","kubectl.kubernetes.io/last-applied-configuration":"{}"},"generateName":"s-",)"
    R"("ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"o"}],"managedFields":[{"manager":"m"}]})";
const std::string kPartial = R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",)" + kMetadata + "}";
const std::string kWhole = "{" + kMetadata + R"(,"data":{"password":"c2VjcmV0"},"type":"Opaque"})";
// The cached object for all three forms.
const std::string kCached =
    R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"default","uid":"u",)"
    R"("resourceVersion":"3","labels":{"a":"b"},"annotations":{"note":"x"},"generateName":"s-",)"
    R"("ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"o"}]}})";

InformerOptions secrets() { return {.resource = kube::secrets(), .content = cache::OnlyMetadata{}}; }

struct SecretsWorld : CacheOnFakeServer {
  SecretsWorld() { secrets_informer = &cache->declare(secrets()); }
  std::shared_ptr<FakeBody> start_with(const std::string& object) {
    pods = server.next_stream({end_of_list(5)});
    auto body = server.next_stream({event("ADDED", object), end_of_list(5)});
    start();
    return body;
  }
  std::string cached() {
    const auto found = secrets_informer->get({"default", "s"});
    return found ? std::string(found->json()) : "";
  }
  bool all_ask_for(kube::Content content) const {
    return requests_that([&](const kube::ApiRequest& request) {
             return request.resource == kube::secrets() && request.content != content;
           }) == 0;
  }

  Informer* secrets_informer = nullptr;
  std::shared_ptr<FakeBody> pods;
};

TEST_CASE("an object with only metadata has its kind, whatever form the server sends") {
  SecretsWorld world;
  auto body = world.start_with(GENERATE(kPartial, kWhole));

  CHECK(world.cached() == kCached);
  CHECK(world.all_ask_for(kube::Content::kMetadata));
  CHECK(world.secrets_informer->content() == kube::Content::kMetadata);
  CHECK(world.secrets_informer
            ->owned_by(*kube::Object::from_json(R"({"metadata":{"name":"p","namespace":"default","uid":"o"}})"))
            .size() == 1);
  CHECK(world.requests_that([](const kube::ApiRequest& request) {
    return request.resource == kube::pods() && request.content == kube::Content::kMetadata;
  }) == 0);
}

TEST_CASE("a list in pages and the watch after it request metadata too") {
  SecretsWorld world;
  world.pods = world.server.next_stream({end_of_list(5)});
  world.server.next([](const kube::ApiRequest&) {
    Error error(Error::Kind::kStatus, "watch");
    error.code = 422;
    error.reason = "Invalid";
    return Result<std::shared_ptr<FakeBody>>(error);
  });
  world.server.next([](const kube::ApiRequest& request) {
    CHECK(request.verb == kube::Verb::kList);
    return whole_body(R"({"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1",)"
                      R"("metadata":{"resourceVersion":"5"},"items":[)" +
                      kPartial + "]}");
  });
  auto body = world.server.next_stream({});
  world.start();
  world.pass(std::chrono::seconds(5));

  auto changed = kPartial;
  changed.replace(changed.find(R"("resourceVersion":"3")"), 21, R"("resourceVersion":"8")");
  body->push(event("MODIFIED", changed) + "\n" + bookmark(9) + "\n");
  world.loop.poll();

  CHECK(world.all_ask_for(kube::Content::kMetadata));
  CHECK(world.secrets_informer->get({"default", "s"})->resource_version() == 8);
  CHECK(world.secrets_informer->observed_version() == 9);
}

TEST_CASE("an own write is cached without its content") {
  SecretsWorld world;
  world.pods = world.server.next_stream({end_of_list(2)});
  auto body = world.server.next_stream({end_of_list(2)});
  world.start();

  world.cache->observe_write(kube::secrets(), *kube::Object::from_json(kWhole));

  CHECK(world.cached() == kCached);
}

TEST_CASE("a read of the content, or of its digest, is an error that names the path") {
  SecretsWorld world;
  auto body = world.start_with(kPartial);

  const auto object = world.secrets_informer->get({"default", "s"});
  REQUIRE(object);
  const auto fields = kube::Fields::of(*object);
  REQUIRE(fields);

  CHECK(fields->at({"metadata", "annotations", "note"})->string() == "x");
  CHECK(fields->at({"kind"})->string() == "Secret");
  REQUIRE_FALSE(fields->at({"data", "password"}));
  CHECK(fields->at({"data", "password"}).error().text.find("data.password is not stored in the cache") !=
        std::string::npos);
  REQUIRE_FALSE(digest_of(*object));
  CHECK(digest_of(*object).error().text.find(".refers_to<…>(…)") != std::string::npos);
}

TEST_CASE("a declaration that needs the content shares an informer that has it, in any order of declarations") {
  CacheOnFakeServer world;
  const bool is_first = GENERATE(true, false);
  const InformerOptions whole{.resource = kube::secrets(), .content = json::Projection::of({{"type"}})};
  auto& one = world.cache->declare(is_first ? whole : secrets());
  auto& other = world.cache->declare(is_first ? secrets() : whole);
  auto pods = world.server.next_stream({end_of_list(5)});
  auto body = world.server.next_stream({event("ADDED", kWhole), end_of_list(5)});
  world.start();

  CHECK(&one == &other);
  CHECK(one.content() == kube::Content::kWhole);
  const auto object = one.get({"default", "s"});
  REQUIRE(object);
  CHECK(object->json().find("Opaque") != std::string::npos);
  CHECK(object->annotation("note") == "x");
  CHECK(object->json().find("password") == std::string::npos);
}

TEST_CASE("the digest covers the whole content, whatever paths other declarations read") {
  CacheOnFakeServer world;
  const auto projection = GENERATE(0, 1, 2);
  InformerOptions other{.resource = kube::secrets()};
  if (projection == 1) other.content = json::Projection::of({{"type"}});
  if (projection == 2) other.content = cache::OnlyMetadata{};
  const InformerOptions digest{.resource = kube::secrets(), .content = cache::OnlyDigest{}};
  const bool is_first = GENERATE(true, false);
  auto& informer = world.cache->declare(is_first ? digest : other);
  CHECK(&world.cache->declare(is_first ? other : digest) == &informer);
  auto pods = world.server.next_stream({end_of_list(5)});
  auto body = world.server.next_stream({event("ADDED", kWhole), end_of_list(5)});
  world.start();

  const auto object = informer.get({"default", "s"});
  REQUIRE(object);
  CHECK(informer.content() == kube::Content::kWhole);
  CHECK(*digest_of(*object) == *content_digest(kWhole));
}

}  // namespace
}  // namespace keelson::cache
