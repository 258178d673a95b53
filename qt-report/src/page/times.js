"use strict";

function drawn(tag, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// The unit in which the times of a page have the fewest digits: its name, and how many are one of the map's.
function unitOfTimes({ unit, times }) {
  const units = [["s", 1], ["ms", 1e3], ["µs", 1e6], ["ns", 1e9]];
  const own = units.find(([name]) => name === unit);
  if (!own || !times) return [unit, 1];
  const least = Math.min(...times.flat().filter((time) => time > 0));
  const [name, many] = units.find(([, many]) => (least / own[1]) * many >= 1) ?? units[units.length - 1];
  return [name, many / own[1]];
}

// Round numbers from at most `least` to at least `most`: powers of ten, and of few also twice and five times as much.
function roundTimes(least, most) {
  const powers = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power += 1) powers.push(power);
  const all = powers.flatMap((power) => [1, 2, 5].map((factor) => Number(`${factor}e${power}`)));
  const from = all.findLastIndex((time) => time <= least);
  const to = all.findIndex((time, at) => time >= most && at > from);
  const some = all.slice(from, to + 1);
  const tens = some.filter((time) => String(time.toExponential()).startsWith("1e"));
  return { from: some[0], to: some[some.length - 1], ticks: some.length > 7 && tens.length > 1 ? tens : some };
}

// Returns a picture of the times along one side of the plane, or null if there is nothing to draw. A line has the times of a method that
// is the best or the chosen one of some cell, or the baseline. A dot is a sample, and a dashed vertical line is a border of the tree.
function timesAlong({ data, side, cells, choices, borders, selected }) {
  const isNarrow = window.innerWidth < 640;
  const [, factor] = unitOfTimes(data);
  const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = isNarrow ? [360, 240, 56, 26, 8, 38] : [600, 260, 60, 170, 8, 38];
  const DASHES = ["", "8 4", "3 3", "14 4", "6 8"];
  const baselines = data.looks.flatMap(({ baseline }, method) => (baseline ? [method] : []));
  const shown = [...new Set(cells.flatMap((cell) => [data.cells[cell].best, choices[cell]]).concat(baselines))]
    .filter((method) => method !== null);
  const points = (method) => cells
    .map((cell, at) => [side.samples[at], data.times[cell][method] * factor])
    .filter(([, time]) => time > 0);
  const lines = shown.map((method) => [method, points(method)]).filter(([, known]) => known.length > 0);
  if (lines.length === 0) return null;

  const all = lines.flatMap(([, known]) => known.map(([, time]) => time));
  const { from, to, ticks } = roundTimes(Math.min(...all), Math.max(...all));
  const x = (share) => LEFT + share * (WIDTH - LEFT - RIGHT);
  const y = (time) => TOP + (Math.log10(to / time) / Math.log10(to / from)) * (HEIGHT - TOP - BOTTOM);

  const svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `times along ${side.title}` });
  for (const time of ticks) {
    const written = time >= 1e6 || time < 1e-3 ? time.toExponential() : String(time);
    svg.append(drawn("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(time), y2: y(time) }));
    svg.append(drawn("text", { x: LEFT - 6, y: y(time) + 4, "text-anchor": "end" }, written));
  }
  const vertical = (share, kind) =>
    drawn("line", { class: kind, x1: x(share), x2: x(share), y1: TOP, y2: HEIGHT - BOTTOM });
  svg.append(vertical(side.samples[selected], "selected"));
  cells.forEach((cell, at) => {
    if (at > 0 && choices[cell] !== choices[cells[at - 1]]) svg.append(vertical(borders[at], "border"));
  });

  const ends = [];
  for (const [method, known] of lines) {
    const { fill, mark, baseline } = data.looks[method];
    const corners = known.map(([share, time]) => `${x(share)},${y(time)}`);
    const dashes = DASHES[method % DASHES.length];
    svg.append(drawn("path", { class: "casing", d: `M${corners.join("L")}`, "stroke-dasharray": dashes }));
    const line = drawn("polyline", { points: corners.join(" "), stroke: fill, "stroke-dasharray": dashes });
    line.append(drawn("title", {}, data.methods[method]));
    svg.append(line);
    for (const [share, time] of known) svg.append(drawn("circle", { cx: x(share), cy: y(time), r: 3, fill }));
    const [share, time] = known[known.length - 1];
    const name = baseline ? `${data.methods[method]} (baseline)` : data.methods[method];
    const short = name.length > 24 ? `${name.slice(0, 11)}…${name.slice(-12)}` : name;
    ends.push({ at: x(share) + 7, top: y(time), text: isNarrow && mark ? mark : [mark, short].filter(Boolean).join(" ") });
  }
  // Names that would touch are moved down, and all of them up where they would leave the picture.
  ends.sort((one, other) => one.top - other.top);
  ends.forEach((end, at) => { if (at > 0) end.top = Math.max(end.top, ends[at - 1].top + 12); });
  const below = Math.max(0, ends[ends.length - 1].top - (HEIGHT - BOTTOM));
  for (const { at, top, text } of ends) svg.append(drawn("text", { class: "name", x: at, y: top - below + 4 }, text));

  let taken = -Infinity;
  side.names.forEach((name, at) => {
    const [middle, half] = [x(side.samples[at]), 4 * name.length + 2];
    if (middle - half < taken) return;
    taken = middle + half;
    svg.append(drawn("text", { x: middle, y: HEIGHT - 22, "text-anchor": "middle" }, name));
  });
  svg.append(drawn("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, side.title));
  return svg;
}
