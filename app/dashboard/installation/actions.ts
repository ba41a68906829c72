"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { readForm, textOf } from "@/app/form-fields";
import { CLOSING_FORM } from "@/lib/domain/networks/closure";
import { type FieldError, type Problem, problem, refuse } from "@/lib/domain/problems/problem";
import { closeNetwork, reopenNetwork } from "@/lib/networks/close-network";

type Answer = Promise<{ ok: true } | { errors: FieldError[] }>;

const ONLY_OPERATORS = problem("operator_required");

/** Closes a network after the operator confirmed their identity. */
export async function close(form: FormData): Answer {
  const read = readForm(form, CLOSING_FORM);
  if ("errors" in read) return read;
  return change(form, "reason", (db, request, now) => closeNetwork(db, { ...request, ...read }, now));
}

/** Reopens a network after the operator confirmed their identity. */
export async function reopen(form: FormData): Answer {
  return change(form, "", reopenNetwork);
}

type Request = Parameters<typeof reopenNetwork>[1];
type Change = (
  db: Parameters<typeof reopenNetwork>[0],
  request: Request,
  now: Date,
) => Promise<object | { problem: Problem }>;

async function change(form: FormData, field: string, run: Change): Answer {
  const confirmed = await confirmChange(form, "look");
  if ("errors" in confirmed) return confirmed;
  const { db, who, person, now } = confirmed;
  if (!person.isOperator) return refuse("", ONLY_OPERATORS);
  const by = { userId: who.userId, name: person.user.email, from: who.from };
  const done = await run(db, { network: textOf(form, "network"), by }, now);
  if ("problem" in done) return refuse(field, done.problem);
  revalidatePath("/dashboard", "layout");
  return { ok: true };
}
