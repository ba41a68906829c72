/** A number in a JSON text, with its original digits. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object in a JSON text, with its original text. */
export class JsonSource {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns a key that occurs twice in one of its objects, at any depth, or null. */
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

/**
 * Yields the brackets and strings of a valid JSON text in order; `end` is the position after each one, and for a key the position after
 * its colon.
 */
function* tokensOf(text: string): Generator<{ token: string; isKey: boolean; end: number }> {
  for (const { 0: all, 1: string, 2: colon, index } of text.matchAll(TOKEN))
    yield { token: string ?? all, isKey: colon !== undefined, end: index + all.length };
}

/**
 * Returns a key that occurs twice in the outermost object of a valid JSON text, or null. Parsers disagree about which of the two values
 * counts.
 */
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

/** Returns the text of the object that a field of a valid JSON text contains. */
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

/** Returns true if a value is an empty array. PHP also encodes an empty object as an empty array. */
export function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

const MAX_SHOWN = 60;

/** Returns a request value as messages show it, shortened to 60 characters. */
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
