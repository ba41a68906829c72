import type { Db } from "@/db/client";
import { setSessionShop } from "@/db/queries/users/sessions";
import type { Env } from "@/lib/config/env";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { insertShop } from "@/lib/users/register";
import type { Person } from "@/lib/users/session";
import { readShopForm } from "@/lib/users/user-forms";

const MAX_SHOPS = 50;

/** Switches a session to a different shop of its user. Returns false if the user does not belong to that shop. */
export async function switchShop(
  db: Db,
  person: Pick<Person, "session" | "shops">,
  merchantId: string,
): Promise<boolean> {
  if (!person.shops.some(({ id }) => id === merchantId)) return false;
  await setSessionShop(db, person.session.id, merchantId);
  return true;
}

/** Returns true if a user may create shops of their own: the operator, or all users if registration is open. */
export function mayMakeShop(person: Pick<Person, "isOperator">, { registration }: Pick<Env, "registration">): boolean {
  return person.isOperator || registration === "open";
}

/** Creates a shop that the user owns, and switches their session to it. */
export async function makeShop(
  db: Db,
  env: Pick<Env, "registration">,
  person: Pick<Person, "user" | "session" | "shops" | "isOperator"> & { from?: RequestOrigin | undefined },
  name: string,
  now: Date,
): Promise<true | { errors: FieldError[] }> {
  if (!mayMakeShop(person, env)) return refuse("", problem("shop_creation_closed"));
  const shop = readShopForm({ name });
  if ("errors" in shop) return shop;
  if (person.shops.length >= MAX_SHOPS) return refuse("", problem("too_many_shops", { max: MAX_SHOPS }));
  await db.transaction(async (tx) => {
    const merchantId = await insertShop(
      tx,
      { ...shop, userId: person.user.id, email: person.user.email, from: person.from },
      now,
    );
    await setSessionShop(tx, person.session.id, merchantId);
  });
  return true;
}
