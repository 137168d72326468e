// Numbers as Go writes them, for `le` labels and samples.
#pragma once

#include "keelson/base/go_text.hpp"

namespace keelson::metrics {

using base::format_go_number;

}  // namespace keelson::metrics
