import type { Db } from "@/db/client";
import { insertAddress } from "@/db/queries/merchants/address-settings";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { validateAddress } from "@/lib/domain/addresses/address";
import type { AddressKind } from "@/lib/domain/addresses/load";
import { newId } from "@/lib/domain/id";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { findNetwork, type Network, networkTitle } from "@/lib/domain/networks";
import type { Place } from "@/lib/domain/users/place";
import type { FormError } from "@/lib/errors";
import { validateLabel, whyRefused } from "@/lib/merchants/addresses";
import { addressMac } from "@/lib/merchants/vault";

export interface AddressListForm {
  merchantId: string;
  userId: string;
  from?: Place | undefined;
  /** An id or alias of lib/domain/networks.ts. */
  network: string;
  kind: AddressKind;
  /** Given to every address of the list. */
  label: string;
  /** One address a line, as a person pasted them. */
  text: string;
  /** Adds the good lines although others are not. */
  isPartial: boolean;
}

/** What is wrong with one line of a list; the first line has number 1. */
export interface LineProblem {
  line: number;
  message: string;
}

/** What became of a list: added, refused as a form, or checked line by line with nothing added. */
export type AddressListAnswer =
  | { added: number; problems: LineProblem[] }
  | { errors: FormError[] }
  | { good: number; problems: LineProblem[] };

export const MOST_LINES = 1_000;

interface GoodLine {
  line: number;
  address: string;
}

/**
 * Adds a list of receiving addresses to one network, each with its MAC. Every line is checked and all problems are told at once;
 * unless the list is wholly good or `isPartial`, nothing is added. Adding the same list again says of each line that it stands.
 */
export async function addAddressList(
  db: Db,
  { appSecret }: { appSecret: AppSecret },
  form: AddressListForm,
  now: Date,
): Promise<AddressListAnswer> {
  const checked = validateList(form);
  if ("errors" in checked) return checked;
  const { network, good, problems } = checked;
  if (problems.length > 0 && !form.isPartial) {
    const taken = await listTaken(db, { appSecret }, form, network, good, now);
    return { good: good.length - taken.length, problems: inOrder([...problems, ...taken]) };
  }
  return insertAll(db, { appSecret }, form, network, { good, problems }, now);
}

/** Reads a pasted list without asking the database. */
export function validateList(
  form: Pick<AddressListForm, "network" | "label" | "text">,
): { network: Network; good: GoodLine[]; problems: LineProblem[] } | { errors: FormError[] } {
  const network = findNetwork(form.network);
  if (!network) return { errors: [{ field: "network", message: "Choose a network of the list" }] };
  const label = validateLabel(form.label);
  if (label) return { errors: [{ field: "label", message: label }] };
  const lines = form.text.split(/\r?\n/).map((text, index) => ({ line: index + 1, text: text.trim() }));
  const filled = lines.filter(({ text }) => text !== "");
  const message = validateLength(filled.length);
  return message ? { errors: [{ field: "text", message }] } : { network, ...validateLines(network, filled) };
}

function validateLength(lines: number): string | null {
  if (lines === 0) return "Paste the addresses from your wallet, one a line";
  return lines <= MOST_LINES
    ? null
    : `At most ${MOST_LINES.toLocaleString("en")} addresses at once; these are ${lines}`;
}

function validateLines(network: Network, lines: readonly { line: number; text: string }[]) {
  const good: GoodLine[] = [];
  const problems: LineProblem[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, text } of lines) {
    const checked = validateAddress(network, text);
    const earlier = "address" in checked ? lineOf.get(checked.address) : undefined;
    if ("problem" in checked) problems.push({ line, message: checked.problem });
    else if (earlier) problems.push({ line, message: `The same address as in line ${earlier}` });
    else {
      lineOf.set(checked.address, line);
      good.push({ line, address: checked.address });
    }
  }
  return { good, problems };
}

/** Thrown to undo what was inserted when a list may only be added as a whole. */
class NotWhole extends Error {}

async function insertAll(
  db: Db,
  context: { appSecret: AppSecret },
  form: AddressListForm,
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

/** Which good lines could not be added, found by adding them and taking it back. */
async function listTaken(...[db, context, form, network, good, now]: ListArguments): Promise<LineProblem[]> {
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
  form: AddressListForm,
  network: Network,
  good: readonly GoodLine[],
  now: Date,
];

async function insertLines(...[tx, { appSecret }, form, network, good, now]: ListArguments): Promise<LineProblem[]> {
  const { merchantId, userId, kind, from } = form;
  const label = form.label.trim();
  const refused: LineProblem[] = [];
  for (const { line, address } of good) {
    const identity = { merchantId, network: network.id, address, kind };
    const row = { ...identity, id: newId(now), label, mac: addressMac(appSecret, identity) };
    const id = await insertAddress(tx, row, now);
    const detail = { addressId: id, ...identity, label, isOfList: true };
    if (id) await insertAuditEvent(tx, { merchantId, userId, from, action: "address.added", detail }, now);
    else refused.push({ line, message: await whyRefused(tx, row, networkTitle(network)) });
  }
  return refused;
}

function inOrder(problems: readonly LineProblem[]): LineProblem[] {
  return problems.toSorted((a, b) => a.line - b.line);
}
