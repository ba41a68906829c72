import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { plural, unit } = counting("ar");

/** Arabic. */
export const ar: Messages = {
  lang: "ar",
  dir: "rtl",
  name: "العربية",
  chooseLanguage: "اللغة",

  chooseTitle: "كيف تريد أن تدفع؟",
  chooseStatus: "بانتظار اختيارك",
  chooseLead: (merchant, asked) =>
    `يطلب التاجر ${merchant} مبلغ **${asked}**. اختر الشبكة التي ترسل عليها محفظتك أو منصة التداول. ستعرف في الخطوة التالية ماذا ترسل وإلى أين.`,
  chooseNone: (merchant) =>
    `لا يمكن الدفع للتاجر ${merchant} في الوقت الحالي. ستتحقق هذه الصفحة مجددًا من تلقاء نفسها. **لا ترسل أي شيء.**`,
  chooseLegend: "العملة والشبكة",
  choose: "متابعة",
  chooseProblem: {
    taken: "لا يوجد مكان متاح هناك لهذا المبلغ حاليًا. اختر شبكة أخرى، أو حاول مجددًا بعد دقيقة.",
    closed: "هذا الخيار غير متاح حاليًا. اختر خيارًا آخر، أو حاول مجددًا بعد دقيقة.",
    unrated: "يتعذر حاليًا حساب ما يعادله هذا السعر. حاول مجددًا بعد دقيقة.",
    enough: "عُرضت بالفعل خمس طرق دفع لهذا الطلب. ادفع بإحداها.",
    often: "أُعيد الاختيار مرات كثيرة جدًا. حاول مجددًا بعد دقيقة.",
  },
  chooseExpiredLead: "لم يتم الاختيار في الوقت المحدد. **لا ترسل أي شيء:** انتهى هذا العرض.",
  chooseCancelledLead: (merchant) => `ألغى التاجر ${merchant} هذا الطلب. **لا ترسل أي شيء.**`,

  waitingStatus: "بانتظار الدفع",
  waitingTitle: (currency, network) => `أرسل ${currency} على شبكة ${network}`,
  underpaidStatus: "وصل جزء من الدفعة",
  underpaidTitle: (currency, network) => `أرسل المتبقي من ${currency} على شبكة ${network}`,
  underpaidLead: (arrived, due) =>
    `وصل **${arrived}** من أصل ${due}. أرسل المبلغ المتبقي إلى العنوان نفسه قبل انتهاء الوقت.`,
  partialTitle: "وصل جزء من الدفعة",
  partialLead: (merchant, arrived, due) =>
    `احتسب التاجر ${merchant} مبلغ **${arrived}** من أصل ${due}. **لا ترسل المتبقي من تلقاء نفسك.**`,

  elsewhereNetworkTitle: "تم الدفع على شبكة أخرى",
  elsewhereCurrencyTitle: "تم الدفع بعملة أخرى",
  elsewhereLead: (arrived, network, currency, due) =>
    `وصل **${arrived}** على شبكة **${network}**. يتطلب هذا الطلب ${currency} على شبكة ${due}، لذلك لا تُحتسب الدفعة تلقائيًا.`,
  lookAlikeTitle: "تم الدفع بتوكن آخر",
  bridged: (currency) => `${currency} (عبر جسر)`,
  discontinued: (currency) => `${currency} (إصدار متوقف)`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `لقد أرسلت **${arrived}** على شبكة **${network}**. تعرضه المحافظ باسم ${symbol}، لكنه توكن آخر (${contract}) غير ${currency} المطلوب لهذا الطلب، ولذلك لا يسدد قيمة الطلب.`,
  lookAlikeSeen: (merchant) => `**وصل المبلغ إلى عنوان يخص التاجر ${merchant}.** يراه التاجر بجانب هذا الطلب.`,
  elsewhereSeen: (merchant) =>
    `**وصل المبلغ إلى عنوان يخص التاجر ${merchant}.** يراه التاجر بجانب هذا الطلب، ويمكنه قبوله.`,
  elsewhereContact: (merchant) =>
    `**تواصل مع التاجر ${merchant}** وزوّده بمعرّف المعاملة أدناه. القرار بشأن المبلغ يعود إلى التاجر.`,
  keepId: (merchant: string) =>
    `**احتفظ بمعرّف المعاملة أدناه.** يرى ${merchant} هذه الدفعة بجانب الطلب ويقرر كيفية معالجتها.`,
  contactAsk: (merchant: string) => `تواصل مع ${merchant} إذا كانت لديك أسئلة.`,
  sentKeepId: "**هل أرسلت بالفعل؟** احتفظ بمعرّف المعاملة من محفظتك أو منصتك.",
  paymentSeen: (merchant: string) => `يستطيع ${merchant} رؤية دفعتك.`,
  elsewhereAgain: (merchant) => `**لا تدفع مرة أخرى،** إلا إذا طلب منك التاجر ${merchant} ذلك.`,
  elsewherePay: "دفع قيمة هذا الطلب مرة أخرى رغم ذلك",
  elsewherePayNote: (merchant) => `فقط إذا طلب منك التاجر ${merchant} ذلك: ما ترسله الآن يُضاف إلى ما سبق أن أرسلته.`,
  otherAmountTitle: "وصل مبلغ مختلف",
  otherAmountShort: (arrived, due, off) => `وصل **${arrived}** بدلاً من ${due}: **ينقص ${off}.**`,
  otherAmountOver: (arrived, due, off) => `وصل **${arrived}** بدلاً من ${due}: **زيادة ${off}.**`,
  notMine: "هذه ليست دفعتي",
  alsoArrived: (arrived, network, merchant) =>
    `وصل أيضًا **${arrived}** على شبكة **${network}**، حيث لا يُحتسب لهذا الطلب. يراه التاجر ${merchant}. لا ترسل المبلغ مرة أخرى.`,
  transactionOn: (network) => `المعاملة على شبكة ${network}`,

  sourceTitle: "أين أموالك؟",
  sourceExchange: "حساب في منصة",
  sourceWallet: "تطبيق محفظة",
  sourceOther: "منصة أخرى",
  exchangeNetwork: (exchange: string) => `الشبكة في ${exchange}`,
  exchangeFee: (fee: string) => `الرسوم نحو ${fee}`,
  exchangeMinimum: (minimum: string) => `الحد الأدنى نحو ${minimum}`,
  exchangeTooSmall: (exchange: string, minimum: string) =>
    `**ترسل ${exchange} هنا نحو ${minimum} على الأقل،** وهذا أكثر من هذا الطلب. اختر شبكة أخرى أو محفظة.`,
  exchangeUnlisted: (exchange: string, currency: string) =>
    `قد لا ترسل ${exchange} عملة ${currency} على هذه الشبكة. تحقق أولًا من نموذج السحب.`,
  exchangeSlow: "**قد يستغرق السحب عدة دقائق.** لا حاجة إلى Memo أو Tag.",
  amountLabel: "المبلغ",
  receivedLabel: "المبلغ الذي يجب أن يصل",
  remainingLabel: "المبلغ المتبقي",
  addressLabel: "إلى هذا العنوان",
  copyAmount: "نسخ المبلغ",
  copyAddress: "نسخ العنوان",
  copied: "تم النسخ",
  amountCopied: "تم نسخ المبلغ",
  addressCopied: "تم نسخ العنوان",
  copyFailed: "تعذر النسخ. حدد النص وانسخه يدويًا.",

  tailNote: (digits) => `الأرقام الأخيرة **${digits}** تخص طلبك وحده. اكتبها أيضًا ولا تقرّب المبلغ.`,
  exactNote: (amount) =>
    `**أرسل ${amount} بالضبط.** نتعرف على دفعتك من خلال هذا المبلغ تحديدًا. لا يمكن ربط أي مبلغ آخر بطلبك.`,
  sumNote: (amount) =>
    `**أرسل ${amount}، أو ما يتبقى منه بعد رسوم منصة التداول.** هذا العنوان مخصص لطلبك وحده، فكل ما يصل إليه يُحتسب.`,
  restNote: "**وصل أقل بسبب رسوم؟** تطلب هذه الصفحة عندئذ المبلغ المتبقي. وإذا وصل أكثر، يظهر هنا كمبلغ زائد.",
  exchangeNote: (amount) =>
    `**هل تدفع من منصة تداول؟** تأكد من أن المبلغ المستلم هو ${amount} بالضبط: بعض المنصات تخصم رسومها من المبلغ الذي تكتبه، وبعضها يضيفها إليه.`,
  onlyNote: (currency, network) =>
    `**فقط ${currency} على شبكة ${network}.** أي شيء آخر يُرسل إلى هذا العنوان لا يسدد قيمة الطلب وقد يضيع.`,

  sameTokenNote: (currency, shown) => `تعرض بعض المحافظ ${currency} هذا باسم **${shown}**. إنه نفسه.`,
  lookAlikeNote: (name, symbol, contract) =>
    `**ليس ${name}** (${contract}): تعرضه المحافظ باسم ${symbol}، لكنه توكن آخر ولا يسدد قيمة الطلب.`,

  qrLegend: "محتوى رمز QR",
  qrAddress: "العنوان",
  qrWallet: "المحفظة",
  qrAddressCaption: "العنوان فقط، لأي محفظة أو منصة تداول. اكتب المبلغ بنفسك.",
  qrWalletCaption: "العنوان والمبلغ، للمحافظ التي تقرأ طلبات الدفع. تحقق من كليهما قبل الإرسال.",
  qrAddressAlt: (address) => `رمز QR للعنوان ${address}`,
  qrWalletAlt: (amount, address) => `رمز QR لطلب دفع ${amount} إلى ${address}`,

  showQr: "إظهار رمز QR",
  walletOpen: "افتح في المحفظة",
  walletPay: "ادفع بمحفظة",
  walletUnloaded: "تعذر التحميل. أعد تحميل الصفحة.",
  walletChoose: "اختر محفظتك",
  walletConnect: "افتح محفظتك واسمح لهذه الصفحة برؤية حسابك.",
  walletConfirm: (amount, network) => `قارن المبلغ والعنوان في محفظتك ثم أكّد هناك: ${amount} على شبكة ${network}.`,
  walletSent: (network) => `أرسلت محفظتك الدفعة. تنتظر هذه الصفحة حتى تظهر على شبكة ${network}.`,
  walletNothing: "لم يُرسل شيء.",
  walletRejected: "لقد رفضت في محفظتك.",
  walletBusy: "ما زالت محفظتك تنتظر ردك. افتحها ثم حاول مجددًا.",
  walletNetwork: (network) => `محفظتك ليست على شبكة ${network}. حوّلها إليها ثم حاول مجددًا.`,
  walletAccount: (network) => `لا يمكن لهذا الحساب الدفع على شبكة ${network}. اختر حسابًا آخر في محفظتك.`,
  walletFunds: (amount) => `لا يحتوي هذا الحساب على ${amount} ورسوم الشبكة.`,
  walletChanged: "تغيّر المطلوب دفعه في هذه الأثناء. انظر إلى هذه الصفحة مجددًا قبل أن تدفع.",
  walletAgain: "أُرسلت هذه الدفعة من هذا المتصفح من قبل. انتظر حتى تظهر هنا.",
  walletAway: "هذا غير ممكن حاليًا. حاول مجددًا بعد قليل.",
  walletFailed: "أبلغت محفظتك عن مشكلة.",
  walletLook: "تحقق فيها مما إذا أُرسل شيء قبل أن تحاول مجددًا.",

  contractSummary: (currency, network) => `عنوان توكن ${currency} على شبكة ${network}`,
  contractNote: "قارنه بالتوكن الموجود في محفظتك.",
  viewOn: (explorer) => `عرض على ${explorer}`,
  opensNewTab: "(يُفتح في علامة تبويب جديدة)",

  timeLeft: (clock) => `متبقٍّ ${clock}`,
  payBefore: (time) => `ادفع قبل ${time}`,
  timeLeftSpoken: (minutes) => `الوقت المتبقي للدفع: ${unit(minutes, "minute")}`,

  chooseTime: (time) => `يصبح نهائيًا خلال ${time}`,
  chooseFeeUnder: (to) => `رسوم الشبكة عادةً أقل من ${to} USD`,
  chooseFeeAbout: (from, to) => `رسوم الشبكة نحو ${from} إلى ${to} USD`,
  chooseRecommended: "موصى به",
  chooseAmount: (amount: string) => `نحو ${amount}`,
  chooseShown: "الاختيار الحالي",
  chooseQuoted: (amount) => `${amount}، عُرض سابقًا`,
  chooseNote: "الأوقات والرسوم هي المعتادة وليست وعدًا. وتأخذ منصة التداول رسومًا خاصة بها.",
  switchLink: "الدفع بطريقة أخرى",
  switchTitle: "الدفع بطريقة أخرى",
  switchStatus: "إعادة الاختيار",
  switchLead: (amount, network) =>
    `المطلوب الآن: **${amount}** على شبكة **${network}**. يبقى ذلك قابلًا للدفع مهما اخترت هنا. **إذا كنت قد أرسلت المبلغ بالفعل، فلا تختر شيئًا:** فهو محتسب.`,
  switchBack: "رجوع دون تغيير",
  otherOffer: (amount, network) =>
    `**هل أرسلت ${amount} على شبكة ${network} بالفعل؟** المبلغ محتسب وسيظهر هنا. لا تدفع مرتين.`,
  paidOn: (network) => `تم الدفع على شبكة **${network}**، وهي إحدى الطرق التي عُرضت.`,
  moreTime: "أحتاج إلى وقت إضافي",
  moreTimeNote: (minutes, left) => `تُضاف ${minutes} د. عدد المرات المتبقية: ${left}.`,
  paidLink: "لقد دفعت",
  paidLabel: "معرّف المعاملة",
  paidHint: (networks) => `من محفظتك أو منصة التداول، على ${networks}. يعرض فقط ما آلت إليه المعاملة.`,
  paidLook: "بحث",
  paidNoId: (networks) => `هذا ليس معرّف معاملة على ${networks}. انسخ المعرّف كاملًا من محفظتك أو منصة التداول.`,
  paidOften: "تكرر هذا الطلب كثيرًا. حاول مجددًا بعد دقيقة.",
  lookupAsking: (id, network) => `جارٍ البحث عن ${id} على شبكة ${network} …`,
  lookupSilent: (network) =>
    `**لم تستجب أي عقدة من شبكة ${network}.** هذا لا يعني شيئًا بشأن دفعتك. ابحث مجددًا بعد دقيقة.`,
  lookupAbsent: (id, network) =>
    `**المعاملة ${id} لا تظهر بعد على شبكة ${network}.** قد يستغرق ذلك بضع دقائق. تحقق في محفظتك من أنها أُرسلت فعلًا، وعلى شبكة ${network}.`,
  lookupFailed: (id) => `**فشلت المعاملة ${id} على السلسلة،** لذلك لم يُرسل شيء. تجد السبب في محفظتك.`,
  lookupNothing: (id) =>
    `**المعاملة ${id} لم ترسل شيئًا إلى عنوان هذا الطلب.** قارن العنوان في محفظتك بالعنوان الموجود هنا.`,
  lookupEarly: (id) => `**أُجريت المعاملة ${id} قبل هذا الطلب،** لذلك لا يمكن أن تسدد قيمته.`,
  lookupOtherOrder: (id) => `**المعاملة ${id} تخص طلبًا آخر،** لذلك لا تسدد قيمة هذا الطلب.`,
  lookupKept: (id, merchant) =>
    `**وصلت المعاملة ${id} إلى التاجر ${merchant}، لكنها لا تسدد قيمة هذا الطلب تلقائيًا.** لا تدفع مرة أخرى.`,
  lookupFound: (id) => `**تم العثور على المعاملة ${id}.** ستُحتسب بعد أن تؤكدها الشبكة، وستعرض هذه الصفحة ذلك.`,
  lookupCounted: (id) =>
    `**المعاملة ${id} محسوبة:** وصلت وأكّدتها الشبكة. إذا لم يكتمل دفع هذا الطلب بعد، فما زال الباقي مطلوبًا.`,
  lookupWrongToken: (id, token) => `**أرسلت المعاملة ${id} ${token}،** وهذا ليس ما يتطلبه هذا الطلب.`,
  lookupUnknownToken: "توكنًا غير معروف هنا",
  lookupWrongNetwork: (id, network) =>
    `**أُرسلت المعاملة ${id} على شبكة ${network}،** وليس حيث يمكن دفع قيمة هذا الطلب.`,
  lookupShort: (id, arrived, due) =>
    `**وصل بالمعاملة ${id} مبلغ ${arrived} بدلًا من ${due}.** ربما خُصمت منه رسوم. لا يمكن ربطه بالطلب تلقائيًا.`,
  lookupOver: (id, arrived, due) =>
    `**وصل بالمعاملة ${id} مبلغ ${arrived} بدلًا من ${due}.** لا يمكن ربطه بالطلب تلقائيًا.`,

  sandboxNote: "هذه بيئة تجريبية: الأموال فيها وهمية وعلى سلسلة خاصة بها.",
  sandboxPay: "ادفع من المحفظة التجريبية",
  sandboxPaying: "جارٍ الإرسال…",
  sandboxSent: "تم الإرسال من المحفظة التجريبية",
  sandboxFailed: "تعذر الدفع من المحفظة التجريبية. حاول مجددًا.",

  stepsLabel: "مراحل الدفع",
  stepSeen: "تم الرصد",
  stepConfirming: "قيد التأكيد",
  stepPaid: "تم الدفع",
  seenTitle: "تم رصد دفعتك",
  seenLead: (amount, network) =>
    `وصل **${amount}** إلى العنوان. يجري الآن تأكيده على شبكة ${network}. لا يلزمك فعل أي شيء آخر.`,
  confirmingTitle: "جارٍ تأكيد دفعتك",
  confirmingLead: (amount, network) =>
    `وصل **${amount}**. سيصبح نهائيًا على شبكة ${network} بعد بضع كتل أخرى. لا يلزمك فعل أي شيء آخر.`,
  lateTitle: "تم العثور على دفعة متأخرة",
  lateLead: (amount) =>
    `وصل **${amount}** بعد انتهاء الوقت. لقد عثرنا على المبلغ ويجري تأكيده الآن. لا ترسله مرة أخرى.`,
  confirmations: (count, required) =>
    `${count} من أصل ${required} ${plural(required, { zero: "تأكيد", one: "تأكيد", two: "تأكيدين", few: "تأكيدات", many: "تأكيدًا", other: "تأكيد" })}`,
  almostThere: "أوشك على الانتهاء",
  aboutSeconds: (seconds) => `${unit(seconds, "second")} تقريبًا`,
  aboutMinutes: (minutes) => `${unit(minutes, "minute")} تقريبًا`,
  mayClose: "يمكنك إغلاق هذه الصفحة؛ ستستمر عملية الدفع بدونها.",

  checkingTitle: "جارٍ البحث عن دفعتك",
  checkingLead: (network) =>
    `انتهى الوقت. **لا ترسل أي شيء الآن.** نقرأ آخر الكتل على شبكة ${network}؛ إذا كنت قد أرسلت الدفعة بالفعل فستظهر هنا.`,

  paidTitle: "اكتمل الدفع",
  paidLead: (merchant, amount) => `استلم التاجر ${merchant} مبلغ **${amount}**.`,
  paidByHandLead: (merchant, due) => `سجّل التاجر ${merchant} هذا الطلب بقيمة **${due}** على أنه مدفوع.`,
  paidLateLead: (merchant, amount) => `استلم التاجر ${merchant} مبلغ **${amount}**. وصل المبلغ بعد انتهاء الوقت.`,
  overpaidTitle: "تم الدفع، وبأكثر من المطلوب",
  overpaidLead: (merchant, arrived, surplus) =>
    `استلم التاجر ${merchant} مبلغ **${arrived}**، أي أكثر من المطلوب بمقدار **${surplus}**. قيمة الطلب مدفوعة.`,

  expiredTitle: "انتهى الوقت",
  expiredLead: "لم يصل أي مبلغ. **لا ترسل الآن:** انتهى هذا العرض.",
  expiredPartLead: (arrived, due) => `لم يصل سوى **${arrived}** من أصل ${due}. **لا ترسل الآن:** انتهى هذا العرض.`,
  expiredWatched: (hours) =>
    `**هل أرسلت المبلغ بالفعل؟** أبقِ هذه الصفحة مفتوحة. ما زلنا نبحث عن دفعتك (المدة المتبقية للبحث: ${unit(hours, "hour")})، وستُحتسب عند وصولها.`,
  expiredUnwatched: (merchant) =>
    `**هل أرسلت المبلغ بالفعل؟** تواصل مع التاجر ${merchant} وزوّده بمعرّف المعاملة من محفظتك.`,
  expiredAgain: (merchant) => `للدفع الآن، ابدأ من جديد لدى التاجر ${merchant}.`,
  expiredPartAgain: (merchant) => `تواصل مع التاجر ${merchant} بشأن ما أرسلته؛ فهو يراه أيضًا.`,

  cancelledTitle: "تم إلغاء الطلب",
  cancelledLead: (merchant) => `ألغى التاجر ${merchant} هذا الطلب. **لا ترسل أي شيء.**`,

  delayed: (network) =>
    `**نرى شبكة ${network} بتأخير في الوقت الحالي.** الدفعة التي أرسلتها في أمان، وستظهر هنا فور لحاقنا بالشبكة. لا ترسلها مرتين.`,

  refundTitle: "اطلب استرداد مبلغك",
  refundStatus: "بانتظار عنوانك",
  refundLead: (merchant, amount) =>
    `يعيد إليك التاجر ${merchant} مبلغ **${amount}**. اكتب العنوان الذي يجب أن يصل إليه المبلغ.`,
  refundReason: "السبب",
  refundReopened: (merchant) => `**يطلب التاجر ${merchant} عنوانًا آخر.**`,
  refundMessage: (merchant) => `رسالة من التاجر ${merchant}`,
  refundNetwork: "الشبكة",
  refundPaidOn: "دفعت على هذه الشبكة",
  refundAddress: "عنوانك على هذه الشبكة",
  refundAddressHint: "عنوان محفظة أو حساب يخصك. لا يمكن التراجع عن الاسترداد بعد إرساله.",
  refundExchange: (currency) =>
    `**هل هو عنوان لدى منصة تداول؟** يجب أن تقبل المنصة إيداع ${currency} في هذا العنوان على الشبكة المختارة.`,
  refundConfirm: (count) =>
    `آخر ${count} ${plural(count, { two: "رمزين", few: "رموز", many: "رمزًا", other: "رمز" })} من العنوان`,
  refundConfirmHint: "اكتبها كما تظهر في محفظتك أو منصة التداول. بها يتبيّن أن العنوان نُسخ بالكامل.",
  refundOrderNumber: "رقم الطلب",
  refundOrderNumberHint: (merchant) => `من تأكيد التاجر ${merchant}`,
  refundEmail: "البريد الإلكتروني",
  refundEmailHint: (merchant) => `البريد الذي أعطيته للتاجر ${merchant}`,
  refundSubmit: "طلب الاسترداد",
  refundExpires: "تنتهي صلاحية الرابط",
  refundProblem: {
    used: "سبق طلب هذا الاسترداد.",
    often: "عدد المحاولات كبير جدًا. حاول مجددًا بعد بضع دقائق.",
    network: "اختر إحدى هذه الشبكات.",
    address: (network) => `هذا ليس عنوانًا صالحًا على شبكة ${network}. انسخ العنوان كاملًا.`,
    token: "هذا عنوان التوكن نفسه، وليس عنوان محفظة. اكتب عنوانك أنت.",
    shop: "هذا العنوان يخص المتجر. اكتب عنوانك أنت.",
    confirmation: "هذه ليست الرموز الأخيرة من العنوان. قارنها بالعنوان وحاول مجددًا.",
    number: "هذا ليس رقم هذا الطلب.",
    email: "هذا ليس البريد الإلكتروني لهذا الطلب.",
  },
  refundClaimedTitle: "تم استلام العنوان",
  refundClaimedLead: (merchant) =>
    `يتحقق التاجر ${merchant} من بياناتك ثم يرسل المبلغ. ستعرض هذه الصفحة ذلك تلقائيًا عندما يكون المبلغ في طريقه إليك.`,
  refundApprovedTitle: "تمت الموافقة على الاسترداد",
  refundApprovedLead: (merchant, amount, network) =>
    `يرسل التاجر ${merchant} مبلغ **${amount}** على شبكة **${network}** إلى عنوانك. ستعرض هذه الصفحة ذلك تلقائيًا عندما يكون المبلغ في طريقه إليك.`,
  refundSentTitle: "المبلغ في طريقه إليك",
  refundSentLead: (amount, network) => `أُرسل **${amount}** إلى عنوانك. يجري الآن تأكيده على شبكة ${network}.`,
  refundCompletedTitle: "اكتمل الاسترداد",
  refundCompletedLead: (amount, network) => `وصل **${amount}** إلى عنوانك على شبكة **${network}**.`,
  refundCancelledTitle: "تم إلغاء الاسترداد",
  refundCancelledLead: (merchant) => `ألغى التاجر ${merchant} هذا الاسترداد.`,
  refundExpiredTitle: "انتهت صلاحية الرابط",
  refundExpiredLead: (merchant) => `لم يُطلب هذا الاسترداد في الوقت المحدد. اطلب رابطًا جديدًا من التاجر ${merchant}.`,
  refundNoneLead: "لا يوجد استرداد خلف هذا الرابط. تحقق من نسخ الرابط كاملًا.",

  linkTitle: (merchant) => `الدفع إلى ${merchant}`,
  linkSubmit: "المتابعة إلى الدفع",
  linkOptional: "اختياري",
  linkContinue: "متابعة الدفعة التي بدأتها",
  linkBetween: (min, max) => `من ${min} إلى ${max}`,
  linkAtLeast: (min) => `${min} على الأقل`,
  linkAtMost: (max) => `${max} على الأكثر`,
  linkProblem: {
    amount: "أدخل مبلغًا، مثل 25.00.",
    often: "بدأت دفعات كثيرة جدًا من شبكتك. أعد المحاولة بعد بضع دقائق.",
    away: "لا يمكن بدء الدفع الآن. أعد المحاولة بعد دقيقة.",
    note: "الملاحظة طويلة جدًا، أو تحتوي على رموز غير مسموح بها.",
  },
  linkAwayLead: "لا يستطيع المتجر استلام الدفعات في الوقت الحالي. أعد المحاولة لاحقًا.",
  linkUsedTitle: "رابط الدفع هذا مستخدم من قبل",
  linkUsedLead: (merchant) =>
    `لا يستلم التاجر ${merchant} دفعات أخرى بهذا الرابط. إذا لم تكتمل دفعة أخرى في الوقت المحدد، فيمكن استخدام الرابط مجددًا.`,
  linkEndedTitle: "انتهى رابط الدفع هذا",
  linkEndedLead: (merchant) =>
    `لم يعد التاجر ${merchant} يستلم دفعات بهذا الرابط. اطلب رابطًا جديدًا إذا كنت لا تزال تريد الدفع.`,
  linkNoneLead: "لا يوجد رابط دفع في هذا العنوان. تحقق من العنوان، أو تواصل مع المتجر.",

  detailsHeading: "التفاصيل",
  merchant: "التاجر",
  price: "السعر",
  subject: "مقابل",
  amountOrdered: "المبلغ المطلوب",
  amountReceived: "المبلغ المستلم",
  network: "الشبكة",
  address: "العنوان",
  transaction: "المعاملة",
  paidAt: "وقت الدفع",
  expiredAt: "وقت الانتهاء",
  reference: "الرقم المرجعي",

  returnTo: (merchant) => `العودة إلى ${merchant}`,
  returning: (seconds) => `ستتم إعادتك خلال ${seconds} ث.`,
  returnStay: "البقاء في هذه الصفحة",
  returnStayed: "ستبقى في هذه الصفحة",
  printReceipt: "طباعة الإيصال",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `تذهب دفعتك مباشرة إلى محفظة التاجر ${merchant}.`,
  support: (merchant) => `تواصل مع التاجر ${merchant}`,
  close: "إغلاق",
  poweredBy: "Stablegate",
  offline: "أنت غير متصل بالإنترنت. ستتابع هذه الصفحة تلقائيًا عند عودة الاتصال.",

  notFoundTitle: "رابط الدفع هذا غير صالح",
  notFoundLead:
    "لا يوجد طلب خلف هذا الرابط. تأكد من نسخ الرابط بالكامل، أو عُد إلى المتجر وابدأ الدفع من جديد. **لا ترسل أي أموال.**",
  refusedTitle: "تعذّر بدء عملية الدفع هذه",
  refusedLead: "أرسل المتجر طلب دفع غير صالح. عُد إلى المتجر وحاول مرة أخرى. **لا ترسل أي أموال.**",
  notNowLead: "لا يمكن بدء المدفوعات الآن. عُد إلى المتجر وحاول مرة أخرى بعد دقيقة. **لا ترسل أي أموال.**",
  tamperedTitle: "لا تدفع",
  tamperedLead:
    "تم تغيير عنوان هذا الطلب بعد إنشائه، ولم يفعل المتجر ذلك. **لا ترسل أي أموال.** إذا كنت قد أرسلت بالفعل، فاحتفظ بمعرّف المعاملة من محفظتك.",
  closedTitle: "الدفع غير ممكن في الوقت الحالي",
  closedLead:
    "لا يستطيع المتجر استلام هذه الدفعة في الوقت الحالي. عُد إلى المتجر واختر طريقة دفع أخرى، أو حاول مرة أخرى لاحقًا. **لا ترسل أي أموال.**",
  otherWay: "يمكنك أيضًا العودة إلى المتجر واختيار طريقة دفع أخرى.",
  alreadyPaidTitle: "هذا الطلب مدفوع بالفعل",
  alreadyPaidLead: "عُد إلى المتجر. **لا تدفع مرة أخرى.**",
  depositStatus: "عنوان الإيداع الخاص بك",
  depositLead: (merchant) => `هذا العنوان لدى ${merchant} لك وحدك. **أرسل أي مبلغ، وكم مرة شئت:** لا تنتهي صلاحيته.`,
  depositOnly: (currencies, network) =>
    `**فقط ${currencies} على شبكة ${network}.** أي شيء آخر يُرسل إلى هذا العنوان لا يُقيَّد لك وقد يضيع.`,
  depositArrived: "ما وصل إلى هذا العنوان",
  depositNothing: "لم يصل شيء بعد. ما ترسله يظهر هنا تلقائيًا.",
  depositConfirmed: "تم التأكيد",
  depositReversed: "أُلغيت من الشبكة",
  depositLatest: (count) => `يُعرض آخر ${count}.`,
  depositClosedTitle: "هذا العنوان غير مستخدم حاليًا",
  depositClosedLead: (merchant) =>
    `أوقفه التاجر ${merchant} مؤقتًا. **لا ترسل أي شيء.** ما أرسلته من قبل لم يضع، ويظهر هنا.`,
  depositBrokenTitle: "لا يمكن عرض هذا العنوان",
  depositBrokenLead: (merchant) =>
    `البيانات المحفوظة لم تجتز فحصنا، وربما غيّرها شخص آخر. **لا ترسل أي شيء.** أبلغ التاجر ${merchant} ليتحقق من الأمر.`,
  depositNoneLead:
    "لا يوجد عنوان خلف هذا الرابط. تأكد من نسخ الرابط بالكامل، أو اطلبه مجددًا من حيث حصلت عليه. **لا ترسل أي أموال.**",
  busyTitle: "عدد كبير جدًا من مرات العرض",
  busyLead:
    "فُتحت هذه الصفحة مرات كثيرة جدًا من عنوان IP الخاص بك. ستحاول مجددًا تلقائيًا بعد قليل. الدفعة التي أرسلتها بالفعل لم تضِع.",
  awayTitle: "سنعود بعد لحظات",
  awayLead: "يتعذر عرض صفحة الدفع الآن. تحاول الصفحة مجددًا تلقائيًا كل بضع ثوانٍ. الدفعة التي أرسلتها بالفعل لم تضِع.",
};
