const SECRET =
  "This can spend your money. It is not stored and was not written to any log, but it was sent: move your money to a new wallet, and give the extended PUBLIC key, which begins with xpub";

/** What somebody typed who gave away more than was asked for. */
const PRIVATE: readonly (readonly [RegExp, string])[] = [
  [/^[xyztuv]prv[1-9A-HJ-NP-Za-km-z]/i, `That is an extended PRIVATE key. ${SECRET}`],
  [/^(0x)?[0-9a-f]{64}$/i, `That has the form of a private key. ${SECRET}`],
  [/^([5KL])[1-9A-HJ-NP-Za-km-z]{50,51}$/, `That has the form of a private key. ${SECRET}`],
  [/^[a-z]{3,8}(\s+[a-z]{3,8}){11,23}$/i, `Those are the words of a wallet. ${SECRET}`],
];

/** What is wrong with a text that has the form of something that can spend, in words that do not repeat it; null where it has none. */
export function secretProblem(text: string): string | null {
  return PRIVATE.find(([form]) => form.test(text.trim()))?.[1] ?? null;
}
