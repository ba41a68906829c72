import { displayAddress, displayTxId, transactionUrl } from "@/lib/domain/addresses/address";
import { formatUnits } from "@/lib/domain/money";
import { type Currency, getNetwork, getToken } from "@/lib/domain/networks";
import { type ExactNumber, exactNumber } from "@/lib/domain/orders/order-wire";

/** An address that belongs to a customer permanently. `address` is in canonical form. */
export interface DepositAddress {
  id: string;
  customerRef: string;
  network: string;
  address: string;
  createdAt: Date;
}

/**
 * A transfer to a deposit address that was final at least once. `network` is the transfer's network; amounts are base units of its token.
 */
export interface Deposit {
  /** The id of the transfer. */
  id: string;
  addressId: string;
  customerRef: string;
  network: string;
  currency: Currency;
  address: string;
  fromAddress: string;
  txId: string;
  baseUnits: bigint;
  confirmations: number;
  seenAt: Date;
  confirmedAt: Date;
  /** The time when a reorg removed the transfer; null if no reorg did. */
  reversedAt: Date | null;
}

/** The response of deposit-address. Times are Unix seconds. */
export interface DepositAddressData {
  deposit_address_id: string;
  customer_ref: string;
  network: string;
  /** The currencies that are credited at the address: the enabled tokens of the network. */
  currencies: Currency[];
  address: string;
  /** The page that shows the address and its transfers. */
  deposit_url: string;
  created_at: number;
}

/** An entry of deposit/list, and the data of `deposit.confirmed` and `deposit.reversed`. */
export interface DepositData {
  deposit_id: string;
  deposit_address_id: string;
  customer_ref: string;
  network: string;
  currency: Currency;
  amount: ExactNumber;
  status: "confirmed" | "reversed";
  address: string;
  from_address: string;
  tx_hash: string;
  confirmations: number;
  seen_at: number;
  confirmed_at: number;
  reversed_at: number | null;
  explorer_url: string;
}

/**
 * Returns the public representation of a deposit address.
 * @param publicUrl the public URL of this installation, without a trailing slash
 */
export function toDepositAddressData(
  { network: id, ...one }: DepositAddress,
  { publicUrl }: { publicUrl: string },
): DepositAddressData {
  const network = getNetwork(id);
  return {
    deposit_address_id: one.id,
    customer_ref: one.customerRef,
    network: id,
    currencies: network.tokens.filter(({ isOff }) => !isOff).map(({ currency }) => currency),
    address: displayAddress(network.family, one.address),
    deposit_url: depositUrl(publicUrl, one.id),
    created_at: unixSeconds(one.createdAt),
  };
}

/** Returns the public representation of a deposit, which is the same in a list and in an event. */
export function toDepositData(deposit: Deposit): DepositData {
  const { currency } = deposit;
  const network = getNetwork(deposit.network);
  return {
    deposit_id: deposit.id,
    deposit_address_id: deposit.addressId,
    customer_ref: deposit.customerRef,
    network: network.id,
    currency,
    amount: exactNumber(formatUnits(deposit.baseUnits, getToken(network, currency).decimals)),
    status: deposit.reversedAt === null ? "confirmed" : "reversed",
    address: displayAddress(network.family, deposit.address),
    from_address: displayAddress(network.family, deposit.fromAddress),
    tx_hash: displayTxId(network.family, deposit.txId),
    confirmations: deposit.confirmations,
    seen_at: unixSeconds(deposit.seenAt),
    confirmed_at: unixSeconds(deposit.confirmedAt),
    reversed_at: deposit.reversedAt && unixSeconds(deposit.reversedAt),
    explorer_url: transactionUrl(network, deposit.txId),
  };
}

const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

/**
 * Returns the URL of a deposit address's page.
 * @param publicUrl the public URL of this installation, without a trailing slash
 */
export function depositUrl(publicUrl: string, id: string): string {
  return `${publicUrl}/deposit/${id}`;
}
