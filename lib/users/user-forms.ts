import type { Reading } from "@/lib/domain/fields/field";
import { type FormField, formChoice, formReader, formText } from "@/lib/domain/fields/form";
import { ROLES } from "@/lib/domain/keys/role";
import { problem } from "@/lib/domain/problems/problem";
import { readEmail } from "@/lib/domain/users/email";
import { isEqual } from "@/lib/merchants/vault";
import { validatePassword } from "@/lib/users/password";

const MAX_SHOP_NAME = 100;

const shopName = formText(readShopName);
const email = formText(readEmail);
const role = formChoice(ROLES, problem("role_missing"));

/** The form of a new shop. */
export const SHOP_FORM = { name: shopName };
export const readShopForm = formReader(SHOP_FORM);

/** The form that requests a password reset link. */
export const EMAIL_FORM = { email };

/** The form that invites a user into a shop. */
export const INVITATION_FORM = { email, role };

/** The form of a member's role. */
export const ROLE_FORM = { role };

/** Returns the form of a registration. @param code the set-up code that the first user must enter; null for later users */
export function registrationForm(code: string | null) {
  return {
    code: formText((typed) => readSetUpCode(typed, code)),
    name: shopName,
    email,
    password: formText((typed, form) => readNewPassword(typed, [String(form["email"]), String(form["name"])])),
  };
}

/**
 * Returns a field for a new password.
 * @param context strings that are easy to guess for its user
 */
export function newPassword(context: readonly string[]): FormField<string> {
  return formText((typed) => readNewPassword(typed, context));
}

function readNewPassword(typed: string, context: readonly string[]): Reading<string> {
  const refused = validatePassword(typed, context);
  return refused ? { problem: refused } : { value: typed };
}

function readSetUpCode(typed: string, code: string | null): Reading<string> {
  if (code === null || isEqual(bare(typed), bare(code))) return { value: typed };
  return { problem: problem("setup_secret_wrong") };
}

const bare = (text: string) => text.replace(/[\s-]/g, "").toUpperCase();

function readShopName(typed: string): Reading<string> {
  const name = typed.trim();
  const length = [...name].length;
  return length >= 1 && length <= MAX_SHOP_NAME ? { value: name } : { problem: problem("shop_name_missing") };
}
