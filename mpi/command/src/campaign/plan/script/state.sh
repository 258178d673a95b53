number=0
measured=0
failed=()
looks=no
# The most ranks that were warmed up.
warmed=0
