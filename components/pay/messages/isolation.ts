import type { Messages } from "@/components/pay/messages/en";

/** Stands in a message for an element, as words do elsewhere. */
export const SLOT = "\ue000";
/** Around what is kept apart from the sentence that it stands in. */
export const ISOLATES = /[\u2068\u2069]/;

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Invisible characters that turn the text around them: no name of a merchant may do so. */
const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * The same messages, with every text that is put into a sentence kept apart from it where one of them runs from right to left: an
 * amount keeps its currency behind it, and a name does not turn the words around it.
 */
export function isolating<T extends Messages>(messages: T): T {
  const entries = Object.entries(messages).map(([key, message]) => [
    key,
    typeof message === "function" ? isolatingOne(message as Message, messages.dir) : message,
  ]);
  return Object.fromEntries(entries) as T;
}

type Message = (...values: (string | number)[]) => string;

function isolatingOne(message: Message, dir: Messages["dir"]): Message {
  return (...values) => message(...values.map((value) => (typeof value === "string" ? isolated(value, dir) : value)));
}

function isolated(value: string, dir: Messages["dir"]): string {
  if (value === SLOT) return value;
  const text = value.replace(CONTROLS, "");
  return dir === "rtl" || RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}
