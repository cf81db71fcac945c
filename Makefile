# The short way in; CMake does the work (CMakePresets.json). `make help` lists the targets.
.DEFAULT_GOAL := help
.NOTPARALLEL:

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# SANITIZE=0 leaves the sanitizer round, and with it the fuzz targets of the core, out of `make test`.
SANITIZE ?= 1
# Ninja where there is one. CMake reads this only for a new build folder.
export CMAKE_GENERATOR ?= $(if $(shell command -v ninja),Ninja,Unix Makefiles)

SKIPPER := build/bin/skipper
FORMATTED = $(shell find include src cli bench examples tests compat python -name '*.h' -o -name '*.cpp' 2>/dev/null)

.PHONY: help deps build run plots test test-all test-dev test-quick build-quick test-core test-asan test-tsan test-gpu compat test-clients python test-python test-python-quick bench format format-check clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

deps: # install what is missing, or say what is
	@scripts/deps.sh

build: ## build the programs, build/bin/skipper and skipper-bench
	@scripts/deps.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS)

compat: ## build the drop-in libraries, those of FFTW in build/compat/fftw3, of cuFFT in build/compat/cufft
	@scripts/deps.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS) --target compat

run: build ## build, then run the demonstration
	@$(SKIPPER) run

# One a machine; the other results have no plot.
plotted := h200-2026-11-19 neon-2-threads-2026-11-15 xeon-16-threads-2026-11-15
plots: build ## draw the plots in bench/results anew
	@$(SKIPPER) plot $(plotted:%=bench/results/%.json)

test: deps ## all tests on a sample of their cases, those of the Python package, and those of the core again under sanitizers
	@JOBS=$(JOBS) SANITIZE=$(SANITIZE) scripts/test.sh

test-all: test-dev test-asan test-tsan ## all tests with all their cases, then all that sanitizers can look at; also builds the measurements
	@cmake --build --preset dev -j $(JOBS) --target measurements

test-dev: deps ## all tests once with all their cases, without sanitizers, built by gcc
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev -j $(JOBS)
	@ctest --preset dev -j $(JOBS)

# By clang where it is here, since without optimisation it is faster than gcc.
clang := -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_C_COMPILER=clang
test-quick: build-quick ## all tests once on a sample of their cases, built by clang to compile quickly
	@ctest --preset quick -j $(JOBS)

build-quick: deps
	@by=$$(scripts/clang.sh) && cmake --preset quick $$([ $$by = gcc ] || echo "$(clang)") >/dev/null
	@cmake --build --preset quick -j $(JOBS)

# Sanitizers are clang's. Without it `make test` leaves this round out, which clang.sh says.
test-core: deps ## what reads texts of users, under ASan and UBSan, on a sample of the cases
	@[ $$(scripts/clang.sh) = gcc ] || { cmake --preset asan >/dev/null && cmake --build --preset core -j $(JOBS) && \
	  ctest --preset core -j $(JOBS); }

test-asan: deps ## the same of all pure and emulated tests
	@[ $$(scripts/clang.sh) = clang ]
	@cmake --preset asan >/dev/null
	@cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan -j $(JOBS)

test-tsan: deps ## what runs threads, under TSan
	@[ $$(scripts/clang.sh) = clang ]
	@cmake --preset tsan >/dev/null
	@cmake --build --preset tsan -j $(JOBS)
	@ctest --preset tsan -j $(JOBS)

test-clients: compat ## FFTW's own checkers, pyFFTW, Octave, GROMACS and Quantum ESPRESSO on the drop-in libraries; installs them
	@scripts/test-clients.sh

python: ## build the Python package: wheel and sdist in build/python
	@scripts/deps.sh build
	@scripts/python.sh wheel

test-python: python ## all tests of the Python package, SciPy's own among them
	@scripts/python.sh test all

test-python-quick: deps # the quick part, on the library of the quick build
	@scripts/python.sh test quick

test-gpu: ## the tests that need a GPU, in shards on all cores; installs nothing
	@cmake --preset gpu >/dev/null
	@cmake --build --preset gpu -j $(JOBS)
	@ctest --preset gpu -j $(JOBS)

# On a machine with a GPU, bench/gpu.sh measures the CUDA engine.
bench: build ## measure the CPU engine against FFTW, where that is installed
	@$(SKIPPER) bench --suite quick

format: ## lay out all sources with clang-format
	@command -v clang-format >/dev/null || { echo "make format: clang-format is missing" >&2; exit 1; }
	@clang-format -i $(FORMATTED)

format-check: ## fail where a source is not laid out so
	@command -v clang-format >/dev/null || { echo "make format-check: clang-format is missing" >&2; exit 1; }
	@clang-format --dry-run -Werror $(FORMATTED)

clean: ## remove build/
	@rm -rf build
