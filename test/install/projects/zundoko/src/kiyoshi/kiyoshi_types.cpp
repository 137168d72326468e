#include "kiyoshi/kiyoshi_types.hpp"

namespace kiyoshi {

void describe(keelson::kube::Description& d, KiyoshiSpec& spec) { d.field("say", spec.say, "The word.").required(); }

}  // namespace kiyoshi
