import {
  type FoundTransfer,
  findCreditedRefunds,
  findForgedRefunds,
  findMissedRefunds,
  findPairProblems,
  findSumProblems,
} from "@/chaos/verifier/refund-rules";
import { getToken } from "@/lib/domain/networks";
import { inEnglish } from "@/lib/domain/problems/in-english";
import type { RefundSubject } from "@/lib/domain/refunds/refund";
import { AppError } from "@/lib/errors";
import { claimRefund } from "@/lib/refunds/claim-refund";
import { approveRefund, cancelRefund, reopenRefund } from "@/lib/refunds/decide-refund";
import { type RequestedAmount, requestRefund } from "@/lib/refunds/request-refund";
import type { Command, RefundPay } from "@/testing/properties/command";
import { covers } from "@/testing/properties/holds";
import type { RefundRow, Snapshot } from "@/testing/properties/snapshot";
import { type Hold, WALLET, type World } from "@/testing/properties/world";

type Of<T extends Command["do"]> = Extract<Command, { do: T }>;

/** The addresses of customers who claim refunds. */
const CUSTOMERS = ["c1", "c2", "c3"].map((pair) => `0x${pair.repeat(20)}`);

const newest = <T>(list: readonly T[], index: number): T | null =>
  list.at(-1 - (index % Math.max(1, list.length))) ?? null;

const short = (id: string) => `…${id.slice(-6)}`;

/** A refund to request: its subject and amount, and the network and addresses that its holders claim. */
interface Wanted {
  merchantId: string;
  subject: RefundSubject;
  amount: RequestedAmount;
  network: string;
  addresses: readonly string[];
}

/**
 * Requests refunds of an order or of an unmatched transfer at the same time, as `rivals` users. Each is then claimed with as many different
 * addresses at the same time as it is approved, and approved again by all of them. Each step can be refused.
 */
export async function refundOrder(world: World, command: Of<"refund">): Promise<string | null> {
  const { rivals, crash } = command;
  const wanted = command.isOfTransfer ? wantOfTransfer(world, command) : wantOfOrder(world, command);
  if (!wanted) return null;
  const times = Array.from({ length: rivals });
  const ids = await world.withCrash(crash, () => together(times.map(() => request(world, wanted))));
  const outcomes = [];
  for (const [index, id] of ids.entries())
    outcomes.push("refused" in id ? id.refused : await decide(world, command, wanted, { id: id.id, index }));
  return outcomes.join("; ");
}

/** Waits for all work, also if some of it fails. @throws the first error */
async function together<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

function wantOfOrder(world: World, { order: pick, part, claim, network, rivals }: Of<"refund">): Wanted | null {
  const paid = [...world.snapshot.orders.values()].filter(({ paidUnits }) => paidUnits > 0n);
  const order = newest(paid, pick);
  if (!order) return null;
  const { id: orderId, merchantId } = order;
  const open = claim === "open" ? findOpenHold(world, merchantId, order.currency) : null;
  const amount = open ? { microUnits: open.microUnits } : amountOf(part);
  const subject = { orderId, transferId: null };
  const on = open?.network ?? world.chains[network]?.network.id ?? "";
  return { merchantId, subject, amount, network: on, addresses: open ? [open.address] : claimed() };

  function claimed(): readonly string[] {
    if (claim === "own") return [world.addressOf(merchantId, merchantId)];
    if (claim === "customer") return CUSTOMERS.slice(0, rivals);
    return [world.addressOf(null, merchantId), ...CUSTOMERS.slice(0, rivals - 1)];
  }
}

function wantOfTransfer(world: World, { order: pick, part, network, rivals }: Of<"refund">): Wanted | null {
  const isFree = ({ status, orderId, lostMs }: Snapshot["transfers"][number]) =>
    status === "confirmed" && orderId === null && lostMs === null;
  const transfer = newest(world.snapshot.transfers.filter(isFree), pick);
  if (!transfer) return null;
  return {
    merchantId: transfer.merchantId,
    subject: { orderId: null, transferId: transfer.id },
    amount: amountOf(part),
    network: world.chains[network]?.network.id ?? "",
    addresses: CUSTOMERS.slice(0, rivals),
  };
}

const amountOf = (part: number): RequestedAmount => (part === 0 ? "all" : { microUnits: BigInt(part) * 2_000_000n });

/** Returns the newest open hold of another merchant at a shared address in a currency. */
function findOpenHold({ snapshot, nowMs }: World, merchantId: string, currency: string | null): Hold | null {
  const open = [...snapshot.quotes.values()].filter(
    (hold) =>
      hold.merchantId !== merchantId && hold.currency === currency && hold.kind === "shared" && covers(hold, nowMs),
  );
  return open.at(-1) ?? null;
}

async function request(
  world: World,
  { merchantId, subject, amount }: Wanted,
): Promise<{ id: string } | { refused: string }> {
  const { actor } = world.merchantOf(merchantId);
  const terms = { subject, amount, reason: null, email: null, mchRefundId: null, expiresInSeconds: 3_600 };
  try {
    return { id: (await requestRefund(world.db, actor, terms, world.now())).refund.id };
  } catch (error) {
    if (error instanceof AppError) return { refused: `refused: ${error.message}` };
    throw error;
  }
}

async function decide(
  world: World,
  { crash }: Of<"refund">,
  { merchantId, network, addresses }: Wanted,
  { id, index }: { id: string; index: number },
): Promise<string> {
  const { actor } = world.merchantOf(merchantId);
  const approve = () => approveRefund(world.db, world.context, actor, id, world.now());
  const enter = (address: string) => {
    const input = { network, address, check: "", confirmation: address.slice(-4) };
    return claimRefund(world.db, world.context, id, input, world.now());
  };
  const done = await world.withCrash(crash, () => together<object | null>([...addresses.map(enter), approve()]));
  const claims = done.slice(0, addresses.length);
  const accepted = claims.filter((one) => one === null).length;
  if (accepted > 1) world.violations.push(`Refund ${short(id)} accepted ${accepted} different claims`);
  if (addresses.some((address, at) => claims[at] === null && address === world.addressOf(merchantId, merchantId)))
    world.violations.push(`Refund ${short(id)} was claimed for an address of its own merchant`);
  // The second of several refunds is reopened while it is approved.
  const reopen = () => reopenRefund(world.db, world.context, actor, { id, reason: "" }, world.now());
  const [first] = await world.withCrash(crash, () =>
    together([approve(), ...(index === 1 ? [reopen(), approve()] : [])]),
  );
  return first ? `approval: ${inEnglish(first.problem)}` : `approved ${short(id)} on ${network}`;
}

/** Sends a payment of an approved refund to its address. */
export function payRefund(world: World, { refund: pick, payment, isMined }: Of<"payRefund">): string | null {
  const refund = newest(
    world.snapshot.refunds.filter(({ address, token }) => address !== null && token !== null),
    pick,
  );
  if (!refund?.address || !refund.token || !refund.network || refund.baseUnits === null) return null;
  const { network, token, baseUnits } = chosen(world, refund.network, refund.token, refund.baseUnits, payment);
  const sent = { token, from: WALLET, to: refund.address, baseUnits };
  const to = world.chain(network);
  to.chain.send(payment === "twice" ? [sent, sent] : [sent], world.nowMs);
  world.changedNetwork = network;
  if (isMined) world.mine(to, 1);
  return `${baseUnits} on ${network}`;
}

/** Returns the token and amount of a payment: those of the refund, or different ones. */
function chosen(world: World, network: string, token: string, baseUnits: bigint, payment: RefundPay) {
  const { tokens } = world.chain(network).network;
  const isSame = ({ contract }: (typeof tokens)[number]) => contract.toLowerCase() === token;
  switch (payment) {
    case "less":
      return { network, token, baseUnits: baseUnits - 1n };
    case "more":
      return { network, token, baseUnits: baseUnits + 1n };
    case "otherToken":
      return { network, token: tokens.find((one) => !isSame(one))?.contract.toLowerCase() ?? token, baseUnits };
    case "otherNetwork": {
      const currency = tokens.find(isSame)?.currency ?? "";
      const other = world.chains.find((one) => one.network.id !== network)?.network ?? world.chain(network).network;
      const micro = baseUnits / unitsPerMicro(world, network, currency);
      return {
        network: other.id,
        token: getToken(other, currency).contract.toLowerCase(),
        baseUnits: micro * unitsPerMicro(world, other.id, currency),
      };
    }
    default:
      return { network, token, baseUnits };
  }
}

const unitsPerMicro = (world: World, network: string, currency: string) =>
  10n ** BigInt(getToken(world.chain(network).network, currency).decimals - 6);

/** Cancels a refund. */
export async function cancelOneRefund(world: World, { refund: pick, crash }: Of<"cancelRefund">) {
  const refund = newest(world.snapshot.refunds, pick);
  if (!refund) return null;
  const { actor } = world.merchantOf(refund.merchantId);
  const what = { id: refund.id, reason: "" };
  const done = await world.withCrash(crash, () => cancelRefund(world.db, world.context, actor, what, world.now()));
  return done ? inEnglish(done.problem) : "cancelled";
}

/** Returns the broken invariants of refunds. @param before the snapshot before the last command */
export function refundViolations(world: World, before: Snapshot): string[] {
  const { refunds, refundTransfers, transfers } = world.snapshot;
  const known = new Map(before.refunds.map((refund) => [refund.id, refund.status]));
  const subjects = new Map(refunds.map((refund) => [refund.id, subjectOf(world, refund)]));
  // A reorg can remove a payment after the approval.
  const justApproved = refunds.filter(({ id, status }) => status === "approved" && known.get(id) === "claimed");
  const grown = new Set(justApproved.map(({ id }) => subjects.get(id)));
  const facts = refunds.map((refund) => ({ ...refund, subject: subjects.get(refund.id) ?? null }));
  // A user may assign a transfer that completes a refund to an order of the shop that received it.
  const credited = transfers
    .filter(({ orderId, isAssigned, matchedMs }) => orderId !== null && !isAssigned && matchedMs !== null)
    .map((transfer) => ({ key: keyOf(transfer), orderId: transfer.orderId ?? "" }));
  const income = incomeOf(world.snapshot);
  const found = refundTransfers.map((row) => toFound(row, income));
  return [
    ...findPairProblems(facts, found),
    ...findSumProblems(
      facts.filter(({ subject }) => grown.has(subject)),
      (subject) => receivedOf(world, subject),
    ),
    ...findCreditedRefunds(found, credited),
  ];
}

const keyOf = ({ network, txId, position }: { network: string; txId: string; position: string }) =>
  `${network} ${txId} ${position}`;

/** Converts a stored transfer of a refund. @param income the keys of credited transfers */
const toFound = (row: Snapshot["refundTransfers"][number], income: ReadonlySet<string>): FoundTransfer => ({
  key: keyOf(row),
  network: row.network,
  token: row.token,
  to: row.to,
  baseUnits: row.baseUnits,
  status: row.status,
  refundId: row.refundId,
  isMatched: row.matchedMs !== null,
  isRepeatedIncome: row.problem === "repeated" && income.has(keyOf(row)),
});

const incomeOf = ({ transfers }: Snapshot) =>
  new Set(transfers.filter(({ orderId, depositId }) => orderId !== null || depositId !== null).map(keyOf));

/** Returns the order that received the refunded amount, or the transfer if it credits no order. */
function subjectOf({ snapshot }: World, { orderId, transferId }: RefundRow): string | null {
  if (orderId !== null) return orderId;
  return snapshot.transfers.find(({ id }) => id === transferId)?.orderId ?? transferId;
}

/** Returns the amount that an order or a transfer received, in millionths of its currency. */
function receivedOf(world: World, subject: string): bigint | undefined {
  const { orders, quotes, transfers } = world.snapshot;
  const order = orders.get(subject);
  const quote = quotes.get(order?.quoteId ?? "");
  if (order && quote) return (order.paidUnits * quote.microUnits) / quote.baseUnits;
  const transfer = transfers.find(({ id }) => id === subject);
  if (!transfer) return undefined;
  const { tokens } = world.chain(transfer.network).network;
  const token = tokens.find(({ contract }) => contract.toLowerCase() === transfer.token);
  return token && transfer.baseUnits / 10n ** BigInt(token.decimals - 6);
}

/**
 * Returns the refunds whose transfer is final on its chain but that are not completed, and the completed ones whose transfer is not on its
 * chain. Call it once all transfers are final.
 */
export function unfinishedRefunds({ snapshot, chains }: World): string[] {
  const { refunds, refundTransfers } = snapshot;
  const income = incomeOf(snapshot);
  const found = refundTransfers.map((row) => toFound(row, income));
  const sent = chains.flatMap(({ network, chain }) =>
    chain.all().flatMap(({ transaction, block }) => {
      const counts = new Map<string, number>();
      return transaction.sends.map(({ token, to, baseUnits }) => {
        const index = counts.get(token) ?? 0;
        counts.set(token, index + 1);
        const position = `${token}:${index}`;
        const key = keyOf({ network: network.id, txId: transaction.id, position });
        return { key, network: network.id, token, to, baseUnits, timeMs: block.time.getTime() };
      });
    }),
  );
  const keys = new Map(sent.map((transfer) => [transfer.key, transfer.baseUnits]));
  return [
    ...findMissedRefunds(
      refunds.map((refund) => ({ ...refund, subject: null })),
      found,
      sent,
    ),
    ...findForgedRefunds(found, ({ key, baseUnits }) => keys.get(key) === baseUnits),
  ];
}
