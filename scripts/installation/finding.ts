import * as z from "zod";

/** The result of one check of the doctor. */
export interface Finding {
  about: string;
  isWell: boolean;
  text: string;
  /** The action that solves the problem; omitted if there is no problem. */
  remedy?: string | undefined;
}

/** Returns the finding of a passed check. */
export const good = (about: string, text: string): Finding => ({ about, isWell: true, text });

/** Returns the finding of a failed check, with its remedy. */
export const bad = (about: string, text: string, remedy: string): Finding => ({ about, isWell: false, text, remedy });

/** Returns a finding as one line, followed by its remedy. */
export function lineOf({ about, isWell, text, remedy }: Finding): string {
  return `${isWell ? "ok   " : "WRONG"} ${about}: ${text}${remedy ? `\n      → ${remedy}` : ""}`;
}

/** Returns an error as one line: its code, or its message. A value that fails validation is described, never printed as JSON. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && typeof error.code === "string" && error.code) return error.code;
  const message = error instanceof z.ZodError ? `unexpected response: ${z.prettifyError(error)}` : error.message;
  return message.replaceAll(/\s*\n\s*/g, " ").slice(0, 200);
}
