"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { textOf } from "@/app/form-fields";
import type { FormError } from "@/lib/errors";
import { wrong } from "@/lib/errors";
import { closeNetwork, reopenNetwork } from "@/lib/networks/close-network";

type Answer = Promise<{ ok: true } | { errors: FormError[] }>;

const ONLY_OPERATORS = "Only an operator of this installation may do this";

/** Closes a network once the operator proved again who they are. */
export async function close(form: FormData): Answer {
  const reason = textOf(form, "reason").trim();
  if (reason === "") return wrong("reason", "Enter a reason");
  return change(form, "reason", (db, request, now) => closeNetwork(db, { ...request, reason }, now));
}

/** Reopens a network once the operator proved again who they are. */
export async function reopen(form: FormData): Answer {
  return change(form, "", reopenNetwork);
}

type Request = Parameters<typeof reopenNetwork>[1];
type Change = (db: Parameters<typeof reopenNetwork>[0], request: Request, now: Date) => Promise<object>;

async function change(form: FormData, field: string, run: Change): Answer {
  const confirmed = await confirmChange(form, "look");
  if ("errors" in confirmed) return confirmed;
  const { db, who, person, now } = confirmed;
  if (!person.isOperator) return wrong("", ONLY_OPERATORS);
  const by = { userId: who.userId, name: person.user.email, from: who.from };
  const done = await run(db, { network: textOf(form, "network"), by }, now);
  if ("problem" in done) return wrong(field, String(done.problem));
  revalidatePath("/dashboard", "layout");
  return { ok: true };
}
