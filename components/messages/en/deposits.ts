/** The messages of the pages for deposit addresses. */
export const deposits = {
  title: "Deposits",
  hint: "Permanent addresses of customers, with their final deposits.",
  customer: "Customer",
  address: "Address",
  received: "Received",
  count: "Transfers",
  open: "{count, number} not final yet",
  reversed: "{count, number} removed by a reorg",
  last: "Last transfer",
  never: "no transfers",
  nothing: "no deposits",
  none: "No deposit addresses yet",
  noneHint:
    "Your server requests one with deposit-address. Add a list of dedicated addresses or an extended public key first.",
  toAddresses: "Receiving addresses",
  nothingFits: "No deposit addresses match this filter",
  lookFor: "Search by the customer reference or its beginning, or by a whole address.",
  showAll: "Show all deposits",
  transfers: "Transfers to this address",
  noTransfers: "No transfers to this address yet.",
  details: "Details",
  page: "Customer page",
  id: "Id",
  notifyUrl: "Callback URL",
  noNotifyUrl: "none; use event/list or deposit/list",
  since: "Assigned",
  lost: "{count, plural, one {# confirmed deposit was} other {# confirmed deposits were}} removed by a reorg. Look up the transactions in an explorer. Those that the chain includes again are confirmed automatically.",
  closed:
    "This address is paused or removed, and its page asks the customer not to send anything. Deposits to it are still credited. Resume it under Settings → Receiving addresses.",
  broken:
    "The integrity check of this address failed: it was changed in the database, or APP_SECRET differs. It is paused and not shown to payers. Check it under Settings → Receiving addresses.",
};
