import { counting } from "@/components/pay/messages/counting";

const { plural, unit } = counting("en");

/** The English messages. Text between ** is emphasized. Every other language has exactly these keys. */
export const en = {
  lang: "en",
  dir: "ltr" as "ltr" | "rtl",
  /** The language's own name. */
  name: "English",
  chooseLanguage: "Language",

  chooseTitle: "How do you want to pay?",
  chooseStatus: "Select a payment method",
  chooseLead: (merchant: string, asked: string) =>
    `Pay **${asked}** to ${merchant}. Choose the network that your wallet or exchange sends on. The address and the exact amount come next.`,
  chooseNone: (merchant: string) =>
    `${merchant} cannot accept payments right now. This page updates automatically. **Do not send anything.**`,
  chooseLegend: "Currency and network",
  choose: "Continue",
  chooseProblem: {
    taken: "This amount is not available on that network right now. Choose another network, or try again in a minute.",
    closed: "This method is not available right now. Choose another, or try again in a minute.",
    unrated: "The exchange rate is not available right now. Try again in a minute.",
    enough: "This order already has five payment methods. Use one of them.",
    often: "The method was changed too many times. Try again in a minute.",
  },
  chooseExpiredLead: "No payment method was selected in time. **Do not send anything:** this order has expired.",
  chooseCancelledLead: (merchant: string) => `${merchant} cancelled this order. **Do not send anything.**`,

  waitingStatus: "Waiting for payment",
  waitingTitle: (currency: string, network: string) => `Send ${currency} on ${network}`,
  underpaidStatus: "Part of the payment arrived",
  underpaidTitle: (currency: string, network: string) => `Send the remaining ${currency} on ${network}`,
  underpaidLead: (arrived: string, due: string) =>
    `**${arrived}** of ${due} arrived. Send the rest to the same address before the time is up.`,
  partialTitle: "Part of the payment arrived",
  partialLead: (merchant: string, arrived: string, due: string) =>
    `${merchant} credited **${arrived}** of ${due}. **Do not send the rest.**`,

  elsewhereNetworkTitle: "Paid on another network",
  elsewhereCurrencyTitle: "Paid in another currency",
  elsewhereLead: (arrived: string, network: string, currency: string, due: string) =>
    `**${arrived}** arrived on **${network}**. This order expects ${currency} on ${due}, so the payment is not credited automatically.`,
  lookAlikeTitle: "Paid with another token",
  bridged: (currency: string) => `bridged ${currency}`,
  discontinued: (currency: string) => `discontinued ${currency}`,
  lookAlikeLead: (arrived: string, network: string, symbol: string, contract: string, currency: string) =>
    `You sent **${arrived}** on **${network}**. Wallets show it as ${symbol}, but it is a different token (${contract}) than the ${currency} of this order, so it is not credited to the order.`,
  lookAlikeSeen: (merchant: string) => `**It reached an address of ${merchant}.** They see it next to this order.`,
  elsewhereSeen: (merchant: string) =>
    `**It reached an address of ${merchant}.** They see it next to this order, and can accept it.`,
  elsewhereContact: (merchant: string) =>
    `**Contact ${merchant}** and give them the transaction id below. They decide how to handle it.`,
  keepId: (merchant: string) =>
    `**Keep the transaction id below.** ${merchant} sees this payment next to the order and decides how to handle it.`,
  contactAsk: (merchant: string) => `Contact ${merchant} if you have questions.`,
  sentKeepId: "**Already sent it?** Keep the transaction id from your wallet or exchange.",
  paymentSeen: (merchant: string) => `${merchant} can see your payment.`,
  elsewhereAgain: (merchant: string) => `**Do not pay again,** unless ${merchant} asks you to.`,
  elsewherePay: "Pay this order again anyway",
  elsewherePayNote: (merchant: string) =>
    `Only if ${merchant} asked you to: this payment is in addition to the one that you already sent.`,
  otherAmountTitle: "Another amount arrived",
  otherAmountShort: (arrived: string, due: string, off: string) =>
    `**${arrived}** arrived instead of ${due}: **${off} is missing.**`,
  otherAmountOver: (arrived: string, due: string, off: string) =>
    `**${arrived}** arrived instead of ${due}: **${off} too much.**`,
  notMine: "This is not my payment",
  alsoArrived: (arrived: string, network: string, merchant: string) =>
    `**${arrived}** also arrived on **${network}**, where it is not credited to this order. ${merchant} can see it. Do not send it again.`,
  transactionOn: (network: string) => `Transaction on ${network}`,

  sourceTitle: "Where is your money?",
  sourceExchange: "Exchange account",
  sourceWallet: "Wallet app",
  sourceOther: "Another exchange",
  exchangeNetwork: (exchange: string) => `Network at ${exchange}`,
  exchangeFee: (fee: string) => `fee about ${fee}`,
  exchangeMinimum: (minimum: string) => `minimum about ${minimum}`,
  exchangeTooSmall: (exchange: string, minimum: string) =>
    `**${exchange} sends at least about ${minimum} here,** which is more than this order. Choose another network or a wallet.`,
  exchangeUnlisted: (exchange: string, currency: string) =>
    `${exchange} may not send ${currency} on this network. Check its withdrawal form first.`,
  exchangeSlow: "**Withdrawals can take several minutes.** No memo or tag is needed.",

  amountLabel: "Amount",
  receivedLabel: "Amount to be received",
  remainingLabel: "Remaining amount",
  addressLabel: "To this address",
  copyAmount: "Copy amount",
  copyAddress: "Copy address",
  copied: "Copied",
  amountCopied: "Amount copied",
  addressCopied: "Address copied",
  copyFailed: "Could not copy. Select the text and copy it.",

  tailNote: (digits: string) =>
    `The last digits, **${digits}**, identify your order. Enter them too, and do not round.`,
  exactNote: (amount: string) =>
    `**Send exactly ${amount}.** Your payment is recognized by this exact amount. Any other amount cannot be matched to your order.`,
  sumNote: (amount: string) =>
    `**Send ${amount}.** This address is only for your order, so any amount that arrives is credited, even after an exchange fee.`,
  restNote:
    "**Less arrives, because of a fee?** This page then requests the rest. If more arrives, it is shown here as overpaid.",
  exchangeNote: (amount: string) =>
    `**Paying from an exchange?** Check that the amount received is exactly ${amount}: some exchanges deduct their fee from what you enter, others add it.`,
  onlyNote: (currency: string, network: string) =>
    `**Only ${currency} on ${network}.** Anything else sent to this address is not credited to the order and may be lost.`,

  sameTokenNote: (currency: string, shown: string) =>
    `Some wallets show this ${currency} as **${shown}**. It is the same token.`,
  lookAlikeNote: (name: string, symbol: string, contract: string) =>
    `**Not ${name}** (${contract}): wallets show it as ${symbol}, but it is another token and is not credited.`,

  qrLegend: "Content of the QR code",
  qrAddress: "Address",
  qrWallet: "Wallet",
  qrAddressCaption: "Only the address, for any wallet or exchange. Enter the amount yourself.",
  qrWalletCaption: "Address and amount, for wallets that read payment requests. Check both before you send.",
  qrAddressAlt: (address: string) => `QR code of the address ${address}`,
  qrWalletAlt: (amount: string, address: string) => `QR code of a request for ${amount} to ${address}`,

  showQr: "Show QR code",
  walletOpen: "Open in wallet",
  walletPay: "Pay with a wallet",
  walletUnloaded: "Wallet payment could not be loaded. Reload the page.",
  walletChoose: "Choose your wallet",
  walletConnect: "Open your wallet and connect your account.",
  walletConfirm: (amount: string, network: string) =>
    `Compare amount and address in your wallet, then confirm there: ${amount} on ${network}.`,
  walletSent: (network: string) => `Your wallet sent the payment. It appears here once ${network} includes it.`,
  walletNothing: "Nothing was sent.",
  walletRejected: "You declined in your wallet.",
  walletBusy: "Your wallet has an open request. Complete it and try again.",
  walletNetwork: (network: string) => `Your wallet uses another network. Switch it to ${network} and try again.`,
  walletAccount: (network: string) => `This account cannot pay on ${network}. Choose another one in your wallet.`,
  walletFunds: (amount: string) => `This account's balance does not cover ${amount} plus the network fee.`,
  walletChanged: "The payment details have changed. Check this page again before you pay.",
  walletAgain: "This browser already sent the payment. Wait until it appears here.",
  walletAway: "This is not available right now. Try again in a moment.",
  walletFailed: "Your wallet reported a problem.",
  walletLook: "Check your wallet for a sent payment before you try again.",

  contractSummary: (currency: string, network: string) => `${currency} token address on ${network}`,
  contractNote: "Compare it with the token in your wallet.",
  viewOn: (explorer: string) => `View on ${explorer}`,
  opensNewTab: "(opens a new tab)",

  timeLeft: (clock: string) => `${clock} left`,
  payBefore: (time: string) => `Pay before ${time}`,
  timeLeftSpoken: (minutes: number) => `${unit(minutes, "minute")} left to pay`,

  chooseTime: (time: string) => `Final in ${time}`,
  chooseFeeUnder: (to: string) => `network fee usually under ${to} USD`,
  chooseFeeAbout: (from: string, to: string) => `network fee about ${from} to ${to} USD`,
  chooseRecommended: "Recommended",
  chooseAmount: (amount: string) => `about ${amount}`,
  chooseShown: "Current method",
  chooseQuoted: (amount: string) => `${amount}, selected before`,
  chooseNote: "Times and fees are typical values, not guaranteed. An exchange charges its own fee.",
  switchLink: "Pay another way",
  switchTitle: "Change the payment method",
  switchStatus: "Select a payment method",
  switchLead: (amount: string, network: string) =>
    `Current method: **${amount}** on **${network}**. You can still pay with it after you select another one. **If you already sent it, do not select another method:** it will be credited.`,
  switchBack: "Back without changes",
  otherOffer: (amount: string, network: string) =>
    `**Already sent ${amount} on ${network}?** It will be credited and appear here. Do not pay twice.`,
  paidOn: (network: string) => `Paid on **${network}**, one of the selected methods.`,
  moreTime: "I need more time",
  moreTimeNote: (minutes: number, left: number) => `Adds ${minutes} min. Extensions left: ${left}.`,
  paidLink: "I have paid",
  paidLabel: "Transaction id",
  paidHint: (networks: string) =>
    `From your wallet or exchange, on ${networks}. It only shows the status of your transaction.`,
  paidLook: "Look up transaction",
  paidNoId: (networks: string) =>
    `This is not a transaction id of ${networks}. Copy the whole id from your wallet or exchange.`,
  paidOften: "Too many lookups. Try again in a minute.",
  lookupAsking: (id: string, network: string) => `Looking for ${id} on ${network} …`,
  lookupSilent: (network: string) =>
    `**${network} could not be reached.** This does not affect your payment. Try again in a minute.`,
  lookupAbsent: (id: string, network: string) =>
    `**${id} is not visible on ${network} yet.** It may take a few minutes. Check in your wallet that it was sent on ${network}.`,
  lookupFailed: (id: string) => `**${id} failed on the chain,** so nothing was sent. Check your wallet for the reason.`,
  lookupNothing: (id: string) =>
    `**${id} sent nothing to the address of this order.** Compare the address in your wallet with the one here.`,
  lookupEarly: (id: string) => `**${id} is older than this order,** so it cannot be credited to it.`,
  lookupOtherOrder: (id: string) => `**${id} belongs to another order,** so it is not credited to this one.`,
  lookupKept: (id: string, merchant: string) =>
    `**${id} reached ${merchant}, but was not credited to this order automatically.** Do not pay again.`,
  lookupFound: (id: string) =>
    `**${id} was found.** It is credited once the network confirms it, and this page will show it.`,
  lookupCounted: (id: string) =>
    `**${id} is credited** and confirmed. If this order is not paid yet, the rest is still missing.`,
  lookupWrongToken: (id: string, token: string) => `**${id} sent ${token},** which is not the token of this order.`,
  lookupUnknownToken: "an unknown token",
  lookupWrongNetwork: (id: string, network: string) =>
    `**${id} was sent on ${network},** where this order cannot be paid.`,
  lookupShort: (id: string, arrived: string, due: string) =>
    `**${id} sent ${arrived} instead of ${due}.** A fee may have been deducted. It cannot be matched automatically.`,
  lookupOver: (id: string, arrived: string, due: string) =>
    `**${id} sent ${arrived} instead of ${due}.** It cannot be matched automatically.`,

  sandboxNote: "This is a sandbox with test money on a local chain.",
  sandboxPay: "Pay from the sandbox wallet",
  sandboxPaying: "Sending…",
  sandboxSent: "Sent from the sandbox wallet",
  sandboxFailed: "The sandbox wallet could not pay. Try again.",

  stepsLabel: "Progress",
  stepSeen: "Detected",
  stepConfirming: "Confirming",
  stepPaid: "Paid",
  seenTitle: "Payment detected",
  seenLead: (amount: string, network: string) =>
    `**${amount}** was detected. ${network} is now confirming it. You do not need to do anything else.`,
  confirmingTitle: "Confirming your payment",
  confirmingLead: (amount: string, network: string) =>
    `**${amount}** arrived. It is final after a few more blocks on ${network}. You do not need to do anything else.`,
  lateTitle: "Late payment found",
  lateLead: (amount: string) =>
    `**${amount}** arrived after the order expired and is now being confirmed. Do not send it again.`,
  confirmations: (count: number, required: number) =>
    `${count} of ${required} ${plural(required, { one: "confirmation", other: "confirmations" })}`,
  almostThere: "almost there",
  aboutSeconds: (seconds: number) => `about ${unit(seconds, "second")}`,
  aboutMinutes: (minutes: number) => (minutes === 1 ? "about a minute" : `about ${unit(minutes, "minute")}`),
  mayClose: "You can close this page. The payment continues.",

  checkingTitle: "Checking for your payment",
  checkingLead: (network: string) =>
    `The time is up. **Do not send anything now.** We are reading the last blocks of ${network}. A payment that you already sent will appear here.`,

  paidTitle: "Payment complete",
  paidLead: (merchant: string, amount: string) => `${merchant} received **${amount}**.`,
  paidByHandLead: (merchant: string, due: string) => `${merchant} marked this order for **${due}** as paid.`,
  paidLateLead: (merchant: string, amount: string) =>
    `${merchant} received **${amount}**. It arrived after the order expired.`,
  overpaidTitle: "Overpaid",
  overpaidLead: (merchant: string, arrived: string, surplus: string) =>
    `${merchant} received **${arrived}**, which is **${surplus}** more than the order amount. The order is paid.`,

  expiredTitle: "The time is up",
  expiredLead: "No payment was received. **Do not send now:** this order has expired.",
  expiredPartLead: (arrived: string, due: string) =>
    `Only **${arrived}** of ${due} arrived. **Do not send now:** this order has expired.`,
  expiredWatched: (hours: number) =>
    `**Already sent it?** Keep this page open. We watch for your payment for another ${hours === 1 ? "hour" : unit(hours, "hour")} and credit it when it arrives.`,
  expiredUnwatched: (merchant: string) =>
    `**Already sent it?** Contact ${merchant} and give them the transaction id from your wallet.`,
  expiredAgain: (merchant: string) => `To pay now, start again at ${merchant}.`,
  expiredPartAgain: (merchant: string) => `Contact ${merchant} about your payment. They can see it too.`,

  cancelledTitle: "Order cancelled",
  cancelledLead: (merchant: string) => `${merchant} cancelled this order. **Do not send anything.**`,

  delayed: (network: string) =>
    `**Detection on ${network} is delayed.** A payment that you sent is safe and appears here soon. Do not send it twice.`,

  refundTitle: "Claim your refund",
  refundStatus: "Waiting for your address",
  refundLead: (merchant: string, amount: string) =>
    `${merchant} refunds **${amount}** to you. Enter the address that should receive it.`,
  refundReason: "Reason",
  refundReopened: (merchant: string) => `**${merchant} asks for another address.**`,
  refundMessage: (merchant: string) => `Message from ${merchant}`,
  refundNetwork: "Network",
  refundPaidOn: "You paid on this network",
  refundAddress: "Your address on this network",
  refundAddressHint: "The address of a wallet or an account of your own. A refund that was sent cannot be reversed.",
  refundExchange: (currency: string) =>
    `**Is it an address at an exchange?** The exchange must accept deposits of ${currency} on the selected network at this address.`,
  refundConfirm: (count: number) => `The last ${count} characters of the address`,
  refundConfirmHint: "Type them from your wallet or exchange. They show that the whole address was copied.",
  refundOrderNumber: "Order number",
  refundOrderNumberHint: (merchant: string) => `From the confirmation of ${merchant}`,
  refundEmail: "Email address",
  refundEmailHint: (merchant: string) => `The one that you gave to ${merchant}`,
  refundSubmit: "Claim refund",
  refundExpires: "Link expires",
  refundProblem: {
    used: "This refund was already claimed.",
    often: "There were too many attempts. Try again in a few minutes.",
    network: "Select one of these networks.",
    address: (network: string) => `This is not a valid address on ${network}. Copy the whole address.`,
    token: "This is the address of the token itself, not of a wallet. Enter your own address.",
    shop: "This address belongs to the shop. Enter your own address.",
    confirmation: "These are not the last characters of the address. Compare both and try again.",
    number: "This is not the number of the order.",
    email: "This is not the email address of the order.",
  },
  refundClaimedTitle: "Address received",
  refundClaimedLead: (merchant: string) =>
    `${merchant} checks your claim and then sends the refund. This page shows when it is on its way.`,
  refundApprovedTitle: "Refund approved",
  refundApprovedLead: (merchant: string, amount: string, network: string) =>
    `${merchant} sends **${amount}** on **${network}** to your address. This page shows when it is on its way.`,
  refundSentTitle: "Refund on its way",
  refundSentLead: (amount: string, network: string) =>
    `**${amount}** was sent to your address. ${network} is now confirming it.`,
  refundCompletedTitle: "Refund complete",
  refundCompletedLead: (amount: string, network: string) => `**${amount}** arrived at your address on **${network}**.`,
  refundCancelledTitle: "Refund cancelled",
  refundCancelledLead: (merchant: string) => `${merchant} cancelled this refund.`,
  refundExpiredTitle: "The link has expired",
  refundExpiredLead: (merchant: string) => `This refund was not claimed in time. Ask ${merchant} for a new link.`,
  refundNoneLead: "There is no refund at this link. Check that the whole link was copied.",

  linkTitle: (merchant: string) => `Pay ${merchant}`,
  linkSubmit: "Continue to payment",
  linkOptional: "optional",
  linkContinue: "Continue the payment that you started",
  linkBetween: (min: string, max: string) => `From ${min} to ${max}`,
  linkAtLeast: (min: string) => `At least ${min}`,
  linkAtMost: (max: string) => `At most ${max}`,
  linkProblem: {
    amount: "Enter an amount, such as 25.00.",
    often: "Too many payments were started from your network. Try again in a few minutes.",
    away: "The payment cannot be started right now. Try again in a minute.",
    note: "The note is too long, or contains characters that are not allowed.",
  },
  linkAwayLead: "The shop cannot take payments at the moment. Try again later.",
  linkUsedTitle: "This payment link was already used",
  linkUsedLead: (merchant: string) =>
    `${merchant} takes no more payments with this link. If another payment is not completed in time, the link can be used again.`,
  linkEndedTitle: "This payment link has ended",
  linkEndedLead: (merchant: string) =>
    `${merchant} takes no more payments with this link. Ask for a new one if you still want to pay.`,
  linkNoneLead: "There is no payment link at this address. Check the address, or contact the shop.",

  detailsHeading: "Details",
  merchant: "Merchant",
  price: "Price",
  subject: "Description",
  amountOrdered: "Order amount",
  amountReceived: "Received",
  network: "Network",
  address: "Address",
  transaction: "Transaction",
  paidAt: "Paid at",
  expiredAt: "Expired at",
  reference: "Reference",

  returnTo: (merchant: string) => `Back to ${merchant}`,
  returning: (seconds: string) => `Returning in ${seconds} s.`,
  returnStay: "Stay on this page",
  returnStayed: "Staying on this page",
  printReceipt: "Print receipt",

  pageTitle: (title: string, merchant: string) => `${title} · ${merchant}`,
  footer: (merchant: string) => `Your payment goes directly to the wallet of ${merchant}.`,
  close: "Close",
  support: (merchant: string) => `Contact ${merchant}`,
  poweredBy: "Stablegate",
  offline: "You are offline. This page continues when the connection is back.",

  notFoundTitle: "This payment link is not valid",
  notFoundLead:
    "This link does not belong to an order. Check that the whole address was copied, or go back to the shop and start the payment again. **Do not send any money.**",
  refusedTitle: "This payment could not be started",
  refusedLead:
    "The shop sent an invalid payment request. Go back to the shop and try again. **Do not send any money.**",
  notNowLead:
    "Payments cannot be started right now. Go back to the shop and try again in a minute. **Do not send any money.**",
  tamperedTitle: "Do not pay this",
  tamperedLead:
    "The address of this order failed an integrity check, and the shop did not change it. **Do not send any money.** If you already did, keep the transaction id from your wallet.",
  closedTitle: "Payment is not possible right now",
  closedLead:
    "The shop cannot take this payment at the moment. Go back to the shop and choose another way to pay, or try again later. **Do not send any money.**",
  otherWay: "You can also go back to the shop and choose another way to pay.",
  alreadyPaidTitle: "This order is already paid",
  alreadyPaidLead: "Go back to the shop. **Do not pay again.**",
  depositStatus: "Your deposit address",
  depositLead: (merchant: string) =>
    `This address at ${merchant} is reserved for you. **Send any amount, as often as you like:** it does not expire.`,
  depositOnly: (currencies: string, network: string) =>
    `**Only ${currencies} on ${network}.** Anything else sent to this address is not credited and may be lost.`,
  depositArrived: "Received at this address",
  depositNothing: "Nothing has arrived yet. Your payments appear here automatically.",
  depositConfirmed: "Confirmed",
  depositReversed: "Reversed by the network",
  depositLatest: (count: string) => `The latest ${count} are shown.`,
  depositClosedTitle: "This address is paused",
  depositClosedLead: (merchant: string) =>
    `${merchant} has paused it. **Do not send anything.** A payment that you already sent is not lost and appears here.`,
  depositBrokenTitle: "This address cannot be shown",
  depositBrokenLead: (merchant: string) =>
    `It failed an integrity check and may have been changed. **Do not send anything.** Report it to ${merchant}.`,
  depositNoneLead:
    "This link does not belong to a deposit address. Check that the whole link was copied, or request it again from its sender. **Do not send any money.**",
  busyTitle: "Too many views",
  busyLead:
    "Too many requests came from your IP address. This page tries again automatically. A payment that you already sent is not lost.",
  awayTitle: "Back in a moment",
  awayLead:
    "The payment page is temporarily unavailable. It tries again automatically every few seconds. A payment that you already sent is not lost.",
};

/** The messages that every language of the page must have. */
export type Messages = typeof en;
