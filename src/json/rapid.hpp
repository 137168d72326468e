// RapidJSON as this room uses it: its assertions are KEELSON_ASSERT, also in release builds.
#pragma once

#include "keelson/detail/base/assert.hpp"

#define RAPIDJSON_ASSERT(condition) KEELSON_ASSERT(condition)
#define RAPIDJSON_HAS_STDSTRING 0

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
