#pragma once
// The first device of OpenCL on this machine. Builds of the tests have this where find_package found OpenCL (SKIPPER_OPENCL).
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace skipper::testing {

class OpenCl {
 public:
  /// In the device's memory; the empty one is null.
  using Array = std::shared_ptr<_cl_mem>;

  /// Nothing where there is no device.
  static std::optional<OpenCl> open() {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_uint count = 0;
    if (clGetPlatformIDs(1, &platform, &count) != CL_SUCCESS || count == 0) return {};
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, &count) != CL_SUCCESS || count == 0)
      return {};
    return OpenCl(device);
  }

  /// Of so many bytes, and holding these where they are given.
  Array array(void* bytes, std::size_t size) const {
    if (size == 0) return {};
    cl_int error = 0;
    cl_mem const made = clCreateBuffer(context_.get(), CL_MEM_READ_WRITE | (bytes ? CL_MEM_COPY_HOST_PTR : 0),
                                       size, bytes, &error);
    demand(error, "clCreateBuffer");
    return {made, clReleaseMemObject};
  }
  /// All of an array, into host memory.
  void read(Array const& array, void* bytes) const {
    std::size_t size = 0;
    demand(clGetMemObjectInfo(array.get(), CL_MEM_SIZE, sizeof size, &size, nullptr), "clGetMemObjectInfo");
    demand(clEnqueueReadBuffer(queue_.get(), array.get(), CL_TRUE, 0, size, bytes, 0, nullptr, nullptr),
           "clEnqueueReadBuffer");
  }

  /// A kernel, and its arguments one after the other.
  class Launch {
   public:
    Launch(OpenCl const& cl, std::string const& source, std::string const& name) : cl_(cl) {
      cl_int error = 0;
      char const* text = source.c_str();
      program_ = {clCreateProgramWithSource(cl.context_.get(), 1, &text, nullptr, &error), clReleaseProgram};
      demand(error, "clCreateProgramWithSource");
      if (clBuildProgram(program_.get(), 1, &cl.device_, "-cl-std=CL1.2", nullptr, nullptr) != CL_SUCCESS)
        throw std::runtime_error(log() + "\n" + source);
      kernel_ = {clCreateKernel(program_.get(), name.c_str(), &error), clReleaseKernel};
      demand(error, "clCreateKernel");
    }
    void add(Array const& array) {
      cl_mem const memory = array.get();
      add_bytes(sizeof memory, memory ? &memory : nullptr);
    }
    void add(float x) { add_bytes(sizeof x, &x); }
    void add(double x) { add_bytes(sizeof x, &x); }
    void run(std::size_t blocks, std::size_t threads) const {
      std::size_t const all = blocks * threads;
      demand(clEnqueueNDRangeKernel(cl_.queue_.get(), kernel_.get(), 1, nullptr, &all, &threads, 0, nullptr,
                                    nullptr),
             "clEnqueueNDRangeKernel");
      demand(clFinish(cl_.queue_.get()), "clFinish");
    }

   private:
    void add_bytes(std::size_t size, void const* value) {
      demand(clSetKernelArg(kernel_.get(), arguments_++, size, value), "clSetKernelArg");
    }
    std::string log() const {
      std::string text(1 << 16, '\0');
      std::size_t size = 0;
      clGetProgramBuildInfo(program_.get(), cl_.device_, CL_PROGRAM_BUILD_LOG, text.size(), text.data(),
                            &size);
      return text.substr(0, size);
    }

    OpenCl const& cl_;
    std::shared_ptr<_cl_program> program_;
    std::shared_ptr<_cl_kernel> kernel_;
    cl_uint arguments_ = 0;
  };

 private:
  explicit OpenCl(cl_device_id device) : device_(device) {
    cl_int error = 0;
    context_ = {clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error), clReleaseContext};
    demand(error, "clCreateContext");
    queue_ = {clCreateCommandQueue(context_.get(), device, 0, &error), clReleaseCommandQueue};
    demand(error, "clCreateCommandQueue");
  }
  static void demand(cl_int error, char const* what) {
    if (error != CL_SUCCESS)
      throw std::runtime_error(std::string(what) + " failed: " + std::to_string(error));
  }

  cl_device_id device_;
  std::shared_ptr<_cl_context> context_;
  std::shared_ptr<_cl_command_queue> queue_;
};

}  // namespace skipper::testing
