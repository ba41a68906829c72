import type { Seal } from "@/lib/domain/addresses/address";

/** The seal of the receiving address that a quote asks to be paid to; null where that holds another address than the quote. */
export interface SealColumn {
  seal: Seal;
}

/** Joins a quote `q` with its receiving address, while that holds what the quote does. */
export const JOIN_SEAL =
  "left join receiving_addresses sealed on sealed.id = q.receiving_address_id and sealed.merchant_id = q.merchant_id and sealed.network = q.network and sealed.address = q.address";

export const SEAL_COLUMN =
  "case when sealed.id is not null then json_build_object('kind', sealed.kind, 'mac', sealed.mac) end as seal";
