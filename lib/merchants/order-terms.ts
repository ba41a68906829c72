import { z } from "zod";
import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { lockOrderTerms, updateOrderTerms } from "@/db/queries/merchants/merchants";
import { type OrderTerms, TERMS, toTermsForm } from "@/lib/domain/orders/terms";
import type { FieldError } from "@/lib/errors";

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
const OrderTermsForm = z
  .object({
    expiresIn: whole(TERMS.minutes.least, TERMS.minutes.most, "minutes"),
    lateWindow: whole(TERMS.hours.least, TERMS.hours.most, "hours"),
  })
  .transform(
    ({ expiresIn, lateWindow }): OrderTerms => ({
      expiresInSeconds: expiresIn * 60,
      lateWindowSeconds: lateWindow * 3_600,
    }),
  );

interface Change {
  merchantId: string;
  userId: string;
  expiresIn: string;
  lateWindow: string;
}

/** Sets how long orders wait from then on; those that were made keep what they were made with. */
export async function setOrderTerms(
  db: Db,
  { merchantId, userId, ...form }: Change,
  now: Date,
): Promise<true | { errors: FieldError[] }> {
  const read = OrderTermsForm.safeParse(form);
  if (!read.success)
    return { errors: read.error.issues.map(({ path, message }) => ({ field: String(path[0] ?? ""), message })) };
  const terms = read.data;
  await db.transaction(async (tx) => {
    const before = await lockOrderTerms(tx, merchantId);
    if (!before) return;
    const detail = { before: toTermsForm(before), after: toTermsForm(terms) };
    if (JSON.stringify(detail.before) === JSON.stringify(detail.after)) return;
    await updateOrderTerms(tx, merchantId, terms);
    await insertAuditEvent(tx, { merchantId, userId, action: "order_terms.changed", detail }, now);
  });
  return true;
}
