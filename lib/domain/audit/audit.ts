import { displayAddress, validateAddress } from "@/lib/domain/addresses/address";
import { choice } from "@/lib/domain/fields/values";
import { DAY, type FilterOf, type FilterSchema, filterBy, queryText, TEXT_LIMIT } from "@/lib/domain/list-filter";
import { findNetwork } from "@/lib/domain/networks";

/**
 * The actions of the audit log by subject, as noun.verb. The compiler requires a label for each action in every language: an action that
 * is missing from this list cannot be recorded.
 */
export const ACTIONS = {
  orders: [
    ...(["order.pending", "order.confirming", "order.paid", "order.expired", "order.cancelled"] as const),
    ...([
      "order.made_by_hand",
      "order.chosen",
      "order.switched",
      "order.extended",
      "order.changed",
      "order.renewed",
    ] as const),
    ...(["payment_link.created", "payment_link.closed"] as const),
  ],
  transfers: [
    ...(["transfer.assigned", "transfer.unlinked", "transfer.linked_as_part"] as const),
    ...(["transfer.lost", "transfer.lost_acknowledged"] as const),
    ...(["refund.noted", "refund.final", "refund.refused", "refund.never"] as const),
  ],
  refunds: [
    ...(["refund.requested", "refund.claimed", "refund.approved", "refund.reopened"] as const),
    ...(["refund.sent", "refund.unsent", "refund.completed", "refund.reversed"] as const),
    ...([
      "refund.cancelled",
      "refund.expired",
      "refund.wallet_sent",
      "refund.batched",
      "refund_settings.changed",
    ] as const),
  ],
  callbacks: [
    ...(["callback.failed", "callback.resent", "callbacks.resent"] as const),
    ...(["callback.tested", "callback.test_answered"] as const),
  ],
  addresses: [
    ...(["address.added", "address.labelled", "address.paused", "address.resumed"] as const),
    ...(["address.removed", "address.tampered", "confirmations.changed"] as const),
    ...(["address_source.added", "address_source.limited"] as const),
    ...(["address_source.removed", "address_source.derived", "address_source.treasury_added"] as const),
    ...(["receivers.trial_asked", "receivers.tried"] as const),
  ],
  keys: [
    ...(["api_key.created", "api_key.rotated", "api_key.revoked", "api_key.renamed"] as const),
    ...(["api_key.events_chosen", "api_key.changed", "api_key.made_default"] as const),
    ...(["api_key.plugin_requested", "api_key.plugin_dismissed"] as const),
  ],
  agents: ["agent.called", "agent.refused"],
  plugins: [
    ...(["plugin.switched_on", "plugin.switched_off", "plugin.changed"] as const),
    ...(["plugin_key.issued", "plugin_key.granted", "plugin_key.rotated", "plugin_key.revoked"] as const),
  ],
  settings: [
    ...(["prices.changed", "price_decimals.changed", "checkout.changed", "order_terms.changed"] as const),
    ...(["notifications.channel_added", "notifications.channel_verified"] as const),
    ...(["notifications.channel_removed", "notifications.chosen"] as const),
    ...(["network.closed", "network.reopened"] as const),
  ],
  people: [
    ...(["merchant.registered", "invitation.created", "invitation.revoked", "member.joined"] as const),
    ...(["member.role_changed", "member.removed", "member.left"] as const),
    ...(["second_factor.asked", "second_factor.asked_no_more"] as const),
  ],
  signIn: [
    ...(["session.started", "session.ended", "session.revoked", "session.others_revoked"] as const),
    ...(["sign_in.failed", "second_step.failed", "person.confirmed"] as const),
    ...(["totp.added", "totp.removed", "recovery_code.used", "recovery_codes.renewed"] as const),
    ...(["passkey.added", "passkey.removed", "passkey.refused"] as const),
    ...(["user.password_changed", "user.reset_asked", "user.password_reset"] as const),
  ],
  files: ["file.downloaded"],
} as const;

export type AuditGroup = keyof typeof ACTIONS;
export type AuditAction = (typeof ACTIONS)[AuditGroup][number];

export const AUDIT_GROUPS = Object.keys(ACTIONS) as AuditGroup[];
/** The groups whose entries usually belong to one order, so that their number grows with the number of orders. */
export const OF_ORDERS: readonly AuditGroup[] = ["orders", "transfers", "refunds", "callbacks", "agents"];

/**
 * Returns a short description of an entry's subject: a name, with the host that a token was granted to; an address, a notification channel
 * or a currency; "" if there is none.
 */
export function subjectOf(detail: Record<string, unknown>): string {
  const { name, host, address, email, shown, fiat, network } = detail;
  const named = [name, host].map(textOf).filter(Boolean).join(", ");
  const text = named || [address, email, shown, fiat].map(textOf).find(Boolean) || "";
  return address && network && text === address ? shownAddress(text, textOf(network)) : text;
}

/** Returns an address in its network's display form, including the checksum; unchanged if the network is unknown. */
function shownAddress(address: string, network: string): string {
  const known = findNetwork(network);
  // The stored value may not be a valid address if it was changed directly in the database.
  return known && "address" in validateAddress(known, address) ? displayAddress(known.family, address) : address;
}

/** The actor of actions of the service itself. */
export const SERVICE = "service";

const fields = filterBy(
  {
    /** The id of an object that an entry refers to. */
    text: queryText((typed) => {
      const text = typed.trim();
      return text.length > TEXT_LIMIT ? null : text;
    }),
    /** The id of a user, or SERVICE. */
    who: queryText((typed) => (/^\w{1,64}$/.test(typed) ? typed : null)),
    group: choice(AUDIT_GROUPS),
    action: choice(Object.values(ACTIONS).flat()),
    /** The first and the last day, inclusive, in UTC. */
    from: DAY,
    to: DAY,
  },
  { text: "q" },
);
export type AuditFilter = FilterOf<typeof fields>;

/** The filter of the audit log, in lists and files. An action that is not in the chosen group is left out. */
export const auditFilter: FilterSchema<AuditFilter> = {
  ...fields,
  parse(params) {
    const { action, ...filter } = fields.parse(params);
    return action && (!filter.group || isOf(filter.group, action)) ? { ...filter, action } : filter;
  },
};

/** Returns the actions that a filter selects; null for any. */
export function actionsOf({ group, action }: AuditFilter): readonly AuditAction[] | null {
  if (action) return [action];
  return group ? ACTIONS[group] : null;
}

function isOf(group: AuditGroup, action: AuditAction): boolean {
  return (ACTIONS[group] as readonly AuditAction[]).includes(action);
}

/** The details of an entry besides actor and action. Other details are never shown. */
export const FACTS = [
  ...(["name", "email", "role", "network", "currency", "address", "label", "kind", "url", "way", "shown"] as const),
  ...(["client", "tool"] as const),
  ...(["file", "filter", "month", "fiat", "decimals"] as const),
  ...(["scopes", "cidrs", "mustSign", "callbackFormat", "isForPlugin", "isForAgents"] as const),
  ...(["optIns", "overlapHours", "count", "left", "reason", "cause", "by", "error", "words"] as const),
  ...([
    "httpStatus",
    "seconds",
    "browser",
    "ip",
    "status",
    "value",
    "type",
    "host",
    "factorsRemoved",
    "expiresIn",
    "lateWindow",
    "settledHold",
    "unpaidDays",
    "linksShortPayments",
  ] as const),
  ...([
    "sessionsEnded",
    "shownName",
    "accent",
    "supportUrl",
    "frameParents",
    "languages",
    "logoUrl",
    "timeZone",
    "choices",
  ] as const),
  ...(["minAmount", "maxAmount", "tolerancePercent", "toleranceAmount", "notOffered"] as const),
  ...(["takesKeyInUrl", "expiration", "operator"] as const),
  ...(["mchOrderId", "txId", "apiKeyId", "pluginKeyId", "addressId", "callbackId", "transferId", "subjectId"] as const),
] as const;

export type FactName = (typeof FACTS)[number];

/** A detail of an entry; `before` is its previous value, if that differed. */
export interface AuditFact {
  name: FactName;
  value: string;
  before?: string;
}

const RENAMED: Readonly<Record<string, FactName>> = {
  leastAmount: "minAmount",
  mostAmount: "maxAmount",
  sessions_ended: "sessionsEnded",
  factors_removed: "factorsRemoved",
  receivingAddressId: "addressId",
  from_ip: "ip",
  from_browser: "browser",
};

/** Returns the details of an entry in the order of FACTS. A value that is empty both before and after is omitted. */
export function factsOf(
  action: AuditAction,
  { before, after, from, to, ...plain }: Record<string, unknown>,
): AuditFact[] {
  const facts = [
    ...changes(before, after),
    ...(action === "member.role_changed" ? changes({ role: from }, { role: to }) : []),
    ...(action.startsWith("order.") && from
      ? changes({ status: from }, { status: action.slice("order.".length) })
      : []),
    ...Object.entries(inForm(action, plain)).flatMap(([name, value]) => fact(nameOf(action, name), value)),
  ];
  return facts.toSorted((a, b) => FACTS.indexOf(a.name) - FACTS.indexOf(b.name));
}

/** Returns the details with addresses in display form; they are stored in canonical form. */
function inForm(action: AuditAction, detail: Record<string, unknown>): Record<string, unknown> {
  const { address, network } = detail;
  if (typeof address !== "string" || typeof network !== "string" || isOf("signIn", action)) return detail;
  return { ...detail, address: shownAddress(address, network) };
}

/** Returns the label of a detail. In entries about users, `network` is the network of their IP address; elsewhere it is a chain. */
function nameOf(action: AuditAction, name: string): string {
  if (name === "network" && isOf("signIn", action)) return "ip";
  return RENAMED[name] ?? name;
}

function fact(name: string, value: unknown, before?: unknown): AuditFact[] {
  const known = FACTS.find((one) => one === name);
  const text = textOf(value);
  const was = textOf(before);
  if (!known || (text === "" && was === "") || text === was) return [];
  return [before === undefined ? { name: known, value: text } : { name: known, value: text, before: was }];
}

function changes(before: unknown, after: unknown): AuditFact[] {
  if (before === undefined && after === undefined) return [];
  if (!isRecord(before) && !isRecord(after)) return fact("value", after, before ?? null);
  const was = isRecord(before) ? before : {};
  const is = isRecord(after) ? after : {};
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) =>
    fact(RENAMED[name] ?? name, is[name] ?? null, was[name] ?? null),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(", ");
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : "";
}
