import { z } from "zod";
import type { Db } from "@/db/client";
import { hasSharedAddress } from "@/db/queries/merchants/address-settings";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { findOrderTerms, lockOrderTerms, updateOrderTerms } from "@/db/queries/merchants/merchants";
import { MAX_STEPS, PUBLIC_DECIMALS, parseUnits } from "@/lib/domain/money";
import {
  MIN_SHARED_LATE_WINDOW_SECONDS,
  type OrderRules,
  type OrderTerms,
  TERMS,
  toTermsForm,
} from "@/lib/domain/orders/terms";
import { type FieldError, fieldError, type Problem, problem, refuse } from "@/lib/domain/problems/problem";
import type { Place } from "@/lib/domain/users/place";

const whole = (least: number, most: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,4}$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most));

/** A plain decimal above 0 in units of its last decimal; null where nothing is typed. */
const decimal = (decimals: number, least: bigint, most: bigint) =>
  z
    .string()
    .trim()
    .regex(/^(\d{1,10}(\.\d{1,6})?)?$/)
    .transform((text) => (text === "" ? null : (parseUnits(text, decimals) ?? -1n)))
    .refine((units) => units === null || (units >= least && units <= most));

const amount = decimal(PUBLIC_DECIMALS, 1n, MAX_STEPS);
const { minutes, hours, holdMinutes, unpaidDays } = TERMS;
const DAYS = z
  .string()
  .trim()
  .regex(/^\d{0,4}$/)
  .transform((text) => (text === "" ? null : Number(text)))
  .refine((days) => days === null || (days >= unpaidDays.least && days <= unpaidDays.most));

/** As a person types them: minutes until an order expires, hours in which a late payment still counts, amounts in any currency. */
const OrderTermsForm = z
  .object({
    expiresIn: whole(minutes.least, minutes.most),
    lateWindow: whole(hours.least, hours.most),
    settledHold: whole(holdMinutes.least, holdMinutes.most),
    leastAmount: amount,
    mostAmount: amount,
    tolerancePercent: decimal(2, 1n, 1_000n),
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

const AMOUNT = problem("amount_malformed", { decimals: PUBLIC_DECIMALS });

/** The problem of each field that cannot be read. */
const PROBLEMS: Readonly<Record<keyof z.input<typeof OrderTermsForm>, Problem>> = {
  expiresIn: problem("minutes_out_of_range", { min: minutes.least, max: minutes.most }),
  lateWindow: problem("hours_out_of_range", { min: hours.least, max: hours.most }),
  settledHold: problem("minutes_out_of_range", { min: holdMinutes.least, max: holdMinutes.most }),
  leastAmount: AMOUNT,
  mostAmount: AMOUNT,
  tolerancePercent: problem("percentage_malformed", { min: TERMS.percent.least, max: TERMS.percent.most }),
  toleranceAmount: AMOUNT,
  unpaidDays: problem("days_out_of_range", { min: unpaidDays.least, max: unpaidDays.most }),
};

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
): Promise<true | { errors: FieldError[] }> {
  return db.transaction(async (tx) => {
    const before = await lockOrderTerms(tx, merchantId);
    if (!before) return true;
    const read = OrderTermsForm.safeParse({ ...toTermsForm(before), ...form });
    if (!read.success)
      return { errors: read.error.issues.map(({ path: [field] }) => toFieldError(field as keyof typeof PROBLEMS)) };
    const { leastMicro, mostMicro } = read.data;
    if (leastMicro !== null && mostMicro !== null && leastMicro > mostMicro)
      return refuse("mostAmount", problem("maximum_below_minimum"));
    const { lateWindowSeconds } = read.data;
    if (lateWindowSeconds < MIN_SHARED_LATE_WINDOW_SECONDS && (await hasSharedAddress(tx, merchantId)))
      return refuse("lateWindow", problem("late_window_missing"));
    if (methods && methods.listed.length > 0 && methods.offered.length === 0)
      return refuse("offered", problem("no_method_offered"));
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

function toFieldError(field: keyof typeof PROBLEMS): FieldError {
  return fieldError(field, PROBLEMS[field]);
}

/** Returns for how many seconds after an order expires a merchant still accepts its payment; 0 if the merchant is unknown. */
export async function findLateWindow(db: Db, merchantId: string): Promise<number> {
  return (await findOrderTerms(db, merchantId))?.lateWindowSeconds ?? 0;
}
