#!/usr/bin/env bash
# The paper's figures on the simulated machine with two sockets: results and pictures.
#
#     figures.sh BUILD_DIR FOLDER
#
# Takes about ten minutes, on one core.
set -euo pipefail
program=$(realpath "$1")/bench/bench_simulate
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
cd "$2"

"$program" --output throughput.json >throughput.txt
"$program" --workers 32,128,256 --section-ns 100,250,500,1000,2500,7500 --tasks 2000 \
  --handoffs exchange,dispatch --output speedup.json >speedup.txt
"$program" --workers 64,256 --writers 0.5,0.25,0.125,0.0625 --tasks 2000 \
  --output shared.json >shared.txt
"$program" --workers 256 --tasks 64,128,256,512,1024,4096 --handoffs exchange,dispatch \
  --output queuing.json >queuing.txt
"$here/../plot.py" throughput.json speedup.json shared.json queuing.json
