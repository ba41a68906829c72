import type { Db } from "@/db/client";
import { insertAddress } from "@/db/queries/merchants/address-settings";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { validateAddress } from "@/lib/domain/addresses/address";
import type { AddressKind } from "@/lib/domain/addresses/load";
import { newId } from "@/lib/domain/id";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { findNetwork, type Network, networkTitle } from "@/lib/domain/networks";
import { type FieldError, fieldError, type Problem, problem } from "@/lib/domain/problems/problem";
import type { Place } from "@/lib/domain/users/place";
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
  problem: Problem;
}

/** What became of a list: added, refused as a form, or checked line by line with nothing added. */
export type AddressListAnswer =
  | { added: number; problems: LineProblem[] }
  | { errors: FieldError[] }
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
): { network: Network; good: GoodLine[]; problems: LineProblem[] } | { errors: FieldError[] } {
  const network = findNetwork(form.network);
  if (!network) return { errors: [fieldError("network", problem("network_choice_missing"))] };
  const label = validateLabel(form.label);
  if (label) return { errors: [fieldError("label", label)] };
  const lines = form.text.split(/\r?\n/).map((text, index) => ({ line: index + 1, text: text.trim() }));
  const filled = lines.filter(({ text }) => text !== "");
  const wrong = validateLength(filled.length);
  return wrong ? { errors: [fieldError("text", wrong)] } : { network, ...validateLines(network, filled) };
}

function validateLength(lines: number): Problem | null {
  if (lines === 0) return problem("addresses_missing");
  return lines <= MOST_LINES
    ? null
    : problem("too_many_addresses", { max: MOST_LINES.toLocaleString("en"), count: lines });
}

function validateLines(network: Network, lines: readonly { line: number; text: string }[]) {
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
    else refused.push({ line, problem: await whyRefused(tx, row, networkTitle(network)) });
  }
  return refused;
}

function inOrder(problems: readonly LineProblem[]): LineProblem[] {
  return problems.toSorted((a, b) => a.line - b.line);
}
