#include "hikawa/hikawa_types.hpp"

#include "keelson/controller/own_condition.hpp"

namespace hikawa {
using namespace keelson;

void describe(kube::Description& d, HikawaSpec& spec) {
  d.document("HikawaSpec is the desired state of Hikawa.");
  d.field("intervalMillis", spec.interval_millis, "The time between two words.")
      .required()
      .minimum(10)
      .maximum(86400000);
}

void describe(kube::Description& d, HikawaStatus& status) {
  d.document("HikawaStatus is the observed state of Hikawa.");
  d.field("numZundokosSaid", status.num_zundokos_said, "The number of words.");
  d.field("kiyoshied", status.kiyoshied, "Whether the song is over.");
  d.field("observedGeneration", status.observed_generation, "The generation of the spec that this status is about.");
  controller::describe_conditions<Hikawa>(d, status.conditions);
}

void Hikawa::describe_kind(kube::Kind& kind) {
  kind.description = "Hikawa is the Schema for the hikawas API.";
  kind.sample = R"(apiVersion: zundokokiyoshi.kaitoy.github.com/v1beta1
kind: Hikawa
metadata:
  name: hikawa-sample
spec:
  intervalMillis: 50
)";
}

}  // namespace hikawa
