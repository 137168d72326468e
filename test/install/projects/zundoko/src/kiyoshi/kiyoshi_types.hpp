// The kind Kiyoshi: its spec and its names.
#pragma once

#include <string>

#include "keelson/controller/custom_resource.hpp"

namespace kiyoshi {

struct KiyoshiSpec {
  std::string say;
};
void describe(keelson::kube::Description& d, KiyoshiSpec& spec);

struct Kiyoshi : keelson::CustomResource<KiyoshiSpec> {
  static constexpr keelson::kube::Identity kIdentity{"zundokokiyoshi.kaitoy.github.com", "v1beta1", "Kiyoshi"};
};

}  // namespace kiyoshi
