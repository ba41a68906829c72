/** The messages of the pages of deposit addresses. */
export const deposits = {
  title: "Deposits",
  hint: "Addresses that stay with customers, and what came there and is final.",
  customer: "Customer",
  address: "Address",
  received: "Received",
  count: "Transfers",
  open: "{count, number} not final yet",
  reversed: "{count, number} removed by a reorg",
  last: "Last transfer",
  never: "none yet",
  nothing: "nothing yet",
  none: "No customer has an address of their own yet",
  noneHint:
    "Your server asks for one with deposit-address. It needs addresses that serve one payer at a time: add a list or a public key first.",
  toAddresses: "Receiving addresses",
  nothingFits: "No deposit address fits",
  lookFor: "Look for a customer by the name that your server gave, or by its beginning, or for a whole address.",
  showAll: "Show all deposits",
  transfers: "Transfers to this address",
  noTransfers: "Nothing has come to this address yet.",
  details: "Details",
  page: "Page for the customer",
  id: "Id",
  notifyUrl: "News go to",
  noNotifyUrl: "no address: event/list and deposit/list tell of them",
  since: "Given",
  lost: "{count, plural, one {# confirmed deposit was} other {# confirmed deposits were}} removed by a chain reorganization. Look the transactions up in an explorer: those that the chain includes again are confirmed again automatically.",
  closed:
    "This address is paused or removed: its page tells the customer not to send. What arrives there still counts. Take it up again under Settings → Receiving addresses.",
  broken:
    "What is stored of this address does not fit its seal: it was changed in the database, or APP_SECRET is another. It is paused, and shown nowhere. Look at it under Settings → Receiving addresses.",
};
