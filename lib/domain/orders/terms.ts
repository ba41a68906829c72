import { z } from "zod";

/** What holds of orders that say nothing else. */
export interface OrderTerms {
  expiresInSeconds: number;
  /** How long after that an amount is still held for its order. */
  lateWindowSeconds: number;
}

const [MINUTE, HOUR] = [60, 3_600];
export const TERMS = { minutes: { least: 5, most: 1_440 }, hours: { least: 0, most: 720 } } as const;

const whole = (least: number, most: number, unit: string) => {
  const message = `Enter a whole number of ${unit} from ${least} to ${most}`;
  return z
    .string()
    .trim()
    .regex(/^\d{1,4}$/, message)
    .transform(Number)
    .pipe(z.number().min(least, message).max(most, message));
};

/** As a person types them: minutes until an order expires, hours in which a late payment still counts. */
export const OrderTermsForm = z
  .object({
    expiresIn: whole(TERMS.minutes.least, TERMS.minutes.most, "minutes"),
    lateWindow: whole(TERMS.hours.least, TERMS.hours.most, "hours"),
  })
  .transform(
    ({ expiresIn, lateWindow }): OrderTerms => ({
      expiresInSeconds: expiresIn * MINUTE,
      lateWindowSeconds: lateWindow * HOUR,
    }),
  );

/** Terms as the form shows them; a part of a unit is rounded. */
export function toTermsForm({ expiresInSeconds, lateWindowSeconds }: OrderTerms) {
  return {
    expiresIn: String(Math.round(expiresInSeconds / MINUTE)),
    lateWindow: String(Math.round(lateWindowSeconds / HOUR)),
  };
}
