import path from "node:path";
import { importsOf } from "./syntax.mjs";

/** Returns the imports between files of a source tree. */
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
