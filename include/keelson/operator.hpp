// The headers that a small operator needs, except those of the Kubernetes kinds that it uses (keelson/api/…).
#pragma once

#include "keelson/controller/channel.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/controller/pass.hpp"
#include "keelson/program/operator.hpp"
