import { validateAddress } from "@/lib/domain/addresses/address";
import { secretProblem } from "@/lib/domain/addresses/secret-forms";
import { readXpub, type XpubFamily } from "@/lib/domain/addresses/xpub";
import type { Reading } from "@/lib/domain/fields/field";
import { FORM_FLAG, formList, formOption, formReader, formText, formWhole } from "@/lib/domain/fields/form";
import { allNetworks, findNetwork, isOffered, type Network } from "@/lib/domain/networks";
import { problem } from "@/lib/domain/problems/problem";

const MAX_LABEL = 60;

/** The default maximum number of addresses of a public key or treasury. */
export const DEFAULT_MAX_DERIVED = 500;
export const MAX_DERIVED = 10_000;

/** The largest number of addresses in a pasted list. */
export const MAX_LINES = 1_000;

type Form = Readonly<Record<string, unknown>>;

const textIn = (form: Form, name: string) => {
  const text = form[name];
  return typeof text === "string" ? text : "";
};

const label = formText(readLabel);
const max = formWhole({ min: 1, max: MAX_DERIVED }, problem("derived_count_out_of_range"));
const repeated = formText((typed, form) => readRepeated(typed.trim(), textIn(form, "address").trim()));

const network = formText<Network>((typed) => {
  const found = findNetwork(typed);
  return found ? { value: found } : { problem: problem("network_choice_missing") };
});

/** The form of an address's label. */
export const LABEL_FORM = { label };

/** The form of a receiving address. */
export const ADDRESS_FORM = {
  network,
  /** The address in canonical form; empty if the network is unknown. */
  address: formText((typed, form) => readAddress(typed, findNetwork(textIn(form, "network")))),
  label,
};
export const readAddressForm = formReader(ADDRESS_FORM);

/** The form that adds a receiving address, which is entered twice. */
export const NEW_ADDRESS_FORM = {
  ...ADDRESS_FORM,
  kind: formOption(["shared", "dedicated"], "shared"),
  again: repeated,
};

/** A line of a list; line numbers start at 1. */
export interface ListLine {
  line: number;
  text: string;
}

/** The form of a list of receiving addresses of one network. */
export const ADDRESS_LIST_FORM = {
  network,
  label,
  /** The lines that are not empty. */
  text: formText(readLines),
};
export const readAddressListForm = formReader(ADDRESS_LIST_FORM);

/** The form that adds a list of receiving addresses. */
export const NEW_ADDRESS_LIST_FORM = {
  ...ADDRESS_LIST_FORM,
  kind: formOption(["shared", "dedicated"], "dedicated"),
  /** True if the valid lines are added even though other lines are invalid. */
  isPartial: FORM_FLAG,
};

const XPUB_FAMILIES = ["evm", "tron"] as const satisfies readonly XpubFamily[];
const familyIn = (form: Form): XpubFamily => XPUB_FAMILIES.find((family) => family === form["family"]) ?? "evm";

/** The form of an extended public key. */
export const PUBLIC_KEY_FORM = {
  family: formOption(XPUB_FAMILIES, "evm"),
  /** The public key. Problems never contain its text, because it may be a private key. */
  xpub: formText((typed, form) => readPublicKey(familyIn(form), typed)),
  label,
  /** The ids of networks of the family. */
  networks: formList((ids, form) => readNetworks(familyIn(form), ids)),
  max,
};
export const readPublicKeyForm = formReader(PUBLIC_KEY_FORM);

/** The form of the maximum number of addresses of a public key. */
export const LIMIT_FORM = { max };

/** The form of the treasury of receivers, which is entered twice. */
export const TREASURY_FORM = {
  /** The address in canonical form. */
  address: formText(readTreasury),
  again: formText((typed, form) => readTreasuryAgain(typed, textIn(form, "address"))),
  label,
  max,
  /** True if the user has confirmed that the contracts are not audited. */
  knowsUnaudited: formText((typed) =>
    typed === "true" ? { value: true } : { problem: problem("treasury_risk_unconfirmed") },
  ),
};
export const readTreasuryForm = formReader(TREASURY_FORM);

function readLabel(typed: string): Reading<string> {
  const text = typed.trim();
  return [...text].length <= MAX_LABEL ? { value: text } : { problem: problem("text_too_long", { max: MAX_LABEL }) };
}

function readAddress(typed: string, of: Network | null | undefined): Reading<string> {
  if (typed.trim() === "") return { problem: problem("address_missing") };
  if (!of) return { value: "" };
  const read = validateAddress(of, typed);
  return "problem" in read ? read : { value: read.address };
}

function readRepeated(again: string, address: string): Reading<string> {
  if (address === "" || again === address) return { value: again };
  return { problem: problem(again ? "address_repeat_differs" : "address_repeat_missing") };
}

function readLines(typed: string): Reading<ListLine[]> {
  const lines = typed.split(/\r?\n/).map((text, index) => ({ line: index + 1, text: text.trim() }));
  const value = lines.filter(({ text }) => text !== "");
  if (value.length === 0) return { problem: problem("addresses_missing") };
  if (value.length <= MAX_LINES) return { value };
  return { problem: problem("too_many_addresses", { max: MAX_LINES.toLocaleString("en"), count: value.length }) };
}

function readPublicKey(family: XpubFamily, typed: string): Reading<string> {
  const read = readXpub(family, typed);
  return "problem" in read ? { problem: read.problem } : { value: read.xpub };
}

function readNetworks(family: XpubFamily, ids: readonly string[]): Reading<string[]> {
  const known = ids.flatMap((id) => {
    const found = findNetwork(id);
    return found?.id === id ? [found] : [];
  });
  if (known.length === 0) return { problem: problem("networks_choice_missing") };
  if (known.some((one) => one.family !== family || !isOffered(one)))
    return { problem: problem("networks_choice_unknown") };
  return { value: [...new Set(known.map(({ id }) => id))] };
}

function readTreasury(typed: string): Reading<string> {
  const text = typed.trim();
  if (text === "") return { problem: problem("address_missing") };
  const secret = secretProblem(text);
  if (secret) return { problem: secret };
  const evm = allNetworks().filter(({ family }) => family === "evm");
  let value: string | null = null;
  for (const one of evm) {
    const read = validateAddress(one, text);
    if ("problem" in read) return read;
    value ??= read.address;
  }
  return value === null ? { problem: problem("networks_choice_unknown") } : { value };
}

/**
 * Reads the repetition of the treasury address. Reports no problem if the address itself is invalid, because that problem is reported
 * first.
 */
function readTreasuryAgain(again: string, address: string): Reading<string> {
  return "problem" in readTreasury(address) ? { value: "" } : readRepeated(again.trim(), address.trim());
}
