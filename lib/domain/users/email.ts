import type { Reading } from "@/lib/domain/fields/field";
import { problem } from "@/lib/domain/problems/problem";

const MAX_LENGTH = 254;
const EMAIL = /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

/** Reads an email address without surrounding white space. Its case is preserved. */
export function readEmail(typed: string): Reading<string> {
  const email = typed.trim();
  if (email === "") return { problem: problem("email_missing") };
  if (email.length <= MAX_LENGTH && EMAIL.test(email)) return { value: email };
  return { problem: problem("email_malformed", { given: email.slice(0, 60) }) };
}
