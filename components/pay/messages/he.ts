import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { plural, unit } = counting("he");

/** Hebrew. */
export const he: Messages = {
  lang: "he",
  dir: "rtl",
  name: "עברית",
  chooseLanguage: "שפה",

  chooseTitle: "איך תרצו לשלם?",
  chooseStatus: "ממתינים לבחירה שלכם",
  chooseLead: (merchant, asked) =>
    `בית העסק ${merchant} מבקש **${asked}**. בחרו את הרשת שבה הארנק או הבורסה שלכם שולחים. מה לשלוח ולאן – בשלב הבא.`,
  chooseNone: (merchant) => `אי אפשר לשלם כרגע לבית העסק ${merchant}. הדף יבדוק שוב מעצמו. **אל תשלחו דבר.**`,
  chooseLegend: "מטבע ורשת",
  choose: "המשך",
  chooseProblem: {
    taken: "אין שם כרגע מקום פנוי לסכום הזה. בחרו רשת אחרת, או נסו שוב בעוד דקה.",
    closed: "אי אפשר להשתמש באפשרות הזו כרגע. בחרו אחרת, או נסו שוב בעוד דקה.",
    unrated: "אי אפשר כרגע לחשב למה שווה המחיר הזה. נסו שוב בעוד דקה.",
    enough: "כבר הוצעו חמש דרכי תשלום להזמנה הזו. שלמו באחת מהן.",
    often: "הבחירה שונתה יותר מדי פעמים. נסו שוב בעוד דקה.",
  },
  chooseExpiredLead: "לא נבחר דבר בזמן. **אל תשלחו דבר:** ההצעה הסתיימה.",
  chooseCancelledLead: (merchant) => `בית העסק ${merchant} ביטל את ההזמנה. **אל תשלחו דבר.**`,

  waitingStatus: "ממתינים לתשלום",
  waitingTitle: (currency, network) => `שלחו ${currency} ברשת ${network}`,
  underpaidStatus: "הגיע חלק מהתשלום",
  underpaidTitle: (currency, network) => `שלחו את יתרת ה-${currency} ברשת ${network}`,
  underpaidLead: (arrived, due) => `הגיעו **${arrived}** מתוך ${due}. שלחו את היתרה לאותה כתובת לפני שייגמר הזמן.`,
  partialTitle: "הגיע חלק מהתשלום",
  partialLead: (merchant, arrived, due) =>
    `בית העסק ${merchant} רשם **${arrived}** מתוך ${due}. **אל תשלחו את היתרה על דעת עצמכם.**`,

  elsewhereNetworkTitle: "שולם ברשת אחרת",
  elsewhereCurrencyTitle: "שולם במטבע אחר",
  elsewhereLead: (arrived, network, currency, due) =>
    `**${arrived}** הגיעו ברשת **${network}**. להזמנה הזו נדרש ${currency} ברשת ${due}, ולכן התשלום אינו נחשב מעצמו.`,
  lookAlikeTitle: "שולם בטוקן אחר",
  bridged: (currency) => `${currency} (מגושר)`,
  discontinued: (currency) => `${currency} (גרסה שהופסקה)`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `שלחתם **${arrived}** ברשת **${network}**. ארנקים מציגים אותו בתור ${symbol}, אבל זה טוקן אחר (${contract}) ולא ${currency} שנדרש להזמנה הזו, ולכן ההזמנה אינה משולמת בו.`,
  lookAlikeSeen: (merchant) => `**הסכום הגיע לכתובת של ${merchant}.** בית העסק רואה אותו ליד ההזמנה הזו.`,
  elsewhereSeen: (merchant) =>
    `**הסכום הגיע לכתובת של ${merchant}.** בית העסק רואה אותו ליד ההזמנה הזו, ויכול לקבל אותו.`,
  elsewhereContact: (merchant) =>
    `**פנו לבית העסק ${merchant}** ומסרו את מזהה העסקה שלמטה. בית העסק מחליט מה ייעשה בסכום.`,
  keepId: (merchant: string) =>
    `**שמרו את מזהה העסקה שלמטה.** ${merchant} רואה את התשלום הזה ליד ההזמנה ומחליט כיצד לטפל בו.`,
  contactAsk: (merchant: string) => `לשאלות פנו אל ${merchant}.`,
  sentKeepId: "**כבר שלחתם?** שמרו את מזהה העסקה מהארנק או מהבורסה.",
  paymentSeen: (merchant: string) => `${merchant} רואה את התשלום שלכם.`,
  elsewhereAgain: (merchant) => `**אל תשלמו שוב,** אלא אם בית העסק ${merchant} מבקש זאת מכם.`,
  elsewherePay: "לשלם שוב על ההזמנה הזו בכל זאת",
  elsewherePayNote: (merchant) => `רק אם בית העסק ${merchant} ביקש זאת מכם: מה שתשלחו עכשיו יתווסף למה שכבר שלחתם.`,
  otherAmountTitle: "התקבל סכום אחר",
  otherAmountShort: (arrived, due, off) => `התקבלו **${arrived}** במקום ${due}: **חסרים ${off}.**`,
  otherAmountOver: (arrived, due, off) => `התקבלו **${arrived}** במקום ${due}: **עודף של ${off}.**`,
  notMine: "זה לא התשלום שלי",
  alsoArrived: (arrived, network, merchant) =>
    `**${arrived}** הגיעו גם ברשת **${network}**, ושם הם לא נחשבים להזמנה הזו. בית העסק ${merchant} רואה את הסכום. אל תשלחו שוב.`,
  transactionOn: (network) => `עסקה ברשת ${network}`,

  sourceTitle: "היכן הכסף שלכם?",
  sourceExchange: "חשבון בבורסה",
  sourceWallet: "אפליקציית ארנק",
  sourceOther: "בורסה אחרת",
  exchangeNetwork: (exchange: string) => `הרשת ב-${exchange}`,
  exchangeFee: (fee: string) => `עמלה של בערך ${fee}`,
  exchangeMinimum: (minimum: string) => `מינימום בערך ${minimum}`,
  exchangeTooSmall: (exchange: string, minimum: string) =>
    `**${exchange} שולחת כאן לפחות בערך ${minimum},** יותר מההזמנה הזו. בחרו רשת אחרת או ארנק.`,
  exchangeUnlisted: (exchange: string, currency: string) =>
    `ייתכן ש-${exchange} אינה שולחת ${currency} ברשת הזו. בדקו קודם בטופס המשיכה שלה.`,
  exchangeSlow: "**משיכה עשויה להימשך כמה דקות.** אין צורך ב-Memo או ב-Tag.",
  amountLabel: "סכום",
  receivedLabel: "הסכום שצריך להגיע",
  remainingLabel: "יתרה לתשלום",
  addressLabel: "לכתובת הזו",
  copyAmount: "העתקת הסכום",
  copyAddress: "העתקת הכתובת",
  copied: "הועתק",
  amountCopied: "הסכום הועתק",
  addressCopied: "הכתובת הועתקה",
  copyFailed: "ההעתקה נכשלה. סמנו את הטקסט והעתיקו אותו ידנית.",

  tailNote: (digits) => `הספרות האחרונות, **${digits}**, שייכות רק להזמנה שלכם. הקלידו גם אותן ואל תעגלו.`,
  exactNote: (amount) =>
    `**שלחו בדיוק ${amount}.** התשלום שלכם מזוהה לפי הסכום המדויק הזה. אי אפשר לשייך סכום אחר להזמנה שלכם.`,
  sumNote: (amount) =>
    `**שלחו ${amount}, או את מה שנשאר מהם אחרי עמלת הבורסה.** הכתובת הזו שייכת להזמנה שלכם בלבד, וכל מה שיגיע ייחשב.`,
  restNote: "**הגיע פחות בגלל עמלה?** הדף הזה יבקש אז את היתרה. אם יגיע יותר, זה יוצג כאן כתשלום עודף.",
  exchangeNote: (amount) =>
    `**משלמים מבורסה?** ודאו שהסכום שמתקבל הוא בדיוק ${amount}: יש בורסות שמנכות את העמלה מהסכום שהקלדתם, ויש שמוסיפות אותה.`,
  onlyNote: (currency, network) =>
    `**רק ${currency} ברשת ${network}.** כל דבר אחר שיישלח לכתובת הזו לא ישלם על ההזמנה ועלול ללכת לאיבוד.`,

  sameTokenNote: (currency, shown) => `יש ארנקים שמציגים את ה-${currency} הזה בתור **${shown}**. זה אותו הדבר.`,
  lookAlikeNote: (name, symbol, contract) =>
    `**לא ${name}** (${contract}): ארנקים מציגים אותו בתור ${symbol}, אבל זה טוקן אחר ואי אפשר לשלם בו.`,

  qrLegend: "מה מכיל קוד ה-QR",
  qrAddress: "כתובת",
  qrWallet: "ארנק",
  qrAddressCaption: "הכתובת בלבד, לכל ארנק או בורסה. את הסכום הקלידו בעצמכם.",
  qrWalletCaption: "כתובת וסכום, לארנקים שקוראים בקשות תשלום. בדקו את שניהם לפני השליחה.",
  qrAddressAlt: (address) => `קוד QR של הכתובת ${address}`,
  qrWalletAlt: (amount, address) => `קוד QR של בקשת תשלום על ${amount} אל ${address}`,

  showQr: "הצגת קוד QR",
  walletOpen: "פתיחה בארנק",
  walletPay: "תשלום באמצעות ארנק",
  walletUnloaded: "הטעינה נכשלה. יש לטעון את הדף מחדש.",
  walletChoose: "יש לבחור ארנק",
  walletConnect: "יש לפתוח את הארנק ולאפשר לדף הזה לראות את החשבון.",
  walletConfirm: (amount, network) => `יש להשוות את הסכום והכתובת בארנק ולאשר שם: ${amount} ברשת ${network}.`,
  walletSent: (network) => `הארנק שלח את התשלום. הדף ממתין עד שיופיע ברשת ${network}.`,
  walletNothing: "לא נשלח דבר.",
  walletRejected: "הבקשה נדחתה בארנק.",
  walletBusy: "הארנק עדיין ממתין לתשובה. יש לפתוח אותו ולנסות שוב.",
  walletNetwork: (network) => `הארנק אינו ברשת ${network}. יש לעבור אליה ולנסות שוב.`,
  walletAccount: (network) => `החשבון הזה אינו יכול לשלם ברשת ${network}. יש לבחור חשבון אחר בארנק.`,
  walletFunds: (amount) => `בחשבון הזה אין ${amount} ועמלת הרשת.`,
  walletChanged: "מה שיש לשלם השתנה בינתיים. יש להביט שוב בדף הזה לפני התשלום.",
  walletAgain: "התשלום כבר נשלח מהדפדפן הזה. יש להמתין עד שיופיע כאן.",
  walletAway: "זה אינו אפשרי כרגע. אפשר לנסות שוב בעוד רגע.",
  walletFailed: "הארנק דיווח על תקלה.",
  walletLook: "יש לבדוק בו אם נשלח משהו לפני שמנסים שוב.",

  contractSummary: (currency, network) => `כתובת הטוקן של ${currency} ברשת ${network}`,
  contractNote: "השוו אותה לטוקן שבארנק שלכם.",
  viewOn: (explorer) => `צפייה ב-${explorer}`,
  opensNewTab: "(נפתח בלשונית חדשה)",

  timeLeft: (clock) => `נותרו ${clock}`,
  payBefore: (time) => `יש לשלם לפני ${time}`,
  timeLeftSpoken: (minutes) => `הזמן שנותר לתשלום: ${unit(minutes, "minute")}`,

  chooseTime: (time) => `סופי בתוך ${time}`,
  chooseFeeUnder: (to) => `עמלת הרשת בדרך כלל מתחת ל-${to} USD`,
  chooseFeeAbout: (from, to) => `עמלת הרשת בערך ${from} עד ${to} USD`,
  chooseRecommended: "מומלץ",
  chooseAmount: (amount: string) => `בערך ${amount}`,
  chooseShown: "הבחירה הנוכחית",
  chooseQuoted: (amount) => `${amount}, הוצע קודם`,
  chooseNote: "הזמנים והעמלות הם המקובלים, ואינם הבטחה. בורסה גובה עמלה משלה.",
  switchLink: "תשלום בדרך אחרת",
  switchTitle: "תשלום בדרך אחרת",
  switchStatus: "בחירה מחדש",
  switchLead: (amount, network) =>
    `הסכום המבוקש עכשיו: **${amount}** ברשת **${network}**. אפשר יהיה לשלם אותו בכל מקרה, לא משנה מה תבחרו כאן. **אם כבר שלחתם, אל תבחרו דבר:** התשלום נחשב.`,
  switchBack: "חזרה בלי שינוי",
  otherOffer: (amount, network) => `**כבר שלחתם ${amount} ברשת ${network}?** התשלום נחשב, ויופיע כאן. אל תשלמו פעמיים.`,
  paidOn: (network) => `התשלום בוצע ברשת **${network}**, אחת הדרכים שהוצעו.`,
  moreTime: "צריך עוד זמן",
  moreTimeNote: (minutes, left) => `מוסיף ${minutes} דק׳. הארכות שנותרו: ${left}.`,
  paidLink: "כבר שילמתי",
  paidLabel: "מזהה העסקה",
  paidHint: (networks) => `מהארנק או מהבורסה שלכם, ב-${networks}. זה רק מראה מה קרה לעסקה.`,
  paidLook: "חיפוש",
  paidNoId: (networks) => `זה אינו מזהה עסקה של ${networks}. העתיקו את המזהה כולו מהארנק או מהבורסה שלכם.`,
  paidOften: "החיפוש נעשה יותר מדי פעמים. נסו שוב בעוד דקה.",
  lookupAsking: (id, network) => `מחפשים את ${id} ברשת ${network} …`,
  lookupSilent: (network) => `**אף צומת של רשת ${network} לא ענה.** זה לא אומר דבר על התשלום שלכם. חפשו שוב בעוד דקה.`,
  lookupAbsent: (id, network) =>
    `**העסקה ${id} עוד לא נראית ברשת ${network}.** זה עשוי לקחת כמה דקות. בדקו בארנק שלכם שהיא באמת נשלחה, ושנשלחה ברשת ${network}.`,
  lookupFailed: (id) => `**העסקה ${id} נכשלה בשרשרת,** ולכן לא נשלח דבר. הסיבה מופיעה בארנק שלכם.`,
  lookupNothing: (id) => `**העסקה ${id} לא שלחה דבר לכתובת של ההזמנה הזו.** השוו את הכתובת שבארנק שלכם לכתובת שכאן.`,
  lookupEarly: (id) => `**העסקה ${id} נעשתה לפני ההזמנה הזו,** ולכן אינה יכולה לשלם עליה.`,
  lookupOtherOrder: (id) => `**העסקה ${id} שייכת להזמנה אחרת,** ולכן אינה משלמת על ההזמנה הזו.`,
  lookupKept: (id, merchant) =>
    `**העסקה ${id} הגיעה אל ${merchant}, אבל אינה משלמת מעצמה על ההזמנה הזו.** אל תשלמו שוב.`,
  lookupFound: (id) => `**העסקה ${id} נמצאה.** היא תיחשב אחרי שהרשת תאשר אותה, והדף הזה יראה זאת.`,
  lookupCounted: (id) =>
    `**העסקה ${id} כבר נחשבה:** היא הגיעה ואושרה. אם ההזמנה הזו עוד לא שולמה, חסר עוד הסכום הנותר.`,
  lookupWrongToken: (id, token) => `**בעסקה ${id} נשלח ${token},** וזה לא מה שנדרש להזמנה הזו.`,
  lookupUnknownToken: "טוקן שאינו מוכר כאן",
  lookupWrongNetwork: (id, network) => `**העסקה ${id} נשלחה ברשת ${network},** ולא במקום שבו אפשר לשלם על ההזמנה הזו.`,
  lookupShort: (id, arrived, due) =>
    `**בעסקה ${id} הגיעו ${arrived} במקום ${due}.** ייתכן שנוכתה מהסכום עמלה. אי אפשר לשייך אותו מעצמו.`,
  lookupOver: (id, arrived, due) => `**בעסקה ${id} הגיעו ${arrived} במקום ${due}.** אי אפשר לשייך את הסכום מעצמו.`,

  sandboxNote: "זו סביבת ניסוי: הכסף אינו אמיתי ונמצא בשרשרת נפרדת משלו.",
  sandboxPay: "תשלום מארנק הניסוי",
  sandboxPaying: "שולחים…",
  sandboxSent: "נשלח מארנק הניסוי",
  sandboxFailed: "ארנק הניסוי לא הצליח לשלם. נסו שוב.",

  stepsLabel: "התקדמות",
  stepSeen: "זוהה",
  stepConfirming: "באישור",
  stepPaid: "שולם",
  seenTitle: "התשלום זוהה",
  seenLead: (amount, network) =>
    `**${amount}** הגיעו לכתובת. רשת ${network} מאשרת אותם עכשיו. אין צורך לעשות דבר נוסף.`,
  confirmingTitle: "התשלום שלכם באישור",
  confirmingLead: (amount, network) =>
    `**${amount}** הגיעו. ברשת ${network} התשלום יהפוך לסופי בעוד כמה בלוקים. אין צורך לעשות דבר נוסף.`,
  lateTitle: "נמצא תשלום מאוחר",
  lateLead: (amount) => `**${amount}** הגיעו אחרי שנגמר הזמן. מצאנו את התשלום, והוא באישור עכשיו. אל תשלחו שוב.`,
  confirmations: (count, required) =>
    `${count} מתוך ${required} ${plural(required, { one: "אישור", two: "אישורים", other: "אישורים" })}`,
  almostThere: "כמעט סיימנו",
  aboutSeconds: (seconds) => `בערך ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => (minutes === 1 ? "בערך דקה" : `בערך ${unit(minutes, "minute")}`),
  mayClose: "אפשר לסגור את הדף; התשלום ממשיך גם בלעדיו.",

  checkingTitle: "מחפשים את התשלום שלכם",
  checkingLead: (network) =>
    `הזמן נגמר. **אל תשלחו דבר עכשיו.** אנחנו קוראים את הבלוקים האחרונים של ${network}; תשלום שכבר שלחתם יופיע כאן.`,

  paidTitle: "התשלום הושלם",
  paidLead: (merchant, amount) => `בית העסק ${merchant} קיבל **${amount}**.`,
  paidByHandLead: (merchant, due) => `בית העסק ${merchant} סימן את ההזמנה הזו על סך **${due}** כמשולמת.`,
  paidLateLead: (merchant, amount) => `בית העסק ${merchant} קיבל **${amount}**. התשלום הגיע אחרי שנגמר הזמן.`,
  overpaidTitle: "שולם, ויותר מהנדרש",
  overpaidLead: (merchant, arrived, surplus) =>
    `בית העסק ${merchant} קיבל **${arrived}**, שהם **${surplus}** יותר מהנדרש. ההזמנה שולמה.`,

  expiredTitle: "הזמן נגמר",
  expiredLead: "לא התקבל דבר. **אל תשלחו עכשיו:** ההצעה הסתיימה.",
  expiredPartLead: (arrived, due) => `הגיעו רק **${arrived}** מתוך ${due}. **אל תשלחו עכשיו:** ההצעה הסתיימה.`,
  expiredWatched: (hours) =>
    `**כבר שלחתם?** השאירו את הדף פתוח. נמשיך לחפש את התשלום שלכם עוד ${hours === 1 ? "שעה" : unit(hours, "hour")}, והוא ייחשב כשיגיע.`,
  expiredUnwatched: (merchant) => `**כבר שלחתם?** פנו לבית העסק ${merchant} ומסרו את מזהה העסקה מהארנק שלכם.`,
  expiredAgain: (merchant) => `כדי לשלם עכשיו, התחילו מחדש אצל ${merchant}.`,
  expiredPartAgain: (merchant) => `פנו לבית העסק ${merchant} בעניין מה ששלחתם; גם הוא רואה את זה.`,

  cancelledTitle: "ההזמנה בוטלה",
  cancelledLead: (merchant) => `בית העסק ${merchant} ביטל את ההזמנה הזו. **אל תשלחו דבר.**`,

  delayed: (network) =>
    `**אנחנו רואים כרגע את ${network} באיחור.** תשלום ששלחתם בטוח, ויופיע כאן ברגע שנשלים את הפער. אל תשלחו אותו פעמיים.`,

  refundTitle: "בקשו את ההחזר שלכם",
  refundStatus: "ממתינים לכתובת שלכם",
  refundLead: (merchant, amount) => `בית העסק ${merchant} מחזיר לכם **${amount}**. הקלידו את הכתובת שאליה יישלח ההחזר.`,
  refundReason: "סיבה",
  refundReopened: (merchant) => `**בית העסק ${merchant} מבקש כתובת אחרת.**`,
  refundMessage: (merchant) => `הודעה מבית העסק ${merchant}`,
  refundNetwork: "רשת",
  refundPaidOn: "שילמתם ברשת הזו",
  refundAddress: "הכתובת שלכם ברשת הזו",
  refundAddressHint: "כתובת של ארנק או חשבון שלכם. אי אפשר לבטל החזר שנשלח.",
  refundExchange: (currency) => `**זו כתובת בבורסה?** הבורסה צריכה לקבל בכתובת הזו הפקדות של ${currency} ברשת שנבחרה.`,
  refundConfirm: (count) => `${count} התווים האחרונים של הכתובת`,
  refundConfirmHint: "הקלידו אותם כפי שהם מופיעים בארנק או בבורסה שלכם. הם מראים שהכתובת כולה הועתקה.",
  refundOrderNumber: "מספר ההזמנה",
  refundOrderNumberHint: (merchant) => `מתוך האישור של בית העסק ${merchant}`,
  refundEmail: "כתובת אימייל",
  refundEmailHint: (merchant) => `הכתובת שמסרתם לבית העסק ${merchant}`,
  refundSubmit: "בקשת ההחזר",
  refundExpires: "הקישור בתוקף עד",
  refundProblem: {
    used: "ההחזר הזה כבר התבקש.",
    often: "היו יותר מדי ניסיונות. נסו שוב בעוד כמה דקות.",
    network: "בחרו אחת מהרשתות האלה.",
    address: (network) => `זו אינה כתובת תקינה ברשת ${network}. העתיקו את הכתובת כולה.`,
    token: "זו הכתובת של הטוקן עצמו, ולא של ארנק. הקלידו את הכתובת שלכם.",
    shop: "הכתובת הזו שייכת לחנות. הקלידו את הכתובת שלכם.",
    confirmation: "אלה אינם התווים האחרונים של הכתובת. השוו אותם לכתובת ונסו שוב.",
    number: "זה אינו מספר ההזמנה.",
    email: "זו אינה כתובת האימייל של ההזמנה.",
  },
  refundClaimedTitle: "הכתובת התקבלה",
  refundClaimedLead: (merchant) =>
    `בית העסק ${merchant} בודק את הבקשה שלכם ואז שולח את ההחזר. כשההחזר יהיה בדרך, הדף הזה יראה זאת מעצמו.`,
  refundApprovedTitle: "ההחזר אושר",
  refundApprovedLead: (merchant, amount, network) =>
    `בית העסק ${merchant} שולח **${amount}** ברשת **${network}** לכתובת שלכם. כשההחזר יהיה בדרך, הדף הזה יראה זאת מעצמו.`,
  refundSentTitle: "ההחזר בדרך",
  refundSentLead: (amount, network) => `**${amount}** נשלחו לכתובת שלכם. רשת ${network} מאשרת אותם עכשיו.`,
  refundCompletedTitle: "ההחזר הושלם",
  refundCompletedLead: (amount, network) => `**${amount}** הגיעו לכתובת שלכם ברשת **${network}**.`,
  refundCancelledTitle: "ההחזר בוטל",
  refundCancelledLead: (merchant) => `בית העסק ${merchant} ביטל את ההחזר הזה.`,
  refundExpiredTitle: "פג תוקף הקישור",
  refundExpiredLead: (merchant) => `ההחזר הזה לא התבקש בזמן. בקשו קישור חדש מבית העסק ${merchant}.`,
  refundNoneLead: "אין החזר מאחורי הקישור הזה. בדקו שהקישור הועתק במלואו.",

  linkTitle: (merchant) => `תשלום אל ${merchant}`,
  linkSubmit: "המשך לתשלום",
  linkOptional: "לא חובה",
  linkContinue: "המשך התשלום שהתחלתם",
  linkBetween: (min, max) => `מ־${min} עד ${max}`,
  linkAtLeast: (min) => `לפחות ${min}`,
  linkAtMost: (max) => `לכל היותר ${max}`,
  linkProblem: {
    amount: "הקלידו סכום, למשל 25.00.",
    often: "הותחלו יותר מדי תשלומים מהרשת שלכם. נסו שוב בעוד כמה דקות.",
    away: "אי אפשר להתחיל את התשלום כרגע. נסו שוב בעוד דקה.",
    note: "ההערה ארוכה מדי, או מכילה תווים אסורים.",
  },
  linkAwayLead: "החנות לא יכולה לקבל תשלומים כרגע. נסו שוב מאוחר יותר.",
  linkUsedTitle: "כבר השתמשו בקישור התשלום הזה",
  linkUsedLead: (merchant) =>
    `בית העסק ${merchant} לא מקבל תשלומים נוספים בקישור הזה. אם תשלום אחר לא יושלם בזמן, אפשר יהיה להשתמש בקישור שוב.`,
  linkEndedTitle: "קישור התשלום הזה הסתיים",
  linkEndedLead: (merchant) =>
    `בית העסק ${merchant} לא מקבל עוד תשלומים בקישור הזה. בקשו קישור חדש אם אתם עדיין רוצים לשלם.`,
  linkNoneLead: "אין קישור תשלום בכתובת הזאת. בדקו את הכתובת, או פנו לחנות.",

  detailsHeading: "פרטים",
  merchant: "בית העסק",
  price: "מחיר",
  subject: "עבור",
  amountOrdered: "סכום ההזמנה",
  amountReceived: "סכום שהתקבל",
  network: "רשת",
  address: "כתובת",
  transaction: "עסקה",
  paidAt: "מועד התשלום",
  expiredAt: "מועד הסיום",
  reference: "אסמכתה",

  returnTo: (merchant) => `חזרה אל ${merchant}`,
  returning: (seconds) => `חוזרים בעוד ${seconds} שנ׳.`,
  returnStay: "להישאר בדף הזה",
  returnStayed: "נשארתם בדף הזה",
  printReceipt: "הדפסת קבלה",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `התשלום שלכם עובר ישירות לארנק של ${merchant}.`,
  support: (merchant) => `פנייה לבית העסק ${merchant}`,
  close: "סגירה",
  poweredBy: "Stablegate",
  offline: "אין חיבור לאינטרנט. הדף ימשיך מעצמו כשהחיבור יחזור.",

  notFoundTitle: "קישור התשלום הזה לא מוביל לשום מקום",
  notFoundLead:
    "אין הזמנה מאחורי הקישור הזה. בדקו שהכתובת כולה הועתקה, או חזרו לחנות והתחילו את התשלום מחדש. **אל תשלחו כסף.**",
  refusedTitle: "לא ניתן היה להתחיל את התשלום הזה",
  refusedLead: "החנות שלחה בקשת תשלום לא תקינה. חזרו לחנות ונסו שוב. **אל תשלחו כסף.**",
  notNowLead: "כרגע לא ניתן להתחיל תשלומים. חזרו לחנות ונסו שוב בעוד דקה. **אל תשלחו כסף.**",
  tamperedTitle: "אל תשלמו",
  tamperedLead:
    "הכתובת של ההזמנה הזו שונתה אחרי שנוצרה, ולא על ידי החנות. **אל תשלחו כסף.** אם כבר שלחתם, שמרו את מזהה העסקה מהארנק שלכם.",
  closedTitle: "אי אפשר לשלם כרגע",
  closedLead:
    "החנות לא יכולה לקבל את התשלום הזה כרגע. חזרו לחנות ובחרו דרך תשלום אחרת, או נסו שוב מאוחר יותר. **אל תשלחו כסף.**",
  otherWay: "אפשר גם לחזור לחנות ולבחור דרך תשלום אחרת.",
  alreadyPaidTitle: "ההזמנה הזו כבר שולמה",
  alreadyPaidLead: "חזרו לחנות. **אל תשלמו שוב.**",
  depositStatus: "כתובת ההפקדה שלכם",
  depositLead: (merchant) =>
    `הכתובת הזו אצל ${merchant} היא שלכם בלבד. **שלחו כל סכום, וכמה פעמים שתרצו:** היא לא פגה.`,
  depositOnly: (currencies, network) =>
    `**רק ${currencies} ברשת ${network}.** כל דבר אחר שיישלח לכתובת הזו לא יזוכה ועלול ללכת לאיבוד.`,
  depositArrived: "התקבל בכתובת הזו",
  depositNothing: "עדיין לא הגיע דבר. מה שתשלחו יופיע כאן מעצמו.",
  depositConfirmed: "אושר",
  depositReversed: "בוטל על ידי הרשת",
  depositLatest: (count) => `מוצגים ${count} האחרונים.`,
  depositClosedTitle: "הכתובת הזו אינה בשימוש כרגע",
  depositClosedLead: (merchant) =>
    `בית העסק ${merchant} השהה אותה. **אל תשלחו דבר.** מה שכבר שלחתם לא אבד, והוא מופיע כאן.`,
  depositBrokenTitle: "אי אפשר להציג את הכתובת הזו",
  depositBrokenLead: (merchant) =>
    `מה ששמור עבורה לא עבר את הבדיקה שלנו, וייתכן שמישהו שינה אותו. **אל תשלחו דבר.** פנו אל ${merchant} כדי שהדבר ייבדק.`,
  depositNoneLead:
    "אין כתובת מאחורי הקישור הזה. בדקו שהקישור כולו הועתק, או בקשו אותו שוב ממי שנתן אותו. **אל תשלחו כסף.**",
  busyTitle: "יותר מדי צפיות",
  busyLead:
    "הדף הזה נפתח יותר מדי פעמים מכתובת ה-IP שלכם. הוא ינסה שוב מעצמו בעוד רגע. תשלום שכבר שלחתם לא הלך לאיבוד.",
  awayTitle: "תכף חוזרים",
  awayLead: "אי אפשר להציג כרגע את דף התשלום. הוא מנסה שוב מעצמו כל כמה שניות. תשלום שכבר שלחתם לא הלך לאיבוד.",
};
