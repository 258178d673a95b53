#!/usr/bin/env bash
#@resources@
#
# Measures @collectives@ with every algorithm of @library@, using @benchmark@, which must be on the PATH.
# Written by qtdec @version@.
#
#@one_a_job@
# You can stop and restart it without losing measurements. Afterwards, run:
#
#@tune_command@

set -u

results=@results@
launches=@launches@
# The benchmarks of a launch.
benchmarks=@benchmarks@
least=@least@
greatest=@greatest@
#@state@

require() { command -v "$1" > /dev/null || { echo "$1 is not on the PATH" >&2; exit 1; }; }
#@programs@

#@switches@
#@functions@

#@jobs@

#@describe@
describe "$results"

#@measure@

#@rotated@

#@choose@

#@failures@
