// The pipeline's interfaces to the CPU: as the host of a device, and as the device itself, whose memory is the host's.
#pragma once

#include <new>

#include "cpu/engine.h"
#include "cpu/pool.h"
#include "poisson/eliminate.h"
#include "stream/port.h"

namespace skipper {

class CpuHost : public stream::Host {
 public:
  explicit CpuHost(cpu::Options const& options)
      : options_(options), team_(cpu::resolved(options.threads, options.executor)) {}

  void loop(Index count, std::function<void(Index, Index)> const& body) override {
    cpu::parallel_for(count, cpu::Team(team_.threads, &team_.executor),
                      [&](int, Index begin, Index end) { body(begin, end); });
  }
  void run(Problem const& problem, void const* in, void* out) override {
    cpu::Transform(problem, cpu::host_machine(), options_).execute(in, out);
  }

 private:
  cpu::Options options_;
  cpu::Resolved team_;
};

class CpuDevice : public stream::Device {
 public:
  explicit CpuDevice(cpu::Options const& options) : options_(options), host_(options) {}

  bool shares_memory() const override { return true; }
  void* allocate(Index bytes) override {
    return ::operator new(static_cast<std::size_t>(bytes), std::align_val_t(64));
  }
  void release(void* memory) override { ::operator delete(memory, std::align_val_t(64)); }
  void* allocate_host(Index bytes) override { return allocate(bytes); }
  void release_host(void* memory) override { release(memory); }

  std::unique_ptr<stream::Prepared> prepare(Problem const& problem) override {
    return std::make_unique<Ready>(problem, options_);
  }
  std::unique_ptr<stream::Prepared> prepare(stream::Division const& division) override {
    return std::make_unique<stream::Divisor>(division);
  }
  std::unique_ptr<stream::Prepared> prepare(stream::Elimination const& elimination) override {
    return std::make_unique<stream::Eliminator>(elimination);
  }

  // Memory is shared, so the pipeline never copies, and what it runs is done at once.
  bool reaches(void const*) const override { return false; }
  void copy_up(void*, void const*, stream::Rows const&) override {}
  void copy_down(void*, void const*, stream::Rows const&) override {}
  void run(stream::Prepared const& prepared, void const* in, void* out, void* workspace) override {
    static_cast<Ready const&>(prepared).transform.execute(in, out, workspace);
  }
  void divide(stream::Prepared const& division, std::vector<stream::DivisionDim> const& dims, void* data,
              void* constant) override {
    stream::divide(
        static_cast<stream::Divisor const&>(division).by, dims, data, constant,
        [this](Index count, std::function<void(Index, Index)> const& body) { host_.loop(count, body); });
  }
  Index buffer_bytes(stream::Prepared const&, Index) const override { return 0; }
  void eliminate(stream::Prepared const& elimination, Index first, Index count, void const* from, void* to,
                 void*, void* constant) override {
    poisson::eliminate(
        static_cast<stream::Eliminator const&>(elimination).by, first, count, from, to, constant,
        [this](Index all, std::function<void(Index, Index)> const& body) { host_.loop(all, body); });
  }
  stream::MarkRef mark(stream::StreamId) override { return std::make_shared<Done>(); }
  void wait_for(stream::StreamId, stream::Mark const&) override {}

 private:
  struct Ready : stream::Prepared {
    cpu::Transform transform;
    Ready(Problem const& problem, cpu::Options const& options)
        : transform(problem, cpu::host_machine(), options) {}
    Index workspace_bytes() const override { return static_cast<Index>(transform.workspace_bytes()); }
  };
  struct Done : stream::Mark {
    void wait() const override {}
  };

  cpu::Options options_;
  CpuHost host_;
};

}  // namespace skipper
