/** What holds of orders that say nothing else. */
export interface OrderTerms {
  expiresInSeconds: number;
  /** How long after that an amount is still held for its order. */
  lateWindowSeconds: number;
}

const [MINUTE, HOUR] = [60, 3_600];
export const TERMS = { minutes: { least: 5, most: 1_440 }, hours: { least: 0, most: 720 } } as const;

/** Terms as the form shows them; a part of a unit is rounded. */
export function toTermsForm({ expiresInSeconds, lateWindowSeconds }: OrderTerms) {
  return {
    expiresIn: String(Math.round(expiresInSeconds / MINUTE)),
    lateWindow: String(Math.round(lateWindowSeconds / HOUR)),
  };
}
