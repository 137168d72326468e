#include "test/sim/every_kind.hpp"

#include "src/controllers/bluegreen/bluegreen.hpp"
#include "src/controllers/cronjob/cronjob.hpp"
#include "src/controllers/guestbook/guestbook.hpp"
#include "src/controllers/hikawa/hikawa.hpp"
#include "src/controllers/memcached/memcached.hpp"

namespace keelson::test {

std::vector<KindRow> every_kind() {
  const std::string pods = R"({"containers":[{"name":"web","image":"nginx"}]})";
  const std::string jobs =
      R"("jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never",)" + pods.substr(1) + "}}}";
  return {
      {controllers::memcached(), R"({"size":1})", R"({"size":2})"},
      {controllers::bluegreen(), R"({"routeTo":"Blue","blueSpec":)" + pods + "}",
       R"({"routeTo":"Green","greenSpec":)" + pods + "}"},
      {controllers::cronjob(), R"({"schedule":"0 0 1 1 *",)" + jobs + "}", R"({"schedule":"0 0 2 1 *"})"},
      {controllers::hikawa(), R"({"intervalMillis":20000})", R"({"intervalMillis":15000})"},
      {controllers::guestbook(), R"({"size":1,"configMapName":"c","alias":"Address"})", R"({"size":2})"},
  };
}

std::string object_of(const kube::Resource& resource, const std::string& spec) {
  return R"({"apiVersion":")" + resource.api_version() + R"(","kind":")" + resource.kind +
         R"(","metadata":{"name":"one","namespace":"default"},"spec":)" + spec + "}";
}

}  // namespace keelson::test
