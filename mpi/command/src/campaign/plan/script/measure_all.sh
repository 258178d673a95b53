#!/usr/bin/env bash
#@resources@
#
# Measures @collectives@ with every algorithm of @library@, using @benchmark@, which must be on the PATH.
# Written by qtdec @version@.
#
# You can stop and restart it without losing measurements. Afterwards, run:
#
#@map_commands@
#
#@verify@

set -u

results=@results@
launches=@launches@
number=0
measured=0
#@deployed@
least=@least@
greatest=@greatest@
failed=()

require() { command -v "$1" > /dev/null || { echo "$1 is not on the PATH" >&2; exit 1; }; }
#@programs@

#@switches@
#@functions@

#@measure@

#@benchmarks@

#@failures@
