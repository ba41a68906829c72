import { z } from "zod";
import type { Db } from "@/db/client";
import { hasSharedAddress } from "@/db/queries/merchants/address-settings";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { lockOrderTerms, updateOrderTerms } from "@/db/queries/merchants/merchants";
import { MAX_STEPS, PUBLIC_DECIMALS, parseUnits } from "@/lib/domain/money";
import {
  MIN_SHARED_LATE_WINDOW_SECONDS,
  type OrderRules,
  type OrderTerms,
  TERMS,
  toTermsForm,
} from "@/lib/domain/orders/terms";
import type { Place } from "@/lib/domain/users/place";
import { type FormError, wrong } from "@/lib/errors";

const whole = (least: number, most: number, unit: string) => {
  const message = `Enter a whole number of ${unit} from ${least} to ${most}`;
  return z
    .string()
    .trim()
    .regex(/^\d{1,4}$/, message)
    .transform(Number)
    .pipe(z.number().min(least, message).max(most, message));
};

const AMOUNT = `Enter an amount above 0 with at most ${PUBLIC_DECIMALS} decimals, or nothing`;
const PERCENT = `Enter a percentage from ${TERMS.percent.least} to ${TERMS.percent.most} with at most 2 decimals, or nothing`;

/** A plain decimal above 0 in units of its last decimal; null where nothing is typed. */
const decimal = (decimals: number, least: bigint, most: bigint, message: string) =>
  z
    .string()
    .trim()
    .regex(/^(\d{1,10}(\.\d{1,6})?)?$/, message)
    .transform((text) => (text === "" ? null : (parseUnits(text, decimals) ?? -1n)))
    .refine((units) => units === null || (units >= least && units <= most), message);

const amount = decimal(PUBLIC_DECIMALS, 1n, MAX_STEPS, AMOUNT);
const { minutes, hours, holdMinutes, unpaidDays } = TERMS;
const UNPAID_DAYS = `Enter a whole number of days from ${unpaidDays.least} to ${unpaidDays.most}, or nothing`;
const SHARED_LATE_WINDOW =
  "The late window is 0 hours; it must be at least 1 hour while you have shared receiving addresses";
const DAYS = z
  .string()
  .trim()
  .regex(/^\d{0,4}$/, UNPAID_DAYS)
  .transform((text) => (text === "" ? null : Number(text)))
  .refine((days) => days === null || (days >= unpaidDays.least && days <= unpaidDays.most), UNPAID_DAYS);

/** As a person types them: minutes until an order expires, hours in which a late payment still counts, amounts in any currency. */
const OrderTermsForm = z
  .object({
    expiresIn: whole(minutes.least, minutes.most, "minutes"),
    lateWindow: whole(hours.least, hours.most, "hours"),
    settledHold: whole(holdMinutes.least, holdMinutes.most, "minutes"),
    leastAmount: amount,
    mostAmount: amount,
    tolerancePercent: decimal(2, 1n, 1_000n, PERCENT),
    toleranceAmount: amount,
    unpaidDays: DAYS,
  })
  .transform((form): OrderTerms & Omit<OrderRules, "offMethods"> => ({
    expiresInSeconds: form.expiresIn * 60,
    lateWindowSeconds: form.lateWindow * 3_600,
    settledHoldSeconds: form.settledHold * 60,
    leastMicro: form.leastAmount,
    mostMicro: form.mostAmount,
    toleranceBasisPoints: form.tolerancePercent === null ? null : Number(form.tolerancePercent),
    toleranceMicro: form.toleranceAmount,
    unpaidDays: form.unpaidDays,
  }));

interface Change extends Partial<Record<keyof ReturnType<typeof toTermsForm>, string>> {
  merchantId: string;
  userId: string;
  from?: Place | undefined;
  /** Tokens by `methodName`: those that were to choose from, and those of them that are offered. Left out: as it is. */
  methods?: { listed: readonly string[]; offered: readonly string[] };
}

/**
 * Sets how long orders wait, how much they may ask for and in what; those that were made keep what they were made with. What is tolerated,
 * how long a paid amount is held and how long what nobody paid is kept counts for whatever comes from then on. Fields that are left out stay as they are.
 */
export async function setOrderTerms(
  db: Db,
  { merchantId, userId, from, methods, ...form }: Change,
  now: Date,
): Promise<true | { errors: FormError[] }> {
  return db.transaction(async (tx) => {
    const before = await lockOrderTerms(tx, merchantId);
    if (!before) return true;
    const read = OrderTermsForm.safeParse({ ...toTermsForm(before), ...form });
    if (!read.success)
      return { errors: read.error.issues.map(({ path, message }) => ({ field: String(path[0] ?? ""), message })) };
    const { leastMicro, mostMicro } = read.data;
    if (leastMicro !== null && mostMicro !== null && leastMicro > mostMicro)
      return wrong("mostAmount", "The most must not be below the least");
    const { lateWindowSeconds } = read.data;
    if (lateWindowSeconds < MIN_SHARED_LATE_WINDOW_SECONDS && (await hasSharedAddress(tx, merchantId)))
      return wrong("lateWindow", SHARED_LATE_WINDOW);
    if (methods && methods.listed.length > 0 && methods.offered.length === 0)
      return wrong("offered", "Offer at least one currency on one network: orders could not be paid otherwise");
    const terms = { ...read.data, offMethods: offAfter(before.offMethods, methods) };
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

/** Only what was changed is worth a line. */
function changed({ before, after }: Record<"before" | "after", ReturnType<typeof toTermsForm>>) {
  const names = Object.keys(after) as (keyof typeof after)[];
  const differ = names.filter((name) => before[name] !== after[name]);
  const only = (all: typeof after) => Object.fromEntries(differ.map((name) => [name, all[name]]));
  return { before: only(before), after: only(after) };
}
