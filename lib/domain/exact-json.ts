import { randomUUID } from "node:crypto";

declare global {
  interface JSON {
    /** ECMAScript 2025: a value that JSON.stringify writes as the very text it was made of. */
    rawJSON(text: string): ExactNumber;
  }
}

declare const exact: unique symbol;

/** A JSON number with every digit it was given; no float stands between. */
export type ExactNumber = { readonly [exact]: true };

/** A JSON number from a decimal text such as "10.500000000000000001". */
export function exactNumber(decimal: string): ExactNumber {
  return JSON.rawJSON(decimal);
}

/** Stands in the text of JSON.stringify where a JsonText goes; nobody outside this process can know it. */
const PLACE = `json-text-${randomUUID()}-`;
const PLACES = new RegExp(`"${PLACE}(\\d+)"`, "g");
let placed: string[] = [];

/** JSON that `writeJson` writes as the very text that it is, to the last byte. */
export class JsonText {
  readonly #text: string;

  /** @param text valid JSON */
  constructor(text: string) {
    this.#text = text;
  }

  toJSON(): string {
    return PLACE + (placed.push(this.#text) - 1);
  }
}

/** The one serializer of everything merchants receive: answers and callbacks have the same bytes for the same value. */
export function writeJson(value: object): string {
  placed = [];
  const text = JSON.stringify(value);
  return placed.length === 0 ? text : text.replace(PLACES, (_, index) => placed[Number(index)] ?? "null");
}
