import path from "node:path";

/**
 * Returns the groups of folders that import each other, directly or through others. A folder holds only the files directly in
 * it: a parent and its child are two folders.
 * @param {Iterable<readonly [from: string, to: string]>} imports paths of files, from the root
 * @returns {string[][]}
 */
export function folderCycles(imports) {
  const graph = new Map();
  for (const [from, to] of imports) {
    const folder = path.posix.dirname(from);
    const imported = graph.get(folder) ?? new Set();
    graph.set(folder, imported);
    if (path.posix.dirname(to) !== folder) imported.add(path.posix.dirname(to));
  }
  return stronglyConnected(graph).filter((group) => group.length > 1);
}

/** Returns the strongly connected components of a graph (Tarjan's algorithm). */
function stronglyConnected(graph) {
  const order = new Map();
  const low = new Map();
  const stack = [];
  const groups = [];
  const enter = (folder) => {
    order.set(folder, order.size);
    low.set(folder, order.get(folder));
    stack.push(folder);
    for (const next of graph.get(folder) ?? []) {
      if (!order.has(next)) enter(next);
      if (stack.includes(next)) low.set(folder, Math.min(low.get(folder), low.get(next)));
    }
    if (low.get(folder) === order.get(folder)) groups.push(stack.splice(stack.indexOf(folder)).toSorted());
  };
  for (const folder of graph.keys()) if (!order.has(folder)) enter(folder);
  return groups;
}
