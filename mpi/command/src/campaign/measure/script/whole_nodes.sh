# Launchers differ in which nodes are not full, so none of several is. The benchmark calls the first ranks.
if [ "$ranks" -gt "$ppn" ]; then ranks=$(((ranks + ppn - 1) / ppn * ppn)); fi
