/** Problems with deposit addresses and deposits. */
export const depositProblems = {
  network_closed_to_deposits:
    "No addresses are assigned on {network} until an operator of this installation reopens it",
  deposit_address_none_free:
    "No dedicated address that has never served an order is available on {network}. Add a list or an extended public key in the back office under Settings → Receiving addresses, then repeat the request",
  deposit_address_paused:
    "The customer's address {address} is paused or removed; deposits to it are still credited. Resume it in the back office under Settings → Receiving addresses, then repeat the request",
  transfer_is_deposit: "This transfer is a customer's deposit and is not credited to an order",
} as const;

/** Problems with the pages of deposit addresses. Only programs receive them. */
export const depositPageProblems = {
  page_deposit_not_found: "This deposit address does not exist",
  page_refund_not_found: "This refund does not exist",
  page_refund_unreadable: "The refund is temporarily unavailable; try again in {seconds} s",
  page_deposit_unreadable: "The deposit address is temporarily unavailable; try again in {seconds} s",
} as const;
