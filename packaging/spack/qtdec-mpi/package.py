# SPDX-License-Identifier: (Apache-2.0 OR MIT)

from spack.package import *


class QtdecMpi(CargoPackage):
    """Tunes the collectives of MPI libraries from measured times."""

    # The archive that crates.io serves; RELEASE.md says when the checksum is set.
    url = "https://static.crates.io/crates/qtdec-mpi/qtdec-mpi-0.1.0.crate"

    license("Apache-2.0 OR MIT")

    # version("0.1.0", sha256="...", extension="tar.gz") is added by the release that publishes the archive.

    depends_on("rust@1.88:", type="build")
    # It reads the output of benchmarks, and `qtdec mpi` starts this program.
    depends_on("qtdec", type="run")

    def url_for_version(self, version):
        return f"https://static.crates.io/crates/qtdec-mpi/qtdec-mpi-{version}.crate"

    @run_after("install")
    def install_completions(self):
        qtdec = Executable(join_path(self.prefix.bin, "qtdec-mpi"))
        for shell, folder, name in [
            ("bash", "bash-completion/completions", "qtdec-mpi"),
            ("zsh", "zsh/site-functions", "_qtdec-mpi"),
            ("fish", "fish/vendor_completions.d", "qtdec-mpi.fish"),
        ]:
            path = join_path(self.prefix.share, folder)
            mkdirp(path)
            with open(join_path(path, name), "w") as script:
                script.write(qtdec("completions", shell, output=str))
        qtdec("man", join_path(self.prefix.share, "man", "man1"))
