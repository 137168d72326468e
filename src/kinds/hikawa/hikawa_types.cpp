#include "src/kinds/hikawa/hikawa.hpp"

#include "keelson/controller/own_condition.hpp"

namespace keelson::kinds {

namespace {

// The 253 bytes of an object's name, less "-zundoko-" and the longest ordinal.
constexpr std::size_t kHikawaNameBytes = 239;

constexpr std::string_view kHikawaSample = R"(apiVersion: zundokokiyoshi.kaitoy.github.com/v1beta1
kind: Hikawa
metadata:
  labels:
    controller-tools.k8s.io: "1.0"
  name: hikawa-sample
spec:
  intervalMillis: 500
)";

std::string sample_of_word(std::string_view kind, std::string_view name, std::string_view say) {
  return "apiVersion: zundokokiyoshi.kaitoy.github.com/v1beta1\nkind: " + std::string(kind) +
         "\nmetadata:\n  labels:\n    controller-tools.k8s.io: \"1.0\"\n  name: " + std::string(name) +
         "\nspec:\n  say: " + std::string(say) + "\n";
}

const kube::PrinterColumn kAge{"Age", "date", ".metadata.creationTimestamp"};

}  // namespace

void describe(kube::Description& d, HikawaSpec& spec) {
  d.document("HikawaSpec defines the desired state of Hikawa.");
  d.field("intervalMillis", spec.interval_millis, "Milliseconds between two words, from 10 to 86400000 (a day).")
      .required()
      .minimum(static_cast<double>(kShortestIntervalMillis))
      .maximum(static_cast<double>(kLongestIntervalMillis));
  d.field("numZundokos", spec.num_zundokos,
          "Minimum number of Zundokos to say. The controller increases it as the song goes on.")
      .minimum(0)
      .maximum(static_cast<double>(limits::kZundokos));
  d.field("sayKiyoshi", spec.say_kiyoshi,
          "Whether the song ends with the next word. The controller sets it after Zun, Zun, Zun, Zun, Doko.");
}

void describe(kube::Description& d, HikawaStatus& status) {
  d.document("HikawaStatus defines the observed state of Hikawa.");
  d.field("numZundokosSaid", status.num_zundokos_said, "Number of Zundokos that were said.").required();
  d.field("kiyoshied", status.kiyoshied, "Whether the Kiyoshi was said, and the song is over.").required();
  d.field("observedGeneration", status.observed_generation, "Generation of the spec that this status is about.");
  controller::describe_conditions<Hikawa>(d, status.conditions);
}

void describe(kube::Description& d, ZundokoSpec& spec) {
  d.document("ZundokoSpec defines the desired state of Zundoko.");
  d.field("say", spec.say, "The word: Zun or Doko.").required();
}

void describe(kube::Description& d, ZundokoStatus&) { d.document("ZundokoStatus is empty."); }

void describe(kube::Description& d, KiyoshiSpec& spec) {
  d.document("KiyoshiSpec defines the desired state of Kiyoshi.");
  d.field("say", spec.say, "The word: Kiyoshi!").required();
}

void describe(kube::Description& d, KiyoshiStatus&) { d.document("KiyoshiStatus is empty."); }

void Hikawa::describe_kind(kube::Kind& kind) {
  kind.columns = {{"Said", "integer", ".status.numZundokosSaid"}, {"Kiyoshied", "boolean", ".status.kiyoshied"}, kAge};
  kind.rules = {{"size(self.metadata.name) <= " + std::to_string(kHikawaNameBytes),
                 "must be no more than " + std::to_string(kHikawaNameBytes) + " characters", ".metadata.name"}};
  kind.sample = kHikawaSample;
}

void Zundoko::describe_kind(kube::Kind& kind) {
  kind.columns = {{"Say", "string", ".spec.say"}, kAge};
  kind.sample = sample_of_word("Zundoko", "zundoko-sample", "Zun");
}

void Kiyoshi::describe_kind(kube::Kind& kind) {
  kind.columns = {{"Say", "string", ".spec.say"}, kAge};
  kind.sample = sample_of_word("Kiyoshi", "kiyoshi-sample", "Kiyoshi!");
}

}  // namespace keelson::kinds
