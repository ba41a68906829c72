declare global {
  interface JSON {
    /** ECMAScript 2025: a value that JSON.stringify writes as the very text it was made of. */
    rawJSON(text: string): ExactNumber;
  }
}

declare const exact: unique symbol;

/** A JSON number with every digit it was given; no float stands between. */
export interface ExactNumber {
  readonly [exact]: true;
}

/** A JSON number from a decimal text such as "10.500000000000000001". */
export function exactNumber(decimal: string): ExactNumber {
  return JSON.rawJSON(decimal);
}

/** The one serializer of everything merchants receive: answers and callbacks have the same bytes for the same value. */
export function writeJson(value: object): string {
  return JSON.stringify(value);
}
