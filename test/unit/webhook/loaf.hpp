// A kind for the tests of webhooks for whole objects: Loaf, whose structs have some of its fields.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "keelson/webhook/admission.hpp"
#include "test/unit/webhook/toast.hpp"

namespace keelson::testing {

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

// A whole Toast, for webhooks that do the same as those of its spec.
struct WholeToast {
  static constexpr kube::Identity kIdentity{"kitchen.example.com", "v1", "Toast"};
  LoafMeta metadata;
  ToastSpec spec;
};
inline void describe(kube::Description& d, WholeToast& toast) {
  d.field("metadata", toast.metadata, "");
  d.field("spec", toast.spec, "");
}

// Serves webhooks without a context, which functions do not use.
inline webhook::ServedWebhook served(const webhook::Webhook& declared) {
  alignas(std::max_align_t) static char none = 0;
  return webhook::serve(declared, reinterpret_cast<controller::Context&>(none));
}

inline std::vector<webhook::ServedWebhook> whole_toast_webhooks() {
  using Decided = boost::asio::awaitable<webhook::Decision>;
  const auto set_defaults = [](WholeToast& toast, const webhook::Request& request) -> Decided {
    ToastDefaulter defaulter;
    auto done = co_await defaulter.set_defaults(toast.spec, request);
    if (!done) co_return done.error();
    toast.metadata.labels["baked"] = "yes";
    co_return webhook::Decision::allow();
  };
  const auto allow = [](const webhook::Review<WholeToast>&) -> Decided { co_return webhook::Decision::allow(); };
  return {served(webhook::mutating<WholeToast>(set_defaults)), served(webhook::validating<WholeToast>(allow))};
}

}  // namespace keelson::testing
