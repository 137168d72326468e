#include "keelson/detail/profiling/heap_profile.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "keelson/detail/base/assert.hpp"
#include "src/profiling/heap_sampler.hpp"
#include "src/profiling/profile_writer.hpp"
#include "src/profiling/stack_walk.hpp"

namespace keelson::profiling {

namespace {

constexpr std::array<ValueType, 4> kHeapTypes{
    {{"alloc_objects", "count"}, {"alloc_space", "bytes"}, {"inuse_objects", "count"}, {"inuse_space", "bytes"}}};

std::array<std::int64_t, 4> whole(const StackTable::Values& values) {
  std::array<std::int64_t, 4> rounded{};
  for (std::size_t place = 0; place < values.size(); ++place) rounded[place] = std::llround(values[place]);
  return rounded;
}

// Allocations of this scope are not sampled: they would change what is being read.
class Pause {
 public:
  Pause() : sampler_(std::exchange(heap_sampler, nullptr)) {}
  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;
  ~Pause() { heap_sampler = sampler_; }

 private:
  HeapSampler* sampler_;
};

}  // namespace

struct HeapProfile::State {
  State(async::Clock& the_clock, const HeapOptions& options)
      : clock(the_clock), started(clock.now()), started_wall(clock.wall_now()), sampler(options) {}

  async::Clock& clock;
  async::TimePoint started;
  async::WallTime started_wall;
  HeapSampler sampler;
};

HeapProfile::HeapProfile(std::unique_ptr<State> state) : state_(std::move(state)) {}

HeapProfile::~HeapProfile() {
  KEELSON_ASSERT(heap_sampler == &state_->sampler);
  heap_sampler = nullptr;
}

Result<std::unique_ptr<HeapProfile>> HeapProfile::start(async::Clock& clock, HeapOptions options) {
  if (!has_allocation_hooks()) {
    return invalid_error("heap profiling needs a program that is linked with --wrap=malloc, and no sanitizer");
  }
  if (heap_sampler != nullptr) return invalid_error("heap profiling already in use");
  prepare_walks();
  auto state = std::make_unique<State>(clock, options);
  auto* sampler = &state->sampler;
  std::unique_ptr<HeapProfile> profile(new HeapProfile(std::move(state)));
  heap_sampler = sampler;
  return profile;
}

std::string HeapProfile::encode(View view) const {
  const Pause pause;
  auto& sampler = state_->sampler;
  ProfileWriter writer(kHeapTypes, {"space", "bytes"}, static_cast<std::int64_t>(sampler.rate()));
  writer.set_time(state_->clock.wall_now(), state_->clock.now() - state_->started);
  writer.set_default_type(view == View::kInUse ? "inuse_space" : "alloc_space");
  writer.drop_functions("operator new.*");
  auto& table = sampler.table();
  for (const auto& entry : table.entries()) writer.add(table.stack_of(entry), whole(entry.values));
  if (sampler.lost()[HeapSampler::kAllocatedObjects] > 0) writer.add_named("[lost samples]", whole(sampler.lost()));
  return writer.finish(code_mappings());
}

}  // namespace keelson::profiling
