#include "zundoko/zundoko_types.hpp"

namespace zundoko {

void describe(keelson::kube::Description& d, ZundokoSpec& spec) { d.field("say", spec.say, "The word.").required(); }

}  // namespace zundoko
