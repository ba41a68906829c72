import type { Db } from "@/db/client";
import { findSource } from "@/db/queries/merchants/address-sources";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { askTrial, listTrials } from "@/db/queries/merchants/receiver-trials";
import { receiverAddress } from "@/lib/domain/addresses/receiver";
import { type TrialState, type TrialTransfer, trialState } from "@/lib/domain/addresses/trial";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { getNetwork, isOffered } from "@/lib/domain/networks";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import type { Log } from "@/lib/log";
import { keepSource } from "@/lib/merchants/address-sources";
import { originOf } from "@/lib/merchants/derive-addresses";

export interface NewTreasury {
  merchantId: string;
  userId: string;
  from?: RequestOrigin | undefined;
  /** The address in canonical form. */
  address: string;
  label: string;
  /** The maximum number of receivers of the treasury. */
  max: number;
}

/** Adds the treasury to which a merchant's receivers forward payments. Orders get receivers on a network only after a trial there. */
export async function addTreasury(
  db: Db,
  ctx: { appSecret: AppSecret; log: Log },
  { address, ...treasury }: NewTreasury,
  now: Date,
): Promise<{ id: string } | { errors: FieldError[] }> {
  const origin = { kind: "receiver" as const, family: "evm" as const, key: address };
  const kept = await keepSource(db, ctx, { ...treasury, origin, networks: [] }, now);
  if (kept === "taken") return refuse("address", problem("treasury_not_available"));
  return kept === "double" ? refuse("address", problem("treasury_exists")) : kept;
}

interface TrialForm {
  merchantId: string;
  userId: string;
  from?: RequestOrigin | undefined;
  id: string;
  network: string;
}

/**
 * Starts or continues the trial of receivers on a network. Safe to repeat. Returns `gone` if there is no such treasury or it cannot be
 * decrypted, and `elsewhere` if the network has no receivers.
 */
export async function tryReceivers(
  db: Db,
  { appSecret }: { appSecret: AppSecret },
  { merchantId, userId, from, id, network }: TrialForm,
  now: Date,
): Promise<"asked" | "gone" | "elsewhere"> {
  const { family, tokens } = getNetwork(network);
  if (family !== "evm" || !isOffered({ tokens })) return "elsewhere";
  return db.transaction(async (tx) => {
    const treasury = await openTreasury(tx, appSecret, merchantId, id);
    if (treasury === null) return "gone";
    const addresses = { receiver: receiverAddress(treasury, 0), treasury };
    await askTrial(tx, { merchantId, sourceId: id, network, ...addresses }, now);
    const detail = { network, address: treasury };
    await insertAuditEvent(tx, { merchantId, userId, from, action: "receivers.trial_asked", detail }, now);
    return "asked";
  });
}

async function openTreasury(db: Db, appSecret: AppSecret, merchantId: string, id: string): Promise<string | null> {
  const row = await findSource(db, merchantId, id, "receiver");
  if (!row) return null;
  try {
    return originOf(appSecret, row).key;
  } catch {
    return null;
  }
}

/** The trial of a network as shown to users. */
export interface ShownTrial {
  network: string;
  state: TrialState | "never";
  hasFactory: boolean | null;
  arrival: TrialTransfer | null;
  sweep: TrialTransfer | null;
}

/** A treasury with the trials that show, for each network, whether its receivers work. */
export interface ShownTreasury {
  id: string;
  label: string;
  treasury: string;
  /** The address of receiver 0, which no order uses. */
  receiver: string;
  trials: ShownTrial[];
}

/**
 * Returns a merchant's treasury with the trials of networks. Its addresses come only from its encrypted value.
 * @param networks ids of the enabled networks
 * @returns null: there is no such treasury; `sealed`: it cannot be decrypted
 */
export async function findTreasury(
  db: Db,
  { appSecret }: { appSecret: AppSecret },
  { merchantId, id, networks }: { merchantId: string; id: string; networks: readonly string[] },
): Promise<ShownTreasury | "sealed" | null> {
  const row = await findSource(db, merchantId, id, "receiver");
  if (!row) return null;
  const treasury = await openTreasury(db, appSecret, merchantId, id);
  if (treasury === null) return "sealed";
  const known = new Map((await listTrials(db, merchantId, id)).map((trial) => [trial.network, trial]));
  const trials = networks
    .map(getNetwork)
    .filter((network) => network.family === "evm" && isOffered(network))
    .map(({ id: network }): ShownTrial => {
      const trial = known.get(network);
      if (!trial) return { network, state: "never", hasFactory: null, arrival: null, sweep: null };
      const { hasFactory, arrival, sweep } = trial;
      return { network, state: trialState(trial), hasFactory, arrival, sweep };
    });
  return { id, label: row.label, treasury, receiver: receiverAddress(treasury, 0), trials };
}
