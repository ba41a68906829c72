import { getAddress, isAddress } from "viem/utils";
import {
  type AddressReading,
  canonicalTron,
  displayTron,
  isSolanaAddress,
  isTronAddress,
  readSolanaAddress,
  readTronAddress,
} from "@/lib/domain/addresses/families";
import type { Family, Network } from "@/lib/domain/networks";
import { type Problem, problem } from "@/lib/domain/problems/problem";

export type AddressValidation = { address: string } | { problem: Problem };

/**
 * Reads an address that a user entered for a network. The canonical form is stored and compared. Token contracts, the zero address, and
 * addresses of a different family of networks are rejected.
 */
export function validateAddress(network: Network, text: string): AddressValidation {
  const typed = text.trim();
  const foreign = familyOf(typed);
  const params = {
    given: `"${typed.slice(0, 60)}"`,
    network: network.name,
    form: problem(`address_form_${network.family}`),
  };
  if (foreign !== null && foreign !== network.family)
    return { problem: problem("address_of_other_network", { ...params, owner: problem(`address_owner_${foreign}`) }) };
  const read = READERS[network.family](typed);
  if ("problem" in read) return { problem: read.problem ?? problem("address_malformed", params) };
  const known = [...network.tokens, ...network.lookAlikes];
  const token = known.find(({ contract }) => canonicalAddress(network.family, contract) === read.address);
  if (!token) return read;
  return {
    problem: problem("address_is_token_contract", { currency: token.currency, network: network.name }),
  };
}

const READERS: Readonly<Record<Family, (typed: string) => AddressReading>> = {
  evm: readEvmAddress,
  tron: readTronAddress,
  solana: readSolanaAddress,
};

/** Returns the family whose addresses have this form, or null. */
function familyOf(typed: string): Family | null {
  if (/^0x[0-9a-fA-F]{40}$/.test(typed)) return "evm";
  if (isTronAddress(typed)) return "tron";
  return isSolanaAddress(typed) ? "solana" : null;
}

/**
 * Returns the stored form of a valid address or contract. EVM and TRON: 0x and 40 hexadecimal digits in lower case (TRON without the
 * leading 41). Solana: base58 unchanged, because it is case-sensitive.
 */
export function canonicalAddress(family: Family, address: string): string {
  switch (family) {
    case "evm":
      return canonicalEvm(address);
    case "tron":
      return canonicalTron(address);
    case "solana":
      return address;
  }
}

/** A receiving address with the fields that its MAC covers, and the MAC under APP_SECRET. `address` is in canonical form. */
export interface AddressWithMac {
  merchantId: string;
  network: string;
  address: string;
  kind: string;
  mac: string;
}

/** A function that returns true if a receiving address is unchanged since its merchant added it. */
export type VerifyAddress = (row: AddressWithMac) => boolean;

/** The MAC of the receiving address of a payment; null if the row now has a different address. */
export type AddressMac = Pick<AddressWithMac, "kind" | "mac"> | null;

/** Returns the receiving address of a payment; null if it was changed outside the application, so that no page shows it. */
export function verifiedAddress(
  { merchantId, network, address, addressMac }: Omit<AddressWithMac, "kind" | "mac"> & { addressMac: AddressMac },
  isVerified: VerifyAddress,
): string | null {
  return addressMac !== null && isVerified({ merchantId, network, address, ...addressMac }) ? address : null;
}

/** Returns an address in display form, as wallets and explorers show it: EIP-55 checksum, TRON's base58check, Solana's base58. */
export function displayAddress(family: Family, address: string): string {
  switch (family) {
    case "evm":
      return getAddress(address as `0x${string}`);
    case "tron":
      return displayTron(address);
    case "solana":
      return address;
  }
}

/** Returns the beginning and the end of an address or other long id: "0x5aAeb6…1BeAed". */
export function shorten(text: string): string {
  return text.length > 16 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text;
}

/** Returns a transaction id in display form, as explorers show it: on TRON without the stored 0x. */
export function displayTxId(family: Family, txId: string): string {
  return family === "tron" ? txId.replace(/^0x/, "") : txId;
}

/** Returns the forms in which a search text may be stored, as an address or a transaction id of any family. */
export function storedForms(text: string): string[] {
  const forms = [text, text.toLowerCase()];
  if (/^[0-9a-f]{64}$/i.test(text)) forms.push(`0x${text.toLowerCase()}`);
  if (isTronAddress(text)) forms.push(canonicalTron(text));
  return [...new Set(forms)];
}

/** Reads an EVM address. A mixed-case address must have a valid EIP-55 checksum. */
function readEvmAddress(typed: string): AddressReading {
  if (!/^0x[0-9a-fA-F]{40}$/.test(typed)) return { problem: null };
  const digits = typed.slice(2);
  const isMixedCase = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (isMixedCase && !isAddress(typed)) {
    return {
      problem: problem("address_case_mistyped", { given: typed }),
    };
  }
  if (/^0+$/.test(digits)) return { problem: problem("address_is_zero") };
  return { address: canonicalEvm(typed) };
}

function canonicalEvm(address: string): string {
  return address.toLowerCase();
}

/**
 * Returns the URL of a transaction in the explorer of a network.
 * @param txId as stored
 */
export function transactionUrl(network: Network, txId: string): string {
  return network.explorer.tx.replace("{}", displayTxId(network.family, txId));
}

/**
 * Returns the URL of an address in the explorer of a network.
 * @param address in canonical form
 */
export function addressUrl(network: Network, address: string): string {
  return network.explorer.address.replace("{}", displayAddress(network.family, address));
}

/** Returns a link to an explorer; none in the sandbox, because no explorer shows its local chains. */
export function linkUnless(isSandbox: boolean, url: string): string | undefined {
  return isSandbox ? undefined : url;
}

/**
 * Returns the URL of a token in the explorer of a network.
 * @param contract in display form
 */
export function tokenUrl(network: Network, contract: string): string {
  return network.explorer.token.replace("{}", contract);
}
