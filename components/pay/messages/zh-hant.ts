import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { unit } = counting("zh-Hant");

/** Chinese, traditional. */
export const zhHant: Messages = {
  lang: "zh-Hant",
  dir: "ltr",
  name: "繁體中文",
  chooseLanguage: "語言",

  chooseTitle: "您想如何付款？",
  chooseStatus: "等待您選擇",
  chooseLead: (merchant, asked) =>
    `${merchant} 向您收取 **${asked}**。請選擇您的錢包或交易所轉帳時使用的網路。下一步會顯示要付什麼幣、付到哪裡。`,
  chooseNone: (merchant) => `${merchant} 目前無法收款。本頁面會自動重新檢查。**請勿轉帳。**`,
  chooseLegend: "幣種和網路",
  choose: "繼續",
  chooseProblem: {
    taken: "該網路目前沒有空位接收這個金額。請選擇其他網路，或一分鐘後再試。",
    closed: "該選項目前無法使用。請選擇其他選項，或一分鐘後再試。",
    unrated: "目前無法換算這個價格。請一分鐘後再試。",
    enough: "此訂單已提供過五種付款方式。請用其中一種付款。",
    often: "重新選擇的次數過多。請一分鐘後再試。",
  },
  chooseExpiredLead: "未在規定時間內選擇。**請勿轉帳：**本次報價已結束。",
  chooseCancelledLead: (merchant) => `${merchant} 已取消此訂單。**請勿轉帳。**`,

  waitingStatus: "等待付款",
  waitingTitle: (currency, network) => `請在 ${network} 上轉帳 ${currency}`,
  underpaidStatus: "已收到部分付款",
  underpaidTitle: (currency, network) => `請在 ${network} 上補足剩餘的 ${currency}`,
  underpaidLead: (arrived, due) => `應付 ${due}，已收到 **${arrived}**。請在時間結束前將剩餘金額轉到同一地址。`,
  partialTitle: "已收到部分付款",
  partialLead: (merchant, arrived, due) =>
    `應付 ${due}，${merchant} 已計入 **${arrived}**。**請勿自行補足剩餘金額：**請先聯絡商家。`,

  elsewhereNetworkTitle: "付款用了其他網路",
  elsewhereCurrencyTitle: "付款用了其他幣種",
  elsewhereLead: (arrived, network, currency, due) =>
    `**${arrived}** 已在 **${network}** 上入帳。但此訂單要求在 ${due} 上支付 ${currency}，因此這筆付款不會自動計入。`,
  lookAlikeTitle: "付款用了其他代幣",
  bridged: (currency) => `橋接版 ${currency}`,
  discontinued: (currency) => `已停用的 ${currency}`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `您在 **${network}** 上轉了 **${arrived}**。錢包將其顯示為 ${symbol}，但它是另一種代幣（${contract}），不是此訂單要求的 ${currency}，因此不能支付此訂單。`,
  lookAlikeSeen: (merchant) => `**款項已到達 ${merchant} 的地址。**商家會在此訂單旁看到這筆款項。`,
  elsewhereSeen: (merchant) => `**款項已到達 ${merchant} 的地址。**商家會在此訂單旁看到這筆款項，並可以接受它。`,
  elsewhereContact: (merchant) => `**請聯絡 ${merchant}**，並提供下方的交易 ID。如何處理由商家決定。`,
  elsewhereAgain: (merchant) => `**請勿再次付款，**除非 ${merchant} 要求您這麼做。`,
  elsewherePay: "仍要再次支付此訂單",
  elsewherePayNote: (merchant) => `僅在 ${merchant} 要求時才這麼做：您現在轉的款項，是在先前已轉款項之外另外支付的。`,
  alsoArrived: (arrived, network, merchant) =>
    `另有 **${arrived}** 在 **${network}** 上入帳，但不計入此訂單。${merchant} 看得到這筆款項：請提供其交易 ID 聯絡商家，不要再次轉帳。`,
  transactionOn: (network) => `${network} 上的交易`,

  amountLabel: "金額",
  remainingLabel: "剩餘金額",
  addressLabel: "轉到此地址",
  copyAmount: "複製金額",
  copyAddress: "複製地址",
  copied: "已複製",
  amountCopied: "金額已複製",
  addressCopied: "地址已複製",
  copyFailed: "無法複製。請選取文字後手動複製。",

  tailNote: (digits) => `末尾的 **${digits}** 是您這筆訂單獨有的數字。請一併輸入，不要四捨五入。`,
  exactNote: (amount) => `**請準確轉帳 ${amount}。**系統依這個準確金額辨識您的付款。其他任何金額都無法與您的訂單對應。`,
  sumNote: (amount) => `**請轉帳 ${amount}，或交易所扣除手續費後的數額。**此地址僅用於您的訂單，入帳多少就計入多少。`,
  restNote: "**因手續費入帳不足？**本頁面會提示您補足餘款。如果入帳更多，會在此顯示為多付。",
  exchangeNote: (amount) =>
    `**從交易所付款？**交易所會從您輸入的金額中扣除手續費。請輸入 ${amount} 加上手續費，使到帳金額恰好為 ${amount}。`,
  onlyNote: (currency, network) =>
    `**僅限 ${network} 上的 ${currency}。**轉到此地址的其他任何資產都不能支付此訂單，而且可能遺失。`,

  sameTokenNote: (currency, shown) => `有些錢包將此 ${currency} 顯示為 **${shown}**。兩者是同一種代幣。`,
  lookAlikeNote: (name, symbol, contract) =>
    `**不是 ${name}**（${contract}）：錢包將其顯示為 ${symbol}，但它是另一種代幣，不能用於付款。`,

  qrLegend: "QR Code 包含的內容",
  qrAddress: "地址",
  qrWallet: "錢包",
  qrAddressCaption: "僅含地址，適用於任何錢包或交易所。金額請自行輸入。",
  qrWalletCaption: "含地址和金額，適用於能讀取付款請求的錢包。轉帳前請核對這兩項。",
  qrAddressAlt: (address) => `地址 ${address} 的 QR Code`,
  qrWalletAlt: (amount, address) => `向 ${address} 支付 ${amount} 的付款請求 QR Code`,

  walletPay: "用錢包付款",
  walletUnloaded: "無法載入。請重新整理頁面。",
  walletChoose: "選擇您的錢包",
  walletConnect: "開啟錢包，允許本頁面查看您的帳戶。",
  walletConfirm: (amount, network) => `在錢包中核對金額和地址，然後確認：在 ${network} 上支付 ${amount}。`,
  walletSent: (network) => `錢包已送出。本頁面正在等待 ${network} 顯示該筆付款。`,
  walletNothing: "沒有送出任何款項。",
  walletRejected: "您已在錢包中拒絕。",
  walletBusy: "錢包仍在等待您的答覆。請開啟錢包後重試。",
  walletNetwork: (network) => `您的錢包不在 ${network} 上。請切換後重試。`,
  walletAccount: (network) => `該帳戶無法在 ${network} 上付款。請在錢包中選擇其他帳戶。`,
  walletFunds: (amount) => `該帳戶沒有足夠的 ${amount} 和網路手續費。`,
  walletChanged: "應付內容已有變更。請在付款前重新查看本頁面。",
  walletAgain: "該筆付款已從此瀏覽器送出。請等待它在此顯示。",
  walletAway: "目前無法進行。請稍後重試。",
  walletFailed: "您的錢包回報了問題。",
  walletLook: "重試前請先在錢包中查看是否已送出。",

  contractSummary: (currency, network) => `${network} 上的 ${currency} 代幣地址`,
  contractNote: "請與您錢包中的代幣核對。",
  viewOn: (explorer) => `在 ${explorer} 上查看`,
  opensNewTab: "（在新分頁中開啟）",

  timeLeft: (clock) => `剩餘 ${clock}`,
  payBefore: (time) => `請在此時間前付款：${time}`,
  timeLeftSpoken: (minutes) => `付款時間還剩 ${unit(minutes, "minute")}`,

  chooseTime: (time) => `${time}最終確認`,
  chooseFeeUnder: (to) => `網路手續費通常低於 ${to} USD`,
  chooseFeeAbout: (from, to) => `網路手續費約 ${from} 至 ${to} USD`,
  chooseShown: "目前選擇",
  chooseQuoted: (amount) => `${amount}，先前提供過`,
  chooseNote: "時間和手續費為通常情況，並非承諾。交易所會另收手續費。",
  switchLink: "用其他網路或其他幣種付款",
  switchTitle: "換一種方式付款",
  switchStatus: "重新選擇",
  switchLead: (amount, network) =>
    `目前應付：在 **${network}** 上支付 **${amount}**。無論您在這裡選擇什麼，這個方式仍可付款。**如果您已經轉帳，請不要選擇：**這筆款項有效。`,
  switchBack: "返回，不作變更",
  otherOffer: (amount, network) => `**已經在 ${network} 上轉了 ${amount}？**這筆款項有效，會顯示在這裡。請勿重複付款。`,
  paidOn: (network) => `這筆付款是在 **${network}** 上支付的，屬於提供過的付款方式之一。`,
  moreTime: "我需要更多時間",
  moreTimeNote: (minutes, left) => `增加 ${minutes} 分鐘。還可延長 ${left} 次。`,
  paidLink: "我已付款",
  paidLabel: "交易 ID",
  paidHint: (networks) => `${networks} 上的交易 ID，可在您的錢包或交易所中找到。僅用於查看這筆交易的情況。`,
  paidLook: "尋找",
  paidNoId: (networks) => `這不是 ${networks} 的交易 ID。請從您的錢包或交易所複製完整的 ID。`,
  paidOften: "查詢過於頻繁。請一分鐘後再試。",
  lookupAsking: (id, network) => `正在 ${network} 上尋找 ${id} …`,
  lookupSilent: (network) => `**${network} 沒有節點回應。**這無法說明您的付款狀況。請一分鐘後再查詢。`,
  lookupAbsent: (id, network) =>
    `**${id} 在 ${network} 上還看不到。**可能需要幾分鐘。請在錢包中核對是否確實已轉出，且使用的是 ${network}。`,
  lookupFailed: (id) => `**${id} 在鏈上失敗，**因此沒有轉出任何款項。原因請查看您的錢包。`,
  lookupNothing: (id) => `**${id} 沒有向此訂單的地址轉入任何款項。**請將您錢包中的地址與這裡的地址核對。`,
  lookupEarly: (id) => `**${id} 發生在此訂單之前，**因此不能支付此訂單。`,
  lookupOtherOrder: (id) => `**${id} 屬於另一筆訂單，**因此不能支付此訂單。`,
  lookupKept: (id, merchant) =>
    `**${id} 已到達 ${merchant}，但不會自動支付此訂單。**請聯絡商家，並提供其交易 ID。請勿再次付款。`,
  lookupFound: (id) => `**已找到 ${id}。**網路確認後即會計入，並顯示在本頁面上。`,
  lookupCounted: (id) => `**${id} 已計入：**已到帳並確認。如果此訂單仍未付清，則還差餘額。`,
  lookupWrongToken: (id, token) => `**${id} 轉的是 ${token}，**不是此訂單要求的幣種。`,
  lookupUnknownToken: "此處未知的代幣",
  lookupWrongNetwork: (id, network) => `**${id} 是在 ${network} 上轉帳的，**此訂單不能在該網路上支付。`,
  lookupShort: (id, arrived, due) =>
    `**${id} 入帳 ${arrived}，而不是 ${due}。**可能從中扣除了手續費。系統無法自動對應：請聯絡商家。`,
  lookupOver: (id, arrived, due) => `**${id} 入帳 ${arrived}，而不是 ${due}。**系統無法自動對應：請聯絡商家。`,

  sandboxNote: "這是沙盒環境：資金是獨立測試鏈上的模擬幣，不是真錢。",
  sandboxPay: "用沙盒錢包付款",
  sandboxPaying: "正在轉帳…",
  sandboxSent: "已從沙盒錢包轉出",
  sandboxFailed: "沙盒錢包付款失敗。請再試一次。",

  stepsLabel: "進度",
  stepSeen: "已發現",
  stepConfirming: "確認中",
  stepPaid: "已付款",
  seenTitle: "已發現您的付款",
  seenLead: (amount, network) => `**${amount}** 已到達收款地址。${network} 正在確認。您不需要再做任何操作。`,
  confirmingTitle: "正在確認您的付款",
  confirmingLead: (amount, network) =>
    `**${amount}** 已入帳。${network} 再經過幾個區塊即可最終確認。您不需要再做任何操作。`,
  lateTitle: "已找到逾時付款",
  lateLead: (amount) => `**${amount}** 在時間結束後才入帳。我們已找到這筆付款，正在確認。請勿再次轉帳。`,
  confirmations: (count, required) => `${count} / ${required} 次確認`,
  almostThere: "即將完成",
  aboutSeconds: (seconds) => `約 ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => `約 ${unit(minutes, "minute")}`,
  mayClose: "您可以關閉此頁面，付款會繼續進行。",

  checkingTitle: "正在尋找您的付款",
  checkingLead: (network) =>
    `時間已到。**現在請勿轉帳。**我們正在讀取 ${network} 的最新區塊；如果您先前已轉帳，會顯示在這裡。`,

  paidTitle: "付款完成",
  paidLead: (merchant, amount) => `${merchant} 已收到 **${amount}**。`,
  paidByHandLead: (merchant, due) => `${merchant} 已將這筆 **${due}** 的訂單標記為已付款。`,
  paidLateLead: (merchant, amount) =>
    `${merchant} 已收到 **${amount}**。這筆付款在時間結束後才入帳；如有疑問，請聯絡商家。`,
  overpaidTitle: "已付款，且超出應付金額",
  overpaidLead: (merchant, arrived, surplus) =>
    `${merchant} 已收到 **${arrived}**，比訂單金額多 **${surplus}**。訂單已付款；多付的部分請聯絡商家。`,

  expiredTitle: "時間已到",
  expiredLead: "未收到任何款項。**現在請勿轉帳：**本次報價已結束。",
  expiredPartLead: (arrived, due) => `應付 ${due}，僅收到 **${arrived}**。**現在請勿轉帳：**本次報價已結束。`,
  expiredWatched: (hours) =>
    `**已經轉帳了？**請保持此頁面開啟。我們會在接下來的 ${unit(hours, "hour")}內繼續尋找您的付款，入帳後即會計入。`,
  expiredUnwatched: (merchant) => `**已經轉帳了？**請聯絡 ${merchant}，並提供您錢包中的交易 ID。`,
  expiredAgain: (merchant) => `如需現在付款，請到 ${merchant} 重新開始。`,
  expiredPartAgain: (merchant) => `關於您已轉的款項，請聯絡 ${merchant}；商家也看得到這筆款項。`,

  cancelledTitle: "訂單已取消",
  cancelledLead: (merchant) => `${merchant} 已取消此訂單。**請勿轉帳。**如果您已經轉帳，請提供交易 ID 聯絡商家。`,

  delayed: (network) =>
    `**我們目前讀取 ${network} 有延遲。**您已轉出的付款是安全的，待我們同步完成後會立即顯示在這裡。請勿重複轉帳。`,

  detailsHeading: "詳情",
  merchant: "商家",
  price: "價格",
  subject: "用途",
  amountOrdered: "應付金額",
  amountReceived: "實收金額",
  network: "網路",
  address: "地址",
  transaction: "交易",
  paidAt: "付款時間",
  expiredAt: "結束時間",
  reference: "參考編號",

  returnTo: (merchant) => `返回 ${merchant}`,
  returning: (seconds) => `${seconds} 秒後自動返回。`,
  returnStay: "留在此頁面",
  returnStayed: "您將留在此頁面",
  printReceipt: "列印收據",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `您的付款會直接進入 ${merchant} 的錢包。`,
  support: (merchant) => `聯絡 ${merchant}`,
  close: "關閉",
  poweredBy: "Stablegate",
  offline: "您已離線。連線恢復後，本頁面會自動繼續。",

  notFoundTitle: "此付款連結無效",
  notFoundLead: "此連結沒有對應的訂單。請檢查是否複製了完整的網址，或返回商店重新開始付款。**請勿轉帳。**",
  refusedTitle: "無法開始此付款",
  refusedLead: "商店傳送了無效的付款請求。請返回商店；如果再次發生，請聯絡商店。**請勿轉帳。**",
  notNowLead: "目前無法開始付款。請返回商店，一分鐘後重試。**請勿轉帳。**",
  tamperedTitle: "請勿付款",
  tamperedLead:
    "此訂單的收款地址在建立後遭到更改，且並非商店所為。**請勿轉帳。** 如果您已經轉帳，請聯絡商店並提供錢包中的交易雜湊。",
  depositStatus: "您的儲值地址",
  depositLead: (merchant) => `${merchant} 的這個地址只屬於您。**可以轉入任意金額，次數不限：**它不會過期。`,
  depositOnly: (currencies, network) =>
    `**僅限 ${network} 上的 ${currencies}。**轉到此地址的其他任何資產都不會入帳，而且可能遺失。`,
  depositArrived: "此地址收到的款項",
  depositNothing: "尚未收到任何款項。您轉出的款項會自動顯示在這裡。",
  depositConfirmed: "已確認",
  depositReversed: "已被網路撤銷",
  depositLatest: (count) => `顯示最近 ${count} 筆。`,
  depositClosedTitle: "此地址目前未在使用",
  depositClosedLead: (merchant) => `${merchant} 已將其暫停。**請勿轉帳。**您已經轉出的款項不會遺失，會顯示在這裡。`,
  depositBrokenTitle: "無法顯示此地址",
  depositBrokenLead: (merchant) =>
    `所儲存的內容未通過我們的驗證，可能已被他人更改。**請勿轉帳。**請告知 ${merchant}，由商家進行檢查。`,
  depositNoneLead: "此連結沒有對應的地址。請檢查是否複製了完整的連結，或向提供連結的一方重新索取。**請勿轉帳。**",
  busyTitle: "瀏覽次數過多",
  busyLead: "您的 IP 位址開啟此頁面的次數過多。稍後會自動重試。您已轉出的付款不會遺失。",
  awayTitle: "稍後恢復",
  awayLead: "付款頁面暫時無法顯示。頁面每隔幾秒會自動重試。您已轉出的付款不會遺失。",
};
