#!/usr/bin/env bash
# Tests and measures the CUDA backend on a machine with a GPU. Needs nvcc (on the path, $SYNOPTIC_NVCC, or from
# tools/fetch-nvcc.sh), CMake 3.20 and a C++20 compiler; neither Node nor a network.
#   tools/device/run.sh <folder for the results> [build] [test] [sanitize] [bench]      all four unless said
# What ran is in <folder>: build.txt, tests.txt, memcheck.txt, racecheck.txt, bench.txt, summary.txt. A step that fails
# does not keep the next from running; the exit status is 1 where one failed.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -ge 1 ] || { sed -n '2,6s/^# //p' "$0"; exit 2; }
folder=$1
shift
steps=${*:-build test sanitize bench}
build=$root/build-device
failed=0

note() { echo "== $*" | tee -a "$out/summary.txt"; }
check() { # check <name> <status>
  if [ "$2" -eq 0 ]; then note "$1: passed"; else note "$1: FAILED with status $2"; failed=1; fi
}

# The newest cuBLAS that is somewhere: of the toolkit, of the system, or of a Python package such as torch's.
find_cublas() {
  if [ -n "${SYNOPTIC_CUBLAS:-}" ]; then echo "$SYNOPTIC_CUBLAS"; return; fi
  {
    ldconfig -p 2>/dev/null | sed -n 's/.*=> \(.*libcublas\.so\.1[23]\)$/\1/p'
    python3 -c 'import sys; print("\n".join(p for p in sys.path if p.endswith("-packages")))' 2>/dev/null |
      while read -r folder; do find "$folder/nvidia" -name 'libcublas.so.1[23]' 2>/dev/null; done
    find /usr/local -maxdepth 6 -name 'libcublas.so.1[23]' 2>/dev/null
  } | awk -F. '{ print $NF, $0 }' | sort -rn | head -n 1 | cut -d' ' -f2-
}

build_all() {
  if [ -z "${SYNOPTIC_CUDA_ARCHITECTURES:-}" ]; then
    capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d '. ')
    [ -n "$capability" ] && export SYNOPTIC_CUDA_ARCHITECTURES="$capability-real"
  fi
  if ! command -v nvcc >/dev/null && [ -x /usr/local/cuda/bin/nvcc ]; then
    export SYNOPTIC_NVCC=${SYNOPTIC_NVCC:-/usr/local/cuda/bin/nvcc}
  fi
  cmake -S "$root" -B "$build" -DSYNOPTIC_TESTS=ON -DSYNOPTIC_CUDA=ON &&
    cmake --build "$build" -j "$(nproc)" --target synoptic_cuda cuda_search_test gpu_search_test gpu_engine_test \
      gpu_memory_test gpu_bench gpu_floors
}

# On the emulation first, then on the device, where a test that skips itself has not been passed.
run_tests() {
  local status=0
  for name in gpu_memory gpu_engine gpu_search cuda_search; do
    echo "-- $name"
    timeout 200 "$build/native/test/${name}_test" >"$out/$name.txt" 2>&1 || { echo "status $?"; status=1; }
    cat "$out/$name.txt"
    if grep -q '^skipped: ' "$out/$name.txt"; then status=1; fi
    rm "$out/$name.txt"
  done
  return $status
}

# Small examples: a checker makes a kernel a hundred times as slow.
sanitize() { # sanitize <tool>
  SYNOPTIC_TEST_SMALL=1 timeout 240 compute-sanitizer --tool "$1" --error-exitcode 9 "$build/native/test/cuda_search_test"
}

bench() {
  date -u +%Y-%m-%d
  nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv,noheader
  timeout 120 "$build/native/test/gpu_floors" 200000 768
  timeout 240 "$build/native/test/gpu_bench" 20000 10 768 50 >"$out/searches.txt" 2>&1
  local status=$?
  cat "$out/searches.txt"
  if grep -q '^skipped: ' "$out/searches.txt"; then status=1; fi
  rm "$out/searches.txt"
  [ $status -eq 0 ] || return 1
  timeout 120 python3 "$root/tools/device/peers.py" 200000 768
}

for step in $steps; do
  case $step in
    build | test | sanitize | bench) ;;
    *) echo "expected build, test, sanitize or bench, received $step"; exit 2 ;;
  esac
done
# Before minutes of building. A build alone needs no device: it may be carried to one.
if [ "$steps" != build ] && ! nvidia-smi -L >/dev/null 2>&1 && ! ls /dev/nvidia[0-9]* >/dev/null 2>&1; then
  echo "expected a CUDA device, found none: no nvidia-smi that lists one, no /dev/nvidia0; without one only the step build runs"
  exit 1
fi

export SYNOPTIC_CUDA_LIBRARY=$build/native/cuda/libsynoptic_cuda.so
SYNOPTIC_CUBLAS=$(find_cublas)
export SYNOPTIC_CUBLAS
[ -n "$SYNOPTIC_CUBLAS" ] || unset SYNOPTIC_CUBLAS
mkdir -p "$folder" && out=$(cd "$folder" && pwd) || exit 1
: >"$out/summary.txt"
note "cuBLAS: ${SYNOPTIC_CUBLAS:-not found}"
for step in $steps; do
  case $step in
    build) build_all >"$out/build.txt" 2>&1; check build $?; tail -n 3 "$out/build.txt" ;;
    test) run_tests 2>&1 | tee "$out/tests.txt"; check tests "${PIPESTATUS[0]}" ;;
    sanitize)
      if command -v compute-sanitizer >/dev/null; then
        for tool in memcheck racecheck; do
          sanitize $tool 2>&1 | tail -n 200 | tee "$out/$tool.txt"
          check $tool "${PIPESTATUS[0]}"
        done
      else
        note "sanitize: skipped, compute-sanitizer is not there (wheel nvidia-cuda-sanitizer-api)"
      fi ;;
    bench) bench 2>&1 | tee "$out/bench.txt"; check bench "${PIPESTATUS[0]}" ;;
  esac
done
exit $failed
