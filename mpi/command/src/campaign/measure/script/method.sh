# method COLLECTIVE PLACE: measures the method at a place of the collective's list, which begins with 0.
method() {
  case $1:$2 in
    #@methods@
  esac
}
