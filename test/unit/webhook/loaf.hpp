// A kind for the tests of webhooks for whole objects: Loaf, whose structs know some of its fields.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "keelson/webhook/whole_object.hpp"

namespace keelson::test {

struct LoafMeta {
  std::string name;
  std::string ns;
  std::string uid;
  std::map<std::string, std::string> labels;
};
struct Slice {
  std::string name;
  std::string spread;
};
struct LoafSpec {
  std::vector<Slice> slices;
  std::string flour;
};
struct LoafStatus {
  std::string phase;
};
struct Loaf {
  static constexpr kube::Identity kIdentity{"kitchen.example.com", "v1", "Loaf", "loaves"};
  LoafMeta metadata;
  LoafSpec spec;
  LoafStatus status;
};

inline void describe(kube::Description& d, LoafMeta& meta) {
  d.field("name", meta.name, "");
  d.field("namespace", meta.ns, "");
  d.field("uid", meta.uid, "");
  d.field("labels", meta.labels, "");
}
inline void describe(kube::Description& d, Slice& slice) {
  d.field("name", slice.name, "");
  d.field("spread", slice.spread, "");
}
inline void describe(kube::Description& d, LoafSpec& spec) {
  d.field("slices", spec.slices, "");
  d.field("flour", spec.flour, "");
}
inline void describe(kube::Description& d, LoafStatus& status) { d.field("phase", status.phase, ""); }
inline void describe(kube::Description& d, Loaf& loaf) {
  d.field("metadata", loaf.metadata, "");
  d.field("spec", loaf.spec, "");
  d.field("status", loaf.status, "");
}

// Served without a context: functions do not use it.
inline webhook::ServedWebhook served(const webhook::Webhook& declared) {
  alignas(std::max_align_t) static char none = 0;
  return webhook::serve(declared, reinterpret_cast<controller::Context&>(none));
}

}  // namespace keelson::test
