import { randomBytes } from "node:crypto";
import { cookies } from "next/headers";
import { encode } from "next-auth/jwt";
import { openCookie, sessionCookie } from "@/app/auth-options";
import { getContext } from "@/app/context";
import { accountHash } from "@/lib/users/sign-in";

const YEAR_SECONDS = 365 * 86_400;
const MAX_ACCOUNTS = 5;
const ID_BYTES = 16;

interface Device {
  id: string;
  /** Hashes of the accounts that this browser signed in to, the most recent first. */
  accounts: string[];
}

const deviceCookie = () => {
  const { options, secret } = sessionCookie(getContext());
  const name = `${options.secure ? "__Host-" : ""}stablegate.device`;
  return { name, secret, salt: "device", maxAge: YEAR_SECONDS, options };
};

/**
 * Returns the id of this browser if it has signed in to an account before, else null. The id grants no access; it only exempts the browser
 * from the limits that other devices share.
 * @param email the email address of the account; null: any account
 */
export async function knownDevice(email: string | null): Promise<string | null> {
  const device = await readDevice();
  return device && (email === null || device.accounts.includes(accountHash(email))) ? device.id : null;
}

/** Records in this browser that it signed in to an account, or that its user has access to the account's mailbox. */
export async function keepDevice(email: string): Promise<void> {
  const { name, secret, salt, maxAge, options } = deviceCookie();
  const before = await readDevice();
  const own = accountHash(email);
  const accounts = [own, ...(before?.accounts ?? []).filter((one) => one !== own)].slice(0, MAX_ACCOUNTS);
  const id = before?.id ?? randomBytes(ID_BYTES).toString("base64url");
  const token = await encode({ token: { sub: id, accounts }, secret, salt, maxAge });
  (await cookies()).set(name, token, { ...options, sameSite: "strict", maxAge });
}

async function readDevice(): Promise<Device | null> {
  const { name, salt } = deviceCookie();
  const token = (await cookies()).get(name)?.value;
  const claim = token ? await openCookie(getContext(), { token, salt }) : null;
  const accounts = claim?.["accounts"];
  if (!claim?.sub || !Array.isArray(accounts)) return null;
  return { id: claim.sub, accounts: accounts.filter((one) => typeof one === "string") };
}
