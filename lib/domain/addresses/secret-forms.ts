import { type Problem, problem } from "@/lib/domain/problems/problem";

const SECRET = problem("secret_advice");

/** The patterns of texts that may contain a secret that the form does not request, with their problems. */
const PRIVATE: readonly (readonly [RegExp, Problem])[] = [
  [/^[xyztuv]prv[1-9A-HJ-NP-Za-km-z]/i, problem("secret_extended_key", { advice: SECRET })],
  [/^(0x)?[0-9a-f]{64}$/i, problem("secret_private_key", { advice: SECRET })],
  [/^([5KL])[1-9A-HJ-NP-Za-km-z]{50,51}$/, problem("secret_private_key", { advice: SECRET })],
  [/^[a-z]{3,8}(\s+[a-z]{3,8}){11,23}$/i, problem("secret_words", { advice: SECRET })],
];

/** Returns the problem of a text that looks like a secret that can spend funds; null otherwise. The problem does not contain the text. */
export function secretProblem(text: string): Problem | null {
  return PRIVATE.find(([form]) => form.test(text.trim()))?.[1] ?? null;
}
