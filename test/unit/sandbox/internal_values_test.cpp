#include "src/sandbox/validation/internal_values.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::sandbox {

// The expected text is the answer of kube-apiserver 1.36.3 to a change of the path of a PersistentVolume.
TEST_CASE("the difference of an internal type has the names and all fields of Go") {
  CHECK(internal_difference(json_tree(R"({"hostPath":{"path":"/tmp","type":""}})"),
                            json_tree(R"({"hostPath":{"path":"","type":""}})"), "core.PersistentVolumeSource") ==
        R"(@@ -2,7 +2,7 @@
  "GCEPersistentDisk": null,
  "AWSElasticBlockStore": null,
  "HostPath": {
-  "Path": "/tmp",
+  "Path": "",
   "Type": ""
  },
  "Glusterfs": null,
)");
}

TEST_CASE("the network of a pod's node is a field of the internal security context") {
  const auto shown =
      json_tree(internal_text(json_tree(R"({"hostNetwork":true,"securityContext":{}})"), "core.PodSpec"));
  CHECK(shown.is_true_at({"SecurityContext", "HostNetwork"}));
  CHECK(shown.find("HostNetwork") == nullptr);
}

}  // namespace keelson::sandbox
