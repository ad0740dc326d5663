#!/bin/sh
# Puts nvcc 13.0 into build-cuda/wheels, where CMake looks for it: five wheels, 104 MB, through pip's own index.
#   tools/fetch-nvcc.sh [folder]     SYNOPTIC_CUDA_WHEELS=13.0 chooses another version
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/build-cuda/wheels}
version=${SYNOPTIC_CUDA_WHEELS:-13.0}
nvcc=$folder/nvidia/cu13/bin/nvcc
if [ ! -x "$nvcc" ]; then
  # All five are pinned: they name each other without versions. Without --no-deps pip adds more.
  python3 -m pip install --quiet --no-cache-dir --no-compile --no-deps --only-binary=:all: --target "$folder" \
    "nvidia-cuda-nvcc==$version.*" "nvidia-nvvm==$version.*" "nvidia-cuda-crt==$version.*" \
    "nvidia-cuda-runtime==$version.*" "nvidia-cuda-cccl==$version.*"
  # nvcc.profile links from lib64, which the wheels call lib.
  ln -sfn lib "$folder/nvidia/cu13/lib64"
fi
"$nvcc" --version | tail -n 2
echo "$nvcc"
