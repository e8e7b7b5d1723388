"use strict";
// Where ranks are drawn, and along which lines messages go: in units of the distance of neighbors.

/** A layout: places by rank, the frame they fill, and paths(source, target) as lists of straight lines. */
function layout_of({ kind, extents, senders }, ranks, pairs = []) {
  if (kind === "torus") return torus_layout(extents, ranks);
  if (kind === "groups") return groups_layout(senders, ranks);
  const parents = kind === "circle" ? parents_of(pairs, ranks) : null;
  return parents ? tree_layout(parents) : circle_layout(ranks);
}

const most_leaves = 16;  // of a tree: the numbers of more would be too small to read

/** By rank, its parent in the tree whose edges are all pairs [source, target], away from the root or towards it; null for the
 *  root. Null if the pairs are no tree, or a chain, or a root with its children alone, or a tree with many leaves. */
function parents_of(pairs, ranks) {
  const edges = [...new Set(pairs.map(([source, target]) => `${source} ${target}`))].map((edge) => edge.split(" ").map(Number));
  if (ranks < 4 || edges.length !== ranks - 1) return null;
  for (const [child, parent] of [[1, 0], [0, 1]]) {
    const parents = new Array(ranks).fill(null);
    for (const edge of edges) parents[edge[child]] = edge[parent];
    const depth = (rank, steps = 0) => (parents[rank] === null || steps > ranks ? steps : depth(parents[rank], steps + 1));
    const depths = parents.map((_, rank) => depth(rank));
    const height = Math.max(...depths), is_tree = parents.filter((parent) => parent === null).length === 1 && height < ranks;
    const leaves = parents.filter((_, rank) => !parents.includes(rank)).length;
    if (is_tree && height > 1 && height < ranks - 1 && leaves <= most_leaves) return parents;
  }
  return null;
}

/** A level for each distance from the root. Leaves lie beside each other, and parents above the middle of their children. */
function tree_layout(parents) {
  const children = parents.map(() => []), places = [];
  parents.forEach((parent, rank) => { if (parent !== null) children[parent].push(rank); });
  let leaves = 0;
  const put = (rank, level) => {
    children[rank].forEach((child) => put(child, level + 1));
    const xs = children[rank].map((child) => places[child][0]);
    places[rank] = [xs.length ? (Math.min(...xs) + Math.max(...xs)) / 2 : leaves++, level];
  };
  put(parents.indexOf(null), 0);
  const height = Math.max(...places.map((place) => place[1])), tall = Math.max(1, (0.6 * leaves) / height);
  return with_lines(places.map(([x, y]) => [x, y * tall]), 0.8);
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
