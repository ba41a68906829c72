import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { unit } = counting("ja");

/** Japanese. */
export const ja: Messages = {
  lang: "ja",
  dir: "ltr",
  name: "日本語",
  chooseLanguage: "言語",

  chooseTitle: "お支払い方法を選んでください",
  chooseStatus: "選択をお待ちしています",
  chooseLead: (merchant, asked) =>
    `${merchant} への支払額は **${asked}** です。お使いのウォレットまたは取引所が送金に使うネットワークを選んでください。送る通貨と送金先は次の画面に表示されます。`,
  chooseNone: (merchant) =>
    `現在、${merchant} への支払いはできません。このページは自動で再確認します。**送金しないでください。**`,
  chooseLegend: "通貨とネットワーク",
  choose: "次へ",
  chooseProblem: {
    taken:
      "現在、そのネットワークにはこの金額の空きがありません。別のネットワークを選ぶか、1 分後にもう一度お試しください。",
    closed: "現在、その方法は利用できません。別の方法を選ぶか、1 分後にもう一度お試しください。",
    unrated: "現在、この価格を換算できません。1 分後にもう一度お試しください。",
    enough: "この注文にはすでに 5 つの支払い方法が提示されています。そのいずれかでお支払いください。",
    often: "選び直しの回数が多すぎます。1 分後にもう一度お試しください。",
  },
  chooseExpiredLead: "時間内に選択されませんでした。**送金しないでください。**この支払い受付は終了しました。",
  chooseCancelledLead: (merchant) => `${merchant} がこの注文をキャンセルしました。**送金しないでください。**`,

  waitingStatus: "入金待ち",
  waitingTitle: (currency, network) => `${network} で ${currency} を送金してください`,
  underpaidStatus: "一部が入金されました",
  underpaidTitle: (currency, network) => `${network} で残りの ${currency} を送金してください`,
  underpaidLead: (arrived, due) =>
    `${due} のうち **${arrived}** が届きました。時間内に残りを同じアドレスへ送金してください。`,
  partialTitle: "一部が入金されました",
  partialLead: (merchant, arrived, due) =>
    `${merchant} は ${due} のうち **${arrived}** を入金として確認しました。**ご自身の判断で残りを送金しないでください。**`,

  elsewhereNetworkTitle: "別のネットワークで支払われました",
  elsewhereCurrencyTitle: "別の通貨で支払われました",
  elsewhereLead: (arrived, network, currency, due) =>
    `**${arrived}** が **${network}** で届きました。この注文に必要なのは ${due} の ${currency} のため、この送金は自動では支払いとして扱われません。`,
  lookAlikeTitle: "別のトークンで支払われました",
  bridged: (currency) => `ブリッジ版 ${currency}`,
  discontinued: (currency) => `廃止された ${currency}`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `**${network}** で **${arrived}** が送金されました。ウォレットでは ${symbol} と表示されますが、この注文に必要な ${currency} とは別のトークン（${contract}）のため、この注文の支払いにはなりません。`,
  lookAlikeSeen: (merchant) =>
    `**送金は ${merchant} のアドレスに届いています。**販売者はこの注文と並べて確認できます。`,
  elsewhereSeen: (merchant) =>
    `**送金は ${merchant} のアドレスに届いています。**販売者はこの注文と並べて確認し、受け入れることができます。`,
  elsewhereContact: (merchant) =>
    `**${merchant} に連絡し**、下記のトランザクション ID を伝えてください。どう扱うかは販売者が決めます。`,
  keepId: (merchant: string) =>
    `**下のトランザクション IDを保管してください。**${merchant} はこの支払いを注文の横で確認でき、対応を決めます。`,
  contactAsk: (merchant: string) => `ご不明な点は ${merchant} にお問い合わせください。`,
  sentKeepId: "**すでに送りましたか？**ウォレットか取引所のトランザクション IDを保管してください。",
  paymentSeen: (merchant: string) => `${merchant} はお支払いを確認できます。`,
  elsewhereAgain: (merchant) => `${merchant} から求められない限り、**もう一度支払わないでください。**`,
  elsewherePay: "それでもこの注文をもう一度支払う",
  elsewherePayNote: (merchant) =>
    `${merchant} から求められた場合のみ：今から送る分は、すでに送った分とは別の追加の支払いになります。`,
  otherAmountTitle: "異なる金額が届きました",
  otherAmountShort: (arrived, due, off) => `${due} ではなく **${arrived}** が届きました。**${off} 不足しています。**`,
  otherAmountOver: (arrived, due, off) => `${due} ではなく **${arrived}** が届きました。**${off} 超過しています。**`,
  notMine: "これは自分の支払いではない",
  alsoArrived: (arrived, network, merchant) =>
    `**${network}** でも **${arrived}** が届きましたが、この注文の支払いにはなりません。${merchant} はこの送金を確認できます。もう一度送金しないでください。`,
  transactionOn: (network) => `${network} のトランザクション`,

  sourceTitle: "資金はどこにありますか？",
  sourceExchange: "取引所の口座",
  sourceWallet: "ウォレットアプリ",
  sourceOther: "その他の取引所",
  exchangeNetwork: (exchange: string) => `${exchange} でのネットワーク名`,
  exchangeFee: (fee: string) => `手数料 約 ${fee}`,
  exchangeMinimum: (minimum: string) => `最低 約 ${minimum}`,
  exchangeTooSmall: (exchange: string, minimum: string) =>
    `**${exchange} のここでの最低出金額は約 ${minimum} で、**この注文より多くなります。別のネットワークかウォレットを選んでください。`,
  exchangeUnlisted: (exchange: string, currency: string) =>
    `${exchange} はこのネットワークで ${currency} を送れない可能性があります。先に出金画面を確認してください。`,
  exchangeSlow: "**出金には数分かかることがあります。**メモやタグは不要です。",
  amountLabel: "金額",
  receivedLabel: "着金する金額",
  remainingLabel: "残りの金額",
  addressLabel: "送金先アドレス",
  copyAmount: "金額をコピー",
  copyAddress: "アドレスをコピー",
  copied: "コピーしました",
  amountCopied: "金額をコピーしました",
  addressCopied: "アドレスをコピーしました",
  copyFailed: "コピーできませんでした。テキストを選択して手動でコピーしてください。",

  tailNote: (digits) =>
    `末尾の **${digits}** はこの注文だけの数字です。省略や四捨五入をせず、そのまま入力してください。`,
  exactNote: (amount) =>
    `**正確に ${amount} を送金してください。**お支払いはこの正確な金額で識別されます。金額が異なると、注文と照合できません。`,
  sumNote: (amount) =>
    `**${amount}、または取引所の手数料が引かれた額を送ってください。** このアドレスはこの注文専用なので、届いた分はすべて計上されます。`,
  restNote:
    "**手数料で少なく届いた場合は、** このページに残額が表示されます。多く届いた場合は、超過分がここに表示されます。",
  exchangeNote: (amount) =>
    `**取引所から支払いますか？**届く金額がちょうど ${amount} になることを確認してください。手数料を入力額から差し引く取引所と、上乗せする取引所があります。`,
  onlyNote: (currency, network) =>
    `**${network} の ${currency} のみ。**それ以外をこのアドレスに送っても注文の支払いにはならず、失われるおそれがあります。`,

  sameTokenNote: (currency, shown) =>
    `一部のウォレットでは、この ${currency} が **${shown}** と表示されます。同じものです。`,
  lookAlikeNote: (name, symbol, contract) =>
    `**${name} ではありません**（${contract}）：ウォレットでは ${symbol} と表示されますが、別のトークンのため支払いにはなりません。`,

  qrLegend: "QR コードの内容",
  qrAddress: "アドレス",
  qrWallet: "ウォレット",
  qrAddressCaption: "アドレスのみ。どのウォレットや取引所でも使えます。金額はご自身で入力してください。",
  qrWalletCaption: "アドレスと金額。支払いリクエストを読み取れるウォレット用です。送金前に両方を確認してください。",
  qrAddressAlt: (address) => `アドレス ${address} の QR コード`,
  qrWalletAlt: (amount, address) => `${address} への ${amount} の支払いリクエストの QR コード`,

  showQr: "QRコードを表示",
  walletOpen: "ウォレットで開く",
  walletPay: "ウォレットで支払う",
  walletUnloaded: "読み込めませんでした。ページを再読み込みしてください。",
  walletChoose: "ウォレットを選択してください",
  walletConnect: "ウォレットを開き、このページにアカウントの表示を許可してください。",
  walletConfirm: (amount, network) => `ウォレットで金額とアドレスを確認し、承認してください：${network} で ${amount}。`,
  walletSent: (network) => `ウォレットが送金しました。${network} に表示されるまでお待ちください。`,
  walletNothing: "何も送金されていません。",
  walletRejected: "ウォレットで拒否されました。",
  walletBusy: "ウォレットが応答を待っています。開いてから、もう一度お試しください。",
  walletNetwork: (network) => `ウォレットが ${network} に接続されていません。切り替えてから、もう一度お試しください。`,
  walletAccount: (network) =>
    `このアカウントは ${network} で支払えません。ウォレットで別のアカウントを選択してください。`,
  walletFunds: (amount) => `このアカウントには ${amount} とネットワーク手数料がありません。`,
  walletChanged: "支払い内容が変わりました。支払う前にこのページをもう一度ご確認ください。",
  walletAgain: "このブラウザーからすでに送金されています。ここに表示されるまでお待ちください。",
  walletAway: "現在ご利用いただけません。しばらくしてからもう一度お試しください。",
  walletFailed: "ウォレットで問題が発生しました。",
  walletLook: "再試行する前に、送金されたかどうかをウォレットで確認してください。",

  contractSummary: (currency, network) => `${network} の ${currency} トークンアドレス`,
  contractNote: "お使いのウォレットのトークンと照合してください。",
  viewOn: (explorer) => `${explorer} で見る`,
  opensNewTab: "（新しいタブで開きます）",

  timeLeft: (clock) => `残り ${clock}`,
  payBefore: (time) => `支払い期限：${time}`,
  timeLeftSpoken: (minutes) => `支払い期限まで残り ${unit(minutes, "minute")}`,

  chooseTime: (time) => `${time}で確定`,
  chooseFeeUnder: (to) => `ネットワーク手数料は通常 ${to} USD 未満`,
  chooseFeeAbout: (from, to) => `ネットワーク手数料は約 ${from}～${to} USD`,
  chooseRecommended: "おすすめ",
  chooseAmount: (amount: string) => `約 ${amount}`,
  chooseShown: "現在の選択",
  chooseQuoted: (amount) => `${amount}（以前に提示）`,
  chooseNote: "時間と手数料は通常の目安であり、保証ではありません。取引所は別途手数料を取ります。",
  switchLink: "別の方法で支払う",
  switchTitle: "別の方法で支払う",
  switchStatus: "選び直し",
  switchLead: (amount, network) =>
    `現在の請求：**${network}** で **${amount}**。ここで何を選んでも、この方法で引き続き支払えます。**すでに送金した場合は、何も選ばないでください。**その送金は支払いとして扱われます。`,
  switchBack: "変更せずに戻る",
  otherOffer: (amount, network) =>
    `**すでに ${network} で ${amount} を送金しましたか？**その送金は支払いとして扱われ、ここに表示されます。二重に支払わないでください。`,
  paidOn: (network) => `提示された方法の一つである **${network}** で支払われました。`,
  moreTime: "時間を延長する",
  moreTimeNote: (minutes, left) => `${minutes} 分延長します。残り ${left} 回まで可能です。`,
  paidLink: "支払いました",
  paidLabel: "トランザクション ID",
  paidHint: (networks) =>
    `${networks} での送金の ID です。お使いのウォレットまたは取引所で確認できます。送金がどうなったかを表示するだけです。`,
  paidLook: "確認する",
  paidNoId: (networks) =>
    `${networks} のトランザクション ID ではありません。ウォレットまたは取引所から ID 全体をコピーしてください。`,
  paidOften: "確認の回数が多すぎます。1 分後にもう一度お試しください。",
  lookupAsking: (id, network) => `${network} で ${id} を探しています…`,
  lookupSilent: (network) =>
    `**${network} のどのノードからも応答がありませんでした。**お支払いの状況については何も分かりません。1 分後にもう一度確認してください。`,
  lookupAbsent: (id, network) =>
    `**${id} はまだ ${network} に表示されていません。**数分かかることがあります。実際に送金されたか、${network} で送金されたかをウォレットで確認してください。`,
  lookupFailed: (id) =>
    `**${id} はチェーン上で失敗しました。**そのため、何も送金されていません。理由はウォレットで確認できます。`,
  lookupNothing: (id) =>
    `**${id} では、この注文のアドレスに何も送金されていません。**ウォレットのアドレスをここのアドレスと照合してください。`,
  lookupEarly: (id) => `**${id} はこの注文より前の送金です。**そのため、この注文の支払いにはなりません。`,
  lookupOtherOrder: (id) => `**${id} は別の注文のものです。**そのため、この注文の支払いにはなりません。`,
  lookupKept: (id, merchant) =>
    `**${id} は ${merchant} に届きましたが、自動ではこの注文の支払いになりません。**もう一度支払わないでください。`,
  lookupFound: (id) =>
    `**${id} が見つかりました。**ネットワークで承認されると支払いとして扱われ、このページに表示されます。`,
  lookupCounted: (id) =>
    `**${id} は支払いとして計上済みです。**着金し、承認されています。この注文がまだ支払い済みでなければ、残りの金額が不足しています。`,
  lookupWrongToken: (id, token) => `**${id} で送られたのは ${token} です。**この注文に必要なものではありません。`,
  lookupUnknownToken: "ここでは不明なトークン",
  lookupWrongNetwork: (id, network) =>
    `**${id} は ${network} で送金されました。**この注文を支払えるネットワークではありません。`,
  lookupShort: (id, arrived, due) =>
    `**${id} で届いたのは ${due} ではなく ${arrived} です。**手数料が差し引かれた可能性があります。自動では照合できません。`,
  lookupOver: (id, arrived, due) => `**${id} で届いたのは ${due} ではなく ${arrived} です。**自動では照合できません。`,

  sandboxNote: "これはサンドボックスです。お金は専用チェーン上の模擬通貨で、本物ではありません。",
  sandboxPay: "サンドボックスのウォレットで支払う",
  sandboxPaying: "送金中…",
  sandboxSent: "サンドボックスのウォレットから送金しました",
  sandboxFailed: "サンドボックスのウォレットで支払えませんでした。もう一度お試しください。",

  stepsLabel: "進行状況",
  stepSeen: "検出",
  stepConfirming: "承認中",
  stepPaid: "支払い済み",
  seenTitle: "送金を検出しました",
  seenLead: (amount, network) =>
    `**${amount}** がアドレスに届きました。現在 ${network} で承認中です。これ以上の操作は必要ありません。`,
  confirmingTitle: "お支払いを承認中です",
  confirmingLead: (amount, network) =>
    `**${amount}** が届きました。${network} であと数ブロックで確定します。これ以上の操作は必要ありません。`,
  lateTitle: "期限後の送金が見つかりました",
  lateLead: (amount) =>
    `**${amount}** が期限後に届きました。送金は見つかっており、現在承認中です。もう一度送金しないでください。`,
  confirmations: (count, required) => `${count} / ${required} 承認`,
  almostThere: "まもなく完了",
  aboutSeconds: (seconds) => `約 ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => `約 ${unit(minutes, "minute")}`,
  mayClose: "このページは閉じても構いません。支払いはそのまま進みます。",

  checkingTitle: "お支払いを確認しています",
  checkingLead: (network) =>
    `時間切れです。**今は送金しないでください。**${network} の最新ブロックを読み取っています。すでに送金済みの場合は、ここに表示されます。`,

  paidTitle: "支払い完了",
  paidLead: (merchant, amount) => `${merchant} が **${amount}** を受け取りました。`,
  paidByHandLead: (merchant, due) => `${merchant} がこの **${due}** の注文を支払い済みにしました。`,
  paidLateLead: (merchant, amount) => `${merchant} が **${amount}** を受け取りました。届いたのは期限後でした。`,
  overpaidTitle: "支払い完了（超過あり）",
  overpaidLead: (merchant, arrived, surplus) =>
    `${merchant} が **${arrived}** を受け取りました。注文の金額より **${surplus}** 多い額です。注文は支払い済みです。`,

  expiredTitle: "時間切れです",
  expiredLead: "入金はありませんでした。**今は送金しないでください。**この支払い受付は終了しました。",
  expiredPartLead: (arrived, due) =>
    `${due} のうち **${arrived}** しか届きませんでした。**今は送金しないでください。**この支払い受付は終了しました。`,
  expiredWatched: (hours) =>
    `**すでに送金しましたか？**このページを開いたままにしてください。あと ${unit(hours, "hour")}は入金の確認を続け、届けば支払いとして扱われます。`,
  expiredUnwatched: (merchant) =>
    `**すでに送金しましたか？**${merchant} に連絡し、ウォレットにあるトランザクション ID を伝えてください。`,
  expiredAgain: (merchant) => `今から支払うには、${merchant} でもう一度手続きを始めてください。`,
  expiredPartAgain: (merchant) => `送金した分については ${merchant} にお問い合わせください。販売者も確認できます。`,

  cancelledTitle: "注文はキャンセルされました",
  cancelledLead: (merchant) => `${merchant} がこの注文をキャンセルしました。**送金しないでください。**`,

  delayed: (network) =>
    `**現在、${network} の読み取りが遅れています。**送金済みの支払いは安全で、読み取りが追いつき次第ここに表示されます。二重に送金しないでください。`,

  refundTitle: "返金を申請してください",
  refundStatus: "アドレスの入力待ち",
  refundLead: (merchant, amount) =>
    `${merchant} から **${amount}** が返金されます。受け取り先のアドレスを入力してください。`,
  refundReason: "理由",
  refundReopened: (merchant) => `**${merchant} から別のアドレスを求められています。**`,
  refundMessage: (merchant) => `${merchant} からのメッセージ`,
  refundNetwork: "ネットワーク",
  refundPaidOn: "お支払いに使ったネットワーク",
  refundAddress: "このネットワークでのご自身のアドレス",
  refundAddressHint: "ご自身のウォレットまたはアカウントのアドレスです。送金された返金は取り消せません。",
  refundExchange: (currency) =>
    `**取引所のアドレスですか？**選んだネットワークでこのアドレスに ${currency} を入金できることを、取引所で確認してください。`,
  refundConfirm: (count) => `アドレスの末尾 ${count} 文字`,
  refundConfirmHint:
    "ウォレットまたは取引所の表示を見て入力してください。アドレス全体がコピーされたことを確かめるためのものです。",
  refundOrderNumber: "注文番号",
  refundOrderNumberHint: (merchant) => `${merchant} からの確認に記載されています`,
  refundEmail: "メールアドレス",
  refundEmailHint: (merchant) => `${merchant} に伝えたメールアドレス`,
  refundSubmit: "返金を申請する",
  refundExpires: "リンクの有効期限",
  refundProblem: {
    used: "この返金はすでに申請されています。",
    often: "試行回数が多すぎます。数分後にもう一度お試しください。",
    network: "表示されているネットワークから選んでください。",
    address: (network) => `${network} の有効なアドレスではありません。アドレス全体をコピーしてください。`,
    token: "これはトークン自体のアドレスで、ウォレットのものではありません。ご自身のアドレスを入力してください。",
    shop: "これはショップのアドレスです。ご自身のアドレスを入力してください。",
    confirmation: "アドレスの末尾の文字と一致しません。両方を照合して、もう一度お試しください。",
    number: "この注文の番号ではありません。",
    email: "この注文のメールアドレスではありません。",
  },
  refundClaimedTitle: "アドレスを受け付けました",
  refundClaimedLead: (merchant) =>
    `${merchant} が申請内容を確認してから返金を送金します。送金されると、このページに自動で表示されます。`,
  refundApprovedTitle: "返金が認められました",
  refundApprovedLead: (merchant, amount, network) =>
    `${merchant} が **${network}** で **${amount}** をご自身のアドレスへ送金します。送金されると、このページに自動で表示されます。`,
  refundSentTitle: "返金が送金されました",
  refundSentLead: (amount, network) =>
    `**${amount}** がご自身のアドレスへ送金されました。現在 ${network} で承認中です。`,
  refundCompletedTitle: "返金完了",
  refundCompletedLead: (amount, network) => `**${amount}** が **${network}** でご自身のアドレスに届きました。`,
  refundCancelledTitle: "返金はキャンセルされました",
  refundCancelledLead: (merchant) => `${merchant} がこの返金をキャンセルしました。`,
  refundExpiredTitle: "リンクの有効期限が切れています",
  refundExpiredLead: (merchant) =>
    `この返金は期限内に申請されませんでした。${merchant} に新しいリンクを依頼してください。`,
  refundNoneLead: "このリンクに対応する返金がありません。リンク全体がコピーされているか確認してください。",

  linkTitle: (merchant) => `${merchant} へのお支払い`,
  linkSubmit: "支払いに進む",
  linkOptional: "任意",
  linkContinue: "開始した支払いを続ける",
  linkBetween: (min, max) => `${min}から${max}まで`,
  linkAtLeast: (min) => `${min}以上`,
  linkAtMost: (max) => `${max}以下`,
  linkProblem: {
    amount: "金額を入力してください(例:25.00)。",
    often: "お使いのネットワークから開始された支払いが多すぎます。数分後にもう一度お試しください。",
    away: "現在、支払いを開始できません。1分後にもう一度お試しください。",
    note: "メモが長すぎるか、使用できない文字が含まれています。",
  },
  linkAwayLead: "ショップは現在、支払いを受け付けられません。後でもう一度お試しください。",
  linkUsedTitle: "この支払いリンクはすでに使用されています",
  linkUsedLead: (merchant) =>
    `${merchant} はこのリンクでの支払いをこれ以上受け付けません。別の支払いが期限内に完了しなければ、リンクは再び使用できます。`,
  linkEndedTitle: "この支払いリンクは終了しました",
  linkEndedLead: (merchant) =>
    `${merchant} はこのリンクでの支払いを受け付けていません。お支払いをご希望の場合は、新しいリンクをご依頼ください。`,
  linkNoneLead: "このアドレスに支払いリンクはありません。アドレスを確認するか、ショップにお問い合わせください。",

  detailsHeading: "詳細",
  merchant: "販売者",
  price: "価格",
  subject: "内容",
  amountOrdered: "請求額",
  amountReceived: "受取額",
  network: "ネットワーク",
  address: "アドレス",
  transaction: "トランザクション",
  paidAt: "支払い日時",
  expiredAt: "終了日時",
  reference: "参照番号",

  returnTo: (merchant) => `${merchant} に戻る`,
  returning: (seconds) => `${seconds} 秒後に戻ります。`,
  returnStay: "このページにとどまる",
  returnStayed: "このページにとどまります",
  printReceipt: "控えを印刷",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `お支払いは ${merchant} のウォレットに直接送られます。`,
  support: (merchant) => `${merchant} に問い合わせる`,
  close: "閉じる",
  poweredBy: "Stablegate",
  offline: "オフラインです。接続が戻ると、このページは自動で再開します。",

  notFoundTitle: "この支払いリンクは無効です",
  notFoundLead:
    "このリンクに対応する注文がありません。URL 全体がコピーされているか確認するか、ショップに戻って支払いをやり直してください。**送金しないでください。**",
  refusedTitle: "この支払いを開始できませんでした",
  refusedLead:
    "ショップから無効な支払いリクエストが送信されました。ショップに戻り、もう一度お試しください。**送金しないでください。**",
  notNowLead:
    "現在、支払いを開始できません。ショップに戻り、1 分後にもう一度お試しください。**送金しないでください。**",
  tamperedTitle: "支払わないでください",
  tamperedLead:
    "この注文のアドレスは、作成後にショップ以外によって変更されました。**送金しないでください。** すでに送金した場合は、ウォレットのトランザクション ID を保管してください。",
  closedTitle: "現在、お支払いいただけません",
  closedLead:
    "ショップは現在、この支払いを受け付けられません。ショップに戻って別の支払い方法を選ぶか、後でもう一度お試しください。**送金しないでください。**",
  otherWay: "ショップに戻って、別の支払い方法を選ぶこともできます。",
  alreadyPaidTitle: "この注文は支払い済みです",
  alreadyPaidLead: "ショップにお戻りください。**もう一度支払わないでください。**",
  depositStatus: "あなた専用の入金アドレス",
  depositLead: (merchant) =>
    `${merchant} でのこのアドレスはあなた専用です。**金額も回数も自由に送金できます。**有効期限はありません。`,
  depositOnly: (currencies, network) =>
    `**${network} の ${currencies} のみ。**それ以外をこのアドレスに送っても入金にはならず、失われるおそれがあります。`,
  depositArrived: "このアドレスへの入金",
  depositNothing: "まだ何も届いていません。送金するとここに自動的に表示されます。",
  depositConfirmed: "承認済み",
  depositReversed: "ネットワークにより取り消されました",
  depositLatest: (count) => `直近の ${count} 件を表示しています。`,
  depositClosedTitle: "このアドレスは現在使われていません",
  depositClosedLead: (merchant) =>
    `${merchant} が一時停止しています。**送金しないでください。**すでに送った分は失われず、ここに表示されます。`,
  depositBrokenTitle: "このアドレスは表示できません",
  depositBrokenLead: (merchant) =>
    `保存されている内容が検査に合格せず、第三者に書き換えられたおそれがあります。**送金しないでください。**${merchant} に連絡して確認してもらってください。`,
  depositNoneLead:
    "このリンクに対応するアドレスがありません。リンク全体がコピーされているか確認するか、受け取った先にもう一度お問い合わせください。**送金しないでください。**",
  busyTitle: "アクセスが多すぎます",
  busyLead:
    "お使いの IP アドレスからこのページが何度も開かれました。しばらくすると自動で再試行します。送金済みの支払いは失われません。",
  awayTitle: "まもなく戻ります",
  awayLead: "現在、支払いページを表示できません。数秒ごとに自動で再試行します。送金済みの支払いは失われません。",
};
