import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { lockOrderTerms, updateOrderTerms } from "@/db/queries/merchants/merchants";
import { OrderTermsForm, toTermsForm } from "@/lib/domain/orders/terms";
import type { FieldError } from "@/lib/errors";

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
