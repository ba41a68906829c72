import type { Reading } from "@/lib/domain/fields/field";
import { formText } from "@/lib/domain/fields/form";
import { problem } from "@/lib/domain/problems/problem";

const MAX_LENGTH = 200;

/** The form of the reason for a manual change of an order. */
export const REASON_FORM = { reason: formText(readReason) };

/** Reads a reason without surrounding white space. */
export function readReason(typed: string): Reading<string> {
  const reason = typed.trim();
  const { length } = [...reason];
  if (length === 0) return { problem: problem("reason_missing") };
  return length <= MAX_LENGTH ? { value: reason } : { problem: problem("text_too_long", { max: MAX_LENGTH }) };
}
