// The kind Zundoko: its spec and its names.
#pragma once

#include <string>

#include "keelson/controller/custom_resource.hpp"

namespace zundoko {

struct ZundokoSpec {
  std::string say;
};
void describe(keelson::kube::Description& d, ZundokoSpec& spec);

struct Zundoko : keelson::CustomResource<ZundokoSpec> {
  static constexpr keelson::kube::Identity kIdentity{"zundokokiyoshi.kaitoy.github.com", "v1beta1", "Zundoko"};
};

}  // namespace zundoko
