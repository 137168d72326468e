#include "guestbook/guestbook_types.hpp"

#include "keelson/controller/own_condition.hpp"

namespace guestbook {
using namespace keelson;

void describe(kube::Description& d, GuestbookSpec& spec) {
  d.document("GuestbookSpec is the desired state of Guestbook.");
  d.field("foo", spec.foo, "An example field.");
  d.field("size", spec.size, "Quantity of instances.").required().minimum(1).maximum(10);
  d.field("configMapName", spec.config_map_name, "Name of the ConfigMap.").required().min_length(1).max_length(15);
  d.field("alias", spec.alias, "Phone, Address or Name.").one_of({"Phone", "Address", "Name"});
}

void describe(kube::Description& d, GuestbookStatus& status) {
  d.document("GuestbookStatus is the observed state of Guestbook.");
  d.field("observedGeneration", status.observed_generation, "The generation of the spec that this status is about.");
  controller::describe_conditions<Guestbook>(d, status.conditions);
}

void Guestbook::describe_kind(kube::Kind& kind) {
  kind.description = "Guestbook is the Schema for the guestbooks API.";
  kind.sample = R"(apiVersion: webapp.my.domain/v1
kind: Guestbook
metadata:
  name: guestbook-sample
spec:
  size: 1
  configMapName: "myconfig"
  alias: "Address"
)";
}

}  // namespace guestbook
