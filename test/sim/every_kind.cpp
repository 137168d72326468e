#include "test/sim/every_kind.hpp"

#include <map>

#include "src/controllers/built_in.hpp"

namespace keelson::testing {

std::vector<KindRow> every_kind() {
  const std::string pods = R"({"containers":[{"name":"web","image":"nginx"}]})";
  const std::string jobs =
      R"("jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never",)" + pods.substr(1) + "}}}";
  const std::map<std::string, std::pair<std::string, std::string>> specs = {
      {"Memcached", {R"({"size":1})", R"({"size":2})"}},
      {"BlueGreen",
       {R"({"routeTo":"Blue","blueSpec":)" + pods + "}", R"({"routeTo":"Green","greenSpec":)" + pods + "}"}},
      {"CronJob", {R"({"schedule":"0 0 1 1 *",)" + jobs + "}", R"({"schedule":"0 0 2 1 *"})"}},
      {"Hikawa", {R"({"intervalMillis":20000})", R"({"intervalMillis":15000})"}},
      {"Guestbook", {R"({"size":1,"configMapName":"c","alias":"Address"})", R"({"size":2})"}},
  };
  // A kind without an entry throws.
  std::vector<KindRow> rows;
  for (auto& definition : controllers::built_in()) {
    const auto& [first, second] = specs.at(definition.resource().kind);
    rows.push_back({std::move(definition), first, second});
  }
  return rows;
}

std::string object_of(const kube::Resource& resource, const std::string& spec) {
  return R"({"apiVersion":")" + resource.api_version() + R"(","kind":")" + resource.kind +
         R"(","metadata":{"name":"one","namespace":"default"},"spec":)" + spec + "}";
}

}  // namespace keelson::testing
