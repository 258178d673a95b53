number=0
measured=0
failed=()
# Whether benchmarks are only looked for: no, yes, or found.
looks=no
# The most ranks that were warmed up.
warmed=0
