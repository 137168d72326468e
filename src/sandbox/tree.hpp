// The form of objects in the API server: JSON that can be changed.
#pragma once

#include "keelson/detail/json/tree.hpp"

namespace keelson::sandbox {

using json::Tree;

}  // namespace keelson::sandbox
