// What this version of the operator would write to a live cluster.
#include "keelson/plan/plan.hpp"
#include "website.hpp"

int main(int argc, char** argv) { return keelson::run_plan("website", argc, argv, {website::website()}); }
