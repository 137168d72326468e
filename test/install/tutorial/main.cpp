// The operator of Websites.
#include "keelson/program/run.hpp"
#include "website.hpp"

int main(int argc, char** argv) { return keelson::run("website", argc, argv, {website::website()}); }
