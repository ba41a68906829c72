import type { Db } from "@/db/client";
import { hasSharedAddress } from "@/db/queries/merchants/address-settings";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { findOrderTerms, lockOrderTerms, updateOrderTerms } from "@/db/queries/merchants/merchants";
import type { FormTexts } from "@/lib/domain/fields/form";
import { MIN_SHARED_LATE_WINDOW_SECONDS, toTermsForm } from "@/lib/domain/orders/terms";
import { type ORDER_TERMS_FORM, readTermsForm } from "@/lib/domain/orders/terms-form";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";

interface Change extends Partial<FormTexts<typeof ORDER_TERMS_FORM>> {
  merchantId: string;
  userId: string;
  from?: RequestOrigin | undefined;
  /** The listed tokens, and those of them that the shop offers, by `methodName`. Absent: unchanged. */
  methods?: { listed: readonly string[]; offered: readonly string[] };
}

/**
 * Sets the times, limits and methods of a shop's orders; existing orders keep theirs. Tolerance, the hold after payment and the deletion
 * of unpaid orders apply to all orders from then on. Absent fields are unchanged.
 */
export async function setOrderTerms(
  db: Db,
  { merchantId, userId, from, methods, ...form }: Change,
  now: Date,
): Promise<true | { errors: FieldError[] }> {
  return db.transaction(async (tx) => {
    const before = await lockOrderTerms(tx, merchantId);
    if (!before) return true;
    const read = readTermsForm({ ...toTermsForm(before), ...form });
    if ("errors" in read) return read;
    const { minMicro, maxMicro, lateWindowSeconds } = read.terms;
    if (minMicro !== null && maxMicro !== null && minMicro > maxMicro)
      return refuse("maxAmount", problem("maximum_below_minimum"));
    if (lateWindowSeconds < MIN_SHARED_LATE_WINDOW_SECONDS && (await hasSharedAddress(tx, merchantId)))
      return refuse("lateWindow", problem("late_window_missing"));
    if (methods && methods.listed.length > 0 && methods.offered.length === 0)
      return refuse("offered", problem("no_method_offered"));
    const terms = { ...read.terms, offMethods: offAfter(before.offMethods, methods) };
    const detail = { before: toTermsForm(before), after: toTermsForm(terms) };
    if (JSON.stringify(detail.before) === JSON.stringify(detail.after)) return true;
    await updateOrderTerms(tx, merchantId, terms);
    await insertAuditEvent(
      tx,
      { merchantId, userId, from, action: "order_terms.changed", detail: changed(detail) },
      now,
    );
    return true;
  });
}

function offAfter(before: readonly string[], methods: Change["methods"]): readonly string[] {
  if (!methods) return before;
  const { listed, offered } = methods;
  const off = listed.filter((name) => !offered.includes(name));
  return [...new Set([...before.filter((name) => !listed.includes(name)), ...off])].sort();
}

/** Returns only the changed fields for the audit entry. */
function changed({ before, after }: Record<"before" | "after", ReturnType<typeof toTermsForm>>) {
  const names = Object.keys(after) as (keyof typeof after)[];
  const differ = names.filter((name) => before[name] !== after[name]);
  const only = (all: typeof after) => Object.fromEntries(differ.map((name) => [name, all[name]]));
  return { before: only(before), after: only(after) };
}

/** Returns the number of seconds after an order expires during which a merchant still accepts its payment; 0 if the merchant is unknown. */
export async function findLateWindow(db: Db, merchantId: string): Promise<number> {
  return (await findOrderTerms(db, merchantId))?.lateWindowSeconds ?? 0;
}
