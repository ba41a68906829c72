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
    `${merchant} зараховує **${arrived}** із ${due}. **Не надсилайте решту самі:** спершу зв’яжіться з продавцем.`,

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
  elsewhereAgain: (merchant) => `**Не платіть ще раз,** хіба що ${merchant} попросить вас про це.`,
  elsewherePay: "Усе одно сплатити це замовлення ще раз",
  elsewherePayNote: (merchant) =>
    `Лише якщо про це просить ${merchant}: те, що ви надішлете зараз, додасться до вже надісланого.`,
  alsoArrived: (arrived, network, merchant) =>
    `**${arrived}** також надійшло в мережі **${network}**, де для цього замовлення не зараховується. ${merchant} це бачить: повідомте ідентифікатор транзакції і не надсилайте ще раз.`,
  transactionOn: (network) => `Транзакція в мережі ${network}`,

  amountLabel: "Сума",
  remainingLabel: "Залишок",
  addressLabel: "На цю адресу",
  copyAmount: "Копіювати суму",
  copyAddress: "Копіювати адресу",
  copied: "Скопійовано",
  amountCopied: "Суму скопійовано",
  addressCopied: "Адресу скопійовано",
  copyFailed: "Не вдалося скопіювати. Виділіть текст і скопіюйте його вручну.",

  exactNote: (amount) =>
    `**Надішліть рівно ${amount}.** Ваш платіж розпізнається за цією точною сумою. Іншу суму неможливо пов’язати із замовленням.`,
  sumNote: (amount) =>
    `**Надішліть ${amount} повністю.** Якщо надійде менше, замовлення лишиться відкритим, доки не надійде решта.`,
  exchangeNote: (amount) => `**Платите з біржі?** Біржі беруть комісію з того, що ви вводите. Надійти має ${amount}.`,
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

  contractSummary: (currency, network) => `Контракт токена ${currency} у мережі ${network}`,
  contractNote: "Порівняйте його з токеном у вашому гаманці.",
  viewOn: (explorer) => `Переглянути на ${explorer}`,
  opensNewTab: "(відкриється нова вкладка)",

  timeLeft: (clock) => `Залишилося ${clock}`,
  payBefore: (time) => `Сплатити до: ${time}`,
  timeLeftSpoken: (minutes) => `Час на оплату: ${unit(minutes, "minute")}`,

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
  paidLateLead: (merchant, amount) =>
    `${merchant} отримує **${amount}**. Платіж надійшов після того, як сплив час; якщо щось незрозуміло, зв’яжіться з продавцем.`,
  overpaidTitle: "Сплачено, і більше, ніж потрібно",
  overpaidLead: (merchant, arrived, surplus) =>
    `${merchant} отримує **${arrived}**, це на **${surplus}** більше, ніж потрібно. Замовлення сплачено; щодо різниці зв’яжіться з продавцем.`,

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
  cancelledLead: (merchant) =>
    `${merchant} скасовує це замовлення. **Нічого не надсилайте.** Якщо вже надіслали, повідомте продавцю ідентифікатор транзакції.`,

  delayed: (network) =>
    `**Зараз ми бачимо ${network} із затримкою.** Надісланий платіж у безпеці й з’явиться тут, щойно ми наздоженемо мережу. Не надсилайте двічі.`,

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
  poweredBy: "Stablegate",
  offline: "Немає з’єднання. Ця сторінка продовжить сама, коли воно з’явиться.",

  notFoundTitle: "Це платіжне посилання нікуди не веде",
  notFoundLead:
    "За цим посиланням немає замовлення. Перевірте, чи скопійовано всю адресу, або поверніться до магазину й почніть оплату знову. **Не надсилайте грошей.**",
  busyTitle: "Забагато переглядів",
  busyLead:
    "Цю сторінку надто часто відкривали з вашої інтернет-адреси. За мить вона спробує сама. Уже надісланий платіж не втрачено.",
  awayTitle: "За мить повернемося",
  awayLead:
    "Платіжну сторінку зараз неможливо показати. Вона сама пробує знову кожні кілька секунд. Уже надісланий платіж не втрачено.",
};
