/** English. Text between ** is emphasised. Every other language has exactly these keys. */
export const en = {
  lang: "en",
  dir: "ltr",

  chooseTitle: "How do you want to pay?",
  chooseStatus: "Waiting for your choice",
  chooseLead: (merchant: string, asked: string) =>
    `${merchant} asks for **${asked}**. Choose the network that your wallet or exchange sends on. What to send, and where, comes next.`,
  chooseNone: (merchant: string) =>
    `${merchant} cannot be paid at this moment. This page looks again by itself. **Do not send anything.**`,
  chooseLegend: "Currency and network",
  choose: "Continue",
  chooseProblem: {
    taken: "Nothing is free there for this amount at the moment. Choose another network, or try again in a minute.",
    closed: "That cannot be used at the moment. Choose another, or try again in a minute.",
    unrated: "Nobody can say at the moment what this price comes to. Try again in a minute.",
    enough: "Five ways were offered for this order already. Pay one of them.",
    often: "That was chosen anew too often. Try again in a minute.",
  },
  chooseExpiredLead: "Nothing was chosen in time. **Do not send anything:** this offer has ended.",
  chooseCancelledLead: (merchant: string) => `${merchant} cancelled this order. **Do not send anything.**`,

  chooseTime: (time: string) => `Final in ${time}`,
  chooseFee: (from: string | null, to: string) =>
    from === null ? `network fee usually under ${to} USD` : `network fee about ${from} to ${to} USD`,
  chooseShown: "Chosen now",
  chooseQuoted: (amount: string) => `${amount}, offered before`,
  chooseNote: "Times and fees are what is usual, not a promise. An exchange takes a fee of its own.",
  switchLink: "Pay on another network or with another currency",
  switchTitle: "Pay another way",
  switchStatus: "Choose anew",
  switchLead: (amount: string, network: string) =>
    `Now asked for: **${amount}** on **${network}**. That stays payable whatever you choose here. **If you already sent it, choose nothing:** it counts.`,
  switchBack: "Back, nothing changed",
  otherOffer: (amount: string, network: string) =>
    `**Already sent ${amount} on ${network}?** It counts, and shows up here. Do not pay twice.`,
  paidOn: (network: string) => `It was paid on **${network}**, one of the ways that were offered.`,

  moreTime: "I need more time",
  moreTimeNote: (minutes: number, left: number) => `Adds ${minutes} min. Possible ${left} more times.`,

  paidLink: "I have paid",
  paidLabel: "Transaction id",
  paidHint: (networks: string) => `From your wallet or exchange, on ${networks}. It only shows what became of it.`,
  paidLook: "Look for it",
  paidProblem: {
    txid: (networks: string) =>
      `That is no transaction id of ${networks}. Copy the whole id from your wallet or exchange.`,
    asked: "That was asked often. Try again in a minute.",
  },
  lookup: {
    asking: (id: string, network: string) => `Looking for ${id} on ${network} …`,
    silent: (network: string) =>
      `**No node of ${network} answered.** That says nothing about your payment. Ask again in a minute.`,
    absent: (id: string, network: string) =>
      `**${id} is not visible on ${network} yet.** It may take some minutes. Check in your wallet that it was really sent, and on ${network}.`,
    failed: (id: string) => `**${id} failed on the chain,** so nothing was sent. Your wallet says why.`,
    nothing: (id: string) =>
      `**${id} sent nothing to the address of this order.** Compare the address in your wallet with the one here.`,
    early: (id: string) => `**${id} was made before this order,** so it cannot pay it.`,
    otherOrder: (id: string) => `**${id} belongs to another order,** so it does not pay this one.`,
    kept: (id: string, merchant: string) =>
      `**${id} reached ${merchant}, but does not pay this order by itself.** Contact them and give them its id. Do not pay again.`,
    found: (id: string) =>
      `**${id} was found.** It counts once the network has confirmed it, and this page will show it.`,
    wrongToken: (id: string, token: string) => `**${id} sent ${token},** which is not what this order asks for.`,
    unknownToken: "a token that is not known here",
    wrongNetwork: (id: string, network: string) =>
      `**${id} was sent on ${network},** not where this order can be paid.`,
    short: (id: string, arrived: string, due: string) =>
      `**${id} brought ${arrived} instead of ${due}.** A fee may have been taken from it. It cannot be matched by itself: contact the merchant.`,
    over: (id: string, arrived: string, due: string) =>
      `**${id} brought ${arrived} instead of ${due}.** It cannot be matched by itself: contact the merchant.`,
  },

  waitingStatus: "Waiting for payment",
  waitingTitle: (currency: string) => `Send ${currency} on`,
  underpaidStatus: "Part of the payment arrived",
  underpaidTitle: (currency: string) => `Send the remaining ${currency} on`,
  underpaidLead: (arrived: string, due: string) =>
    `**${arrived}** of ${due} arrived. Send the rest to the same address before the time is up.`,
  partialTitle: "Part of the payment arrived",
  partialLead: (merchant: string, arrived: string, due: string) =>
    `${merchant} counted **${arrived}** of ${due}. **Do not send the rest on your own:** contact them about it.`,

  elsewhereNetworkTitle: "Paid on another network",
  elsewhereCurrencyTitle: "Paid in another currency",
  elsewhereLead: (arrived: string, network: string, currency: string, due: string) =>
    `**${arrived}** arrived on **${network}**. This order asks for ${currency} on ${due}, so the payment does not count by itself.`,
  lookAlikeTitle: "Paid with another token",
  lookAlikeLead: (arrived: string, network: string, symbol: string, contract: string, currency: string) =>
    `You sent **${arrived}** on **${network}**. Wallets show it as ${symbol}, but it is another token (${contract}) than the ${currency} this order asks for, so it does not pay the order.`,
  lookAlikeSeen: (merchant: string) => `**It reached an address of ${merchant}.** They see it next to this order.`,
  elsewhereSeen: (merchant: string) =>
    `**It reached an address of ${merchant}.** They see it next to this order, and can accept it.`,
  elsewhereContact: (merchant: string) =>
    `**Contact ${merchant}** and give them the transaction id below. They decide what becomes of it.`,
  elsewhereAgain: (merchant: string) => `**Do not pay again,** unless ${merchant} asks you to.`,
  elsewherePay: "Pay this order again all the same",
  elsewherePayNote: (merchant: string) =>
    `Only if ${merchant} asked you to: what you send now comes on top of what you already sent.`,
  alsoArrived: (arrived: string, network: string, merchant: string) =>
    `**${arrived}** also arrived on **${network}**, where it does not count for this order. ${merchant} sees it: contact them with its transaction id, and do not send it again.`,
  transactionOn: (network: string) => `Transaction on ${network}`,

  amountLabel: "Amount",
  remainingLabel: "Remaining amount",
  addressLabel: "To this address",
  copyAmount: "Copy amount",
  copyAddress: "Copy address",
  copied: "Copied",
  amountCopied: "Amount copied",
  addressCopied: "Address copied",
  copyFailed: "Could not copy. Select the text and copy it by hand.",

  exactNote: (amount: string) =>
    `**Send exactly ${amount}.** Your payment is recognised by this exact amount. Any other amount cannot be matched to your order.`,
  sumNote: (amount: string) =>
    `**Send ${amount} in full.** If less arrives, the order stays open until the rest is there.`,
  exchangeNote: (amount: string) =>
    `**Paying from an exchange?** Exchanges take their fee from what you type. The amount that arrives must be ${amount}.`,
  onlyNote: (currency: string, network: string) =>
    `**Only ${currency} on ${network}.** Anything else sent to this address does not pay the order and may be lost.`,

  sameTokenNote: (currency: string, shown: string) =>
    `Some wallets show this ${currency} as **${shown}**. It is the same.`,
  lookAlikeNote: (name: string, symbol: string, contract: string) =>
    `**Not ${name}** (${contract}): wallets show it as ${symbol}, but it is another token and does not pay.`,

  qrLegend: "What the QR code contains",
  qrAddress: "Address",
  qrWallet: "Wallet",
  qrAddressCaption: "Just the address, for any wallet or exchange. Type the amount yourself.",
  qrWalletCaption: "Address and amount, for wallets that read payment requests. Check both before you send.",
  qrAddressAlt: (address: string) => `QR code of the address ${address}`,
  qrWalletAlt: (amount: string, address: string) => `QR code of a request for ${amount} to ${address}`,

  contractSummary: (currency: string, network: string) => `${currency} token contract on ${network}`,
  contractNote: "Compare it with the token in your wallet.",
  viewOn: (explorer: string) => `View on ${explorer}`,
  opensNewTab: "(opens a new tab)",

  timeLeft: "Time left:",
  left: "left",
  payBefore: "Pay before",
  timeLeftSpoken: (minutes: number) => `${minutes === 1 ? "1 minute" : `${minutes} minutes`} left to pay`,

  sandboxNote: "This is a sandbox: the money is play money on a chain of its own.",
  sandboxPay: "Pay from the sandbox wallet",
  sandboxPaying: "Sending…",
  sandboxSent: "Sent from the sandbox wallet",
  sandboxFailed: "The sandbox wallet could not pay. Try again.",

  stepsLabel: "Progress",
  stepSeen: "Seen",
  stepConfirming: "Confirming",
  stepPaid: "Paid",
  seenTitle: "Payment seen",
  seenLead: (amount: string, network: string) =>
    `**${amount}** reached the address. ${network} is now confirming it. There is nothing more for you to do.`,
  confirmingTitle: "Confirming your payment",
  confirmingLead: (amount: string, network: string) =>
    `**${amount}** arrived. ${network} makes it final in a few more blocks. There is nothing more for you to do.`,
  lateTitle: "Late payment found",
  lateLead: (amount: string) =>
    `**${amount}** arrived after the time was up. We found it, and it is being confirmed now. Do not send it again.`,
  confirmations: (count: number, required: number) => `${count} of ${required} confirmations`,
  almostThere: "almost there",
  aboutSeconds: (seconds: number) => `about ${seconds} seconds`,
  aboutMinutes: (minutes: number) => (minutes === 1 ? "about a minute" : `about ${minutes} minutes`),
  mayClose: "You may close this page; the payment goes on without it.",

  checkingTitle: "Checking for your payment",
  checkingLead: (network: string) =>
    `The time is up. **Do not send anything now.** We are reading the last blocks of ${network}; a payment that you already sent will show up here.`,

  paidTitle: "Payment complete",
  paidLead: (merchant: string, amount: string) => `${merchant} received **${amount}**.`,
  paidByHandLead: (merchant: string, due: string) => `${merchant} marked this order of **${due}** as paid.`,
  paidLateLead: (merchant: string, amount: string) =>
    `${merchant} received **${amount}**. It came after the time was up; if anything is unclear, contact them.`,
  overpaidTitle: "Paid, and more than asked",
  overpaidLead: (merchant: string, arrived: string, surplus: string) =>
    `${merchant} received **${arrived}**, which is **${surplus}** more than the order asked. The order is paid; contact them about the difference.`,

  expiredTitle: "The time is up",
  expiredLead: "Nothing was received. **Do not send now:** this offer has ended.",
  expiredPartLead: (arrived: string, due: string) =>
    `Only **${arrived}** of ${due} arrived. **Do not send now:** this offer has ended.`,
  expiredWatched: (hours: string) =>
    `**Already sent it?** Keep this page open. We still look for your payment for ${hours}, and it counts when it comes.`,
  expiredUnwatched: (merchant: string) =>
    `**Already sent it?** Contact ${merchant} and give them the transaction id from your wallet.`,
  aboutHours: (hours: number) => (hours === 1 ? "another hour" : `another ${hours} hours`),
  expiredAgain: (merchant: string) => `To pay now, start again at ${merchant}.`,
  expiredPartAgain: (merchant: string) => `Contact ${merchant} about what you sent; they see it too.`,

  cancelledTitle: "Order cancelled",
  cancelledLead: (merchant: string) =>
    `${merchant} cancelled this order. **Do not send anything.** If you already sent it, contact them with the transaction id.`,

  delayed: (network: string) =>
    `**We see ${network} with a delay at the moment.** A payment you sent is safe, and shows up here as soon as we have caught up. Do not send it twice.`,

  detailsHeading: "Details",
  merchant: "Merchant",
  price: "Price",
  subject: "For",
  amountOrdered: "Ordered",
  amountReceived: "Received",
  network: "Network",
  address: "Address",
  transaction: "Transaction",
  paidAt: "Paid at",
  expiredAt: "Ended at",
  reference: "Reference",

  returnTo: (merchant: string) => `Back to ${merchant}`,
  returning: "Taking you back in",
  returnStay: "Stay on this page",
  returnStayed: "You stay on this page",
  printReceipt: "Print receipt",

  pageTitle: (title: string, merchant: string) => `${title} · ${merchant}`,
  footer: (merchant: string) => `Your payment goes straight to the wallet of ${merchant}.`,
  poweredBy: "Stablegate",
  offline: "You are offline. This page goes on by itself when the connection is back.",

  notFoundTitle: "This payment link leads nowhere",
  notFoundLead:
    "There is no order behind this link. Check that the whole address was copied, or go back to the shop and start the payment again. **Do not send any money.**",
  busyTitle: "Too many views",
  busyLead:
    "This page was opened too often from your internet address. It tries again by itself in a moment. A payment that you already sent is not lost.",
  awayTitle: "Back in a moment",
  awayLead:
    "The payment page cannot be shown right now. It tries again by itself every few seconds. A payment that you already sent is not lost.",
};

/** What every language of the page must have. */
export type Messages = typeof en;
