// See fft_ranks.h. Files are cut along their slowest dimension that has more than one index, so that the slab of a rank is one
// run of bytes; the plan holds it in the order of the problem (batch before axes).
#include "fft_ranks.h"

#include <fcntl.h>
#include <skipper/distributed.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <numeric>
#include <optional>

#include "box_copy.h"
#include "command.h"
#include "fft_work.h"
#include "format.h"
#include "input_file.h"
#include "mapped.h"
#include "npy.h"
#include "output_file.h"
#include "rank_device.h"

namespace skipper::cli {
namespace {

using Sizes = std::vector<std::int64_t>;

std::int64_t volume(Box const& box) {
  return std::accumulate(box.size.begin(), box.size.end(), std::int64_t(1), std::multiplies<>());
}

// One side of the problem as it lies in its file.
struct FileSide {
  Sizes sizes, strides;  // in the order of the problem; strides in elements

  static FileSide of(Problem const& problem, bool input) {
    FileSide side{input ? in_sizes(problem) : out_sizes(problem), {}};
    for (Dim const& d : problem.batch) side.strides.push_back(input ? d.in_stride : d.out_stride);
    for (Axis const& a : problem.axes) side.strides.push_back(input ? a.in_stride : a.out_stride);
    return side;
  }
  std::size_t slowest() const {
    std::size_t found = 0;
    for (std::size_t d = 0; d < sizes.size(); ++d)
      if (sizes[d] > 1 && (sizes[found] <= 1 || strides[d] > strides[found])) found = d;
    return found;
  }
  std::vector<Box> boxes(int ranks) const { return slabs(sizes, ranks, slowest()); }
  // Elements before those of a box.
  std::int64_t offset(Box const& box) const {
    return std::inner_product(box.first.begin(), box.first.end(), strides.begin(), std::int64_t(0));
  }
  // Whether the box lies there as the plan holds it.
  bool is_dense(Box const& box) const {
    Sizes const dense = dense_strides(box.size);
    for (std::size_t d = 0; d < sizes.size(); ++d)
      if (box.size[d] > 1 && strides[d] != dense[d]) return false;
    return true;
  }
};

// The input of one rank: the mapped file itself where it needs no change, else a copy.
class RankInput {
 public:
  RankInput(MappedFile const& file, NpyHeader const& header, FftWork const& work, Box const& box) {
    if (volume(box) == 0) return;
    FileSide const side = FileSide::of(work.problem, true);
    std::byte const* const at =
        file.data() + header.data_at + std::size_t(side.offset(box)) * header.element_bytes;
    bool const same = header.type == work.in && header.number == NpyNumber::floating && !header.swapped;
    bool const aligned = reinterpret_cast<std::uintptr_t>(at) % scalar_bytes(header.type.precision) == 0;
    if (same && aligned && side.is_dense(box)) {
      data_ = at;
      return;
    }
    array_ = {header.type, false, box.size, {}};
    array_.data.resize(std::size_t(volume(box)) * header.element_bytes);
    copy_strided(box.size, header.element_bytes, at, side.strides, array_.data.data(),
                 dense_strides(box.size));
    make_native(array_, header);
    convert(array_, work.in);
    data_ = array_.data.data();
  }
  void const* data() const { return data_; }

 private:
  NpyArray array_;
  std::byte const* data_ = nullptr;
};

void write_at(int file, std::string const& name, std::byte const* data, std::size_t bytes, std::size_t at) {
  while (bytes > 0) {
    ssize_t const put = ::pwrite(file, data, std::min<std::size_t>(bytes, 1 << 30), off_t(at));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) fail_by_system(name, "cannot be written", put < 0 ? errno : ENOSPC);
    data += put, bytes -= std::size_t(put), at += std::size_t(put);
  }
}

// The output that all ranks write into: rank 0 makes it, with its header and all its room, and puts it in place at the end.
class SharedOutput {
 public:
  SharedOutput(Communicator& communicator, std::string const& path, std::string const& header,
               std::uint64_t data_bytes)
      : communicator_(communicator), name_(path), header_bytes_(header.size()) {
    if (communicator.rank() == 0) {
      own_.emplace(path);
      if (!own_->is_replaced()) throw FileError(path + ": several ranks write into a file only; give one");
      std::uint64_t const bytes = header.size() + data_bytes;
      if (int const error = ::posix_fallocate(own_->file(), 0, off_t(bytes)))
        fail_by_system(path, formatted("has no room for {} bytes", bytes), error);
      own_->write(header);
    }
    part_ = broadcast(communicator, own_ ? own_->part_path() : "");
  }

  void write(Box const& box, FileSide const& side, NpyType type, std::vector<std::byte> const& data) {
    if (volume(box) == 0) return;
    std::size_t const element = element_bytes(type);
    Descriptor const file(::open(part_.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.is_open())
      fail_by_system(name_, "cannot be opened on every rank; it must lie where all of them see it", errno);
    std::byte const* ordered = data.data();
    std::vector<std::byte> in_file_order;
    if (!side.is_dense(box)) {
      in_file_order.resize(data.size());
      copy_strided(box.size, element, data.data(), dense_strides(box.size), in_file_order.data(),
                   side.strides);
      ordered = in_file_order.data();
    }
    write_at(file.number(), name_, ordered, data.size(),
             header_bytes_ + std::size_t(side.offset(box)) * element);
    if (::fsync(file.number()) != 0 && errno != EINVAL && errno != EROFS)
      fail_by_system(name_, "cannot be written", errno);
  }

  // Collective.
  void finish() {
    communicator_.barrier();
    if (own_) own_->finish();
    communicator_.barrier();  // the others end well only if rank 0 did
  }

 private:
  Communicator& communicator_;
  std::string name_, part_;
  std::size_t header_bytes_;
  std::optional<OutputFile> own_;
};

NpyHeader header_of(MappedFile const& file, std::string const& name) {
  try {
    return parse_npy_header({reinterpret_cast<char const*>(file.data()),
                             std::min<std::uint64_t>(file.bytes(), longest_npy_header + 12)},
                            file.bytes());
  } catch (FileError const& e) {
    throw FileError(name + ": " + e.what());
  }
}

int fft_on_rank(FftOptions const& o, std::shared_ptr<Communicator> const& communicator) {
  demand_absent(*o.command, {"--memory-limit", "--pairs", "--instruction-set"}, "is for one process");
  std::string const &from = o.in, &to = o.out;
  if (from == "-" || (std::filesystem::exists(from) && !is_regular(from)))
    throw FileError(called(from, "standard input") + ": several ranks read from a file only; give one");
  InputFile const input(from);
  MappedFile const mapped(input);
  NpyHeader const header = header_of(mapped, from);
  if (header.data_bytes == 0)
    throw FileError(from + ": it has no elements, so there is nothing to transform");
  FftWork const work = fft_work(o.work, header.type, header.fortran_order, header.shape);
  FileSide const in_side = FileSide::of(work.problem, true), out_side = FileSide::of(work.problem, false);
  DistributedSettings settings;
  settings.in = in_side.boxes(communicator->size());
  settings.out = out_side.boxes(communicator->size());
  settings.cpu.threads = o.device.threads;
  settings.device = device_of_rank(o.device, o.ranks, communicator->rank());
  std::string const beginning = npy_header_text(output_of(work, header.fortran_order));
  DistributedPlan const plan(dense_layout(work.problem), communicator, settings);
  SharedOutput out(*communicator, to, beginning, std::uint64_t(out_bytes(work.problem)));
  RankInput const in(mapped, header, work, plan.in_box());
  std::vector<std::byte> result(std::size_t(plan.out_elements()) * element_bytes(work.out));
  RankMemory memory(settings.device, in.data(), std::size_t(plan.in_elements()) * element_bytes(work.in),
                    result.data(), result.size());
  memory.put();
  memory.execute(plan);
  memory.get();
  out.write(plan.out_box(), out_side, work.out, result);
  out.finish();
  return done;
}

}  // namespace

int fft_on_ranks(FftOptions const& options, Ranks const& ranks) {
  return run_on_ranks(ranks, [&](std::shared_ptr<Communicator> const& communicator) {
    return fft_on_rank(options, communicator);
  });
}

}  // namespace skipper::cli
