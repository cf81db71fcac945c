// Everything that a user of the C++ interface includes.
#pragma once

#include <skipper/bfloat16.h>
#include <skipper/callbacks.h>
#include <skipper/communicator.h>
#include <skipper/convolution.h>
#include <skipper/device.h>
#include <skipper/distributed.h>
#include <skipper/distributed_planning.h>
#include <skipper/distributed_poisson.h>
#include <skipper/element.h>
#include <skipper/error.h>
#include <skipper/execute.h>
#include <skipper/executor.h>
#include <skipper/half.h>
#include <skipper/nccl.h>
#include <skipper/plan.h>
#include <skipper/planning.h>
#include <skipper/poisson.h>
#include <skipper/problem.h>
#include <skipper/settings.h>
#include <skipper/stream.h>
#include <skipper/stream_poisson.h>
#include <skipper/tuning.h>
#include <skipper/version.h>
