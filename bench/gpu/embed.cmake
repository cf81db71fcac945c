# cmake -DOUT=file -P embed.cmake: the kernel headers as text, for builds without the project's CMake.
set(PROJECT_SOURCE_DIR ${CMAKE_CURRENT_LIST_DIR}/../..)
include(${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake)
skipper_embed(${OUT})
