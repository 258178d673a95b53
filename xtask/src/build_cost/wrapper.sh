#!/bin/sh
# Runs the compiler, and writes the crate and the processor time to a file in the folder QTDEC_BUILD_COST.
crate=- previous=
for argument in "$@"; do
  [ "$previous" = --crate-name ] && crate=$argument
  previous=$argument
done
"$@"
code=$?
{ echo "$crate"; times; } > "$QTDEC_BUILD_COST/$$"
exit $code
