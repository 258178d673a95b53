# rotated COLLECTIVE NUMBER: measures the methods of a list, which each launch begins at another place: launch k of K after the first
# (k - 1) * NUMBER / K methods, so that the default, too, is measured early in one launch and late in another.
rotated() {
  local place first=$(((launch - 1) * $2 / launches))
  for ((place = first; place < first + $2; place++)); do method "$1" "$((place % $2))"; done
}
