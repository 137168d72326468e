// The Guestbook controller in simulation: it observes each generation once.
#include <catch2/catch_test_macros.hpp>

#include "src/kinds/guestbook/guestbook.hpp"
#include "test/sim/cluster_with_user.hpp"
#include "test/support/result_of.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using kinds::Guestbook;

const kube::Key kKey("default", "g");

struct Library : ClusterWithUser {
  Library() : ClusterWithUser(1, kinds::guestbook()) {
    start_manager();
    create(kube::resource_of<Guestbook>(), "default",
           R"({"apiVersion":"webapp.my.domain/v1","kind":"Guestbook","metadata":{"name":"g","namespace":"default"},)"
           R"("spec":{"size":1,"configMapName":"myconfig","alias":"Address"}})");
    pass(2s);
  }
  std::size_t writes_of_status() { return writes(kube::resource_of<Guestbook>(), "status", 200); }
};

// Writes as a user, through the subresource.
void write_status(Library& library, const std::string& status) {
  REQUIRE(result_of(library.loop, kube::patch(library.server.client("user"), kube::resource_of<Guestbook>(), kKey,
                                              kube::PatchType::kMerge, R"({"status":)" + status + "}", "status")));
}

TEST_CASE("G5: a Guestbook costs one status write for each generation and nothing else") {
  Library library;
  CHECK(library.writes_of_status() == 1);

  library.patch(kube::resource_of<Guestbook>(), kKey, R"({"spec":{"size":2}})");
  library.pass(1s);
  library.patch(kube::resource_of<Guestbook>(), kKey, R"({"metadata":{"labels":{"a":"b"}}})");
  library.pass(5min);

  auto document = library.get(kube::resource_of<Guestbook>(), kKey);
  auto status = document.root().find("status");
  CHECK(library.writes_of_status() == 2);
  CHECK(library.server.count([](const auto& r) { return r.user == "manager" && r.is_write(); }) == 2);
  CHECK(status.find("observedGeneration").integer() == 2);
  CHECK(status.find("conditions").item(0).find("type").string() == "Ready");
  CHECK(status.find("conditions").item(0).find("status").string() == "True");
}

TEST_CASE("C12, G5, M8: a Guestbook that is being deleted, or is gone, is left alone") {
  Library library;
  library.patch(kube::resource_of<Guestbook>(), kKey, R"({"metadata":{"finalizers":["example.com/held"]}})");
  library.remove(kube::resource_of<Guestbook>(), kKey);
  library.patch(kube::resource_of<Guestbook>(), kKey, R"({"spec":{"size":2}})");
  library.pass(1min);
  CHECK(library.writes_of_status() == 1);

  library.patch(kube::resource_of<Guestbook>(), kKey, R"({"metadata":{"finalizers":null}})");
  library.pass(1min);

  CHECK(library.writes_of_status() == 1);
}

TEST_CASE("G4: nodes in the status of a Guestbook that another client has written are retained") {
  Library library;
  write_status(library, R"({"active":"a","standby":["b"]})");

  library.patch(kube::resource_of<Guestbook>(), kKey, R"({"spec":{"size":2}})");
  library.pass(2s);

  auto document = library.get(kube::resource_of<Guestbook>(), kKey);
  CHECK(document.root().at({"status", "active"}).string() == "a");
  CHECK(document.root().at({"status", "standby"}).text() == R"(["b"])");
  CHECK(document.root().at({"status", "observedGeneration"}).integer() == 2);
}

TEST_CASE("G4: nodes that another client writes while the watch is late are not overwritten") {
  Library library;
  write_status(library, R"({"active":"old","standby":["b"]})");
  library.pass(1s);
  library.server.before_write([](const sandbox::RequestInfo& r) {
    return r.user == "manager" ? sandbox::WriteFate::kLost : sandbox::WriteFate::kProceeds;
  });
  library.patch(kube::resource_of<Guestbook>(), kKey, R"({"spec":{"size":2}})");
  library.pass(1s);
  {
    auto late = library.server.forbid(
        [](const sandbox::RequestInfo& r) { return r.user == "manager" && r.verb == kube::Verb::kWatch; });
    library.server.drop_watches();
    write_status(library, R"({"active":"new"})");
    library.server.before_write({});
    library.pass(1min);
    auto meanwhile = library.get(kube::resource_of<Guestbook>(), kKey);
    CHECK(meanwhile.root().at({"status", "active"}).string() == "new");
  }
  library.pass(1min);

  auto document = library.get(kube::resource_of<Guestbook>(), kKey);
  CHECK(document.root().at({"status", "active"}).string() == "new");
  CHECK(document.root().at({"status", "standby"}).text() == R"(["b"])");
  CHECK(document.root().at({"status", "observedGeneration"}).integer() == 2);
}

TEST_CASE("G4: the client that has written the nodes of a Guestbook is their only owner") {
  Library library;
  write_status(library, R"({"active":"a","standby":["b"]})");
  library.patch(kube::resource_of<Guestbook>(), kKey, R"({"spec":{"size":2}})");
  library.pass(2s);

  auto document = library.get(kube::resource_of<Guestbook>(), kKey);
  int owners = 0;
  for (auto entry : document.root().at({"metadata", "managedFields"}).items()) {
    if (entry.at({"fieldsV1", "f:status", "f:active"}).has_value()) ++owners;
  }
  CHECK(owners == 1);
  CHECK(document.root().at({"status", "observedGeneration"}).integer() == 2);
}

}  // namespace
}  // namespace keelson::testing
