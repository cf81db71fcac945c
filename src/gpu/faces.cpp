// See faces.h.
#include "gpu/faces.h"

#include "kernel/faces.h"

namespace skipper::gpu {

AddFace::AddFace(bool wide, int device)
    : wide_(wide), kernel_(trace::PlainKernel::add_face, false, wide, device) {}

void AddFace::run(Layer const& layer, DevicePointer data, DevicePointer values, Stream stream) const {
  Index const count = layer.outer * layer.inner;
  auto const go = [&]<class T>(T) {
    kernel::FaceArgs<T> const args{reinterpret_cast<T*>(data), reinterpret_cast<T const*>(values), count,
                                   layer.inner, layer.pitch};
    kernel_.launch((count + kernel::face_threads - 1) / kernel::face_threads, kernel::face_threads, args,
                   stream);
  };
  wide_ ? go(double()) : go(float());
}

}  // namespace skipper::gpu
