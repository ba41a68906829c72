import type { Seal } from "@/lib/domain/addresses/address";

/** Of the receiving address that a quote asks to be paid to; nulls where that holds another address than the quote. */
export interface SealColumns {
  seal_kind: string | null;
  seal_mac: string | null;
}

/** Joins a quote `q` with its receiving address, while that holds what the quote does. */
export const JOIN_SEAL =
  "left join receiving_addresses sealed on sealed.id = q.receiving_address_id and sealed.merchant_id = q.merchant_id and sealed.network = q.network and sealed.address = q.address";

export const SEAL_COLUMNS = "sealed.kind as seal_kind, sealed.mac as seal_mac";

/** The seal that those columns hold. */
export function sealOf({ seal_kind: kind, seal_mac: mac }: SealColumns): Seal {
  return kind === null || mac === null ? null : { kind, mac };
}
