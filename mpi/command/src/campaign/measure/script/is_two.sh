is_two() { [ "$1" -eq 2 ]; }
