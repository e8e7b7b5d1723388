"use strict";
// Where ranks are drawn, and along which lines messages go: in units of the distance of neighbors.

/** A layout: places by rank, the frame they fill, and paths(source, target) as lists of straight lines. */
function layout_of({ kind, extents, senders }, ranks) {
  if (kind === "torus") return torus_layout(extents, ranks);
  if (kind === "groups") return groups_layout(senders, ranks);
  return circle_layout(ranks);
}

function circle_layout(ranks) {
  const radius = Math.max(1, ranks / (2 * Math.PI));
  const places = Array.from({ length: ranks }, (_, r) => {
    const angle = (2 * Math.PI * r) / ranks - Math.PI / 2;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  return { ...with_lines(places, Math.max(0.8, 0.13 * radius)), circle: true };
}

/** Senders in a column on the left, receivers on the right. Long columns are folded. */
function groups_layout(senders, ranks) {
  const most = Math.max(senders, ranks - senders);
  const columns = Math.ceil(most / 24);
  const rows = Math.ceil(most / columns);
  const gap = columns + Math.max(2, rows * 0.6);
  const places = Array.from({ length: ranks }, (_, r) => {
    const i = r < senders ? r : r - senders;
    const count = r < senders ? senders : ranks - senders;
    const tall = Math.min(rows, count);
    return [Math.floor(i / rows) + (r < senders ? 0 : gap), (i % rows) - (tall - 1) / 2];
  });
  return with_lines(places, 0.8);
}

/** Two dimensions lie as a grid, three as slices beside each other. A message over the edge leaves on one side and comes
 *  in on the other. */
function torus_layout(extents, ranks) {
  const [slices, rows, columns] = extents.length === 3 ? extents : [1, ...extents];
  const wide = Math.ceil(Math.sqrt((slices * rows) / columns));
  const [dx, dy] = [columns + 1, rows + 1];
  const origin = (slice) => [(slice % wide) * dx, Math.floor(slice / wide) * dy];
  const at = (r) => [Math.floor(r / (rows * columns)), Math.floor(r / columns) % rows, r % columns];
  const places = Array.from({ length: ranks }, (_, r) => {
    const [slice, row, column] = at(r);
    return [origin(slice)[0] + column, origin(slice)[1] + row];
  });
  const layout = with_lines(places, 0.7);
  layout.frames = Array.from({ length: slices }, (_, s) => [origin(s)[0] - 0.5, origin(s)[1] - 0.5, columns, rows]);
  const shorter = (way, extent) => (Math.abs(way) * 2 <= extent ? way : way - Math.sign(way) * extent);
  layout.paths = (source, target) => {
    const [a, b] = [at(source), at(target)];
    const [p, q] = [places[source], places[target]];
    const across = shorter(b[2] - a[2], columns), down = shorter(b[1] - a[1], rows);
    const direct = across === b[2] - a[2] && down === b[1] - a[1];
    if (a[0] !== b[0] || direct) return [{ line: [p, q], frame: null }];
    // Drawn twice: as it leaves, and as it comes in, each within the frame.
    return [{ line: [p, [p[0] + across, p[1] + down]], frame: layout.frames[a[0]] },
            { line: [[q[0] - across, q[1] - down], q], frame: layout.frames[b[0]] }];
  };
  return layout;
}

function with_lines(places, margin) {
  const xs = places.map((p) => p[0]), ys = places.map((p) => p[1]);
  const low = (all) => all.reduce((a, b) => Math.min(a, b)) - margin, high = (all) => all.reduce((a, b) => Math.max(a, b)) + margin;
  return { places, frames: [], box: [low(xs), low(ys), high(xs), high(ys)],
           paths: (source, target) => [{ line: [places[source], places[target]], frame: null }] };
}
