/** A number of a JSON text, with the digits in which it was written. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object of a JSON text, with the text in which it was written. */
export class JsonSource {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns a key that one of its objects, at any depth, has twice, or null. */
  repeatedKey(): string | null {
    const open: (Set<string> | null)[] = [];
    for (const { token, isKey } of tokensOf(this.text)) {
      if (token === "{" || token === "[") open.push(token === "{" ? new Set() : null);
      else if (token === "}" || token === "]") open.pop();
      else if (isKey) {
        const key = JSON.parse(token) as string;
        if (open.at(-1)?.has(key)) return key;
        open.at(-1)?.add(key);
      }
    }
    return null;
  }
}

const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[[\]{}]/g;

/** Yields the brackets and strings of a valid JSON text in turn; `end` is the position after each, and after the colon of a key. */
function* tokensOf(text: string): Generator<{ token: string; isKey: boolean; end: number }> {
  for (const { 0: all, 1: string, 2: colon, index } of text.matchAll(TOKEN))
    yield { token: string ?? all, isKey: colon !== undefined, end: index + all.length };
}

/** Returns a key that the outermost object of a valid JSON text has twice, or null. Parsers disagree about which of the two counts. */
export function repeatedField(text: string): string | null {
  const fields = new Set<string>();
  let depth = 0;
  for (const { token, isKey } of tokensOf(text)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (isKey && depth === 1) {
      const field = JSON.parse(token) as string;
      if (fields.has(field)) return field;
      fields.add(field);
    }
  }
  return null;
}

/** Returns the text of the object that a field of a valid JSON text holds. */
export function cutObject(text: string, field: string): JsonSource {
  let depth = 0;
  let from = -1;
  let cutOut = "";
  for (const { token, isKey, end } of tokensOf(text)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (isKey && depth === 1 && JSON.parse(token) === field) {
      from = end;
    }
    if (cutOut === "" && from >= 0 && depth === 1 && token === "}") cutOut = text.slice(from, end).trim();
  }
  return new JsonSource(cutOut);
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a value is an array without entries, which PHP also writes where an empty object is meant. */
export function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

const MAX_SHOWN = 60;

/** Returns a value of a request as messages show it, shortened to 60 characters. */
export function seen(given: unknown): string {
  if (given instanceof JsonNumber) return shorten(given.text);
  if (typeof given === "string") return JSON.stringify(shorten(given));
  if (Array.isArray(given)) return "(a list)";
  return typeof given === "object" && given !== null ? "(an object)" : String(given);
}

function shorten(given: string): string {
  const characters = [...given.slice(0, 2 * MAX_SHOWN + 2)];
  return characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join("")}…` : given;
}
