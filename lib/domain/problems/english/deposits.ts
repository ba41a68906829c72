/** Problems of deposit addresses and deposits. */
export const depositProblems = {
  network_closed_to_deposits: "{network} gives out no addresses until an operator of this installation reopens it",
  deposit_address_none_free:
    "No address of its own is free for a customer on {network}: it must be dedicated and must never have served an order. Paste a list, or add a public key, in the back office under Settings → Receiving addresses, then ask again",
  deposit_address_paused:
    "The customer's address {address} was paused or removed; what arrives there still counts. Take it up again in the back office under Settings → Receiving addresses, then ask again",
  transfer_is_deposit: "This is a customer's deposit: it pays no order",
} as const;

/** Problems of the pages of deposit addresses, which only programs receive. */
export const depositPageProblems = {
  page_deposit_not_found: "There is no such deposit address",
  page_deposit_unreadable: "The deposit address cannot be read right now; try again in {seconds} s",
} as const;
