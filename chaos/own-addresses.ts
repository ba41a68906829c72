import { pbkdf2Sync } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { eq } from "drizzle-orm";
import { OWN_SOURCES, type OwnSource } from "@/chaos/plan/steps";
import { addSellerAddress, type Seller, TOLERANCE_MICRO } from "@/chaos/sellers";
import type { Db } from "@/db/client";
import { addressSources, merchants, receiverTrials } from "@/db/schema";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { ACCOUNT_PATHS, deriveAddresses, type XpubFamily } from "@/lib/domain/addresses/xpub";
import type { Network } from "@/lib/domain/networks";
import { inEnglish } from "@/lib/domain/problems/in-english";
import type { FieldError } from "@/lib/domain/problems/problem";
import { createLog } from "@/lib/log";
import { addSource } from "@/lib/merchants/address-sources";
import { createAddressTender } from "@/lib/merchants/derive-addresses";
import { addTreasury, tryReceivers } from "@/lib/receivers/treasuries";

/** A merchant's wallet, whose keys only this program has. It is derived from the mnemonic that every wallet test uses. */
const WALLET = HDKey.fromMasterSeed(pbkdf2Sync(`${"abandon ".repeat(11)}about`, "mnemonic", 2_048, 64, "sha512"));
const xpubOf = (family: XpubFamily) => WALLET.derive(ACCOUNT_PATHS[family]).publicExtendedKey;

/** The maximum number of derived addresses. It is low enough that some orders find none and use the shared address. */
const MAX = 60;
/**
 * The number of accounts that can pay for their own transactions. After a restore, addresses at later indexes are derived, whose accounts
 * cannot pay.
 */
export const PAYING_ACCOUNTS = MAX;

/** Returns the sources of derived addresses that a network supports. */
export function ownSourcesOf({ family }: Pick<Network, "family">): OwnSource[] {
  if (family === "evm") return [...OWN_SOURCES];
  return family === "tron" ? ["xpub"] : [];
}

/**
 * Returns the accounts of a family's xpub addresses, in the form that the node under its chains uses. They pay for their own transactions.
 */
export function walletAccounts(family: XpubFamily): string[] {
  return deriveAddresses(family, xpubOf(family), 0, PAYING_ACCOUNTS);
}

/** Returns the private key of the wallet account at an index. */
export function walletKey(family: XpubFamily, index: number): `0x${string}` {
  const { privateKey } = WALLET.derive(ACCOUNT_PATHS[family]).deriveChild(0).deriveChild(index);
  return `0x${Buffer.from(privateKey ?? []).toString("hex")}`;
}

/**
 * Sets up derived addresses for a merchant on all networks of a family, through the service's use cases, with a shared address as the
 * target of sweeps. It does not wait for the trial of receivers, whose result is written to the database.
 */
export async function openOwnSource(
  db: Db,
  appSecret: string,
  { source, seller, networks, shared }: { source: OwnSource; seller: Seller; networks: Network[]; shared: string },
  now: Date,
): Promise<void> {
  const [first] = networks;
  if (!first || first.family === "solana") return;
  const ctx = { appSecret, log: createLog("chaos", "fatal") };
  const { merchantId, userId } = seller;
  await db.update(merchants).set({ toleranceMicro: TOLERANCE_MICRO }).where(eq(merchants.id, merchantId));
  for (const { id } of networks) await addSellerAddress(db, appSecret, seller, { network: id, address: shared }, now);
  const ids = networks.map(({ id }) => id);
  const typed = { merchantId, userId, label: "", max: MAX };
  if (source === "xpub") {
    const { family } = first;
    refuse(await addSource(db, ctx, { ...typed, family, xpub: xpubOf(family), networks: ids }, now));
    return;
  }
  const { id } = refuse(await addTreasury(db, ctx, { ...typed, address: canonicalAddress("evm", shared) }, now));
  for (const network of ids) await tryReceivers(db, ctx, { merchantId, userId, id, network }, now);
  await db.update(receiverTrials).set({ triedAt: now, lookAt: null }).where(eq(receiverTrials.sourceId, id));
  await db.update(addressSources).set({ networks: ids }).where(eq(addressSources.id, id));
  await createAddressTender(db, ctx)(now);
}

function refuse(added: { id: string } | { errors: readonly FieldError[] }): { id: string } {
  if ("errors" in added) throw new Error(added.errors.map(inEnglish).join(" "));
  return added;
}
