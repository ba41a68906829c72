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

const COLON = /\s*:\s*/y;
const NUMBER = /-?\d[\d.eE+-]*/y;

/**
 * Parses a JSON text that contains an object without objects and lists in it. Every number becomes a JsonNumber. Most requests are such
 * texts, and parsing them with a reviver takes several times as long.
 * @returns null for any other text, and if a key occurs twice or contains an escape
 */
export function parseFlatObject(text: string): JsonObject | null {
  const value = parseObject(text);
  if (value === null) return null;
  let count = 0;
  for (let from = text.indexOf('"'); from >= 0; count++) {
    const to = text.indexOf('"', from + 1);
    const key = text.slice(from + 1, to);
    if (key === "__proto__" || key.includes("\\")) return null;
    const end = readScalar(text, to + 1, value, key);
    if (end < 0) return null;
    from = text.indexOf('"', end);
  }
  return count === Object.keys(value).length ? value : null;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/**
 * Finds the end of a field's value in the text, from the end of its key on, and replaces a number by its JsonNumber.
 * @returns -1 if the value is an object or a list, if it is not the one that was parsed, or if it ends in an escape
 */
function readScalar(text: string, keyEnd: number, value: Record<string, unknown>, key: string): number {
  COLON.lastIndex = keyEnd;
  if (!COLON.test(text)) return -1;
  const start = COLON.lastIndex;
  const given = value[key];
  if (typeof given === "string") {
    const end = text.indexOf('"', start + 1);
    return text[start] === '"' && text[end - 1] !== "\\" ? end + 1 : -1;
  }
  if (typeof given === "number") {
    NUMBER.lastIndex = start;
    const source = NUMBER.exec(text)?.[0];
    if (source === undefined) return -1;
    value[key] = new JsonNumber(source);
    return start + source.length;
  }
  const isWord = (given === null || typeof given === "boolean") && text.startsWith(String(given), start);
  return isWord ? start + String(given).length : -1;
}

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
