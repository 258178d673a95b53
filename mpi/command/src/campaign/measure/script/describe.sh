# describe FOLDER: says beside results how they are read, so that the commands need no options.
describe() {
  mkdir -p "$1"
  cat > "$1/qtdec-campaign.json" << 'END'
#@description@
END
}
