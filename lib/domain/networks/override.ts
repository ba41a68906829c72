import { canonicalAddress, displayAddress, validateAddress } from "@/lib/domain/addresses/address";
import type { Finality, LookAlike, Network, Pace, Token } from "@/lib/domain/networks";
import { inEnglish } from "@/lib/domain/problems/in-english";

/** The operator's changes to a network's row; an absent value leaves the row's value unchanged. */
export interface NetworkOverride {
  blockMs?: number | undefined;
  finality?: { blocks?: number | undefined; seconds?: number | undefined } | undefined;
  pace?: { everyMs?: number | undefined; behindMs?: number | undefined } | undefined;
  explorer?: { [Part in keyof Network["explorer"]]?: string | undefined } | undefined;
  /** The tokens by currency. False: disabled. True: as in the row. */
  tokens?: Readonly<Record<string, boolean | TokenOverride>> | undefined;
  /** The look-alikes by contract. False: not watched and not reported. True: as in the row. */
  lookAlikes?: Readonly<Record<string, boolean>> | undefined;
}

export interface TokenOverride {
  contract?: string | undefined;
  decimals?: number | undefined;
}

/** The permissions for changes that can lose funds, each from its own setting. */
export interface OverrideRights {
  mayLowerSafety: boolean;
  mayReplaceTokens: boolean;
}

export const RIGHT_SETTINGS = {
  mayLowerSafety: "NETWORKS_FILE_MAY_LOWER_SAFETY",
  mayReplaceTokens: "NETWORKS_FILE_MAY_REPLACE_TOKENS",
} as const satisfies Record<keyof OverrideRights, string>;

/** A difference between an installation and its release, as text to append to the network's name. */
export interface NetworkChange {
  network: string;
  note: string;
  /** True if the change required one of the permissions; it is logged as a warning at each start. */
  isRisky: boolean;
}

/**
 * An error in one entry of the operator's file. `path` is the entry's path within the network's part of the file, and `note` is text to
 * append to it.
 */
export interface OverrideProblem {
  path: readonly string[];
  note: string;
}

interface Checked<T> {
  facts: T;
  changes: Omit<NetworkChange, "network">[];
  problems: OverrideProblem[];
}

/** Returns a row with the operator's changes, the text of each difference, and the rejected changes. */
export function overrideNetwork(row: Network, override: NetworkOverride, rights: OverrideRights) {
  const block = validateBlockTime(row, override);
  const finality = validateFinality(row.finality, override, rights);
  const pace = validatePace(row.pace, override, rights);
  const explorer = validateExplorer(row.explorer, override);
  const tokens = validateTokens(row, override, rights);
  const lookAlikes = validateLookAlikes(row, tokens.facts, override);
  const parts = [block, finality, pace, explorer, tokens, lookAlikes];
  const times = { blockMs: block.facts, finality: finality.facts, pace: pace.facts };
  const contracts = { tokens: tokens.facts, lookAlikes: lookAlikes.facts };
  const network: Network = { ...row, ...times, ...contracts, explorer: explorer.facts };
  const changes = parts.flatMap((part) => part.changes).map((change) => ({ network: row.id, ...change }));
  return { network, changes, problems: parts.flatMap((part) => part.problems) };
}

function validateBlockTime({ blockMs }: Network, { blockMs: asked }: NetworkOverride): Checked<number> {
  if (asked === undefined) return kept(blockMs);
  if (asked === blockMs) return idle(blockMs, "blockMs");
  return changed(asked, `a block every ${asked} ms initially, instead of ${blockMs} ms`);
}

function validateFinality(row: Finality, { finality }: NetworkOverride, rights: OverrideRights): Checked<Finality> {
  if (finality === undefined) return kept(row);
  const ms = finality.seconds === undefined ? row.ms : finality.seconds * 1_000;
  const facts: Finality = { ...row, depth: finality.blocks ?? row.depth, ...(ms !== undefined && { ms }) };
  const lowered = [
    ...lowering("finality.blocks", finality.blocks, row.depth, "blocks"),
    ...lowering("finality.seconds", finality.seconds, (row.ms ?? 0) / 1_000, "seconds"),
  ];
  if (lowered.length > 0 && !rights.mayLowerSafety) return { facts: row, changes: [], problems: lowered };
  if (facts.depth === row.depth && facts.ms === row.ms) return idle(row, "finality");
  const where = row.by === "finalized" ? " where a node does not report finality" : "";
  const note = `final after ${finalityText(facts)}${where}, instead of ${finalityText(row)}`;
  return changed(facts, note, lowered.length > 0);
}

function validatePace(row: Pace, { pace }: NetworkOverride, rights: OverrideRights): Checked<Pace> {
  if (pace === undefined) return kept(row);
  const facts = { everyMs: pace.everyMs ?? row.everyMs, behindMs: pace.behindMs ?? row.behindMs };
  const lowered = lowering("pace.behindMs", pace.behindMs, row.behindMs, "milliseconds of blocks that are read again");
  if (lowered.length > 0 && !rights.mayLowerSafety) return { facts: row, changes: [], problems: lowered };
  if (facts.everyMs === row.everyMs && facts.behindMs === row.behindMs) return idle(row, "pace");
  return changed(facts, `read ${paceText(facts)}, instead of ${paceText(row)}`, lowered.length > 0);
}

function validateExplorer(row: Network["explorer"], { explorer = {} }: NetworkOverride): Checked<Network["explorer"]> {
  const given = Object.entries(explorer).filter((entry): entry is [keyof typeof row, string] => entry[1] !== undefined);
  if (given.length === 0) return kept(row);
  const differing = given.filter(([part, value]) => row[part] !== value);
  if (differing.length === 0) return idle(row, "explorer");
  const note = differing.map(([part, value]) => `${part === "name" ? "name" : `${part} page`} ${value}`).join(", ");
  return changed({ ...row, ...Object.fromEntries(differing) }, `its explorer's ${note}`);
}

function validateTokens(row: Network, { tokens = {} }: NetworkOverride, rights: OverrideRights): Checked<Token[]> {
  const parts = row.tokens.map((token) => validateToken(row, token, tokens[token.currency], rights));
  const problems = Object.keys(tokens)
    .filter((currency) => !row.tokens.some((token) => token.currency === currency))
    .map((currency) => ({
      path: ["tokens", currency],
      note: `is not a token of ${row.name} in this release, which has ${row.tokens.map((token) => token.currency).join(" and ")}. The file can disable tokens but cannot add them`,
    }));
  return {
    facts: parts.flatMap((part) => part.facts),
    changes: parts.flatMap((part) => part.changes),
    problems: [...parts.flatMap((part) => part.problems), ...problems],
  };
}

function validateToken(
  row: Network,
  token: Token,
  asked: boolean | TokenOverride | undefined,
  rights: OverrideRights,
): Checked<Token[]> {
  const { currency } = token;
  if (asked === undefined || asked === true) return kept([token]);
  if (asked !== false) return replaceToken(row, token, asked, rights);
  const off = { ...token, isOff: true } as const;
  return changed([off], `${currency} is not used by new orders; existing orders and payments continue`);
}

/**
 * Adds the new contract beside the old one, which is disabled: open orders use the old one, and amounts stored in either are base units of
 * the same decimals. Contract and decimals therefore cannot change together.
 */
function replaceToken(row: Network, token: Token, asked: TokenOverride, rights: OverrideRights): Checked<Token[]> {
  const { currency } = token;
  const refuse = (note: string, ...more: string[]): Checked<Token[]> => ({
    ...kept([token]),
    problems: [{ path: ["tokens", currency, ...more], note }],
  });
  const checked = validateAddress({ ...row, tokens: [], lookAlikes: [] }, asked.contract ?? token.contract);
  if ("problem" in checked) return refuse(`is not a contract: ${inEnglish(checked.problem)}`, "contract");
  const contract = displayAddress(row.family, checked.address);
  const isMoved = checked.address !== canonicalAddress(row.family, token.contract);
  const decimals = asked.decimals ?? token.decimals;
  const isRescaled = decimals !== token.decimals;
  if (!isMoved && !isRescaled) return idle([token], `tokens.${currency}`);
  const other = row.tokens.find((one) => canonicalAddress(row.family, one.contract) === checked.address);
  if (isMoved && other) return refuse(`is the contract of ${other.currency} on ${row.name}`, "contract");
  if (isMoved && isRescaled) return refuse(MISREAD);
  if (!rights.mayReplaceTokens) return refuse(notWithout(isMoved ? "contract" : "number of decimals", currency));
  if (isRescaled) {
    const note = `${currency} has ${decimals} decimals, instead of this release's ${token.decimals}`;
    return changed([{ ...token, decimals }], note, true);
  }
  const note = `${currency} is ${contract}, instead of this release's ${token.contract}, which new orders do not use`;
  return changed(
    [
      { currency, contract, decimals },
      { ...token, isOff: true },
    ],
    note,
    true,
  );
}

/**
 * Validates the look-alikes. A disabled one stays in the row, because the ledger may contain transfers of it; one whose contract became
 * the token is removed.
 */
function validateLookAlikes(
  row: Network,
  tokens: readonly Token[],
  { lookAlikes: asked = {} }: NetworkOverride,
): Checked<LookAlike[]> {
  const canonical = ({ contract }: { contract: string }) => canonicalAddress(row.family, contract);
  const entries = Object.entries(asked).map(([contract, isOn]) => {
    const checked = validateAddress({ ...row, tokens: [], lookAlikes: [] }, contract);
    const one = row.lookAlikes.find((known) => "address" in checked && canonical(known) === checked.address);
    return { contract, isOn, one };
  });
  const off = entries.flatMap(({ one, isOn }) => (one && !isOn ? [one] : []));
  return {
    facts: row.lookAlikes
      .filter((one) => !tokens.some((token) => canonical(token) === canonical(one)))
      .map((one) => (off.includes(one) ? { ...one, isOff: true } : one)),
    changes: off.map(({ name, contract }) => ({ note: `${name} (${contract}) is not watched`, isRisky: false })),
    problems: entries
      .filter(({ one }) => one === undefined)
      .map(({ contract }) => ({ path: ["lookAlikes", contract], note: noLookAlike(row) })),
  };
}

function noLookAlike({ name, lookAlikes }: Network): string {
  const known = lookAlikes.map(({ name: title, contract }) => `${contract} (${title})`).join(", ");
  return `is not a look-alike that this release watches on ${name}; it has ${known || "none"}`;
}

const MISREAD =
  "has a different contract and different decimals, so the amounts of earlier orders would be misread. Disable the token (false) until a release contains the new one";

function notWithout(what: string, currency: string): string {
  return `would replace this release's ${what}; with an incorrect one, worthless tokens would be credited. Disable the token ("${currency}": false) until a release contains the right one, or set ${RIGHT_SETTINGS.mayReplaceTokens}=1 if the issuer published yours`;
}

function lowering(path: string, asked: number | undefined, min: number, unit: string): OverrideProblem[] {
  if (asked === undefined || asked >= min) return [];
  const note = `is ${asked}, less than this release's ${min} ${unit}: payments that a reorg removes later could be credited. Set at least ${min}, or set ${RIGHT_SETTINGS.mayLowerSafety}=1 if you know why a lower value is safe`;
  return [{ path: path.split("."), note }];
}

function finalityText({ depth, ms }: Finality): string {
  return ms === undefined ? `${depth} blocks` : `${depth} blocks and ${ms / 1_000} s`;
}

function paceText({ everyMs, behindMs }: Pace): string {
  return `every ${everyMs} ms, with the last ${behindMs} ms read again`;
}

function kept<T>(facts: T): Checked<T> {
  return { facts, changes: [], problems: [] };
}

function changed<T>(facts: T, note: string, isRisky = false): Checked<T> {
  return { facts, changes: [{ note, isRisky }], problems: [] };
}

/** Reports an entry whose value is now the same as in the release. */
function idle<T>(facts: T, path: string): Checked<T> {
  return changed(facts, `${path} is the same as in this release and can be removed from the file`);
}
