# SPDX-License-Identifier: (Apache-2.0 OR MIT)

from spack.package import *


class Qtdec(CargoPackage):
    """Turns times of any methods into decision functions that choose among them by size."""

    # The archive that crates.io serves; RELEASE.md says when the checksum is set.
    url = "https://static.crates.io/crates/qtdec-cli/qtdec-cli-0.1.0.crate"

    license("Apache-2.0 OR MIT")

    # version("0.1.0", sha256="...", extension="tar.gz") is added by the release that publishes the archive.

    depends_on("rust@1.88:", type="build")

    def url_for_version(self, version):
        return f"https://static.crates.io/crates/qtdec-cli/qtdec-cli-{version}.crate"

    @run_after("install")
    def install_completions(self):
        qtdec = Executable(self.prefix.bin.qtdec)
        for shell, folder, name in [
            ("bash", "bash-completion/completions", "qtdec"),
            ("zsh", "zsh/site-functions", "_qtdec"),
            ("fish", "fish/vendor_completions.d", "qtdec.fish"),
        ]:
            path = join_path(self.prefix.share, folder)
            mkdirp(path)
            with open(join_path(path, name), "w") as script:
                script.write(qtdec("completions", shell, output=str))
        qtdec("man", join_path(self.prefix.share, "man", "man1"))
