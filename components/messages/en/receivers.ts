/** What the pages of treasuries and their receivers say. */
export const receivers = {
  receivers: {
    add: "Add treasury",
    addTitle: "Receivers that pay your treasury",
    addHint:
      "Every order on Ethereum and the networks like it gets a contract’s address of its own. The contract can pay nobody but your treasury; no key is needed to move the money there, and anybody may do it.",
    unaudited:
      "Nobody has audited these contracts. They are short, tried by tests and by random sequences of calls, and cannot be changed once they stand: read contracts/Receivers.sol, and sweep often.",
    knowsUnaudited: "I know that these contracts are not audited",
    treasury: "Treasury",
    treasuryHint:
      "An address of yours, or your Safe, that you control on every network you will switch on. What receivers get can go nowhere else.",
    looksSecret:
      "This can spend your money: it has the form of a private key or of the words of a wallet. It was not sent. Give the address.",
    addDone: "The treasury is added. Try its receivers on a network next",
    panel: "Treasuries of receivers",
    panelHint: "Orders get receivers on networks where one small amount was received and swept.",
    unnamed: "Treasury",
    facts: "{derived, number} of {most, number} derived · {used, number} used so far",
    onNone: "On no network yet: no order gets a receiver",
    on: "Orders get receivers on {networks}",
    try: "Try networks",
    title: "Try receivers",
    hint: "Orders get receivers on a network only after you saw one small amount received and swept there.",
    sealed:
      "The treasury cannot be opened: it was changed in the database, or sealed under another APP_SECRET. Send nothing to its receivers; remove it and add it again.",
    receiver: "Receiver 0",
    receiverHint: "For trying only: no order ever gets it. It is the same on all networks.",
    begin: "Try on {network}",
    again: "Go on",
    states: {
      never: "Not tried",
      asked: "Being looked at",
      missing: "No factory",
      waiting: "Waiting for money",
      arrived: "To be swept",
      swept: "Becoming final",
      tried: "On",
      forgotten: "Given up",
    },
    steps: {
      never: "Off: no order gets a receiver on this network.",
      asked: "The network is being looked at. That takes some seconds.",
      missing:
        "The factory that makes receivers is not on this network yet. Anybody can put it there, once and for everybody: send this transaction.",
      waiting:
        "Send a small amount to receiver 0 on this network from any wallet, such as 1 {currency}. It is seen within a minute or so.",
      arrived: "{amount} arrived. Sweep it to your treasury: send this transaction from any wallet; you pay its gas.",
      swept: "{amount} was swept to your treasury. Receivers are on as soon as the network makes that final.",
      tried: "{amount} came and was swept to your treasury. Orders get receivers here.",
      forgotten: "For three days nothing happened, so nobody looks any more.",
    },
    arrivedBy: "Received by",
    sweptBy: "Swept by",
    transaction: "transaction hash",
    to: "To",
    data: "Data",
    value: "Value: 0",
    calldata: "The transaction, to send otherwise",
    send: "Send with {wallet}",
    noWallet: "No wallet in this browser: send the transaction below from any other.",
    sending: "Look into your wallet",
    sent: "Sent",
    words: {
      rejected: "You said no in your wallet. Nothing was sent.",
      busy: "Your wallet has a question open. Answer it, then try again.",
      network: "Your wallet is not on this network. Change to it there, then try again.",
      account: "Your wallet gave no account that can send this.",
      funds: "The account has not enough for the gas.",
      failed: "Your wallet could not send it. Try again, or send the transaction otherwise.",
    },
  },
} as const;
