import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { unit } = counting("zh-Hans");

/** Chinese, simplified. */
export const zhHans: Messages = {
  lang: "zh-Hans",
  dir: "ltr",
  name: "简体中文",
  chooseLanguage: "语言",

  chooseTitle: "您想如何付款？",
  chooseStatus: "等待您选择",
  chooseLead: (merchant, asked) =>
    `${merchant} 向您收取 **${asked}**。请选择您的钱包或交易所转账时使用的网络。下一步会显示付什么币、付到哪里。`,
  chooseNone: (merchant) => `${merchant} 目前无法收款。本页面会自动重新检查。**请勿转账。**`,
  chooseLegend: "币种和网络",
  choose: "继续",
  chooseProblem: {
    taken: "该网络目前没有空位接收这个金额。请选择其他网络，或一分钟后再试。",
    closed: "该选项目前不可用。请选择其他选项，或一分钟后再试。",
    unrated: "目前无法换算这个价格。请一分钟后再试。",
    enough: "此订单已提供过五种付款方式。请用其中一种付款。",
    often: "重新选择的次数过多。请一分钟后再试。",
  },
  chooseExpiredLead: "未在规定时间内选择。**请勿转账：**本次报价已结束。",
  chooseCancelledLead: (merchant) => `${merchant} 已取消此订单。**请勿转账。**`,

  waitingStatus: "等待付款",
  waitingTitle: (currency, network) => `请在 ${network} 上转账 ${currency}`,
  underpaidStatus: "已收到部分付款",
  underpaidTitle: (currency, network) => `请在 ${network} 上补足剩余的 ${currency}`,
  underpaidLead: (arrived, due) => `应付 ${due}，已收到 **${arrived}**。请在时间结束前将剩余金额转到同一地址。`,
  partialTitle: "已收到部分付款",
  partialLead: (merchant, arrived, due) =>
    `应付 ${due}，${merchant} 已计入 **${arrived}**。**请勿自行补足剩余金额：**请先联系商家。`,

  elsewhereNetworkTitle: "付款用了其他网络",
  elsewhereCurrencyTitle: "付款用了其他币种",
  elsewhereLead: (arrived, network, currency, due) =>
    `**${arrived}** 已在 **${network}** 上到账。但此订单要求在 ${due} 上支付 ${currency}，因此这笔付款不会自动计入。`,
  lookAlikeTitle: "付款用了其他代币",
  bridged: (currency) => `桥接版 ${currency}`,
  discontinued: (currency) => `已停用的 ${currency}`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `您在 **${network}** 上转了 **${arrived}**。钱包将其显示为 ${symbol}，但它是另一种代币（${contract}），不是此订单要求的 ${currency}，因此不能支付此订单。`,
  lookAlikeSeen: (merchant) => `**款项已到达 ${merchant} 的地址。**商家会在此订单旁看到这笔款项。`,
  elsewhereSeen: (merchant) => `**款项已到达 ${merchant} 的地址。**商家会在此订单旁看到这笔款项，并可以接受它。`,
  elsewhereContact: (merchant) => `**请联系 ${merchant}**，并提供下方的交易 ID。如何处理由商家决定。`,
  elsewhereAgain: (merchant) => `**请勿再次付款，**除非 ${merchant} 要求您这样做。`,
  elsewherePay: "仍要再次支付此订单",
  elsewherePayNote: (merchant) => `仅在 ${merchant} 要求时才这样做：您现在转的款项，是在之前已转款项之外另外支付的。`,
  alsoArrived: (arrived, network, merchant) =>
    `另有 **${arrived}** 在 **${network}** 上到账，但不计入此订单。${merchant} 能看到这笔款项：请提供其交易 ID 联系商家，不要再次转账。`,
  transactionOn: (network) => `${network} 上的交易`,

  amountLabel: "金额",
  remainingLabel: "剩余金额",
  addressLabel: "转到此地址",
  copyAmount: "复制金额",
  copyAddress: "复制地址",
  copied: "已复制",
  amountCopied: "金额已复制",
  addressCopied: "地址已复制",
  copyFailed: "复制失败。请选中文本后手动复制。",

  tailNote: (digits) => `末尾的 **${digits}** 是您这笔订单独有的数字。请一并输入，不要四舍五入。`,
  exactNote: (amount) => `**请准确转账 ${amount}。**系统按这个准确金额识别您的付款。其他任何金额都无法与您的订单匹配。`,
  sumNote: (amount) => `**请转账 ${amount}，或交易所扣除手续费后的数额。**此地址仅用于您的订单，到账多少就计入多少。`,
  restNote: "**因手续费到账不足？**本页面会提示您补足余款。如果到账更多，会在此显示为多付。",
  exchangeNote: (amount) =>
    `**从交易所付款？**交易所会从您输入的数额中扣除手续费。请输入 ${amount} 加上手续费，使到账数额恰好为 ${amount}。`,
  onlyNote: (currency, network) =>
    `**仅限 ${network} 上的 ${currency}。**转到此地址的其他任何资产都不能支付此订单，并且可能丢失。`,

  sameTokenNote: (currency, shown) => `有些钱包将此 ${currency} 显示为 **${shown}**。两者是同一种代币。`,
  lookAlikeNote: (name, symbol, contract) =>
    `**不是 ${name}**（${contract}）：钱包将其显示为 ${symbol}，但它是另一种代币，不能用于付款。`,

  qrLegend: "二维码包含的内容",
  qrAddress: "地址",
  qrWallet: "钱包",
  qrAddressCaption: "仅含地址，适用于任何钱包或交易所。金额请自行输入。",
  qrWalletCaption: "含地址和金额，适用于能读取付款请求的钱包。转账前请核对这两项。",
  qrAddressAlt: (address) => `地址 ${address} 的二维码`,
  qrWalletAlt: (amount, address) => `向 ${address} 支付 ${amount} 的付款请求二维码`,

  walletPay: "用钱包支付",
  walletUnloaded: "无法加载。请刷新页面。",
  walletChoose: "选择您的钱包",
  walletConnect: "打开钱包，允许本页面查看您的账户。",
  walletConfirm: (amount, network) => `在钱包中核对金额和地址，然后确认：在 ${network} 上支付 ${amount}。`,
  walletSent: (network) => `钱包已发送。本页面正在等待 ${network} 显示该笔付款。`,
  walletNothing: "没有发送任何款项。",
  walletRejected: "您已在钱包中拒绝。",
  walletBusy: "钱包仍在等待您的答复。请打开钱包后重试。",
  walletNetwork: (network) => `您的钱包不在 ${network} 上。请切换后重试。`,
  walletAccount: (network) => `该账户无法在 ${network} 上支付。请在钱包中选择其他账户。`,
  walletFunds: (amount) => `该账户没有足够的 ${amount} 和网络手续费。`,
  walletChanged: "应付内容已发生变化。请在支付前重新查看本页面。",
  walletAgain: "该笔付款已从此浏览器发送。请等待它在此显示。",
  walletAway: "目前无法进行。请稍后重试。",
  walletFailed: "您的钱包报告了问题。",
  walletLook: "重试前请先在钱包中查看是否已发送。",

  contractSummary: (currency, network) => `${network} 上的 ${currency} 代币地址`,
  contractNote: "请与您钱包中的代币核对。",
  viewOn: (explorer) => `在 ${explorer} 上查看`,
  opensNewTab: "（在新标签页中打开）",

  timeLeft: (clock) => `剩余 ${clock}`,
  payBefore: (time) => `请在此时间前付款：${time}`,
  timeLeftSpoken: (minutes) => `付款时间还剩${unit(minutes, "minute")}`,

  chooseTime: (time) => `${time}最终确认`,
  chooseFeeUnder: (to) => `网络手续费通常低于 ${to} USD`,
  chooseFeeAbout: (from, to) => `网络手续费约 ${from} 至 ${to} USD`,
  chooseShown: "当前选择",
  chooseQuoted: (amount) => `${amount}，之前提供过`,
  chooseNote: "时间和手续费为通常情况，并非承诺。交易所会另收手续费。",
  switchLink: "用其他网络或其他币种付款",
  switchTitle: "换一种方式付款",
  switchStatus: "重新选择",
  switchLead: (amount, network) =>
    `当前应付：在 **${network}** 上支付 **${amount}**。无论您在这里选择什么，这一方式仍可付款。**如果您已经转账，请不要选择：**这笔款项有效。`,
  switchBack: "返回，不作更改",
  otherOffer: (amount, network) => `**已经在 ${network} 上转了 ${amount}？**这笔款项有效，会显示在这里。请勿重复付款。`,
  paidOn: (network) => `这笔付款是在 **${network}** 上支付的，属于提供过的付款方式之一。`,
  moreTime: "我需要更多时间",
  moreTimeNote: (minutes, left) => `增加 ${minutes} 分钟。还可延长 ${left} 次。`,
  paidLink: "我已付款",
  paidLabel: "交易 ID",
  paidHint: (networks) => `${networks} 上的交易 ID，可在您的钱包或交易所中找到。仅用于查看这笔交易的情况。`,
  paidLook: "查找",
  paidNoId: (networks) => `这不是 ${networks} 的交易 ID。请从您的钱包或交易所复制完整的 ID。`,
  paidOften: "查询过于频繁。请一分钟后再试。",
  lookupAsking: (id, network) => `正在 ${network} 上查找 ${id} …`,
  lookupSilent: (network) => `**${network} 没有节点作出响应。**这不代表您的付款有任何问题或已成功。请一分钟后再查询。`,
  lookupAbsent: (id, network) =>
    `**${id} 在 ${network} 上还看不到。**可能需要几分钟。请在钱包中核对是否确实已转出，且使用的是 ${network}。`,
  lookupFailed: (id) => `**${id} 在链上失败，**因此没有转出任何款项。原因请查看您的钱包。`,
  lookupNothing: (id) => `**${id} 没有向此订单的地址转入任何款项。**请将您钱包中的地址与这里的地址核对。`,
  lookupEarly: (id) => `**${id} 发生在此订单之前，**因此不能支付此订单。`,
  lookupOtherOrder: (id) => `**${id} 属于另一笔订单，**因此不能支付此订单。`,
  lookupKept: (id, merchant) =>
    `**${id} 已到达 ${merchant}，但不会自动支付此订单。**请联系商家，并提供其交易 ID。请勿再次付款。`,
  lookupFound: (id) => `**已找到 ${id}。**网络确认后即会计入，并显示在本页面上。`,
  lookupCounted: (id) => `**${id} 已计入：**已到账并确认。如果此订单仍未付清，则还差余额。`,
  lookupWrongToken: (id, token) => `**${id} 转的是 ${token}，**不是此订单要求的币种。`,
  lookupUnknownToken: "此处未知的代币",
  lookupWrongNetwork: (id, network) => `**${id} 是在 ${network} 上转账的，**此订单不能在该网络上支付。`,
  lookupShort: (id, arrived, due) =>
    `**${id} 到账 ${arrived}，而不是 ${due}。**可能从中扣除了手续费。系统无法自动匹配：请联系商家。`,
  lookupOver: (id, arrived, due) => `**${id} 到账 ${arrived}，而不是 ${due}。**系统无法自动匹配：请联系商家。`,

  sandboxNote: "这是沙盒环境：资金是独立测试链上的模拟币，不是真钱。",
  sandboxPay: "用沙盒钱包付款",
  sandboxPaying: "正在转账…",
  sandboxSent: "已从沙盒钱包转出",
  sandboxFailed: "沙盒钱包付款失败。请重试。",

  stepsLabel: "进度",
  stepSeen: "已发现",
  stepConfirming: "确认中",
  stepPaid: "已支付",
  seenTitle: "已发现您的付款",
  seenLead: (amount, network) => `**${amount}** 已到达收款地址。${network} 正在确认。您无需再做任何操作。`,
  confirmingTitle: "正在确认您的付款",
  confirmingLead: (amount, network) =>
    `**${amount}** 已到账。${network} 再经过几个区块即可最终确认。您无需再做任何操作。`,
  lateTitle: "已找到超时付款",
  lateLead: (amount) => `**${amount}** 在时间结束后才到账。我们已找到这笔付款，正在确认。请勿再次转账。`,
  confirmations: (count, required) => `${count} / ${required} 次确认`,
  almostThere: "即将完成",
  aboutSeconds: (seconds) => `约${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => `约${unit(minutes, "minute")}`,
  mayClose: "您可以关闭此页面，付款会继续进行。",

  checkingTitle: "正在查找您的付款",
  checkingLead: (network) =>
    `时间已到。**现在请勿转账。**我们正在读取 ${network} 的最新区块；如果您之前已转账，会显示在这里。`,

  paidTitle: "付款完成",
  paidLead: (merchant, amount) => `${merchant} 已收到 **${amount}**。`,
  paidByHandLead: (merchant, due) => `${merchant} 已将这笔 **${due}** 的订单标记为已支付。`,
  paidLateLead: (merchant, amount) =>
    `${merchant} 已收到 **${amount}**。这笔付款在时间结束后才到账；如有疑问，请联系商家。`,
  overpaidTitle: "已支付，且超出应付金额",
  overpaidLead: (merchant, arrived, surplus) =>
    `${merchant} 已收到 **${arrived}**，比订单金额多 **${surplus}**。订单已支付；多付的部分请联系商家。`,

  expiredTitle: "时间已到",
  expiredLead: "未收到任何款项。**现在请勿转账：**本次报价已结束。",
  expiredPartLead: (arrived, due) => `应付 ${due}，仅收到 **${arrived}**。**现在请勿转账：**本次报价已结束。`,
  expiredWatched: (hours) =>
    `**已经转账了？**请保持此页面打开。我们会在接下来的${unit(hours, "hour")}内继续查找您的付款，到账后即会计入。`,
  expiredUnwatched: (merchant) => `**已经转账了？**请联系 ${merchant}，并提供您钱包中的交易 ID。`,
  expiredAgain: (merchant) => `如需现在付款，请到 ${merchant} 重新开始。`,
  expiredPartAgain: (merchant) => `关于您已转的款项，请联系 ${merchant}；商家也能看到这笔款项。`,

  cancelledTitle: "订单已取消",
  cancelledLead: (merchant) => `${merchant} 已取消此订单。**请勿转账。**如果您已经转账，请提供交易 ID 联系商家。`,

  delayed: (network) =>
    `**我们目前读取 ${network} 有延迟。**您已转出的付款是安全的，待我们同步完成后会立即显示在这里。请勿重复转账。`,

  detailsHeading: "详情",
  merchant: "商家",
  price: "价格",
  subject: "用途",
  amountOrdered: "应付金额",
  amountReceived: "实收金额",
  network: "网络",
  address: "地址",
  transaction: "交易",
  paidAt: "支付时间",
  expiredAt: "结束时间",
  reference: "参考编号",

  returnTo: (merchant) => `返回 ${merchant}`,
  returning: (seconds) => `${seconds} 秒后自动返回。`,
  returnStay: "留在此页面",
  returnStayed: "您将留在此页面",
  printReceipt: "打印收据",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `您的付款会直接进入 ${merchant} 的钱包。`,
  support: (merchant) => `联系 ${merchant}`,
  close: "关闭",
  poweredBy: "Stablegate",
  offline: "您已离线。连接恢复后，本页面会自动继续。",

  notFoundTitle: "此付款链接无效",
  notFoundLead: "此链接没有对应的订单。请检查是否复制了完整的网址，或返回商店重新开始付款。**请勿转账。**",
  refusedTitle: "无法开始此付款",
  refusedLead: "商店发送了无效的付款请求。请返回商店；如果再次发生，请联系商店。**请勿转账。**",
  notNowLead: "目前无法开始付款。请返回商店，一分钟后重试。**请勿转账。**",
  tamperedTitle: "请勿付款",
  tamperedLead:
    "此订单的收款地址在创建后被更改，且并非商店所为。**请勿转账。** 如果您已经转账，请联系商店并提供钱包中的交易哈希。",
  depositStatus: "您的充值地址",
  depositLead: (merchant) => `${merchant} 的这个地址只属于您。**可以转入任意金额，次数不限：**它不会过期。`,
  depositOnly: (currencies, network) =>
    `**仅限 ${network} 上的 ${currencies}。**转到此地址的其他任何资产都不会入账，并且可能丢失。`,
  depositArrived: "此地址收到的款项",
  depositNothing: "尚未收到任何款项。您转出的款项会自动显示在这里。",
  depositConfirmed: "已确认",
  depositReversed: "已被网络撤销",
  depositLatest: (count) => `显示最近 ${count} 笔。`,
  depositClosedTitle: "此地址目前未在使用",
  depositClosedLead: (merchant) => `${merchant} 已将其暂停。**请勿转账。**您已经转出的款项不会丢失，会显示在这里。`,
  depositBrokenTitle: "无法显示此地址",
  depositBrokenLead: (merchant) =>
    `所存储的内容未通过我们的校验，可能已被他人更改。**请勿转账。**请告知 ${merchant}，由商家进行检查。`,
  depositNoneLead: "此链接没有对应的地址。请检查是否复制了完整的链接，或向提供链接的一方重新索取。**请勿转账。**",
  busyTitle: "访问过于频繁",
  busyLead: "您的 IP 地址打开此页面的次数过多。稍后会自动重试。您已转出的付款不会丢失。",
  awayTitle: "稍后恢复",
  awayLead: "付款页面暂时无法显示。页面每隔几秒会自动重试。您已转出的付款不会丢失。",
};
