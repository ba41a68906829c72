import { and, eq } from "drizzle-orm";
import { quotes, receivingAddresses } from "@/db/schema";
import type { AddressMac } from "@/lib/domain/addresses/address";

/** The MAC of the receiving address of a row; null if that address has changed since. */
export interface AddressMacColumn {
  addressMac: AddressMac;
}

/**
 * Returns the join from a row that contains an address, such as a quote, to its receiving address, provided that the receiving address has
 * not changed.
 * @param given alias of the row
 */
export const joinAddressMac = (given: string) =>
  `left join receiving_addresses sealed on sealed.id = ${given}.receiving_address_id and sealed.merchant_id = ${given}.merchant_id and sealed.network = ${given}.network and sealed.address = ${given}.address`;

/** A drizzle condition that joins quotes with their receiving addresses, like `joinAddressMac`. */
export const isAddressOfQuote = and(
  eq(receivingAddresses.id, quotes.receivingAddressId),
  eq(receivingAddresses.merchantId, quotes.merchantId),
  eq(receivingAddresses.network, quotes.network),
  eq(receivingAddresses.address, quotes.address),
);

export const ADDRESS_MAC_COLUMN =
  "case when sealed.id is not null then json_build_object('kind', sealed.kind, 'mac', sealed.mac) end as \"addressMac\"";
