// All that a small operator includes, next to the kinds of Kubernetes that it names (keelson/api/…).
#pragma once

#include "keelson/controller/channel.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/program/operator.hpp"
#include "keelson/program/run.hpp"
