"use strict";

// Returns a picture of the times along one side of the plane, or null if there is nothing to draw. A line has the times of a method that
// is the best or the chosen one of some cell, a dot is a sample, and a dashed line is a border of the tree.
function timesAlong({ data, side, cells, choices, borders, selected }) {
  const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [480, 240, 64, 8, 8, 34];
  const shown = [...new Set(cells.flatMap((cell) => [data.cells[cell].best, choices[cell]]))]
    .filter((method) => method !== null);
  const points = (method) => cells
    .map((cell, at) => [side.samples[at], data.times[cell][method]])
    .filter(([, time]) => time > 0);
  const lines = shown.map((method) => [method, points(method)]).filter(([, known]) => known.length > 0);
  if (lines.length === 0) return null;

  const all = lines.flatMap(([, known]) => known.map(([, time]) => Math.log10(time)));
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const span = most - least || 1;
  const x = (share) => LEFT + share * (WIDTH - LEFT - RIGHT);
  const y = (power) => TOP + (0.05 + 0.9 * (most - power) / span) * (HEIGHT - TOP - BOTTOM);

  const drawn = (tag, attributes, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `times along ${side.title}` });
  const vertical = (share, kind) =>
    drawn("line", { class: kind, x1: x(share), x2: x(share), y1: TOP, y2: HEIGHT - BOTTOM });

  svg.append(vertical(side.samples[selected], "selected"));
  cells.forEach((cell, at) => {
    if (at > 0 && choices[cell] !== choices[cells[at - 1]]) svg.append(vertical(borders[at], "border"));
  });
  for (const [method, known] of lines) {
    const stroke = data.legend.find(({ text }) => text === data.methods[method])?.fill ?? "currentColor";
    const corners = known.map(([share, time]) => `${x(share)},${y(Math.log10(time))}`);
    const line = drawn("polyline", { points: corners.join(" "), stroke });
    line.append(drawn("title", {}, data.methods[method]));
    svg.append(line);
    for (const [share, time] of known) svg.append(drawn("circle", { cx: x(share), cy: y(Math.log10(time)), r: 2.5, fill: stroke }));
  }

  const MOST = 8;
  const every = Math.ceil(side.names.length / MOST);
  side.names.forEach((name, at) => {
    if (at % every === 0) svg.append(drawn("text", { x: x(side.samples[at]), y: HEIGHT - 18, "text-anchor": "middle" }, name));
  });
  for (const power of [least, (least + most) / 2, most]) {
    const time = 10 ** power;
    const written = time >= 1e5 || time < 1e-3 ? time.toExponential(1) : String(Number(time.toPrecision(3)));
    svg.append(drawn("text", { x: LEFT - 6, y: y(power) + 4, "text-anchor": "end" }, written));
  }
  svg.append(drawn("text", { x: (LEFT + WIDTH) / 2, y: HEIGHT - 3, "text-anchor": "middle" }, side.title));
  return svg;
}
