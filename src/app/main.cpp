// `manager`: the built-in controllers in one binary.
#include "keelson/program/run.hpp"
#include "src/app/built_in.hpp"

int main(int argc, char** argv) { return keelson::run(argc, argv, keelson::app::built_in_controllers()); }
