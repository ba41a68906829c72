import type { Db } from "@/db/client";
import { insertAddress } from "@/db/queries/merchants/address-settings";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { validateAddress } from "@/lib/domain/addresses/address";
import type { ListLine } from "@/lib/domain/addresses/address-forms";
import type { AddressKind } from "@/lib/domain/addresses/load";
import { newId } from "@/lib/domain/id";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { type Network, networkTitle } from "@/lib/domain/networks";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { whyRefused } from "@/lib/merchants/addresses";
import { addressMac } from "@/lib/merchants/vault";

export interface AddressList {
  merchantId: string;
  userId: string;
  from?: RequestOrigin | undefined;
  network: Network;
  kind: AddressKind;
  /** The label of every address of the list. */
  label: string;
  /** The lines that are not empty, as they were pasted. */
  text: readonly ListLine[];
  /** True to add the valid lines even if others are invalid. */
  isPartial: boolean;
}

/** A problem with one line of a list; the first line has number 1. */
export interface LineProblem {
  line: number;
  problem: Problem;
}

/** The result of a list: addresses were added, or its lines were checked and nothing was added. */
export type AddressListAnswer = { added: number; problems: LineProblem[] } | { good: number; problems: LineProblem[] };

interface GoodLine {
  line: number;
  address: string;
}

/**
 * Adds a list of receiving addresses to one network, each with its MAC. All problems in all lines are reported together. If there is a
 * problem and `isPartial` is not set, no address is added. A repeated call reports each line as present.
 */
export async function addAddressList(
  db: Db,
  { appSecret }: { appSecret: AppSecret },
  form: AddressList,
  now: Date,
): Promise<AddressListAnswer> {
  const { network } = form;
  const { good, problems } = validateLines(network, form.text);
  if (problems.length > 0 && !form.isPartial) {
    const reserved = await listReserved(db, { appSecret }, form, network, good, now);
    return { good: good.length - reserved.length, problems: inOrder([...problems, ...reserved]) };
  }
  return insertAll(db, { appSecret }, form, network, { good, problems }, now);
}

function validateLines(network: Network, lines: readonly ListLine[]) {
  const good: GoodLine[] = [];
  const problems: LineProblem[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, text } of lines) {
    const checked = validateAddress(network, text);
    const earlier = "address" in checked ? lineOf.get(checked.address) : undefined;
    if ("problem" in checked) problems.push({ line, problem: checked.problem });
    else if (earlier) problems.push({ line, problem: problem("address_repeated", { line: earlier }) });
    else {
      lineOf.set(checked.address, line);
      good.push({ line, address: checked.address });
    }
  }
  return { good, problems };
}

/** The error that rolls back the inserts of a list that may only be added as a whole. */
class NotWhole extends Error {}

async function insertAll(
  db: Db,
  context: { appSecret: AppSecret },
  form: AddressList,
  network: Network,
  { good, problems }: { good: GoodLine[]; problems: LineProblem[] },
  now: Date,
): Promise<AddressListAnswer> {
  let refused: LineProblem[] = [];
  try {
    await db.transaction(async (tx) => {
      refused = await insertLines(tx, context, form, network, good, now);
      if (refused.length > 0 && !form.isPartial) throw new NotWhole();
    });
  } catch (error) {
    if (!(error instanceof NotWhole)) throw error;
    return { good: good.length - refused.length, problems: inOrder([...problems, ...refused]) };
  }
  return { added: good.length - refused.length, problems: inOrder([...problems, ...refused]) };
}

/** Returns the valid lines that cannot be added, by adding them and rolling back. */
async function listReserved(...[db, context, form, network, good, now]: ListArguments): Promise<LineProblem[]> {
  let refused: LineProblem[] = [];
  const attempt = db.transaction(async (tx) => {
    refused = await insertLines(tx, context, form, network, good, now);
    throw new NotWhole();
  });
  await attempt.catch((error: unknown) => {
    if (!(error instanceof NotWhole)) throw error;
  });
  return refused;
}

type ListArguments = [
  db: Db,
  context: { appSecret: AppSecret },
  form: AddressList,
  network: Network,
  good: readonly GoodLine[],
  now: Date,
];

async function insertLines(...[tx, { appSecret }, form, network, good, now]: ListArguments): Promise<LineProblem[]> {
  const { merchantId, userId, kind, from, label } = form;
  const refused: LineProblem[] = [];
  for (const { line, address } of good) {
    const identity = { merchantId, network: network.id, address, kind };
    const row = { ...identity, id: newId(now), label, mac: addressMac(appSecret, identity) };
    const id = await insertAddress(tx, row, now);
    const detail = { addressId: id, ...identity, label, isOfList: true };
    if (id) await insertAuditEvent(tx, { merchantId, userId, from, action: "address.added", detail }, now);
    else refused.push({ line, problem: await whyRefused(tx, row, networkTitle(network)) });
  }
  return refused;
}

function inOrder(problems: readonly LineProblem[]): LineProblem[] {
  return problems.toSorted((a, b) => a.line - b.line);
}
