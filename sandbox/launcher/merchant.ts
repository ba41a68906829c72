import { createHash, randomInt } from "node:crypto";
import { Keypair } from "@solana/web3.js";
import { english, mnemonicToAccount } from "viem/accounts";
import * as z from "zod";
import type { Db } from "@/db/client";
import { findAddressOwner } from "@/db/queries/merchants/address-settings";
import { findLiveKey } from "@/db/queries/merchants/api-keys";
import { findCheckoutSettings, writeCheckoutSettings } from "@/db/queries/merchants/checkout-settings";
import { notePriceUsed } from "@/db/queries/rates/rates";
import { listShopIds } from "@/db/queries/users/memberships";
import { findUserByEmail } from "@/db/queries/users/users";
import { canonicalAddress, displayAddress } from "@/lib/domain/addresses/address";
import { hashApiKey } from "@/lib/domain/keys/api-key";
import { SCOPES } from "@/lib/domain/keys/key-rules";
import type { Family, Network } from "@/lib/domain/networks";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { addAddress } from "@/lib/merchants/addresses";
import { createApiKey } from "@/lib/merchants/api-keys";
import { keyLookups } from "@/lib/merchants/key-hashes";
import { createMerchantWithOwner } from "@/lib/users/register";
import { seedPlugins } from "@/sandbox/launcher/plugins";
import type { PluginAccesses } from "@/sandbox/shop/protocols/protocol";
import { readJson, writePrivateJson } from "@/scripts/supervisor/private-file";

const StoredMerchant = z.object({
  email: z.string(),
  password: z.string(),
  apiKey: z.string().optional(),
  apiSecret: z.string().optional(),
  /** The credentials of the demo shop's plugins, by protocol. */
  plugins: z.record(z.string(), z.object({ publicId: z.string(), key: z.string() })).optional(),
  /** The previous URL of the demo shop. */
  shopUrl: z.string().optional(),
});
type StoredMerchant = z.infer<typeof StoredMerchant>;

/** The sandbox's merchant, with the secrets that only the sandbox stores unencrypted. */
export interface SandboxMerchant {
  email: string;
  password: string;
  apiKey: string;
  apiSecret: string;
  plugins: PluginAccesses;
  /** Network id → receiving address. */
  addresses: ReadonlyMap<string, string>;
}

/** The currencies in which the demo shop has prices from the start, so that their rates are read. */
const PRICED_IN = ["EUR", "GBP", "JPY", "KWD", "SEK", "USD"];

interface SeedContext {
  appSecret: string;
  /** The file that stores email, password, key and secret between starts. */
  file: string;
  networks: readonly Network[];
}

/** A published test vector: its addresses have no owner, and none of them is the payer's. */
const MERCHANT_MNEMONIC = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const EVM_ADDRESS = mnemonicToAccount(MERCHANT_MNEMONIC).address;
const SOLANA_SEED = createHash("sha256").update(MERCHANT_MNEMONIC).digest();
const ADDRESSES: Readonly<Record<Family, string>> = {
  evm: EVM_ADDRESS,
  tron: displayAddress("tron", canonicalAddress("evm", EVM_ADDRESS)),
  solana: Keypair.fromSeed(SOLANA_SEED).publicKey.toBase58(),
};

/** Creates the merchant, its owner, an API key and receiving addresses through the service's use cases. Safe to repeat. */
export async function seedMerchant(db: Db, context: SeedContext, now: Date): Promise<SandboxMerchant> {
  const stored = (await readJson(context.file, StoredMerchant)) ?? {
    email: "owner@shop.example",
    password: readablePassword(),
  };
  await writePrivateJson(context.file, stored);
  const owner = await seedOwner(db, stored, now);
  const key = await seedKey(db, context, { ...owner, stored }, now);
  for (const fiat of PRICED_IN) await notePriceUsed(db, owner.merchantId, fiat, now);
  const plugins = await seedPlugins(db, context.appSecret, owner, stored.plugins ?? {}, now);
  await writePrivateJson(context.file, { ...((await readJson(context.file, StoredMerchant)) ?? stored), plugins });
  const addresses = new Map<string, string>();
  for (const network of context.networks) {
    addresses.set(network.id, await seedAddress(db, context, { ...owner, network }, now));
  }
  return { email: stored.email, password: stored.password, ...key, plugins, addresses };
}

/** Allows the demo shop, whose port changes at every start, to show payment pages over its own pages. Safe to repeat. */
export async function letShopFrame(db: Db, file: string, shopUrl: string, now: Date): Promise<void> {
  const stored = await readJson(file, StoredMerchant);
  const owner = stored && (await findOwner(db, stored.email));
  if (!owner) throw new Error("The demo shop's merchant is missing");
  const { merchantId } = owner;
  const plain = {
    shownName: null,
    accent: null,
    supportUrl: null,
    frameParents: [],
    languages: [],
    logoUrl: null,
    logo: null,
  };
  const known = (await findCheckoutSettings(db, merchantId)) ?? plain;
  const others = known.frameParents.filter((origin) => origin !== stored.shopUrl && origin !== shopUrl);
  await writeCheckoutSettings(db, { ...known, merchantId, frameParents: [...others, shopUrl] }, now);
  await writePrivateJson(file, { ...stored, shopUrl });
}

interface Owner {
  merchantId: string;
  userId: string;
}

async function seedOwner(db: Db, { email, password }: StoredMerchant, now: Date): Promise<Owner> {
  const made = { name: "Demo shop", email, password, isOperator: true };
  return (await findOwner(db, email)) ?? createMerchantWithOwner(db, made, now);
}

async function findOwner(db: Db, email: string): Promise<Owner | null> {
  const user = await findUserByEmail(db, email);
  const [merchantId] = user ? await listShopIds(db, user.id) : [];
  return user && merchantId ? { merchantId, userId: user.id } : null;
}

async function seedKey(
  db: Db,
  { appSecret, file }: SeedContext,
  { merchantId, userId, stored }: Owner & { stored: StoredMerchant },
  now: Date,
): Promise<{ apiKey: string; apiSecret: string }> {
  const { apiKey, apiSecret } = stored;
  if (apiKey && apiSecret && (await isLive(db, appSecret, apiKey, now))) return { apiKey, apiSecret };
  const issued = await createApiKey(
    db,
    { appSecret, mode: "test" },
    { merchantId, name: "Demo shop", mustSign: false, scopes: SCOPES, optIns: ["refund.completed"], userId },
    now,
  );
  const made = { apiKey: issued.apiKey, apiSecret: issued.secret };
  await writePrivateJson(file, { ...stored, ...made });
  return made;
}

async function isLive(db: Db, appSecret: string, apiKey: string, now: Date): Promise<boolean> {
  const keyHash = hashApiKey(apiKey);
  return (await findLiveKey(db, { macs: keyLookups(appSecret)(keyHash), keyHash }, now)) !== null;
}

async function seedAddress(
  db: Db,
  { appSecret }: SeedContext,
  { merchantId, userId, network }: Owner & { network: Network },
  now: Date,
): Promise<string> {
  const address = ADDRESSES[network.family];
  if (await findAddressOwner(db, network.id, canonicalAddress(network.family, address))) return address;
  const form = { merchantId, userId, network: network.id, address, kind: "shared" as const, label: "Demo shop" };
  const added = await addAddress(db, { appSecret }, form, now);
  if ("errors" in added) throw new Error(added.errors.map(inEnglish).join(" "));
  return address;
}

function readablePassword(): string {
  const word = () => english[randomInt(english.length)];
  return `${word()}-${word()}-${word()}-${randomInt(10, 100)}`;
}
