import path from "node:path";
import { importsOf } from "./syntax.mjs";

/** Next's routes lie where their URL says, so that they import `app/` and are mounted by it. */
const BY_URL = /^app(?:\/|$)/;

/**
 * Returns the groups of folders that need each other. A folder holds only the files directly in it, so that a parent and its
 * child are two folders. Tests and `app/`, whose folders are URLs, do not count.
 * @returns {string[][]}
 */
export function folderCycles(files) {
  const known = new Set(files.map((file) => file.path));
  const graph = new Map();
  for (const file of files) {
    const from = path.posix.dirname(file.path);
    const needed = graph.get(from) ?? new Set();
    graph.set(from, needed);
    for (const name of importsOf(file)) {
      const target = resolve(known, file.path, name);
      if (target) needed.add(path.posix.dirname(target));
    }
    needed.delete(from);
  }
  return stronglyConnected(graph).filter((group) => group.length > 1 && !group.some((folder) => BY_URL.test(folder)));
}

function resolve(known, from, name) {
  const base = name.startsWith("@/")
    ? name.slice(2)
    : name.startsWith(".")
      ? path.posix.join(path.posix.dirname(from), name)
      : null;
  return base && [base, `${base}.ts`, `${base}.tsx`].find((file) => known.has(file));
}

/** Tarjan's algorithm. */
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
