"""The table of registers in bench/results/gpu-notes.md, from what a build of the CUDA library prints.

    cmake --build <folder> --target synoptic_cuda 2>&1 | registers.py      or: registers.py <file>
"""
import fileinput
import re
import subprocess

kernels = {}
kernel = spilled = None
for line in fileinput.input():
    if found := re.search(r"Compiling entry function '(\S+)' for 'sm_(\d+)'", line):
        kernel, architecture = found.groups()
    elif found := re.search(r"(\d+) bytes spill stores", line):
        spilled = int(found[1])
    elif kernel and (found := re.search(r"Used (\d+) registers", line)):
        shared = re.search(r"(\d+) bytes smem", line)
        row = kernels.setdefault(kernel, {"shared": int(shared[1]) if shared else 0})
        row[int(architecture)] = found[1] + (f" ({spilled} B spilled)" if spilled else "")
        kernel = None

if not kernels:
    raise SystemExit("expected ptxas's report of a build with --resource-usage, found none")
plain = subprocess.run(["c++filt", *kernels], capture_output=True, text=True, check=True).stdout
names = [re.search(r"::(\w+(?:<[\d, ]+>)?)\(", line)[1] for line in plain.splitlines()]
architectures = sorted({key for row in kernels.values() for key in row if key != "shared"})
print("| kernel |", *(f"sm_{architecture} |" for architecture in architectures), "static shared bytes |")
print("|" + "---|" * (len(architectures) + 2))
for name, row in sorted(zip(names, kernels.values()), key=lambda pair: pair[0]):
    cells = [row.get(architecture, "") for architecture in architectures]
    print("|", f"`{name}` |", *(f"{cell} |" for cell in cells), f"{row['shared']} |")
