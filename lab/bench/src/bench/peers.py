"""Exports a tree of the same map as C by the tools that compile trees.

The standard input holds lines of communicator size, message size and method; the argument names the folder to write to.
Samples stand there with the size below the next one, so that the thresholds fall where the map has them.
"""

import pathlib
import shutil
import sys

import emlearn
import m2cgen
import tl2cgen
import treelite
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

folder = pathlib.Path(sys.argv[1])
rows = [tuple(map(int, line.split())) for line in sys.stdin]
sizes = [row[:2] for row in rows]
methods = [row[2] for row in rows]
labels = sorted(set(methods))
classes = len(labels)

# Methods that are nowhere the best are no classes.
HEAD = "#include <stdint.h>\nstatic const uint32_t labels[] = {%s};\n" % ", ".join(map(str, labels))
ARGMAX = (
    "    int best = 0;\n    for (int k = 1; k < %d; k++) if (out[k] > out[best]) best = k;\n" % classes
    + "    return labels[best];\n"
)


def write(name, text):
    path = folder / name
    path.mkdir(parents=True, exist_ok=True)
    (path / "wrapper.c").write_text(text)
    return path


tree = DecisionTreeClassifier(random_state=0).fit(sizes, methods)
# treelite takes no single tree, but a forest of one that sees all samples and both sizes.
forest = RandomForestClassifier(n_estimators=1, bootstrap=False, max_features=None, random_state=0).fit(sizes, methods)

code = m2cgen.export_to_c(tree)
write(
    "m2cgen",
    HEAD + code + f"\nuint32_t peer_m2cgen(uint64_t c, uint64_t m) {{\n    double in[2] = {{c, m}}, out[{classes}];\n    score(in, out);\n{ARGMAX}}}\n",
)

path = folder / "tl2cgen"
shutil.rmtree(path, ignore_errors=True)
tl2cgen.generate_c_code(treelite.sklearn.import_model(forest), path, {})
write(
    "tl2cgen",
    '#include "header.h"\n'
    + HEAD
    + f"uint32_t peer_tl2cgen(uint64_t c, uint64_t m) {{\n    union Entry in[2]; double out[{classes}] = {{0}};\n"
    + f"    in[0].fvalue = c; in[1].fvalue = m;\n    predict(in, 0, out);\n{ARGMAX}}}\n",
)

path = write("emlearn", HEAD + '#include "tree.h"\nuint32_t peer_emlearn(uint64_t c, uint64_t m) {\n    float in[2] = {c, m};\n    return labels[tree_predict(in, 2)];\n}\n')
emlearn.convert(tree, method="inline", dtype="float").save(file=str(path / "tree.h"), name="tree")
(path / "include").write_text(emlearn.includedir)
