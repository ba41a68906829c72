import path from "node:path";
import { importsOf } from "./syntax.mjs";

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

/** Returns the imports of files by files of a source tree. */
export function importsBetween(files) {
  const known = new Set(files.map((file) => file.path));
  return files.flatMap((file) =>
    importsOf(file).flatMap((name) => {
      const target = resolve(known, file.path, name);
      return target ? [[file.path, target]] : [];
    }),
  );
}

function resolve(known, from, name) {
  const base = pathOf(from, name);
  return base && [base, `${base}.ts`, `${base}.tsx`].find((file) => known.has(file));
}

function pathOf(from, name) {
  if (name.startsWith("@/")) return name.slice(2);
  return name.startsWith(".") ? path.posix.join(path.posix.dirname(from), name) : null;
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
