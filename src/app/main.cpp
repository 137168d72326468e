// The built-in controllers in one binary.
#include "keelson/program/run.hpp"
#include "src/controllers/cronjob/cronjob.hpp"
#include "src/controllers/memcached/memcached.hpp"

int main(int argc, char** argv) {
  return keelson::run(argc, argv, {keelson::controllers::memcached(), keelson::controllers::cronjob()});
}
