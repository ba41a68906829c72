import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { plural, unit } = counting("uk");

/** Ukrainian. */
export const uk: Messages = {
  lang: "uk",
  dir: "ltr",
  name: "Українська",
  chooseLanguage: "Мова",

  chooseTitle: "Як ви хочете заплатити?",
  chooseStatus: "Очікуємо на ваш вибір",
  chooseLead: (merchant, asked) =>
    `${merchant} просить **${asked}**. Виберіть мережу, через яку надсилає ваш гаманець або біржа. Далі буде показано, що і куди надіслати.`,
  chooseNone: (merchant) =>
    `Зараз заплатити ${merchant} неможливо. Ця сторінка перевірить ще раз сама. **Нічого не надсилайте.**`,
  chooseLegend: "Валюта й мережа",
  choose: "Далі",
  chooseProblem: {
    taken: "Для цієї суми там зараз немає вільного місця. Виберіть іншу мережу або спробуйте за хвилину.",
    closed: "Цей варіант зараз недоступний. Виберіть інший або спробуйте за хвилину.",
    unrated: "Зараз неможливо сказати, скільки становить ця ціна. Спробуйте за хвилину.",
    enough: "Для цього замовлення вже запропоновано п’ять способів оплати. Сплатіть одним із них.",
    often: "Вибір змінювали надто часто. Спробуйте за хвилину.",
  },
  chooseExpiredLead: "Вчасно нічого не вибрано. **Нічого не надсилайте:** ця пропозиція завершилася.",
  chooseCancelledLead: (merchant) => `${merchant} скасовує це замовлення. **Нічого не надсилайте.**`,

  waitingStatus: "Очікуємо на платіж",
  waitingTitle: (currency, network) => `Надішліть ${currency} у мережі ${network}`,
  underpaidStatus: "Надійшла частина платежу",
  underpaidTitle: (currency, network) => `Надішліть решту ${currency} у мережі ${network}`,
  underpaidLead: (arrived, due) =>
    `Надійшло **${arrived}** із ${due}. Надішліть решту на ту саму адресу, поки не сплив час.`,
  partialTitle: "Надійшла частина платежу",
  partialLead: (merchant, arrived, due) =>
    `${merchant} зараховує **${arrived}** із ${due}. **Не надсилайте решту самі.**`,

  elsewhereNetworkTitle: "Сплачено в іншій мережі",
  elsewhereCurrencyTitle: "Сплачено в іншій валюті",
  elsewhereLead: (arrived, network, currency, due) =>
    `**${arrived}** надійшло в мережі **${network}**. Для цього замовлення потрібно ${currency} у мережі ${due}, тому платіж сам собою не зараховується.`,
  lookAlikeTitle: "Сплачено іншим токеном",
  bridged: (currency) => `${currency} із мосту`,
  discontinued: (currency) => `${currency}, що більше не підтримується`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `Ви надіслали **${arrived}** у мережі **${network}**. Гаманці показують це як ${symbol}, але це інший токен (${contract}), а не ${currency}, потрібний для замовлення, тому замовлення не сплачено.`,
  lookAlikeSeen: (merchant) =>
    `**Платіж надійшов на адресу ${merchant}.** Продавець бачить його поруч із цим замовленням.`,
  elsewhereSeen: (merchant) =>
    `**Платіж надійшов на адресу ${merchant}.** Продавець бачить його поруч із цим замовленням і може прийняти.`,
  elsewhereContact: (merchant) =>
    `**Зв’яжіться з ${merchant}** і повідомте ідентифікатор транзакції нижче. Рішення за продавцем.`,
  keepId: (merchant: string) =>
    `**Збережіть ідентифікатор транзакції нижче.** ${merchant} бачить цей платіж поруч із замовленням і вирішить, що з ним робити.`,
  contactAsk: (merchant: string) => `Якщо є запитання, зверніться до ${merchant}.`,
  sentKeepId: "**Уже надіслали?** Збережіть ідентифікатор транзакції з гаманця або біржі.",
  paymentSeen: (merchant: string) => `${merchant} бачить ваш платіж.`,
  elsewhereAgain: (merchant) => `**Не платіть ще раз,** хіба що ${merchant} попросить вас про це.`,
  elsewherePay: "Усе одно сплатити це замовлення ще раз",
  elsewherePayNote: (merchant) =>
    `Лише якщо про це просить ${merchant}: те, що ви надішлете зараз, додасться до вже надісланого.`,
  otherAmountTitle: "Надійшла інша сума",
  otherAmountShort: (arrived, due, off) => `Надійшло **${arrived}** замість ${due}: **бракує ${off}.**`,
  otherAmountOver: (arrived, due, off) => `Надійшло **${arrived}** замість ${due}: **зайві ${off}.**`,
  notMine: "Це не мій платіж",
  alsoArrived: (arrived, network, merchant) =>
    `**${arrived}** також надійшло в мережі **${network}**, де для цього замовлення не зараховується. ${merchant} це бачить. Не надсилайте ще раз.`,
  transactionOn: (network) => `Транзакція в мережі ${network}`,

  sourceTitle: "Де ваші гроші?",
  sourceExchange: "Рахунок на біржі",
  sourceWallet: "Застосунок-гаманець",
  sourceOther: "Інша біржа",
  exchangeNetwork: (exchange: string) => `Мережа на ${exchange}`,
  exchangeFee: (fee: string) => `комісія приблизно ${fee}`,
  exchangeMinimum: (minimum: string) => `мінімум приблизно ${minimum}`,
  exchangeTooSmall: (exchange: string, minimum: string) =>
    `**${exchange} надсилає тут щонайменше приблизно ${minimum},** це більше за замовлення. Виберіть іншу мережу або гаманець.`,
  exchangeUnlisted: (exchange: string, currency: string) =>
    `${exchange}, можливо, не надсилає ${currency} у цій мережі. Спершу перевірте форму виведення.`,
  exchangeSlow: "**Виведення може тривати кілька хвилин.** Memo чи тег не потрібні.",
  amountLabel: "Сума",
  receivedLabel: "Сума, що має надійти",
  remainingLabel: "Залишок",
  addressLabel: "На цю адресу",
  copyAmount: "Копіювати суму",
  copyAddress: "Копіювати адресу",
  copied: "Скопійовано",
  amountCopied: "Суму скопійовано",
  addressCopied: "Адресу скопійовано",
  copyFailed: "Не вдалося скопіювати. Виділіть текст і скопіюйте його вручну.",

  tailNote: (digits) => `Останні цифри, **${digits}**, належать лише вашому замовленню. Введіть і їх, не округлюйте.`,
  exactNote: (amount) =>
    `**Надішліть рівно ${amount}.** Ваш платіж розпізнається за цією точною сумою. Іншу суму неможливо пов’язати із замовленням.`,
  sumNote: (amount) =>
    `**Надішліть ${amount} або стільки, скільки лишиться після комісії біржі.** Ця адреса лише для вашого замовлення, тож зараховується все, що надійде.`,
  restNote:
    "**Через комісію надійде менше?** Тоді ця сторінка попросить доплатити решту. Якщо надійде більше, тут буде показано переплату.",
  exchangeNote: (amount) =>
    `**Платите з біржі?** Перевірте, що отримано буде рівно ${amount}: одні біржі утримують комісію із введеної суми, інші додають її зверху.`,
  onlyNote: (currency, network) =>
    `**Лише ${currency} у мережі ${network}.** Будь-що інше, надіслане на цю адресу, не сплачує замовлення і може бути втрачене.`,

  sameTokenNote: (currency, shown) => `Деякі гаманці показують цей ${currency} як **${shown}**. Це те саме.`,
  lookAlikeNote: (name, symbol, contract) =>
    `**Не ${name}** (${contract}): гаманці показують його як ${symbol}, але це інший токен, і ним не сплатити.`,

  qrLegend: "Що містить QR-код",
  qrAddress: "Адреса",
  qrWallet: "Гаманець",
  qrAddressCaption: "Лише адреса, для будь-якого гаманця чи біржі. Суму введіть самі.",
  qrWalletCaption: "Адреса й сума, для гаманців, що читають запити на оплату. Перевірте обидві перед надсиланням.",
  qrAddressAlt: (address) => `QR-код адреси ${address}`,
  qrWalletAlt: (amount, address) => `QR-код запиту ${amount} на ${address}`,

  showQr: "Показати QR-код",
  walletOpen: "Відкрити в гаманці",
  walletPay: "Сплатити гаманцем",
  walletUnloaded: "Не вдалося завантажити. Оновіть сторінку.",
  walletChoose: "Виберіть гаманець",
  walletConnect: "Відкрийте гаманець і дозвольте цій сторінці бачити ваш рахунок.",
  walletConfirm: (amount, network) =>
    `Звірте суму й адресу в гаманці та підтвердьте там: ${amount} у мережі ${network}.`,
  walletSent: (network) => `Гаманець надіслав платіж. Сторінка чекає, доки він з’явиться в мережі ${network}.`,
  walletNothing: "Нічого не надіслано.",
  walletRejected: "Ви відмовилися в гаманці.",
  walletBusy: "Гаманець ще чекає вашої відповіді. Відкрийте його та спробуйте знову.",
  walletNetwork: (network) => `Гаманець не в мережі ${network}. Перемкніть його та спробуйте знову.`,
  walletAccount: (network) => `Цей рахунок не може платити в мережі ${network}. Виберіть у гаманці інший.`,
  walletFunds: (amount) => `На цьому рахунку немає ${amount} і комісії мережі.`,
  walletChanged: "Те, що треба сплатити, тим часом змінилося. Погляньте на сторінку ще раз, перш ніж платити.",
  walletAgain: "Це вже надіслано з цього браузера. Зачекайте, доки платіж з’явиться тут.",
  walletAway: "Зараз це неможливо. Спробуйте за хвилину.",
  walletFailed: "Гаманець повідомив про помилку.",
  walletLook: "Перевірте в ньому, чи не надіслано чогось, перш ніж пробувати знову.",

  contractSummary: (currency, network) => `Адреса токена ${currency} у мережі ${network}`,
  contractNote: "Порівняйте її з токеном у вашому гаманці.",
  viewOn: (explorer) => `Переглянути на ${explorer}`,
  opensNewTab: "(відкриється нова вкладка)",

  timeLeft: (clock) => `Залишилося ${clock}`,
  payBefore: (time) => `Сплатити до: ${time}`,
  timeLeftSpoken: (minutes) => `Час на оплату: ${unit(minutes, "minute")}`,

  chooseTime: (time) => `До остаточного підтвердження: ${time}`,
  chooseFeeUnder: (to) => `комісія мережі зазвичай менша за ${to} USD`,
  chooseFeeAbout: (from, to) => `комісія мережі приблизно від ${from} до ${to} USD`,
  chooseRecommended: "Рекомендовано",
  chooseAmount: (amount: string) => `приблизно ${amount}`,
  chooseShown: "Вибрано зараз",
  chooseQuoted: (amount) => `${amount}, запропоновано раніше`,
  chooseNote: "Час і комісії тут звичайні, це не обіцянка. Біржа бере ще й власну комісію.",
  switchLink: "Сплатити інакше",
  switchTitle: "Сплатити інакше",
  switchStatus: "Виберіть знову",
  switchLead: (amount, network) =>
    `Зараз потрібно: **${amount}** у мережі **${network}**. Це й далі можна сплатити, хоч би що ви вибрали тут. **Якщо ви вже надіслали, нічого не вибирайте:** платіж зарахується.`,
  switchBack: "Назад, нічого не змінюючи",
  otherOffer: (amount, network) =>
    `**Уже надіслали ${amount} у мережі ${network}?** Платіж зарахується і з’явиться тут. Не платіть двічі.`,
  paidOn: (network) => `Сплачено в мережі **${network}**, одним із запропонованих способів.`,
  moreTime: "Мені потрібно більше часу",
  moreTimeNote: (minutes, left) => `Додає ${minutes} хв. Залишилося подовжень: ${left}.`,
  paidLink: "Я вже сплатив(-ла)",
  paidLabel: "Ідентифікатор транзакції",
  paidHint: (networks) =>
    `З вашого гаманця або біржі, у мережі: ${networks}. Він лише покаже, що сталося з транзакцією.`,
  paidLook: "Шукати",
  paidNoId: (networks) =>
    `Це не ідентифікатор транзакції (${networks}). Скопіюйте весь ідентифікатор із гаманця або біржі.`,
  paidOften: "Про це питали надто часто. Спробуйте за хвилину.",
  lookupAsking: (id, network) => `Шукаємо ${id} у мережі ${network} …`,
  lookupSilent: (network) =>
    `**Жоден вузол мережі ${network} не відповів.** Це нічого не говорить про ваш платіж. Запитайте ще раз за хвилину.`,
  lookupAbsent: (id, network) =>
    `**${id} поки не видно в мережі ${network}.** Це може тривати кілька хвилин. Перевірте в гаманці, чи платіж справді надіслано і чи саме в мережі ${network}.`,
  lookupFailed: (id) =>
    `**Транзакція ${id} не виконалася в мережі,** тому нічого не надіслано. Причину показує ваш гаманець.`,
  lookupNothing: (id) =>
    `**Транзакція ${id} нічого не надіслала на адресу цього замовлення.** Порівняйте адресу у вашому гаманці з адресою тут.`,
  lookupEarly: (id) => `**Транзакцію ${id} зроблено до цього замовлення,** тому вона не може його сплатити.`,
  lookupOtherOrder: (id) => `**Транзакція ${id} належить до іншого замовлення,** тому це замовлення вона не сплачує.`,
  lookupKept: (id, merchant) =>
    `**Платіж ${id} надійшов на адресу ${merchant}, але сам собою він це замовлення не сплачує.** Не платіть ще раз.`,
  lookupFound: (id) =>
    `**Транзакцію ${id} знайдено.** Вона зарахується, коли мережа її підтвердить, і ця сторінка це покаже.`,
  lookupCounted: (id) =>
    `**Транзакцію ${id} зараховано:** вона надійшла й підтверджена. Якщо це замовлення ще не оплачено, бракує решти.`,
  lookupWrongToken: (id, token) =>
    `**У транзакції ${id} надіслано: ${token}.** Це не те, що потрібно для цього замовлення.`,
  lookupUnknownToken: "токен, невідомий тут",
  lookupWrongNetwork: (id, network) =>
    `**Транзакцію ${id} надіслано в мережі ${network},** де це замовлення сплатити не можна.`,
  lookupShort: (id, arrived, due) =>
    `**Із транзакцією ${id} надійшло ${arrived} замість ${due}.** Можливо, з неї утримано комісію. Платіж неможливо пов’язати із замовленням автоматично.`,
  lookupOver: (id, arrived, due) =>
    `**Із транзакцією ${id} надійшло ${arrived} замість ${due}.** Платіж неможливо пов’язати із замовленням автоматично.`,

  sandboxNote: "Це пісочниця: гроші тут несправжні, у власній мережі.",
  sandboxPay: "Сплатити з тестового гаманця",
  sandboxPaying: "Надсилаємо…",
  sandboxSent: "Надіслано з тестового гаманця",
  sandboxFailed: "Тестовий гаманець не зміг сплатити. Спробуйте ще раз.",

  stepsLabel: "Перебіг",
  stepSeen: "Побачено",
  stepConfirming: "Підтверджується",
  stepPaid: "Сплачено",
  seenTitle: "Платіж побачено",
  seenLead: (amount, network) =>
    `**${amount}** надійшло на адресу. Мережа ${network} зараз підтверджує платіж. Більше нічого робити не потрібно.`,
  confirmingTitle: "Платіж підтверджується",
  confirmingLead: (amount, network) =>
    `**${amount}** надійшло. Мережа ${network} зробить платіж остаточним за кілька блоків. Більше нічого робити не потрібно.`,
  lateTitle: "Запізнілий платіж знайдено",
  lateLead: (amount) =>
    `**${amount}** надійшло після того, як сплив час. Ми знайшли платіж, і він зараз підтверджується. Не надсилайте ще раз.`,
  confirmations: (count, required) =>
    `${count} із ${required} ${plural(required, { one: "підтвердження", few: "підтверджень", many: "підтверджень", other: "підтвердження" })}`,
  almostThere: "майже готово",
  aboutSeconds: (seconds) => `приблизно ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => (minutes === 1 ? "близько хвилини" : `приблизно ${unit(minutes, "minute")}`),
  mayClose: "Цю сторінку можна закрити; платіж триває й без неї.",

  checkingTitle: "Шукаємо ваш платіж",
  checkingLead: (network) =>
    `Час сплив. **Зараз нічого не надсилайте.** Ми читаємо останні блоки ${network}; якщо ви вже надіслали платіж, він з’явиться тут.`,

  paidTitle: "Платіж завершено",
  paidLead: (merchant, amount) => `${merchant} отримує **${amount}**.`,
  paidByHandLead: (merchant, due) => `${merchant} позначає це замовлення на **${due}** як сплачене.`,
  paidLateLead: (merchant, amount) => `${merchant} отримує **${amount}**. Платіж надійшов після того, як сплив час.`,
  overpaidTitle: "Сплачено, і більше, ніж потрібно",
  overpaidLead: (merchant, arrived, surplus) =>
    `${merchant} отримує **${arrived}**, це на **${surplus}** більше, ніж потрібно. Замовлення сплачено.`,

  expiredTitle: "Час сплив",
  expiredLead: "Нічого не надійшло. **Зараз не надсилайте:** ця пропозиція завершилася.",
  expiredPartLead: (arrived, due) =>
    `Надійшло лише **${arrived}** із ${due}. **Зараз не надсилайте:** ця пропозиція завершилася.`,
  expiredWatched: (hours) =>
    `**Уже надіслали?** Залиште цю сторінку відкритою. Ми шукатимемо ваш платіж ще ${unit(hours, "hour")}, і він зарахується, коли надійде.`,
  expiredUnwatched: (merchant) =>
    `**Уже надіслали?** Зв’яжіться з ${merchant} і повідомте ідентифікатор транзакції з вашого гаманця.`,
  expiredAgain: (merchant) => `Щоб сплатити зараз, почніть знову на сайті ${merchant}.`,
  expiredPartAgain: (merchant) => `Щодо надісланого зв’яжіться з ${merchant}; продавець теж це бачить.`,

  cancelledTitle: "Замовлення скасовано",
  cancelledLead: (merchant) => `${merchant} скасовує це замовлення. **Нічого не надсилайте.**`,

  delayed: (network) =>
    `**Зараз ми бачимо ${network} із затримкою.** Надісланий платіж у безпеці й з’явиться тут, щойно ми наздоженемо мережу. Не надсилайте двічі.`,

  refundTitle: "Оформіть повернення коштів",
  refundStatus: "Очікуємо на вашу адресу",
  refundLead: (merchant, amount) => `${merchant} повертає вам **${amount}**. Введіть адресу, на яку надіслати кошти.`,
  refundReason: "Причина",
  refundReopened: (merchant) => `**${merchant} просить іншу адресу.**`,
  refundMessage: (merchant) => `Повідомлення від ${merchant}`,
  refundNetwork: "Мережа",
  refundPaidOn: "Ви платили в цій мережі",
  refundAddress: "Ваша адреса в цій мережі",
  refundAddressHint: "Адреса вашого власного гаманця або рахунку. Надіслане повернення неможливо скасувати.",
  refundExchange: (currency) =>
    `**Це адреса на біржі?** Біржа має приймати на цю адресу поповнення ${currency} у вибраній мережі.`,
  refundConfirm: (count) =>
    `Останні ${count} ${plural(count, { one: "символ", few: "символи", many: "символів", other: "символу" })} адреси`,
  refundConfirmHint: "Введіть їх так, як їх показує гаманець або біржа. З них видно, що адресу скопійовано повністю.",
  refundOrderNumber: "Номер замовлення",
  refundOrderNumberHint: (merchant) => `Із підтвердження від ${merchant}`,
  refundEmail: "Адреса електронної пошти",
  refundEmailHint: (merchant) => `Та, яку ви вказали в ${merchant}`,
  refundSubmit: "Оформити повернення коштів",
  refundExpires: "Посилання дійсне до",
  refundProblem: {
    used: "Це повернення вже оформлено.",
    often: "Забагато спроб. Спробуйте за кілька хвилин.",
    network: "Виберіть одну з цих мереж.",
    address: (network) => `Це недійсна адреса для мережі ${network}. Скопіюйте всю адресу.`,
    token: "Це адреса самого токена, а не гаманця. Введіть свою адресу.",
    shop: "Ця адреса належить магазину. Введіть свою адресу.",
    confirmation: "Це не останні символи адреси. Звірте їх з адресою та спробуйте знову.",
    number: "Це замовлення має інший номер.",
    email: "У цьому замовленні вказано іншу адресу електронної пошти.",
  },
  refundClaimedTitle: "Адресу отримано",
  refundClaimedLead: (merchant) =>
    `${merchant} перевіряє ваші дані, а потім надсилає кошти. Коли вони будуть у дорозі, ця сторінка сама це покаже.`,
  refundApprovedTitle: "Повернення схвалено",
  refundApprovedLead: (merchant, amount, network) =>
    `${merchant} надсилає **${amount}** у мережі **${network}** на вашу адресу. Коли кошти будуть у дорозі, ця сторінка сама це покаже.`,
  refundSentTitle: "Кошти в дорозі",
  refundSentLead: (amount, network) =>
    `**${amount}** надіслано на вашу адресу. Мережа ${network} зараз підтверджує переказ.`,
  refundCompletedTitle: "Повернення завершено",
  refundCompletedLead: (amount, network) => `**${amount}** надійшло на вашу адресу в мережі **${network}**.`,
  refundCancelledTitle: "Повернення скасовано",
  refundCancelledLead: (merchant) => `${merchant} скасовує це повернення.`,
  refundExpiredTitle: "Термін дії посилання сплив",
  refundExpiredLead: (merchant) => `Це повернення не оформлено вчасно. Попросіть нове посилання в ${merchant}.`,
  refundNoneLead: "За цим посиланням немає повернення коштів. Перевірте, що посилання скопійовано повністю.",

  detailsHeading: "Подробиці",
  merchant: "Продавець",
  price: "Ціна",
  subject: "Призначення",
  amountOrdered: "Потрібно",
  amountReceived: "Надійшло",
  network: "Мережа",
  address: "Адреса",
  transaction: "Транзакція",
  paidAt: "Сплачено",
  expiredAt: "Завершено",
  reference: "Номер",

  returnTo: (merchant) => `Повернутися до ${merchant}`,
  returning: (seconds) => `Повернення через ${seconds} с.`,
  returnStay: "Залишитися на цій сторінці",
  returnStayed: "Ви залишаєтеся на цій сторінці",
  printReceipt: "Надрукувати квитанцію",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `Ваш платіж іде прямо в гаманець ${merchant}.`,
  support: (merchant) => `Зв’язатися з продавцем ${merchant}`,
  close: "Закрити",
  poweredBy: "Stablegate",
  offline: "Немає з’єднання. Ця сторінка продовжить сама, коли воно з’явиться.",

  notFoundTitle: "Це платіжне посилання нікуди не веде",
  notFoundLead:
    "За цим посиланням немає замовлення. Перевірте, чи скопійовано всю адресу, або поверніться до магазину й почніть оплату знову. **Не надсилайте грошей.**",
  refusedTitle: "Не вдалося почати цю оплату",
  refusedLead:
    "Магазин надіслав некоректний запит на оплату. Поверніться до магазину й спробуйте ще раз. **Не надсилайте грошей.**",
  notNowLead:
    "Зараз почати оплату не можна. Поверніться до магазину й спробуйте знову за хвилину. **Не надсилайте грошей.**",
  tamperedTitle: "Не сплачуйте",
  tamperedLead:
    "Адресу цього замовлення змінено після його створення, і не магазином. **Не надсилайте грошей.** Якщо ви вже надіслали, збережіть ідентифікатор транзакції з гаманця.",
  closedTitle: "Зараз оплата неможлива",
  closedLead:
    "Магазин зараз не може прийняти цю оплату. Поверніться до магазину й виберіть інший спосіб оплати або спробуйте пізніше. **Не надсилайте грошей.**",
  otherWay: "Ви також можете повернутися до магазину й вибрати інший спосіб оплати.",
  alreadyPaidTitle: "Це замовлення вже оплачено",
  alreadyPaidLead: "Поверніться до магазину. **Не платіть ще раз.**",
  depositStatus: "Ваша адреса для поповнення",
  depositLead: (merchant) =>
    `Ця адреса в ${merchant} лише ваша. **Надсилайте будь-яку суму й скільки завгодно разів:** вона безстрокова.`,
  depositOnly: (currencies, network) =>
    `**Лише ${currencies} у мережі ${network}.** Будь-що інше, надіслане на цю адресу, не зараховується і може бути втрачене.`,
  depositArrived: "Отримано на цю адресу",
  depositNothing: "Ще нічого не надійшло. Те, що ви надішлете, з’явиться тут саме.",
  depositConfirmed: "Підтверджено",
  depositReversed: "Скасовано мережею",
  depositLatest: (count) => `Показано останні: ${count}.`,
  depositClosedTitle: "Ця адреса зараз не використовується",
  depositClosedLead: (merchant) =>
    `${merchant} призупиняє її роботу. **Нічого не надсилайте.** Те, що ви вже надіслали, не втрачено: воно з’явиться тут.`,
  depositBrokenTitle: "Цю адресу не можна показати",
  depositBrokenLead: (merchant) =>
    `Збережені дані не пройшли нашу перевірку: можливо, їх хтось змінив. **Нічого не надсилайте.** Повідомте ${merchant}, щоб це перевірили.`,
  depositNoneLead:
    "За цим посиланням немає адреси. Перевірте, чи скопійовано все посилання, або попросіть його ще раз там, де отримали. **Не надсилайте грошей.**",
  busyTitle: "Забагато переглядів",
  busyLead:
    "Цю сторінку надто часто відкривали з вашої інтернет-адреси. За мить вона спробує сама. Уже надісланий платіж не втрачено.",
  awayTitle: "За мить повернемося",
  awayLead:
    "Платіжну сторінку зараз неможливо показати. Вона сама пробує знову кожні кілька секунд. Уже надісланий платіж не втрачено.",
};
