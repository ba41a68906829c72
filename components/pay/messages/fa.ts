import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { unit } = counting("fa");

/** Persian. */
export const fa: Messages = {
  lang: "fa",
  dir: "rtl",
  name: "فارسی",
  chooseLanguage: "زبان",

  chooseTitle: "چطور می‌خواهید پرداخت کنید؟",
  chooseStatus: "در انتظار انتخاب شما",
  chooseLead: (merchant, asked) =>
    `${merchant} مبلغ **${asked}** درخواست کرده است. شبکه‌ای را انتخاب کنید که کیف پول یا صرافی شما با آن ارسال می‌کند. در مرحلهٔ بعد می‌بینید چه چیزی را به کجا بفرستید.`,
  chooseNone: (merchant) =>
    `در حال حاضر پرداخت به ${merchant} ممکن نیست. این صفحه خودش دوباره بررسی می‌کند. **هیچ چیزی ارسال نکنید.**`,
  chooseLegend: "ارز و شبکه",
  choose: "ادامه",
  chooseProblem: {
    taken: "در حال حاضر آنجا برای این مبلغ جای خالی نیست. شبکهٔ دیگری انتخاب کنید یا یک دقیقهٔ دیگر دوباره امتحان کنید.",
    closed: "این گزینه در حال حاضر قابل استفاده نیست. گزینهٔ دیگری انتخاب کنید یا یک دقیقهٔ دیگر دوباره امتحان کنید.",
    unrated: "در حال حاضر نمی‌توان معادل این قیمت را محاسبه کرد. یک دقیقهٔ دیگر دوباره امتحان کنید.",
    enough: "برای این سفارش پیش‌تر پنج روش پرداخت پیشنهاد شده است. با یکی از آن‌ها پرداخت کنید.",
    often: "بیش از حد دوباره انتخاب شده است. یک دقیقهٔ دیگر دوباره امتحان کنید.",
  },
  chooseExpiredLead: "در مهلت مقرر چیزی انتخاب نشد. **هیچ چیزی ارسال نکنید:** این پیشنهاد پایان یافته است.",
  chooseCancelledLead: (merchant) => `${merchant} این سفارش را لغو کرد. **هیچ چیزی ارسال نکنید.**`,

  waitingStatus: "در انتظار پرداخت",
  waitingTitle: (currency, network) => `${currency} را روی شبکهٔ ${network} ارسال کنید`,
  underpaidStatus: "بخشی از پرداخت رسید",
  underpaidTitle: (currency, network) => `باقی‌ماندهٔ ${currency} را روی شبکهٔ ${network} ارسال کنید`,
  underpaidLead: (arrived, due) =>
    `**${arrived}** از ${due} رسید. باقی‌مانده را پیش از پایان مهلت به همان آدرس ارسال کنید.`,
  partialTitle: "بخشی از پرداخت رسید",
  partialLead: (merchant, arrived, due) =>
    `${merchant} مبلغ **${arrived}** از ${due} را به حساب آورد. **باقی‌مانده را بدون هماهنگی ارسال نکنید.**`,

  elsewhereNetworkTitle: "پرداخت روی شبکهٔ دیگری انجام شد",
  elsewhereCurrencyTitle: "پرداخت با ارز دیگری انجام شد",
  elsewhereLead: (arrived, network, currency, due) =>
    `**${arrived}** روی شبکهٔ **${network}** رسید. این سفارش ${currency} روی شبکهٔ ${due} می‌خواهد، پس این پرداخت خودبه‌خود به حساب نمی‌آید.`,
  lookAlikeTitle: "پرداخت با توکن دیگری انجام شد",
  bridged: (currency) => `${currency} (بریج‌شده)`,
  discontinued: (currency) => `${currency} (از رده خارج)`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `شما **${arrived}** روی شبکهٔ **${network}** ارسال کردید. کیف پول‌ها آن را ${symbol} نشان می‌دهند، اما توکن دیگری است (${contract}) و نه ${currency} که این سفارش می‌خواهد؛ پس این سفارش با آن پرداخت نمی‌شود.`,
  lookAlikeSeen: (merchant) => `**این واریز به یکی از آدرس‌های ${merchant} رسید.** فروشنده آن را کنار این سفارش می‌بیند.`,
  elsewhereSeen: (merchant) =>
    `**این واریز به یکی از آدرس‌های ${merchant} رسید.** فروشنده آن را کنار این سفارش می‌بیند و می‌تواند آن را بپذیرد.`,
  elsewhereContact: (merchant) =>
    `**با ${merchant} تماس بگیرید** و شناسهٔ تراکنش زیر را به فروشنده بدهید. تصمیم دربارهٔ آن با فروشنده است.`,
  keepId: (merchant: string) =>
    `**شناسهٔ تراکنش زیر را نگه دارید.** ${merchant} این پرداخت را کنار سفارش می‌بیند و دربارهٔ آن تصمیم می‌گیرد.`,
  contactAsk: (merchant: string) => `اگر پرسشی دارید با ${merchant} تماس بگیرید.`,
  sentKeepId: "**قبلاً فرستاده‌اید؟** شناسهٔ تراکنش را از کیف پول یا صرافی خود نگه دارید.",
  paymentSeen: (merchant: string) => `${merchant} پرداخت شما را می‌بیند.`,
  elsewhereAgain: (merchant) => `**دوباره پرداخت نکنید،** مگر اینکه ${merchant} از شما بخواهد.`,
  elsewherePay: "با این حال، پرداخت دوبارهٔ این سفارش",
  elsewherePayNote: (merchant) =>
    `فقط اگر ${merchant} از شما خواسته باشد: آنچه اکنون می‌فرستید به آنچه پیش‌تر فرستاده‌اید اضافه می‌شود.`,
  otherAmountTitle: "مبلغ دیگری رسید",
  otherAmountShort: (arrived, due, off) => `**${arrived}** به‌جای ${due} رسید: **${off} کم است.**`,
  otherAmountOver: (arrived, due, off) => `**${arrived}** به‌جای ${due} رسید: **${off} اضافه است.**`,
  notMine: "این پرداخت من نیست",
  alsoArrived: (arrived, network, merchant) =>
    `**${arrived}** هم روی شبکهٔ **${network}** رسید که برای این سفارش به حساب نمی‌آید. ${merchant} آن را می‌بیند. دوباره ارسال نکنید.`,
  transactionOn: (network) => `تراکنش روی شبکهٔ ${network}`,

  sourceTitle: "پول شما کجاست؟",
  sourceExchange: "حساب صرافی",
  sourceWallet: "برنامهٔ کیف پول",
  sourceOther: "صرافی دیگر",
  exchangeNetwork: (exchange: string) => `شبکه در ${exchange}`,
  exchangeFee: (fee: string) => `کارمزد حدود ${fee}`,
  exchangeMinimum: (minimum: string) => `حداقل حدود ${minimum}`,
  exchangeTooSmall: (exchange: string, minimum: string) =>
    `**${exchange} اینجا دست‌کم حدود ${minimum} می‌فرستد،** که بیشتر از این سفارش است. شبکهٔ دیگر یا کیف پول را انتخاب کنید.`,
  exchangeUnlisted: (exchange: string, currency: string) =>
    `شاید ${exchange} ارز ${currency} را روی این شبکه نفرستد. اول فرم برداشت آن را ببینید.`,
  exchangeSlow: "**برداشت ممکن است چند دقیقه طول بکشد.** به Memo یا Tag نیازی نیست.",
  amountLabel: "مبلغ",
  receivedLabel: "مبلغی که باید برسد",
  remainingLabel: "مبلغ باقی‌مانده",
  addressLabel: "به این آدرس",
  copyAmount: "کپی مبلغ",
  copyAddress: "کپی آدرس",
  copied: "کپی شد",
  amountCopied: "مبلغ کپی شد",
  addressCopied: "آدرس کپی شد",
  copyFailed: "کپی نشد. متن را انتخاب و خودتان کپی کنید.",

  tailNote: (digits) =>
    `رقم‌های آخر، **${digits}**، فقط به سفارش شما تعلق دارند. آن‌ها را هم وارد کنید و مبلغ را گرد نکنید.`,
  exactNote: (amount) =>
    `**دقیقاً ${amount} ارسال کنید.** پرداخت شما از روی همین مبلغ دقیق شناخته می‌شود. هیچ مبلغ دیگری را نمی‌توان به سفارش شما ربط داد.`,
  sumNote: (amount) =>
    `**${amount} را بفرستید، یا آنچه صرافی پس از کارمزد از آن می‌فرستد.** این آدرس فقط برای سفارش شماست و هر چه برسد به حساب می‌آید.`,
  restNote:
    "**به‌خاطر کارمزد کمتر رسید؟** این صفحه باقی‌مانده را می‌خواهد. اگر بیشتر برسد، اینجا به‌عنوان پرداخت اضافه نشان داده می‌شود.",
  exchangeNote: (amount) =>
    `**از صرافی پرداخت می‌کنید؟** مطمئن شوید مبلغ دریافتی دقیقاً ${amount} است: بعضی صرافی‌ها کارمزد را از مبلغی که وارد می‌کنید کم می‌کنند و بعضی به آن اضافه می‌کنند.`,
  onlyNote: (currency, network) =>
    `**فقط ${currency} روی شبکهٔ ${network}.** هر چیز دیگری که به این آدرس ارسال شود، سفارش را پرداخت نمی‌کند و ممکن است از دست برود.`,

  sameTokenNote: (currency, shown) => `بعضی کیف پول‌ها این ${currency} را **${shown}** نشان می‌دهند. هر دو یکی است.`,
  lookAlikeNote: (name, symbol, contract) =>
    `**نه ${name}** (${contract}): کیف پول‌ها آن را ${symbol} نشان می‌دهند، اما توکن دیگری است و با آن پرداخت انجام نمی‌شود.`,

  qrLegend: "محتوای کد QR",
  qrAddress: "آدرس",
  qrWallet: "کیف پول",
  qrAddressCaption: "فقط آدرس، برای هر کیف پول یا صرافی. مبلغ را خودتان وارد کنید.",
  qrWalletCaption: "آدرس و مبلغ، برای کیف پول‌هایی که درخواست پرداخت را می‌خوانند. پیش از ارسال هر دو را بررسی کنید.",
  qrAddressAlt: (address) => `کد QR آدرس ${address}`,
  qrWalletAlt: (amount, address) => `کد QR درخواست پرداخت ${amount} به ${address}`,

  showQr: "نمایش کد QR",
  walletOpen: "باز کردن در کیف پول",
  walletPay: "پرداخت با کیف پول",
  walletUnloaded: "بارگذاری نشد. صفحه را دوباره بارگذاری کنید.",
  walletChoose: "کیف پول خود را انتخاب کنید",
  walletConnect: "کیف پول خود را باز کنید و اجازه دهید این صفحه حساب شما را ببیند.",
  walletConfirm: (amount, network) =>
    `مبلغ و نشانی را در کیف پول خود مقایسه و همان‌جا تأیید کنید: ${amount} در شبکهٔ ${network}.`,
  walletSent: (network) => `کیف پول شما آن را فرستاد. این صفحه منتظر است تا در شبکهٔ ${network} دیده شود.`,
  walletNothing: "چیزی فرستاده نشد.",
  walletRejected: "شما در کیف پول خود رد کردید.",
  walletBusy: "کیف پول شما هنوز منتظر پاسخ شماست. آن را باز کنید و دوباره تلاش کنید.",
  walletNetwork: (network) => `کیف پول شما در شبکهٔ ${network} نیست. به آن شبکه بروید و دوباره تلاش کنید.`,
  walletAccount: (network) => `این حساب نمی‌تواند در شبکهٔ ${network} پرداخت کند. حساب دیگری در کیف پول خود انتخاب کنید.`,
  walletFunds: (amount) => `این حساب ${amount} و کارمزد شبکه را ندارد.`,
  walletChanged: "آنچه باید پرداخت شود در این میان تغییر کرده است. پیش از پرداخت دوباره به این صفحه نگاه کنید.",
  walletAgain: "این پرداخت پیش‌تر از این مرورگر فرستاده شده است. صبر کنید تا اینجا دیده شود.",
  walletAway: "اکنون ممکن نیست. اندکی بعد دوباره تلاش کنید.",
  walletFailed: "کیف پول شما مشکلی گزارش کرد.",
  walletLook: "پیش از تلاش دوباره در آن ببینید که آیا چیزی فرستاده شده است.",

  contractSummary: (currency, network) => `نشانی توکن ${currency} روی شبکهٔ ${network}`,
  contractNote: "آن را با توکن داخل کیف پولتان مقایسه کنید.",
  viewOn: (explorer) => `مشاهده در ${explorer}`,
  opensNewTab: "(در برگهٔ جدید باز می‌شود)",

  timeLeft: (clock) => `${clock} مانده`,
  payBefore: (time) => `مهلت پرداخت تا ${time}`,
  timeLeftSpoken: (minutes) => `${unit(minutes, "minute")} تا پایان مهلت پرداخت مانده است`,

  chooseTime: (time) => `قطعی‌شدن در ${time}`,
  chooseFeeUnder: (to) => `کارمزد شبکه معمولاً کمتر از ${to} USD`,
  chooseFeeAbout: (from, to) => `کارمزد شبکه حدود ${from} تا ${to} USD`,
  chooseRecommended: "پیشنهادی",
  chooseAmount: (amount: string) => `حدود ${amount}`,
  chooseShown: "انتخاب فعلی",
  chooseQuoted: (amount) => `${amount}، پیش‌تر پیشنهاد شده`,
  chooseNote: "زمان‌ها و کارمزدها مقدار معمول‌اند، نه تضمین. صرافی کارمزد جداگانهٔ خود را می‌گیرد.",
  switchLink: "پرداخت به روش دیگر",
  switchTitle: "پرداخت به روشی دیگر",
  switchStatus: "انتخاب دوباره",
  switchLead: (amount, network) =>
    `اکنون درخواست شده: **${amount}** روی شبکهٔ **${network}**. هر چه اینجا انتخاب کنید، آن همچنان قابل پرداخت می‌ماند. **اگر قبلاً ارسال کرده‌اید، چیزی انتخاب نکنید:** به حساب می‌آید.`,
  switchBack: "بازگشت بدون تغییر",
  otherOffer: (amount, network) =>
    `**قبلاً ${amount} روی شبکهٔ ${network} ارسال کرده‌اید؟** به حساب می‌آید و اینجا نمایش داده می‌شود. دو بار پرداخت نکنید.`,
  paidOn: (network) => `پرداخت روی شبکهٔ **${network}** انجام شد که یکی از روش‌های پیشنهادشده بود.`,
  moreTime: "زمان بیشتری لازم دارم",
  moreTimeNote: (minutes, left) => `${minutes} دقیقه اضافه می‌کند. دفعات باقی‌مانده: ${left}.`,
  paidLink: "پرداخت کرده‌ام",
  paidLabel: "شناسهٔ تراکنش",
  paidHint: (networks) => `از کیف پول یا صرافی شما، روی ${networks}. فقط نشان می‌دهد که تراکنش به کجا رسیده است.`,
  paidLook: "جستجو",
  paidNoId: (networks) => `این شناسهٔ تراکنش ${networks} نیست. شناسهٔ کامل را از کیف پول یا صرافی خود کپی کنید.`,
  paidOften: "این جستجو بیش از حد تکرار شد. یک دقیقهٔ دیگر دوباره امتحان کنید.",
  lookupAsking: (id, network) => `در حال جستجوی ${id} روی شبکهٔ ${network} …`,
  lookupSilent: (network) =>
    `**هیچ گره‌ای از شبکهٔ ${network} پاسخ نداد.** این چیزی دربارهٔ پرداخت شما نمی‌گوید. یک دقیقهٔ دیگر دوباره جستجو کنید.`,
  lookupAbsent: (id, network) =>
    `**${id} هنوز روی شبکهٔ ${network} دیده نمی‌شود.** ممکن است چند دقیقه طول بکشد. در کیف پول خود بررسی کنید که واقعاً ارسال شده باشد، آن هم روی شبکهٔ ${network}.`,
  lookupFailed: (id) => `**${id} روی زنجیره ناموفق بود،** پس چیزی ارسال نشد. کیف پول شما دلیل را نشان می‌دهد.`,
  lookupNothing: (id) =>
    `**${id} چیزی به آدرس این سفارش ارسال نکرد.** آدرس داخل کیف پولتان را با آدرس اینجا مقایسه کنید.`,
  lookupEarly: (id) => `**${id} پیش از این سفارش انجام شده است،** پس نمی‌تواند این سفارش را پرداخت کند.`,
  lookupOtherOrder: (id) => `**${id} به سفارش دیگری تعلق دارد،** پس این سفارش را پرداخت نمی‌کند.`,
  lookupKept: (id, merchant) =>
    `**${id} به ${merchant} رسید، اما خودبه‌خود این سفارش را پرداخت نمی‌کند.** دوباره پرداخت نکنید.`,
  lookupFound: (id) => `**${id} پیدا شد.** وقتی شبکه آن را تأیید کند به حساب می‌آید و این صفحه آن را نشان می‌دهد.`,
  lookupCounted: (id) =>
    `**${id} به حساب آمده است:** رسیده و تأیید شده. اگر این سفارش هنوز پرداخت نشده، بقیهٔ مبلغ مانده است.`,
  lookupWrongToken: (id, token) => `**${id} این را ارسال کرد: ${token}،** که آن چیزی نیست که این سفارش می‌خواهد.`,
  lookupUnknownToken: "توکنی که اینجا شناخته‌شده نیست",
  lookupWrongNetwork: (id, network) => `**${id} روی شبکهٔ ${network} ارسال شد،** نه جایی که این سفارش قابل پرداخت است.`,
  lookupShort: (id, arrived, due) =>
    `**با ${id} مبلغ ${arrived} به‌جای ${due} رسید.** شاید کارمزد از آن کم شده باشد. خودبه‌خود نمی‌توان آن را به سفارش ربط داد.`,
  lookupOver: (id, arrived, due) =>
    `**با ${id} مبلغ ${arrived} به‌جای ${due} رسید.** خودبه‌خود نمی‌توان آن را به سفارش ربط داد.`,

  sandboxNote: "این یک محیط آزمایشی است: پول آن واقعی نیست و روی زنجیره‌ای جداگانه است.",
  sandboxPay: "پرداخت از کیف پول آزمایشی",
  sandboxPaying: "در حال ارسال…",
  sandboxSent: "از کیف پول آزمایشی ارسال شد",
  sandboxFailed: "پرداخت از کیف پول آزمایشی ممکن نشد. دوباره امتحان کنید.",

  stepsLabel: "روند پرداخت",
  stepSeen: "دیده شد",
  stepConfirming: "در حال تأیید",
  stepPaid: "پرداخت شد",
  seenTitle: "پرداخت شما دیده شد",
  seenLead: (amount, network) =>
    `**${amount}** به آدرس رسید. اکنون شبکهٔ ${network} آن را تأیید می‌کند. لازم نیست کار دیگری انجام دهید.`,
  confirmingTitle: "پرداخت شما در حال تأیید است",
  confirmingLead: (amount, network) =>
    `**${amount}** رسید. شبکهٔ ${network} آن را طی چند بلوک دیگر قطعی می‌کند. لازم نیست کار دیگری انجام دهید.`,
  lateTitle: "پرداخت دیرهنگام پیدا شد",
  lateLead: (amount) =>
    `**${amount}** پس از پایان مهلت رسید. آن را پیدا کردیم و اکنون در حال تأیید است. دوباره ارسال نکنید.`,
  confirmations: (count, required) => `${count} از ${required} تأیید`,
  almostThere: "تقریباً تمام شد",
  aboutSeconds: (seconds) => `حدود ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => `حدود ${unit(minutes, "minute")}`,
  mayClose: "می‌توانید این صفحه را ببندید؛ پرداخت بدون آن ادامه می‌یابد.",

  checkingTitle: "در حال جستجوی پرداخت شما",
  checkingLead: (network) =>
    `مهلت تمام شد. **اکنون هیچ چیزی ارسال نکنید.** در حال خواندن آخرین بلوک‌های شبکهٔ ${network} هستیم؛ اگر پیش‌تر پرداختی ارسال کرده‌اید، اینجا نمایش داده می‌شود.`,

  paidTitle: "پرداخت کامل شد",
  paidLead: (merchant, amount) => `${merchant} مبلغ **${amount}** دریافت کرد.`,
  paidByHandLead: (merchant, due) => `${merchant} این سفارش **${due}** را پرداخت‌شده علامت زد.`,
  paidLateLead: (merchant, amount) => `${merchant} مبلغ **${amount}** دریافت کرد. پرداخت پس از پایان مهلت رسید.`,
  overpaidTitle: "پرداخت شد، بیش از مبلغ خواسته‌شده",
  overpaidLead: (merchant, arrived, surplus) =>
    `${merchant} مبلغ **${arrived}** دریافت کرد که **${surplus}** بیشتر از مبلغ سفارش است. سفارش پرداخت شده است.`,

  expiredTitle: "مهلت تمام شد",
  expiredLead: "چیزی دریافت نشد. **اکنون ارسال نکنید:** این پیشنهاد پایان یافته است.",
  expiredPartLead: (arrived, due) =>
    `فقط **${arrived}** از ${due} رسید. **اکنون ارسال نکنید:** این پیشنهاد پایان یافته است.`,
  expiredWatched: (hours) =>
    `**قبلاً ارسال کرده‌اید؟** این صفحه را باز نگه دارید. تا ${unit(hours, "hour")} دیگر همچنان دنبال پرداخت شما می‌گردیم و هر وقت برسد به حساب می‌آید.`,
  expiredUnwatched: (merchant) =>
    `**قبلاً ارسال کرده‌اید؟** با ${merchant} تماس بگیرید و شناسهٔ تراکنش را از کیف پولتان به فروشنده بدهید.`,
  expiredAgain: (merchant) => `برای پرداخت اکنون، در ${merchant} دوباره شروع کنید.`,
  expiredPartAgain: (merchant) => `دربارهٔ آنچه ارسال کرده‌اید با ${merchant} تماس بگیرید؛ فروشنده هم آن را می‌بیند.`,

  cancelledTitle: "سفارش لغو شد",
  cancelledLead: (merchant) => `${merchant} این سفارش را لغو کرد. **هیچ چیزی ارسال نکنید.**`,

  delayed: (network) =>
    `**در حال حاضر شبکهٔ ${network} را با تأخیر می‌بینیم.** پرداختی که ارسال کرده‌اید امن است و به‌محض رفع تأخیر اینجا نمایش داده می‌شود. دو بار ارسال نکنید.`,

  refundTitle: "درخواست بازگشت وجه",
  refundStatus: "در انتظار آدرس شما",
  refundLead: (merchant, amount) =>
    `${merchant} مبلغ **${amount}** را به شما برمی‌گرداند. آدرسی را وارد کنید که این مبلغ باید به آن برسد.`,
  refundReason: "علت",
  refundReopened: (merchant) => `**${merchant} آدرس دیگری از شما می‌خواهد.**`,
  refundMessage: (merchant) => `پیام ${merchant}`,
  refundNetwork: "شبکه",
  refundPaidOn: "روی این شبکه پرداخت کردید",
  refundAddress: "آدرس شما روی این شبکه",
  refundAddressHint: "آدرس کیف پول یا حساب خودتان. بازگشت وجه پس از ارسال قابل لغو نیست.",
  refundExchange: (currency) =>
    `**این آدرس در صرافی است؟** صرافی باید واریز ${currency} را روی شبکهٔ انتخاب‌شده به این آدرس بپذیرد.`,
  refundConfirm: (count) => `${count} کاراکتر آخر آدرس`,
  refundConfirmHint: "آن‌ها را از روی کیف پول یا صرافی خود وارد کنید. با آن‌ها معلوم می‌شود که کل آدرس کپی شده است.",
  refundOrderNumber: "شمارهٔ سفارش",
  refundOrderNumberHint: (merchant) => `از تأییدیهٔ ${merchant}`,
  refundEmail: "آدرس ایمیل",
  refundEmailHint: (merchant) => `همان که به ${merchant} داده‌اید`,
  refundSubmit: "درخواست بازگشت وجه",
  refundExpires: "زمان انقضای لینک",
  refundProblem: {
    used: "بازگشت این وجه پیش‌تر درخواست شده است.",
    often: "تعداد تلاش‌ها بیش از حد است. چند دقیقهٔ دیگر دوباره امتحان کنید.",
    network: "یکی از این شبکه‌ها را انتخاب کنید.",
    address: (network) => `این آدرس روی شبکهٔ ${network} معتبر نیست. آدرس کامل را کپی کنید.`,
    token: "این آدرس خود توکن است، نه آدرس کیف پول. آدرس خودتان را وارد کنید.",
    shop: "این آدرس متعلق به فروشگاه است. آدرس خودتان را وارد کنید.",
    confirmation: "این‌ها کاراکترهای آخر آدرس نیستند. آن‌ها را با آدرس مقایسه کنید و دوباره امتحان کنید.",
    number: "شمارهٔ این سفارش چیز دیگری است.",
    email: "آدرس ایمیل این سفارش چیز دیگری است.",
  },
  refundClaimedTitle: "آدرس دریافت شد",
  refundClaimedLead: (merchant) =>
    `${merchant} درخواست شما را بررسی می‌کند و سپس وجه را می‌فرستد. وقتی وجه در راه باشد، این صفحه خودش آن را نشان می‌دهد.`,
  refundApprovedTitle: "با بازگشت وجه موافقت شد",
  refundApprovedLead: (merchant, amount, network) =>
    `${merchant} مبلغ **${amount}** را روی شبکهٔ **${network}** به آدرس شما می‌فرستد. وقتی وجه در راه باشد، این صفحه خودش آن را نشان می‌دهد.`,
  refundSentTitle: "وجه در راه است",
  refundSentLead: (amount, network) => `**${amount}** به آدرس شما ارسال شد. اکنون شبکهٔ ${network} آن را تأیید می‌کند.`,
  refundCompletedTitle: "بازگشت وجه کامل شد",
  refundCompletedLead: (amount, network) => `**${amount}** روی شبکهٔ **${network}** به آدرس شما رسید.`,
  refundCancelledTitle: "بازگشت وجه لغو شد",
  refundCancelledLead: (merchant) => `${merchant} این بازگشت وجه را لغو کرد.`,
  refundExpiredTitle: "این لینک منقضی شده است",
  refundExpiredLead: (merchant) => `بازگشت این وجه در مهلت مقرر درخواست نشد. از ${merchant} لینک جدیدی بخواهید.`,
  refundNoneLead: "بازگشت وجهی پشت این لینک نیست. بررسی کنید که لینک کامل کپی شده باشد.",

  linkTitle: (merchant) => `پرداخت به ${merchant}`,
  linkSubmit: "ادامه به پرداخت",
  linkOptional: "اختیاری",
  linkContinue: "ادامه پرداختی که شروع کرده‌اید",
  linkBetween: (min, max) => `از ${min} تا ${max}`,
  linkAtLeast: (min) => `دست‌کم ${min}`,
  linkAtMost: (max) => `حداکثر ${max}`,
  linkProblem: {
    amount: "یک مبلغ وارد کنید، برای نمونه 25.00.",
    often: "پرداخت‌های زیادی از شبکه شما شروع شده است. چند دقیقه دیگر دوباره امتحان کنید.",
    away: "اکنون نمی‌توان پرداخت را شروع کرد. یک دقیقه دیگر دوباره امتحان کنید.",
    note: "یادداشت خیلی بلند است یا نویسه‌های غیرمجاز دارد.",
  },
  linkAwayLead: "فروشگاه در حال حاضر نمی‌تواند پرداختی بپذیرد. بعداً دوباره امتحان کنید.",
  linkUsedTitle: "این لینک پرداخت پیش‌تر استفاده شده است",
  linkUsedLead: (merchant) =>
    `${merchant} با این لینک پرداخت دیگری نمی‌پذیرد. اگر پرداخت دیگری به‌موقع کامل نشود، لینک دوباره قابل استفاده خواهد بود.`,
  linkEndedTitle: "این لینک پرداخت پایان یافته است",
  linkEndedLead: (merchant) =>
    `${merchant} دیگر با این لینک پرداختی نمی‌پذیرد. اگر هنوز می‌خواهید پرداخت کنید، لینک تازه‌ای بخواهید.`,
  linkNoneLead: "در این نشانی لینک پرداختی نیست. نشانی را بررسی کنید یا با فروشگاه تماس بگیرید.",

  detailsHeading: "جزئیات",
  merchant: "فروشنده",
  price: "قیمت",
  subject: "بابت",
  amountOrdered: "مبلغ سفارش",
  amountReceived: "مبلغ دریافتی",
  network: "شبکه",
  address: "آدرس",
  transaction: "تراکنش",
  paidAt: "زمان پرداخت",
  expiredAt: "زمان پایان",
  reference: "شمارهٔ مرجع",

  returnTo: (merchant) => `بازگشت به ${merchant}`,
  returning: (seconds) => `${seconds} ثانیهٔ دیگر بازمی‌گردید.`,
  returnStay: "ماندن در این صفحه",
  returnStayed: "در این صفحه می‌مانید",
  printReceipt: "چاپ رسید",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `پرداخت شما مستقیم به کیف پول ${merchant} می‌رود.`,
  support: (merchant) => `تماس با فروشنده ${merchant}`,
  close: "بستن",
  poweredBy: "Stablegate",
  offline: "آفلاین هستید. با برگشتن اتصال، این صفحه خودش ادامه می‌دهد.",

  notFoundTitle: "این لینک پرداخت به جایی نمی‌رسد",
  notFoundLead:
    "سفارشی پشت این لینک نیست. بررسی کنید که کل لینک کپی شده باشد، یا به فروشگاه برگردید و پرداخت را دوباره شروع کنید. **هیچ پولی ارسال نکنید.**",
  refusedTitle: "این پرداخت شروع نشد",
  refusedLead:
    "فروشگاه درخواست پرداخت نامعتبری فرستاد. به فروشگاه برگردید و دوباره تلاش کنید. **هیچ پولی ارسال نکنید.**",
  notNowLead:
    "اکنون نمی‌توان پرداختی را شروع کرد. به فروشگاه برگردید و یک دقیقه دیگر دوباره تلاش کنید. **هیچ پولی ارسال نکنید.**",
  tamperedTitle: "پرداخت نکنید",
  tamperedLead:
    "آدرس این سفارش پس از ثبت آن تغییر کرده است، و نه از سوی فروشگاه. **هیچ پولی ارسال نکنید.** اگر قبلاً ارسال کرده‌اید، شناسهٔ تراکنش کیف پول خود را نگه دارید.",
  closedTitle: "در حال حاضر پرداخت ممکن نیست",
  closedLead:
    "فروشگاه در حال حاضر نمی‌تواند این پرداخت را بپذیرد. به فروشگاه برگردید و روش پرداخت دیگری انتخاب کنید، یا بعداً دوباره تلاش کنید. **هیچ پولی ارسال نکنید.**",
  otherWay: "همچنین می‌توانید به فروشگاه برگردید و روش پرداخت دیگری انتخاب کنید.",
  alreadyPaidTitle: "این سفارش قبلاً پرداخت شده است",
  alreadyPaidLead: "به فروشگاه برگردید. **دوباره پرداخت نکنید.**",
  depositStatus: "آدرس واریز شما",
  depositLead: (merchant) =>
    `این آدرس نزد ${merchant} فقط متعلق به شماست. **هر مبلغی را، هر چند بار که بخواهید ارسال کنید:** منقضی نمی‌شود.`,
  depositOnly: (currencies, network) =>
    `**فقط ${currencies} روی شبکهٔ ${network}.** هر چیز دیگری که به این آدرس ارسال شود، به حساب شما منظور نمی‌شود و ممکن است از دست برود.`,
  depositArrived: "دریافتی‌های این آدرس",
  depositNothing: "هنوز چیزی نرسیده است. آنچه ارسال کنید خودبه‌خود اینجا نشان داده می‌شود.",
  depositConfirmed: "تأیید شد",
  depositReversed: "توسط شبکه برگشت خورد",
  depositLatest: (count) => `آخرین ${count} مورد نشان داده می‌شود.`,
  depositClosedTitle: "این آدرس در حال حاضر استفاده نمی‌شود",
  depositClosedLead: (merchant) =>
    `${merchant} آن را متوقف کرده است. **هیچ چیزی ارسال نکنید.** آنچه قبلاً ارسال کرده‌اید از دست نرفته است و اینجا نشان داده می‌شود.`,
  depositBrokenTitle: "این آدرس قابل نمایش نیست",
  depositBrokenLead: (merchant) =>
    `دادهٔ ذخیره‌شده از بررسی ما نگذشت و شاید کسی آن را تغییر داده باشد. **هیچ چیزی ارسال نکنید.** به ${merchant} خبر دهید تا بررسی شود.`,
  depositNoneLead:
    "آدرسی پشت این لینک نیست. بررسی کنید که کل لینک کپی شده باشد، یا آن را دوباره از همان‌جا که گرفتید بخواهید. **هیچ پولی ارسال نکنید.**",
  busyTitle: "تعداد بازدید بیش از حد است",
  busyLead:
    "این صفحه از آی‌پی شما بیش از حد باز شده است. کمی بعد خودش دوباره امتحان می‌کند. پرداختی که قبلاً ارسال کرده‌اید از دست نمی‌رود.",
  awayTitle: "به‌زودی برمی‌گردیم",
  awayLead:
    "صفحهٔ پرداخت در حال حاضر نمایش داده نمی‌شود. هر چند ثانیه خودش دوباره امتحان می‌کند. پرداختی که قبلاً ارسال کرده‌اید از دست نمی‌رود.",
};
