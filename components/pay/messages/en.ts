import { counting } from "@/components/pay/messages/counting";

const { plural, unit } = counting("en");

/** English. Text between ** is emphasised. Every other language has exactly these keys. */
export const en = {
  lang: "en",
  dir: "ltr" as "ltr" | "rtl",
  /** The language's name in itself. */
  name: "English",
  chooseLanguage: "Language",

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

  waitingStatus: "Waiting for payment",
  waitingTitle: (currency: string, network: string) => `Send ${currency} on ${network}`,
  underpaidStatus: "Part of the payment arrived",
  underpaidTitle: (currency: string, network: string) => `Send the remaining ${currency} on ${network}`,
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
  bridged: (currency: string) => `bridged ${currency}`,
  discontinued: (currency: string) => `discontinued ${currency}`,
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

  tailNote: (digits: string) =>
    `The last digits, **${digits}**, belong to your order alone. Type them too, and do not round.`,
  exactNote: (amount: string) =>
    `**Send exactly ${amount}.** Your payment is recognised by this exact amount. Any other amount cannot be matched to your order.`,
  sumNote: (amount: string) =>
    `**Send ${amount}, or what your exchange makes of it.** This address is for your order alone, so whatever arrives counts.`,
  restNote:
    "**Less arrives, because of a fee?** This page then asks for the rest. If more arrives, it is shown here as overpaid.",
  exchangeNote: (amount: string) =>
    `**Paying from an exchange?** It takes its fee from what you type. Type ${amount} plus the fee, so that exactly ${amount} arrives.`,
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

  walletPay: "Pay with a wallet",
  walletUnloaded: "This could not be loaded. Reload the page.",
  walletChoose: "Choose your wallet",
  walletConnect: "Open your wallet and let this page see your account.",
  walletConfirm: (amount: string, network: string) =>
    `Compare amount and address in your wallet, then confirm there: ${amount} on ${network}.`,
  walletSent: (network: string) => `Your wallet sent it. This page waits until ${network} shows it.`,
  walletNothing: "Nothing was sent.",
  walletRejected: "You declined in your wallet.",
  walletBusy: "Your wallet still waits for an answer of yours. Open it, then try again.",
  walletNetwork: (network: string) => `Your wallet is not on ${network}. Switch it there, then try again.`,
  walletAccount: (network: string) => `This account cannot pay on ${network}. Choose another one in your wallet.`,
  walletFunds: (amount: string) => `This account does not hold ${amount} and the network's fee.`,
  walletChanged: "What is to be paid has changed meanwhile. Look at this page again before you pay.",
  walletAgain: "This was already sent from this browser. Wait until it shows up here.",
  walletAway: "That is not possible at the moment. Try again in a moment.",
  walletFailed: "Your wallet reported a problem.",
  walletLook: "Look there whether something was sent before you try again.",

  contractSummary: (currency: string, network: string) => `${currency} token contract on ${network}`,
  contractNote: "Compare it with the token in your wallet.",
  viewOn: (explorer: string) => `View on ${explorer}`,
  opensNewTab: "(opens a new tab)",

  timeLeft: (clock: string) => `${clock} left`,
  payBefore: (time: string) => `Pay before ${time}`,
  timeLeftSpoken: (minutes: number) => `${unit(minutes, "minute")} left to pay`,

  chooseTime: (time: string) => `Final in ${time}`,
  chooseFeeUnder: (to: string) => `network fee usually under ${to} USD`,
  chooseFeeAbout: (from: string, to: string) => `network fee about ${from} to ${to} USD`,
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
  moreTimeNote: (minutes: number, left: number) => `Adds ${minutes} min. Still possible: ${left}×.`,
  paidLink: "I have paid",
  paidLabel: "Transaction id",
  paidHint: (networks: string) => `From your wallet or exchange, on ${networks}. It only shows what became of it.`,
  paidLook: "Look for it",
  paidNoId: (networks: string) =>
    `That is no transaction id of ${networks}. Copy the whole id from your wallet or exchange.`,
  paidOften: "That was asked often. Try again in a minute.",
  lookupAsking: (id: string, network: string) => `Looking for ${id} on ${network} …`,
  lookupSilent: (network: string) =>
    `**No node of ${network} answered.** That says nothing about your payment. Ask again in a minute.`,
  lookupAbsent: (id: string, network: string) =>
    `**${id} is not visible on ${network} yet.** It may take some minutes. Check in your wallet that it was really sent, and on ${network}.`,
  lookupFailed: (id: string) => `**${id} failed on the chain,** so nothing was sent. Your wallet says why.`,
  lookupNothing: (id: string) =>
    `**${id} sent nothing to the address of this order.** Compare the address in your wallet with the one here.`,
  lookupEarly: (id: string) => `**${id} was made before this order,** so it cannot pay it.`,
  lookupOtherOrder: (id: string) => `**${id} belongs to another order,** so it does not pay this one.`,
  lookupKept: (id: string, merchant: string) =>
    `**${id} reached ${merchant}, but does not pay this order by itself.** Contact them and give them its id. Do not pay again.`,
  lookupFound: (id: string) =>
    `**${id} was found.** It counts once the network has confirmed it, and this page will show it.`,
  lookupCounted: (id: string) =>
    `**${id} is counted:** it has arrived and is confirmed. If this order is not paid yet, the rest is still missing.`,
  lookupWrongToken: (id: string, token: string) => `**${id} sent ${token},** which is not what this order asks for.`,
  lookupUnknownToken: "a token that is not known here",
  lookupWrongNetwork: (id: string, network: string) =>
    `**${id} was sent on ${network},** not where this order can be paid.`,
  lookupShort: (id: string, arrived: string, due: string) =>
    `**${id} brought ${arrived} instead of ${due}.** A fee may have been taken from it. It cannot be matched by itself: contact the merchant.`,
  lookupOver: (id: string, arrived: string, due: string) =>
    `**${id} brought ${arrived} instead of ${due}.** It cannot be matched by itself: contact the merchant.`,

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
  confirmations: (count: number, required: number) =>
    `${count} of ${required} ${plural(required, { one: "confirmation", other: "confirmations" })}`,
  almostThere: "almost there",
  aboutSeconds: (seconds: number) => `about ${unit(seconds, "second")}`,
  aboutMinutes: (minutes: number) => (minutes === 1 ? "about a minute" : `about ${unit(minutes, "minute")}`),
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
  expiredWatched: (hours: number) =>
    `**Already sent it?** Keep this page open. We still look for your payment for another ${hours === 1 ? "hour" : unit(hours, "hour")}, and it counts when it comes.`,
  expiredUnwatched: (merchant: string) =>
    `**Already sent it?** Contact ${merchant} and give them the transaction id from your wallet.`,
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
  returning: (seconds: string) => `Taking you back in ${seconds} s.`,
  returnStay: "Stay on this page",
  returnStayed: "You stay on this page",
  printReceipt: "Print receipt",

  pageTitle: (title: string, merchant: string) => `${title} · ${merchant}`,
  footer: (merchant: string) => `Your payment goes straight to the wallet of ${merchant}.`,
  close: "Close",
  support: (merchant: string) => `Contact ${merchant}`,
  poweredBy: "Stablegate",
  offline: "You are offline. This page goes on by itself when the connection is back.",

  notFoundTitle: "This payment link leads nowhere",
  notFoundLead:
    "There is no order behind this link. Check that the whole address was copied, or go back to the shop and start the payment again. **Do not send any money.**",
  tamperedTitle: "Do not pay this",
  tamperedLead:
    "The address of this order was changed after it was made, and not by the shop. **Do not send any money.** If you already did, contact the shop and give them the transaction id from your wallet.",
  depositStatus: "Your deposit address",
  depositLead: (merchant: string) =>
    `This address at ${merchant} is yours alone. **Send any amount, as often as you like:** it does not expire.`,
  depositOnly: (currencies: string, network: string) =>
    `**Only ${currencies} on ${network}.** Anything else sent to this address is not credited and may be lost.`,
  depositArrived: "Received at this address",
  depositNothing: "Nothing has arrived yet. What you send shows up here by itself.",
  depositConfirmed: "Confirmed",
  depositReversed: "Reversed by the network",
  depositLatest: (count: string) => `The latest ${count} are shown.`,
  depositClosedTitle: "This address is not in use at the moment",
  depositClosedLead: (merchant: string) =>
    `${merchant} has paused it. **Do not send anything.** What you already sent is not lost: it shows up here.`,
  depositBrokenTitle: "This address cannot be shown",
  depositBrokenLead: (merchant: string) =>
    `What is stored for it did not pass our check, and may have been changed by somebody else. **Do not send anything.** Tell ${merchant}, who can have it looked at.`,
  depositNoneLead:
    "There is no address behind this link. Check that the whole link was copied, or ask for it again where you got it. **Do not send any money.**",
  busyTitle: "Too many views",
  busyLead:
    "This page was opened too often from your internet address. It tries again by itself in a moment. A payment that you already sent is not lost.",
  awayTitle: "Back in a moment",
  awayLead:
    "The payment page cannot be shown right now. It tries again by itself every few seconds. A payment that you already sent is not lost.",
};

/** The messages that every language of the page must have. */
export type Messages = typeof en;
