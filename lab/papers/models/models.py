"""Chooses methods by models that papers after the trees propose.

Usage: models.py QUESTION ANSWER FOLDER

The question is a list of cases. Each has folds with times to learn from and sizes to decide at, and the times of its whole map. The answer has,
for each fold and model, the position of the method that is chosen at each point, and the nanoseconds of one decision of the model of the whole map
in Python. Forests and boosted trees of whole maps are written as C into FOLDER/CASE/MODEL, as tl2cgen translates them.
"""

import json
import math
import pathlib
import shutil
import sys
import time

import numpy as np
import tl2cgen
import treelite
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import SplineTransformer

SEED = 1993


class Features:
    """The logarithms of sizes, and a column for each label."""

    def __init__(self, labels):
        self.labels = labels

    def of(self, sizes):
        columns = []
        for axis, count in enumerate(self.labels):
            values = [point[axis] for point in sizes]
            if count is None:
                columns.append([math.log2(max(value, 0.5)) for value in values])
            else:
                columns.extend([float(value == label) for value in values] for label in range(count))
        return np.array(columns).T

    def code(self):
        """Returns the C statements that fill `entry` with the features of `size`."""
        lines, number = [], 0
        for axis, count in enumerate(self.labels):
            if count is None:
                lines.append(f"entry[{number}].fvalue = log2(size[{axis}] ? size[{axis}] : 0.5);")
                number += 1
            else:
                for label in range(count):
                    lines.append(f"entry[{number}].fvalue = size[{axis}] == {label};")
                    number += 1
        return number, "\n    ".join(lines)


class Fastest:
    """A classifier whose classes are the fastest methods."""

    def __init__(self, model):
        self.model = model
        self.only = None

    def fit(self, features, times):
        known = ~np.all(np.isnan(times), axis=1)
        best = np.nanargmin(times[known], axis=1)
        if len(set(best)) == 1:
            self.only = int(best[0])
        else:
            self.model.fit(features[known], best)
        return self

    def choose(self, features):
        if self.only is not None:
            return [self.only] * len(features)
        return [int(method) for method in self.model.predict(features)]


class Times:
    """A regression of the logarithm of the time of each method with enough points, of which the least is chosen."""

    POINTS = 4

    def __init__(self, make):
        self.make = make
        self.models = {}

    def fit(self, features, times):
        counts = (~np.isnan(times)).sum(axis=0)
        for method in np.flatnonzero(counts >= min(self.POINTS, counts.max())):
            known = ~np.isnan(times[:, method])
            model = self.make(int(counts[method]))
            self.models[int(method)] = model.fit(features[known], np.log(times[known, method]))
        return self

    def choose(self, features):
        methods = list(self.models)
        predicted = np.array([self.models[method].predict(features) for method in methods])
        return [methods[at] for at in np.argmin(predicted, axis=0)]


def splines(points):
    knots = max(2, min(5, points // 4))
    return make_pipeline(SplineTransformer(n_knots=knots, degree=min(3, knots), extrapolation="linear"), Ridge(alpha=0.01))


MODELS = {
    "nearest": lambda: Fastest(KNeighborsClassifier(n_neighbors=1)),
    "five_nearest": lambda: Times(lambda points: KNeighborsRegressor(n_neighbors=min(5, points), weights="distance")),
    "splines": lambda: Times(splines),
    "forest": lambda: Fastest(RandomForestClassifier(n_estimators=100, random_state=SEED)),
    "boosting": lambda: Fastest(GradientBoostingClassifier(random_state=SEED)),
}

COMPILED = ["forest", "boosting"]


def table(part):
    return part["sizes"], np.array([[np.nan if value is None else value for value in row] for row in part["times"]])


def nanoseconds(model, features):
    """Returns the least time of one decision among calls for single points."""
    best = math.inf
    for row in features[:20]:
        begin = time.perf_counter_ns()
        model.choose(row.reshape(1, -1))
        best = min(best, time.perf_counter_ns() - begin)
    return best


def write(model, features, folder):
    """Writes the C code of a model with `decide`, which takes sizes."""
    shutil.rmtree(folder, ignore_errors=True)
    count, code = features.code()
    head = "#include <math.h>\n#include <stdint.h>\n"
    if model.only is not None:
        folder.mkdir(parents=True)
        (folder / "decide.c").write_text(head + f"unsigned decide(const uint64_t *size) {{ return {model.only}; }}\n")
        return
    tl2cgen.generate_c_code(treelite.sklearn.import_model(model.model), folder, {})
    classes = [int(method) for method in model.model.classes_]
    labels = ", ".join(map(str, classes))
    # Two classes of boosted trees have one output: that of the second one.
    outputs = len(classes)
    if outputs == 2 and isinstance(model.model, GradientBoostingClassifier):
        choice = "return labels[out[0] > 0.5];"
    else:
        choice = f"int best = 0;\n    for (int k = 1; k < {outputs}; k++) if (out[k] > out[best]) best = k;\n    return labels[best];"
    (folder / "decide.c").write_text(
        head
        + '#include "header.h"\n'
        + f"static const unsigned labels[] = {{{labels}}};\n"
        + f"unsigned decide(const uint64_t *size) {{\n    union Entry entry[{count}];\n    double out[{outputs}] = {{0}};\n"
        + f"    {code}\n    predict(entry, 0, out);\n    {choice}\n}}\n"
    )


def main():
    question, answer, folder = map(pathlib.Path, sys.argv[1:])
    answers = []
    for number, case in enumerate(json.loads(question.read_text())):
        features = Features(case["labels"])
        folds = []
        for fold in case["folds"]:
            sizes, times = table(fold["from"])
            learn, at = features.of(sizes), features.of(fold["at"])
            folds.append({name: make().fit(learn, times).choose(at) for name, make in MODELS.items()})
        sizes, times = table(case["whole"])
        whole = features.of(sizes)
        fitted = {name: make().fit(whole, times) for name, make in MODELS.items()}
        for name in COMPILED:
            write(fitted[name], features, folder / str(number) / name)
        taken = {name: nanoseconds(model, whole) for name, model in fitted.items()}
        answers.append({"folds": folds, "nanoseconds": taken})
    answer.write_text(json.dumps(answers))


main()
