import { readFileSync } from "node:fs";

/** Returns the value of a JSON file with the paths of repeated keys, or the reason why it cannot be read. */
export function readJsonFile(file: string): { value: unknown; repeated: string[] } | { problem: string } {
  try {
    const text = readFileSync(file, "utf8");
    return { value: JSON.parse(text), repeated: repeatedKeys(text) };
  } catch (error) {
    return { problem: problemOf(file, error) };
  }
}

function problemOf(file: string, error: unknown): string {
  if (error instanceof SyntaxError) return `${file} is not valid JSON: ${error.message}`;
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  if (code !== "ENOENT") return `${file} cannot be read (${code}); it must be a JSON file that this user may read`;
  return `there is no file ${file} in ${process.cwd()}; correct the path, or omit the setting`;
}

/** Returns the paths of repeated keys, because JSON.parse silently uses the last value. `text` is valid JSON. */
function repeatedKeys(text: string): string[] {
  const open: { keys: Set<string>; key: string; isObject: boolean }[] = [];
  const found: string[] = [];
  let string: string | null = null;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    const inner = open.at(-1);
    if (token === "{" || token === "[") open.push({ keys: new Set(), key: "", isObject: token === "{" });
    else if (token === "}" || token === "]") open.pop();
    else if (token !== ":") string = String(JSON.parse(token));
    else if (inner?.isObject && string !== null) {
      inner.key = string;
      if (inner.keys.has(string)) found.push(open.flatMap(({ key }) => key || []).join("."));
      inner.keys.add(string);
    }
  }
  return found;
}
