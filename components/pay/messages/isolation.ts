import type { Messages } from "@/components/pay/messages/en";

/** The placeholder for an element in a message, where other placeholders stand for text. */
export const SLOT = "\ue000";
/** The characters around a text whose direction is isolated from its sentence. */
export const ISOLATES = /[\u2068\u2069]/;

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** The invisible characters that change the direction of the text around them. They are not allowed in a merchant's name. */
const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns the messages with the direction of each inserted text isolated from its sentence, if one of the two is written from right to
 * left. The currency then stays after the amount, and a name does not change the direction of the words around it.
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
