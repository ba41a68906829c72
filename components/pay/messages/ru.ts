import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { plural, unit } = counting("ru");

/** Russian. */
export const ru: Messages = {
  lang: "ru",
  dir: "ltr",
  name: "Русский",
  chooseLanguage: "Язык",

  chooseTitle: "Как вы хотите заплатить?",
  chooseStatus: "Ожидаем ваш выбор",
  chooseLead: (merchant, asked) =>
    `Продавец ${merchant} просит **${asked}**. Выберите сеть, через которую отправляет ваш кошелёк или биржа. Что и куда отправить, будет показано дальше.`,
  chooseNone: (merchant) =>
    `Сейчас заплатить продавцу ${merchant} нельзя. Страница сама проверит ещё раз. **Ничего не отправляйте.**`,
  chooseLegend: "Валюта и сеть",
  choose: "Продолжить",
  chooseProblem: {
    taken: "Сейчас там нет свободного места для этой суммы. Выберите другую сеть или попробуйте через минуту.",
    closed: "Этот вариант сейчас недоступен. Выберите другой или попробуйте через минуту.",
    unrated: "Сейчас нельзя рассчитать, сколько составит эта цена. Попробуйте через минуту.",
  },
  chooseExpiredLead: "Выбор не был сделан вовремя. **Ничего не отправляйте:** это предложение закончилось.",
  chooseCancelledLead: (merchant) => `Продавец ${merchant} отменил этот заказ. **Ничего не отправляйте.**`,

  waitingStatus: "Ожидаем оплату",
  waitingTitle: (currency, network) => `Отправьте ${currency} в сети ${network}`,
  underpaidStatus: "Поступила часть оплаты",
  underpaidTitle: (currency, network) => `Отправьте остаток ${currency} в сети ${network}`,
  underpaidLead: (arrived, due) =>
    `Поступило **${arrived}** из ${due}. Отправьте остаток на тот же адрес, пока не истекло время.`,
  partialTitle: "Поступила часть оплаты",
  partialLead: (merchant, arrived, due) =>
    `Продавец ${merchant} засчитал **${arrived}** из ${due}. **Не отправляйте остаток по своей инициативе:** свяжитесь с продавцом.`,

  elsewhereNetworkTitle: "Оплачено в другой сети",
  elsewhereCurrencyTitle: "Оплачено в другой валюте",
  elsewhereLead: (arrived, network, currency, due) =>
    `**${arrived}** поступило в сети **${network}**. Для этого заказа нужен ${currency} в сети ${due}, поэтому платёж не засчитывается автоматически.`,
  lookAlikeTitle: "Оплачено другим токеном",
  bridged: (currency) => `${currency} (через мост)`,
  discontinued: (currency) => `${currency} (выведен из обращения)`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `Вы отправили **${arrived}** в сети **${network}**. Кошельки показывают его как ${symbol}, но это другой токен (${contract}), а не ${currency}, который нужен для этого заказа, поэтому заказ им не оплачен.`,
  lookAlikeSeen: (merchant) =>
    `**Платёж поступил на адрес продавца ${merchant}.** Продавец видит его рядом с этим заказом.`,
  elsewhereSeen: (merchant) =>
    `**Платёж поступил на адрес продавца ${merchant}.** Продавец видит его рядом с этим заказом и может его принять.`,
  elsewhereContact: (merchant) =>
    `**Свяжитесь с продавцом ${merchant}** и сообщите ID транзакции, указанный ниже. Что будет с платежом, решает продавец.`,
  elsewhereAgain: (merchant) => `**Не платите ещё раз,** если только об этом не попросит продавец ${merchant}.`,
  elsewherePay: "Всё равно оплатить этот заказ ещё раз",
  elsewherePayNote: (merchant) =>
    `Только если об этом попросил продавец ${merchant}: то, что вы отправите сейчас, добавится к уже отправленному.`,
  alsoArrived: (arrived, network, merchant) =>
    `**${arrived}** также поступило в сети **${network}**, где это не засчитывается для этого заказа. Продавец ${merchant} видит платёж: свяжитесь с ним, сообщите ID транзакции и не отправляйте ещё раз.`,
  transactionOn: (network) => `Транзакция в сети ${network}`,

  amountLabel: "Сумма",
  remainingLabel: "Остаток",
  addressLabel: "На этот адрес",
  copyAmount: "Копировать сумму",
  copyAddress: "Копировать адрес",
  copied: "Скопировано",
  amountCopied: "Сумма скопирована",
  addressCopied: "Адрес скопирован",
  copyFailed: "Не удалось скопировать. Выделите текст и скопируйте вручную.",

  exactNote: (amount) =>
    `**Отправьте ровно ${amount}.** Ваш платёж распознаётся по этой точной сумме. Любую другую сумму нельзя связать с вашим заказом.`,
  sumNote: (amount) =>
    `**Отправьте ${amount} полностью.** Если поступит меньше, заказ останется открытым, пока не придёт остаток.`,
  exchangeNote: (amount) =>
    `**Платите с биржи?** Биржи удерживают комиссию из суммы, которую вы вводите. Поступить должно ${amount}.`,
  onlyNote: (currency, network) =>
    `**Только ${currency} в сети ${network}.** Всё остальное, отправленное на этот адрес, не оплачивает заказ и может быть потеряно.`,

  sameTokenNote: (currency, shown) =>
    `Некоторые кошельки показывают этот ${currency} как **${shown}**. Это одно и то же.`,
  lookAlikeNote: (name, symbol, contract) =>
    `**Не ${name}** (${contract}): кошельки показывают его как ${symbol}, но это другой токен, и им оплатить нельзя.`,

  qrLegend: "Что содержит QR-код",
  qrAddress: "Адрес",
  qrWallet: "Кошелёк",
  qrAddressCaption: "Только адрес, для любого кошелька или биржи. Сумму введите сами.",
  qrWalletCaption: "Адрес и сумма, для кошельков, которые читают запросы на оплату. Проверьте их перед отправкой.",
  qrAddressAlt: (address) => `QR-код адреса ${address}`,
  qrWalletAlt: (amount, address) => `QR-код запроса на оплату ${amount} на адрес ${address}`,

  walletPay: "Оплатить кошельком",
  walletUnloaded: "Не удалось загрузить. Обновите страницу.",
  walletChoose: "Выберите кошелёк",
  walletConnect: "Откройте кошелёк и разрешите этой странице видеть ваш счёт.",
  walletConfirm: (amount, network) =>
    `Сверьте сумму и адрес в кошельке и подтвердите там: ${amount} в сети ${network}.`,
  walletSent: (network) => `Кошелёк отправил платёж. Страница ждёт, пока он появится в сети ${network}.`,
  walletNothing: "Ничего не отправлено.",
  walletRejected: "Вы отказались в кошельке.",
  walletBusy: "Кошелёк ещё ждёт вашего ответа. Откройте его и попробуйте снова.",
  walletNetwork: (network) => `Кошелёк не в сети ${network}. Переключите его и попробуйте снова.`,
  walletAccount: (network) => `Этот счёт не может платить в сети ${network}. Выберите в кошельке другой.`,
  walletFunds: (amount) => `На этом счёте нет ${amount} и комиссии сети.`,
  walletChanged: "То, что нужно оплатить, тем временем изменилось. Посмотрите на страницу ещё раз, прежде чем платить.",
  walletAgain: "Это уже отправлено из этого браузера. Подождите, пока платёж появится здесь.",
  walletAway: "Сейчас это невозможно. Попробуйте через минуту.",
  walletFailed: "Кошелёк сообщил об ошибке.",
  walletLook: "Проверьте в нём, не отправлено ли что-нибудь, прежде чем пробовать снова.",

  contractSummary: (currency, network) => `Контракт токена ${currency} в сети ${network}`,
  contractNote: "Сравните его с токеном в вашем кошельке.",
  viewOn: (explorer) => `Посмотреть на ${explorer}`,
  opensNewTab: "(откроется в новой вкладке)",

  timeLeft: (clock) => `Осталось ${clock}`,
  payBefore: (time) => `Оплатить до: ${time}`,
  timeLeftSpoken: (minutes) => `Осталось на оплату: ${unit(minutes, "minute")}`,

  sandboxNote: "Это песочница: деньги здесь ненастоящие, в собственной отдельной сети.",
  sandboxPay: "Оплатить из тестового кошелька",
  sandboxPaying: "Отправляем…",
  sandboxSent: "Отправлено из тестового кошелька",
  sandboxFailed: "Не удалось оплатить из тестового кошелька. Попробуйте ещё раз.",

  stepsLabel: "Ход оплаты",
  stepSeen: "Найдено",
  stepConfirming: "Подтверждается",
  stepPaid: "Оплачено",
  seenTitle: "Платёж найден",
  seenLead: (amount, network) =>
    `**${amount}** поступило на адрес. Сеть ${network} сейчас подтверждает платёж. Больше ничего делать не нужно.`,
  confirmingTitle: "Платёж подтверждается",
  confirmingLead: (amount, network) =>
    `**${amount}** поступило. В сети ${network} платёж станет окончательным через несколько блоков. Больше ничего делать не нужно.`,
  lateTitle: "Найден поздний платёж",
  lateLead: (amount) =>
    `**${amount}** поступило после того, как истекло время. Мы нашли платёж, он сейчас подтверждается. Не отправляйте ещё раз.`,
  confirmations: (count, required) =>
    `${count} из ${required} ${plural(required, { one: "подтверждения", few: "подтверждений", many: "подтверждений", other: "подтверждения" })}`,
  almostThere: "почти готово",
  aboutSeconds: (seconds) => `примерно ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => (minutes === 1 ? "около минуты" : `примерно ${unit(minutes, "minute")}`),
  mayClose: "Эту страницу можно закрыть: платёж пройдёт и без неё.",

  checkingTitle: "Ищем ваш платёж",
  checkingLead: (network) =>
    `Время истекло. **Сейчас ничего не отправляйте.** Мы читаем последние блоки сети ${network}; если вы уже отправили платёж, он появится здесь.`,

  paidTitle: "Оплата завершена",
  paidLead: (merchant, amount) => `Продавец ${merchant} получил **${amount}**.`,
  paidByHandLead: (merchant, due) => `Продавец ${merchant} отметил этот заказ на **${due}** как оплаченный.`,
  paidLateLead: (merchant, amount) =>
    `Продавец ${merchant} получил **${amount}**. Платёж поступил после того, как истекло время; если что-то неясно, свяжитесь с продавцом.`,
  overpaidTitle: "Оплачено, и больше, чем нужно",
  overpaidLead: (merchant, arrived, surplus) =>
    `Продавец ${merchant} получил **${arrived}**, это на **${surplus}** больше, чем нужно. Заказ оплачен; по поводу разницы свяжитесь с продавцом.`,

  expiredTitle: "Время истекло",
  expiredLead: "Ничего не поступило. **Сейчас не отправляйте:** это предложение закончилось.",
  expiredPartLead: (arrived, due) =>
    `Поступило только **${arrived}** из ${due}. **Сейчас не отправляйте:** это предложение закончилось.`,
  expiredWatched: (hours) =>
    `**Уже отправили?** Не закрывайте эту страницу. Мы будем искать ваш платёж ещё ${unit(hours, "hour")}, и он засчитается, когда поступит.`,
  expiredUnwatched: (merchant) =>
    `**Уже отправили?** Свяжитесь с продавцом ${merchant} и сообщите ID транзакции из вашего кошелька.`,
  expiredAgain: (merchant) => `Чтобы заплатить сейчас, начните заново у продавца ${merchant}.`,
  expiredPartAgain: (merchant) =>
    `По поводу отправленного свяжитесь с продавцом ${merchant}: продавец тоже видит этот платёж.`,

  cancelledTitle: "Заказ отменён",
  cancelledLead: (merchant) =>
    `Продавец ${merchant} отменил этот заказ. **Ничего не отправляйте.** Если вы уже отправили платёж, свяжитесь с продавцом и сообщите ID транзакции.`,

  delayed: (network) =>
    `**Сейчас мы видим сеть ${network} с задержкой.** Отправленный вами платёж в безопасности и появится здесь, как только мы догоним сеть. Не отправляйте его дважды.`,

  detailsHeading: "Подробности",
  merchant: "Продавец",
  price: "Цена",
  subject: "Назначение",
  amountOrdered: "К оплате",
  amountReceived: "Получено",
  network: "Сеть",
  address: "Адрес",
  transaction: "Транзакция",
  paidAt: "Время оплаты",
  expiredAt: "Время окончания",
  reference: "Номер",

  returnTo: (merchant) => `Вернуться к продавцу ${merchant}`,
  returning: (seconds) => `Возврат через ${seconds} с.`,
  returnStay: "Остаться на этой странице",
  returnStayed: "Вы остаётесь на этой странице",
  printReceipt: "Распечатать квитанцию",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `Ваш платёж идёт прямо в кошелёк продавца ${merchant}.`,
  support: (merchant) => `Связаться с продавцом ${merchant}`,
  poweredBy: "Stablegate",
  offline: "Нет подключения к интернету. Страница продолжит сама, когда оно восстановится.",

  notFoundTitle: "Эта ссылка на оплату никуда не ведёт",
  notFoundLead:
    "За этой ссылкой нет заказа. Проверьте, что скопирован весь адрес, или вернитесь в магазин и начните оплату заново. **Не отправляйте деньги.**",
  busyTitle: "Слишком много просмотров",
  busyLead:
    "Эту страницу слишком часто открывали с вашего IP-адреса. Через мгновение она сама попробует снова. Уже отправленный платёж не потерян.",
  awayTitle: "Скоро вернёмся",
  awayLead:
    "Сейчас страницу оплаты показать нельзя. Она сама пробует снова каждые несколько секунд. Уже отправленный платёж не потерян.",
};
