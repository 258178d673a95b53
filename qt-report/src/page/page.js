"use strict";

// What is shown follows from three values: the option, the step of its slider, and the cell.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const columns = data.x.names.length;
  const rows = data.y.names.length;
  const options = Object.keys(data.steps);
  const state = { option: options[0], step: {}, x: 0, y: 0 };
  for (const option of options) state.step[option] = data.open?.[option] ?? data.steps[option].length - 1;

  const byId = (id) => document.getElementById(id);

  function make(tag, attributes = {}, text) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  const current = () => data.steps[state.option][state.step[state.option]];
  const cellIndex = () => state.y * columns + state.x;
  // What stands for no method is the last entry of the legend.
  const label = (method) => (method === null ? data.legend[data.legend.length - 1].text : data.methods[method]);

  // The pictures, which the command has drawn, and outlines of the cell above them.
  const panels = {};

  function plane(id) {
    const panel = byId(id);
    const picture = make("div");
    const cursor = make("div", { class: "cursor" });
    const attributes = { tabindex: "0", role: "application", "aria-labelledby": "caption-" + id, "aria-describedby": "cell" };
    for (const [name, value] of Object.entries(attributes)) panel.setAttribute(name, value);
    panel.addEventListener("pointermove", (event) => point(panel, event));
    panel.addEventListener("pointerdown", (event) => point(panel, event));
    panel.addEventListener("keydown", move);
    panel.append(picture, cursor);
    panels[id] = { picture, cursor };
  }

  // All texts of a picture are escaped.
  function show(pictures) {
    for (const [id, number] of Object.entries(pictures)) panels[id].picture.innerHTML = data.pictures[number];
  }

  // Edges are shares of a picture, from the left and from the top. Those of the tree are the borders of its function.
  function edges(id, side) {
    const { edges } = data[side];
    const [from, to] = [edges[0], edges[edges.length - 1]];
    return id === "tree" ? current().borders[side].map((share) => from + (to - from) * share) : edges;
  }

  function point(panel, event) {
    const box = panel.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width;
    const y = (event.clientY - box.top) / box.height;
    const [columns, rows] = [edges(panel.id, "x"), edges(panel.id, "y")];
    const column = columns.findIndex((edge, at) => at > 0 && x < edge) - 1;
    const row = rows.findIndex((edge, at) => at > 0 && y > edge) - 1;
    if (x < columns[0] || y > rows[0] || column < 0 || row < 0) return;
    select(column, row);
  }

  const MOVES = {
    ArrowLeft: () => [state.x - 1, state.y],
    ArrowRight: () => [state.x + 1, state.y],
    ArrowUp: () => [state.x, state.y + 1],
    ArrowDown: () => [state.x, state.y - 1],
    Home: () => [0, state.y],
    End: () => [columns - 1, state.y],
    PageUp: () => [state.x, rows - 1],
    PageDown: () => [state.x, 0],
  };

  function move(event) {
    const target = MOVES[event.key];
    if (!target) return;
    event.preventDefault();
    const [x, y] = target();
    select(Math.min(Math.max(x, 0), columns - 1), Math.min(Math.max(y, 0), rows - 1));
  }

  function select(x, y) {
    if (x === state.x && y === state.y) return;
    [state.x, state.y] = [x, y];
    showCell();
  }

  function showStep() {
    const step = current();
    const steps = data.steps[state.option];
    byId("step").max = steps.length - 1;
    byId("step").value = state.step[state.option];
    byId("value").textContent = step.value;
    byId("step").setAttribute("aria-valuetext", `${state.option} ${step.value}`);

    show(step.pictures);

    const code = byId("code");
    code.replaceChildren();
    if (step.code === null) {
      code.append(make("span", {}, "The code of a tree with this many regions is omitted here; qtdec emit writes it."));
    } else {
      for (const line of step.code.trimEnd().split("\n")) code.append(make("span", {}, line || " "));
    }
    rowsInto(byId("statistics").tBodies[0], step.rows);
    for (const [at, row] of [...byId("sweep").querySelectorAll("tbody tr")].entries()) {
      if (at === state.step[state.option]) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
    showCell();
  }

  // A table with its titles and rows as they are shown.
  function tableInto(id, { titles, rows }) {
    const [head, body] = [byId(id).querySelector("thead"), byId(id).querySelector("tbody")];
    const line = (cells, tag) => {
      const row = make("tr");
      cells.forEach((cell, at) => row.append(
        make(at === 0 ? "th" : tag, { scope: tag === "th" ? "col" : "row", "data-title": titles[at] }, cell)));
      return row;
    };
    head.replaceChildren(line(titles, "th"));
    body.replaceChildren(...rows.map((row) => line(row, "td")));
    return [...body.rows];
  }

  function showSweep() {
    const rows = tableInto("sweep", data.tables[state.option]);
    for (const [at, row] of rows.entries()) {
      row.addEventListener("click", () => {
        state.step[state.option] = at;
        showStep();
      });
    }
  }

  function rowsInto(body, lines) {
    body.replaceChildren();
    for (const [name, value, id] of lines) {
      const row = make("tr");
      row.append(make("th", { scope: "row" }, name), make("td", id ? { "data-value": id } : {}, value));
      body.append(row);
    }
  }

  function showCell() {
    const step = current();
    const cell = cellIndex();
    const { best, methods, others } = data.cells[cell];
    const choice = step.choices[cell];
    const [text, repeats] = [(method) => methods[method]?.[0] ?? label(method), (method) => methods[method]?.[1]];
    const lines = [[data.x.title, data.x.names[state.x]]];
    if (data.y.title) lines.push([data.y.title, data.y.names[state.y]]);
    lines.push(["best", text(best), "best"]);
    if (repeats(best)) lines.push(["repeats of the best", repeats(best), "repeats"]);
    lines.push(...others, ["the tree chooses", text(choice), "choice"]);
    if (choice !== best && repeats(choice)) lines.push(["repeats of the choice", repeats(choice), "repeats-choice"]);
    lines.push(["penalty", step.penalties[cell] ?? "–", "penalty"]);
    const region = step.regions.find(({ x, y }) =>
      x[0] <= state.x && state.x < x[1] && y[0] <= state.y && state.y < y[1]);
    if (region) lines.push(["by the rule", region.rule, "rule"]);

    const table = make("table");
    const body = make("tbody");
    rowsInto(body, lines);
    table.append(body);
    byId("cell").replaceChildren(table);

    const shares = (share) => `${100 * share}%`;
    for (const [id, { cursor: { style } }] of Object.entries(panels)) {
      const [left, right] = edges(id, "x").slice(state.x);
      const [bottom, top] = edges(id, "y").slice(state.y);
      [style.left, style.width] = [left, right - left].map(shares);
      [style.top, style.height] = [top, bottom - top].map(shares);
    }
    showTrace(region?.trace);
    showTimes("x", data.x.names.map((_, at) => state.y * columns + at), data.y);
    showTimes("y", data.y.names.map((_, at) => at * columns + state.x), data.x);
  }

  // The times along one side through the cell; the other side says where.
  function showTimes(name, cells, other) {
    const [side, step] = [data[name], current()];
    const picture = data.times && side.samples
      ? timesAlong({ data, side, cells, choices: step.choices, borders: step.borders[name], selected: state[name] })
      : null;
    const figure = byId("times-" + name).parentElement;
    figure.hidden = picture === null;
    if (picture === null) return;
    const [unit] = unitOfTimes(data);
    const place = other.title ? ` at ${other.title} ${other.names[state[name === "x" ? "y" : "x"]]}` : "";
    figure.querySelector("figcaption").textContent =
      `Times${unit ? ` [${unit}]` : ""}${place}, logarithmic, with the borders of the tree`;
    byId("times-" + name).replaceChildren(picture);
  }

  function showTrace(trace) {
    const code = byId("code");
    for (const line of code.querySelectorAll(".fired, .answer")) line.className = "";
    if (!trace) return;
    for (const number of trace.conditions) code.children[number - 1].className = "fired";
    const answer = code.children[trace.answer - 1];
    answer.className = "answer";
    // Within the listing alone: the page stays where it is.
    const hidden = answer.offsetTop < code.scrollTop + code.offsetTop
      || answer.offsetTop + answer.offsetHeight > code.scrollTop + code.offsetTop + code.clientHeight;
    if (hidden) code.scrollTop = answer.offsetTop - code.offsetTop - code.clientHeight / 2;
  }

  function legend(id, entries) {
    for (const { fill, ink, mark, text } of entries) {
      const item = make("li");
      // Drawn as in the pictures, so that the same styles hold in the dark.
      const swatch = drawn("svg", { class: "swatch", viewBox: "0 0 20 20", "aria-hidden": "true" });
      swatch.append(drawn("rect", { width: 20, height: 20, fill }));
      swatch.append(drawn("text", { x: 10, y: 14, "text-anchor": "middle", fill: ink }, mark ?? ""));
      item.append(swatch, make("span", {}, text));
      byId(id).append(item);
    }
  }

  function controls() {
    for (const option of options) {
      const choice = make("label");
      const radio = make("input", { type: "radio", name: "option", value: option });
      radio.checked = option === state.option;
      radio.addEventListener("change", () => {
        state.option = option;
        showSweep();
        showStep();
      });
      choice.append(radio, " " + option);
      byId("options").append(choice);
    }
    byId("step").addEventListener("input", (event) => {
      state.step[state.option] = Number(event.target.value);
      showStep();
    });
    byId("controls").addEventListener("submit", (event) => event.preventDefault());
  }

  function showRecommended() {
    if (!data.recommended) return;
    for (const row of tableInto("recommended", data.recommended)) {
      if (row.cells[0].textContent === "recommended") row.className = "recommended";
    }
    byId("recommended").hidden = false;
  }

  showRecommended();
  byId("about").textContent = data.about;
  byId("caption-measured").textContent = data.caption;
  for (const { name, text } of data.deployed) {
    byId("files").append(make("h3", {}, name), make("pre", { tabindex: "0", "aria-label": name }, text));
  }
  byId("files").hidden = data.deployed.length === 0;
  for (const warning of data.warnings) byId("warnings").append(make("li", {}, "Warning: " + warning));
  byId("warnings").hidden = data.warnings.length === 0;

  for (const id of ["measured", "tree", "penalty"]) plane(id);
  legend("methods", data.legend);
  legend("bands", data.shades);
  controls();
  show({ measured: data.measured });
  showSweep();
  showStep();
})();
