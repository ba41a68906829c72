import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { unit } = counting("tr");

/** Turkish. */
export const tr: Messages = {
  lang: "tr",
  dir: "ltr",
  name: "Türkçe",
  chooseLanguage: "Dil",

  chooseTitle: "Nasıl ödemek istersiniz?",
  chooseStatus: "Seçiminiz bekleniyor",
  chooseLead: (merchant, asked) =>
    `${merchant} **${asked}** istiyor. Cüzdanınızın veya borsanızın gönderim yaptığı ağı seçin. Neyin nereye gönderileceği bir sonraki adımda gösterilir.`,
  chooseNone: (merchant) =>
    `${merchant} için şu anda ödeme yapılamıyor. Bu sayfa kendiliğinden yeniden bakar. **Hiçbir şey göndermeyin.**`,
  chooseLegend: "Para birimi ve ağ",
  choose: "Devam",
  chooseProblem: {
    taken: "Bu tutar için orada şu anda boş yer yok. Başka bir ağ seçin veya bir dakika sonra yeniden deneyin.",
    closed: "Bu seçenek şu anda kullanılamıyor. Başka birini seçin veya bir dakika sonra yeniden deneyin.",
    unrated: "Bu fiyatın karşılığı şu anda hesaplanamıyor. Bir dakika sonra yeniden deneyin.",
    enough: "Bu sipariş için zaten beş ödeme yolu sunuldu. Bunlardan biriyle ödeyin.",
    often: "Çok sık yeniden seçim yapıldı. Bir dakika sonra yeniden deneyin.",
  },
  chooseExpiredLead: "Zamanında seçim yapılmadı. **Hiçbir şey göndermeyin:** bu teklif sona erdi.",
  chooseCancelledLead: (merchant) => `${merchant} bu siparişi iptal etti. **Hiçbir şey göndermeyin.**`,

  waitingStatus: "Ödeme bekleniyor",
  waitingTitle: (currency, network) => `${network} ağında ${currency} gönderin`,
  underpaidStatus: "Ödemenin bir kısmı geldi",
  underpaidTitle: (currency, network) => `${network} ağında kalan ${currency} tutarını gönderin`,
  underpaidLead: (arrived, due) =>
    `${due} tutarının **${arrived}** kadarı geldi. Süre dolmadan kalanını aynı adrese gönderin.`,
  partialTitle: "Ödemenin bir kısmı geldi",
  partialLead: (merchant, arrived, due) =>
    `${merchant}, ${due} tutarının **${arrived}** kadarını saydı. **Kalanını kendiliğinizden göndermeyin.**`,

  elsewhereNetworkTitle: "Başka bir ağda ödendi",
  elsewhereCurrencyTitle: "Başka bir para biriminde ödendi",
  elsewhereLead: (arrived, network, currency, due) =>
    `**${network}** ağında **${arrived}** geldi. Bu sipariş ${due} ağında ${currency} istiyor; bu yüzden ödeme kendiliğinden sayılmaz.`,
  lookAlikeTitle: "Başka bir token ile ödendi",
  bridged: (currency) => `köprülenmiş ${currency}`,
  discontinued: (currency) => `kullanımdan kaldırılmış ${currency}`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `**${network}** ağında **${arrived}** gönderdiniz. Cüzdanlar bunu ${symbol} olarak gösterir, ama bu siparişin istediği ${currency} değil, başka bir tokendir (${contract}); siparişi ödemez.`,
  lookAlikeSeen: (merchant) => `**Ödeme ${merchant} adresine ulaştı.** Satıcı bunu bu siparişin yanında görüyor.`,
  elsewhereSeen: (merchant) =>
    `**Ödeme ${merchant} adresine ulaştı.** Satıcı bunu bu siparişin yanında görüyor ve kabul edebilir.`,
  elsewhereContact: (merchant) =>
    `**${merchant} ile iletişime geçin** ve aşağıdaki işlem kimliğini verin. Ne olacağına satıcı karar verir.`,
  keepId: (merchant: string) =>
    `**Aşağıdaki işlem kimliğini saklayın.** ${merchant} bu ödemeyi siparişin yanında görür ve ne yapılacağına karar verir.`,
  contactAsk: (merchant: string) => `Sorularınız varsa ${merchant} ile iletişime geçin.`,
  sentKeepId: "**Zaten gönderdiniz mi?** Cüzdanınızdaki veya borsanızdaki işlem kimliğini saklayın.",
  paymentSeen: (merchant: string) => `${merchant} ödemenizi görebilir.`,
  elsewhereAgain: (merchant) => `**Yeniden ödemeyin;** yalnızca ${merchant} isterse ödeyin.`,
  elsewherePay: "Bu siparişi yine de yeniden öde",
  elsewherePayNote: (merchant) =>
    `Yalnızca ${merchant} sizden istediyse: şimdi göndereceğiniz, önceden gönderdiğinize eklenir.`,
  otherAmountTitle: "Farklı bir tutar ulaştı",
  otherAmountShort: (arrived, due, off) => `${due} yerine **${arrived}** ulaştı: **${off} eksik.**`,
  otherAmountOver: (arrived, due, off) => `${due} yerine **${arrived}** ulaştı: **${off} fazla.**`,
  notMine: "Bu ödeme bana ait değil",
  alsoArrived: (arrived, network, merchant) =>
    `**${network}** ağında ayrıca **${arrived}** geldi; orada bu sipariş için sayılmaz. ${merchant} bunu görüyor. Yeniden göndermeyin.`,
  transactionOn: (network) => `${network} üzerindeki işlem`,

  sourceTitle: "Paranız nerede?",
  sourceExchange: "Borsa hesabı",
  sourceWallet: "Cüzdan uygulaması",
  sourceOther: "Başka bir borsa",
  exchangeNetwork: (exchange: string) => `${exchange} ağ adı`,
  exchangeFee: (fee: string) => `ücret yaklaşık ${fee}`,
  exchangeMinimum: (minimum: string) => `en az yaklaşık ${minimum}`,
  exchangeTooSmall: (exchange: string, minimum: string) =>
    `**${exchange} burada en az yaklaşık ${minimum} gönderir;** bu, siparişten fazladır. Başka bir ağ veya cüzdan seçin.`,
  exchangeUnlisted: (exchange: string, currency: string) =>
    `${exchange}, ${currency} birimini bu ağda göndermiyor olabilir. Önce çekim formuna bakın.`,
  exchangeSlow: "**Çekimler birkaç dakika sürebilir.** Memo veya etiket gerekmez.",
  amountLabel: "Tutar",
  receivedLabel: "Ulaşması gereken tutar",
  remainingLabel: "Kalan tutar",
  addressLabel: "Bu adrese",
  copyAmount: "Tutarı kopyala",
  copyAddress: "Adresi kopyala",
  copied: "Kopyalandı",
  amountCopied: "Tutar kopyalandı",
  addressCopied: "Adres kopyalandı",
  copyFailed: "Kopyalanamadı. Metni seçip elle kopyalayın.",

  tailNote: (digits) =>
    `Son basamaklar, **${digits}**, yalnızca sizin siparişinize aittir. Onları da yazın, yuvarlamayın.`,
  exactNote: (amount) =>
    `**Tam olarak ${amount} gönderin.** Ödemeniz bu kesin tutardan tanınır. Başka bir tutar siparişinizle eşleştirilemez.`,
  sumNote: (amount) =>
    `**${amount} gönderin ya da borsanızın ücretinden sonra ne kalıyorsa o kadarını.** Bu adres yalnızca sizin siparişinize ait; gelen her tutar sayılır.`,
  restNote:
    "**Ücret yüzünden daha azı mı geldi?** Bu sayfa o zaman kalanını ister. Daha fazlası gelirse burada fazla ödeme olarak görünür.",
  exchangeNote: (amount) =>
    `**Bir borsadan mı ödüyorsunuz?** Ulaşan tutarın tam ${amount} olduğunu kontrol edin: bazı borsalar ücreti yazdığınız tutardan keser, bazıları üzerine ekler.`,
  onlyNote: (currency, network) =>
    `**Yalnızca ${network} ağında ${currency}.** Bu adrese gönderilen başka her şey siparişi ödemez ve kaybolabilir.`,

  sameTokenNote: (currency, shown) =>
    `Bazı cüzdanlar bu ${currency} birimini **${shown}** olarak gösterir. İkisi aynıdır.`,
  lookAlikeNote: (name, symbol, contract) =>
    `**${name} değil** (${contract}): cüzdanlar bunu ${symbol} olarak gösterir, ama başka bir tokendir ve ödemez.`,

  qrLegend: "QR kodun içeriği",
  qrAddress: "Adres",
  qrWallet: "Cüzdan",
  qrAddressCaption: "Yalnızca adres; her cüzdan ve borsa için. Tutarı kendiniz yazın.",
  qrWalletCaption: "Adres ve tutar; ödeme isteklerini okuyan cüzdanlar için. Göndermeden önce ikisini de kontrol edin.",
  qrAddressAlt: (address) => `${address} adresinin QR kodu`,
  qrWalletAlt: (amount, address) => `${address} adresine ${amount} isteğinin QR kodu`,

  showQr: "QR kodunu göster",
  walletOpen: "Cüzdanda aç",
  walletPay: "Cüzdanla öde",
  walletUnloaded: "Yüklenemedi. Sayfayı yenileyin.",
  walletChoose: "Cüzdanınızı seçin",
  walletConnect: "Cüzdanınızı açın ve bu sayfanın hesabınızı görmesine izin verin.",
  walletConfirm: (amount, network) =>
    `Cüzdanınızdaki tutarı ve adresi karşılaştırıp orada onaylayın: ${network} ağında ${amount}.`,
  walletSent: (network) => `Cüzdanınız gönderdi. Bu sayfa, ${network} ağında görünmesini bekliyor.`,
  walletNothing: "Hiçbir şey gönderilmedi.",
  walletRejected: "Cüzdanınızda reddettiniz.",
  walletBusy: "Cüzdanınız hâlâ yanıtınızı bekliyor. Açın ve yeniden deneyin.",
  walletNetwork: (network) => `Cüzdanınız ${network} ağında değil. O ağa geçip yeniden deneyin.`,
  walletAccount: (network) => `Bu hesap ${network} ağında ödeme yapamaz. Cüzdanınızda başka bir hesap seçin.`,
  walletFunds: (amount) => `Bu hesapta ${amount} ve ağ ücreti yok.`,
  walletChanged: "Ödenecek olan bu arada değişti. Ödemeden önce bu sayfaya yeniden bakın.",
  walletAgain: "Bu, bu tarayıcıdan zaten gönderildi. Burada görünmesini bekleyin.",
  walletAway: "Şu anda mümkün değil. Biraz sonra yeniden deneyin.",
  walletFailed: "Cüzdanınız bir sorun bildirdi.",
  walletLook: "Yeniden denemeden önce bir şey gönderilip gönderilmediğine orada bakın.",

  contractSummary: (currency, network) => `${network} üzerindeki ${currency} token adresi`,
  contractNote: "Cüzdanınızdaki token ile karşılaştırın.",
  viewOn: (explorer) => `${explorer} üzerinde gör`,
  opensNewTab: "(yeni sekmede açılır)",

  timeLeft: (clock) => `Kalan süre ${clock}`,
  payBefore: (time) => `Son ödeme zamanı: ${time}`,
  timeLeftSpoken: (minutes) => `Ödemek için kalan süre: ${unit(minutes, "minute")}`,

  chooseTime: (time) => `Kesinleşme süresi: ${time}`,
  chooseFeeUnder: (to) => `ağ ücreti genellikle ${to} USD altında`,
  chooseFeeAbout: (from, to) => `ağ ücreti yaklaşık ${from} ile ${to} USD arası`,
  chooseRecommended: "Önerilen",
  chooseAmount: (amount: string) => `yaklaşık ${amount}`,
  chooseShown: "Şu anki seçim",
  chooseQuoted: (amount) => `${amount}, daha önce sunuldu`,
  chooseNote: "Süreler ve ücretler olağan değerlerdir, söz değildir. Borsa ayrıca kendi ücretini alır.",
  switchLink: "Başka yolla öde",
  switchTitle: "Başka bir yolla öde",
  switchStatus: "Yeniden seçin",
  switchLead: (amount, network) =>
    `Şu an istenen: **${network}** ağında **${amount}**. Burada ne seçerseniz seçin, bu ödenebilir kalır. **Zaten gönderdiyseniz hiçbir şey seçmeyin:** ödemeniz sayılır.`,
  switchBack: "Hiçbir şeyi değiştirmeden geri dön",
  otherOffer: (amount, network) =>
    `**${network} ağında ${amount} zaten gönderdiniz mi?** Ödemeniz sayılır ve burada görünür. İki kez ödemeyin.`,
  paidOn: (network) => `Ödeme, sunulan yollardan biri olan **${network}** ağında yapıldı.`,
  moreTime: "Daha fazla süreye ihtiyacım var",
  moreTimeNote: (minutes, left) => `${minutes} dk ekler. Kalan hak: ${left}.`,
  paidLink: "Ödedim",
  paidLabel: "İşlem kimliği",
  paidHint: (networks) =>
    `Cüzdanınızdan veya borsanızdan, şu ağlarda: ${networks}. Yalnızca işleme ne olduğunu gösterir.`,
  paidLook: "Ara",
  paidNoId: (networks) =>
    `Bu bir işlem kimliği değil (${networks}). Kimliğin tamamını cüzdanınızdan veya borsanızdan kopyalayın.`,
  paidOften: "Bu çok sık soruldu. Bir dakika sonra yeniden deneyin.",
  lookupAsking: (id, network) => `${id}, ${network} ağında aranıyor …`,
  lookupSilent: (network) =>
    `**${network} ağının hiçbir düğümü yanıt vermedi.** Bu, ödemeniz hakkında bir şey söylemez. Bir dakika sonra yeniden sorun.`,
  lookupAbsent: (id, network) =>
    `**${id} henüz ${network} ağında görünmüyor.** Birkaç dakika sürebilir. Gerçekten gönderildiğini ve ${network} ağında gönderildiğini cüzdanınızdan kontrol edin.`,
  lookupFailed: (id) =>
    `**${id} zincirde başarısız oldu;** bu yüzden hiçbir şey gönderilmedi. Nedenini cüzdanınız gösterir.`,
  lookupNothing: (id) =>
    `**${id} bu siparişin adresine hiçbir şey göndermedi.** Cüzdanınızdaki adresi buradakiyle karşılaştırın.`,
  lookupEarly: (id) => `**${id} bu siparişten önce yapıldı;** bu yüzden onu ödeyemez.`,
  lookupOtherOrder: (id) => `**${id} başka bir siparişe ait;** bu yüzden bu siparişi ödemez.`,
  lookupKept: (id, merchant) =>
    `**${id}, ${merchant} adresine ulaştı ama bu siparişi kendiliğinden ödemez.** Yeniden ödemeyin.`,
  lookupFound: (id) => `**${id} bulundu.** Ağ onayladığında sayılır ve bu sayfa bunu gösterir.`,
  lookupCounted: (id) => `**${id} sayıldı:** ulaştı ve onaylandı. Bu sipariş henüz ödenmediyse kalan tutar eksiktir.`,
  lookupWrongToken: (id, token) => `**${id} ile gönderilen: ${token}.** Bu sipariş bunu istemiyor.`,
  lookupUnknownToken: "burada bilinmeyen bir token",
  lookupWrongNetwork: (id, network) => `**${id}, ${network} ağında gönderildi;** bu sipariş orada ödenemez.`,
  lookupShort: (id, arrived, due) =>
    `**${id} ile ${due} yerine ${arrived} geldi.** Bir ücret kesilmiş olabilir. Kendiliğinden eşleştirilemez.`,
  lookupOver: (id, arrived, due) => `**${id} ile ${due} yerine ${arrived} geldi.** Kendiliğinden eşleştirilemez.`,

  sandboxNote: "Bu bir deneme ortamıdır: para, kendine ait bir zincirdeki oyun parasıdır.",
  sandboxPay: "Deneme cüzdanından öde",
  sandboxPaying: "Gönderiliyor…",
  sandboxSent: "Deneme cüzdanından gönderildi",
  sandboxFailed: "Deneme cüzdanı ödeyemedi. Yeniden deneyin.",

  stepsLabel: "İlerleme",
  stepSeen: "Görüldü",
  stepConfirming: "Onaylanıyor",
  stepPaid: "Ödendi",
  seenTitle: "Ödeme görüldü",
  seenLead: (amount, network) =>
    `**${amount}** adrese ulaştı. ${network} şimdi onaylıyor. Yapmanız gereken başka bir şey yok.`,
  confirmingTitle: "Ödemeniz onaylanıyor",
  confirmingLead: (amount, network) =>
    `**${amount}** geldi. ${network} birkaç blok içinde bunu kesinleştirir. Yapmanız gereken başka bir şey yok.`,
  lateTitle: "Geç gelen ödeme bulundu",
  lateLead: (amount) =>
    `**${amount}** süre dolduktan sonra geldi. Ödemeyi bulduk, şimdi onaylanıyor. Yeniden göndermeyin.`,
  confirmations: (count, required) => `${count} / ${required} onay`,
  almostThere: "neredeyse tamam",
  aboutSeconds: (seconds) => `yaklaşık ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => `yaklaşık ${unit(minutes, "minute")}`,
  mayClose: "Bu sayfayı kapatabilirsiniz; ödeme onsuz da sürer.",

  checkingTitle: "Ödemeniz aranıyor",
  checkingLead: (network) =>
    `Süre doldu. **Şimdi hiçbir şey göndermeyin.** ${network} ağının son bloklarını okuyoruz; önceden gönderdiğiniz ödeme burada görünecek.`,

  paidTitle: "Ödeme tamamlandı",
  paidLead: (merchant, amount) => `${merchant} **${amount}** aldı.`,
  paidByHandLead: (merchant, due) => `${merchant}, **${due}** tutarındaki bu siparişi ödendi olarak işaretledi.`,
  paidLateLead: (merchant, amount) => `${merchant} **${amount}** aldı. Ödeme süre dolduktan sonra geldi.`,
  overpaidTitle: "Ödendi; istenenden fazla",
  overpaidLead: (merchant, arrived, surplus) =>
    `${merchant} **${arrived}** aldı; bu, istenenden **${surplus}** fazladır. Sipariş ödendi.`,

  expiredTitle: "Süre doldu",
  expiredLead: "Hiçbir şey gelmedi. **Şimdi göndermeyin:** bu teklif sona erdi.",
  expiredPartLead: (arrived, due) =>
    `${due} tutarının yalnızca **${arrived}** kadarı geldi. **Şimdi göndermeyin:** bu teklif sona erdi.`,
  expiredWatched: (hours) =>
    `**Zaten gönderdiniz mi?** Bu sayfayı açık tutun. Ödemenizi ${unit(hours, "hour")} daha arıyoruz; geldiğinde sayılır.`,
  expiredUnwatched: (merchant) =>
    `**Zaten gönderdiniz mi?** ${merchant} ile iletişime geçin ve cüzdanınızdaki işlem kimliğini verin.`,
  expiredAgain: (merchant) => `Şimdi ödemek için ${merchant} sitesinde yeniden başlayın.`,
  expiredPartAgain: (merchant) => `Gönderdiğiniz tutar için ${merchant} ile iletişime geçin; satıcı da görüyor.`,

  cancelledTitle: "Sipariş iptal edildi",
  cancelledLead: (merchant) => `${merchant} bu siparişi iptal etti. **Hiçbir şey göndermeyin.**`,

  delayed: (network) =>
    `**Şu anda ${network} ağını gecikmeli görüyoruz.** Gönderdiğiniz ödeme güvendedir ve yetişir yetişmez burada görünür. İki kez göndermeyin.`,

  refundTitle: "Para iadenizi talep edin",
  refundStatus: "Adresiniz bekleniyor",
  refundLead: (merchant, amount) => `${merchant} size **${amount}** iade ediyor. İadenin gönderileceği adresi yazın.`,
  refundReason: "İade nedeni",
  refundReopened: (merchant) => `**${merchant} başka bir adres istiyor.**`,
  refundMessage: (merchant) => `${merchant} satıcısından mesaj`,
  refundNetwork: "Ağ",
  refundPaidOn: "Bu ağda ödediniz",
  refundAddress: "Bu ağdaki adresiniz",
  refundAddressHint: "Size ait bir cüzdanın veya hesabın adresi. Gönderilen iade geri alınamaz.",
  refundExchange: (currency) =>
    `**Bu bir borsa adresi mi?** Borsa, seçilen ağda bu adrese ${currency} yatırılmasını kabul etmelidir.`,
  refundConfirm: (count) => `Adresin son ${count} karakteri`,
  refundConfirmHint: "Cüzdanınıza veya borsanıza bakarak yazın. Bunlar, adresin tamamının kopyalandığını gösterir.",
  refundOrderNumber: "Sipariş numarası",
  refundOrderNumberHint: (merchant) => `${merchant} tarafından gönderilen onayda yazar`,
  refundEmail: "E-posta adresi",
  refundEmailHint: (merchant) => `${merchant} sitesinde verdiğiniz adres`,
  refundSubmit: "İade talep et",
  refundExpires: "Bağlantının bitiş zamanı",
  refundProblem: {
    used: "Bu iade zaten talep edildi.",
    often: "Çok fazla deneme yapıldı. Birkaç dakika sonra yeniden deneyin.",
    network: "Bu ağlardan birini seçin.",
    address: (network) => `Bu, ${network} ağında geçerli bir adres değil. Adresin tamamını kopyalayın.`,
    token: "Bu, bir cüzdanın değil, tokenin kendisinin adresi. Kendi adresinizi yazın.",
    shop: "Bu adres mağazaya ait. Kendi adresinizi yazın.",
    confirmation: "Bunlar adresin son karakterleri değil. İkisini karşılaştırıp yeniden deneyin.",
    number: "Bu, siparişin numarası değil.",
    email: "Bu, siparişin e-posta adresi değil.",
  },
  refundClaimedTitle: "Adres alındı",
  refundClaimedLead: (merchant) =>
    `${merchant} talebinizi kontrol eder, ardından iadeyi gönderir. İade yola çıkınca bu sayfa bunu kendiliğinden gösterir.`,
  refundApprovedTitle: "İade kabul edildi",
  refundApprovedLead: (merchant, amount, network) =>
    `${merchant}, **${network}** ağında adresinize **${amount}** gönderecek. İade yola çıkınca bu sayfa bunu kendiliğinden gösterir.`,
  refundSentTitle: "İade yolda",
  refundSentLead: (amount, network) => `**${amount}** adresinize gönderildi. ${network} şimdi onaylıyor.`,
  refundCompletedTitle: "İade tamamlandı",
  refundCompletedLead: (amount, network) => `**${amount}**, **${network}** ağında adresinize ulaştı.`,
  refundCancelledTitle: "İade iptal edildi",
  refundCancelledLead: (merchant) => `${merchant} bu iadeyi iptal etti.`,
  refundExpiredTitle: "Bağlantının süresi doldu",
  refundExpiredLead: (merchant) =>
    `Bu iade zamanında talep edilmedi. Yeni bir bağlantı için ${merchant} ile iletişime geçin.`,
  refundNoneLead: "Bu bağlantının arkasında iade yok. Bağlantının tamamının kopyalandığını kontrol edin.",

  linkTitle: (merchant) => `${merchant} için ödeme`,
  linkSubmit: "Ödemeye devam et",
  linkOptional: "isteğe bağlı",
  linkContinue: "Başlattığınız ödemeye devam edin",
  linkBetween: (min, max) => `${min} ile ${max} arasında`,
  linkAtLeast: (min) => `En az ${min}`,
  linkAtMost: (max) => `En fazla ${max}`,
  linkProblem: {
    amount: "Bir tutar girin, örneğin 25.00.",
    often: "Ağınızdan çok fazla ödeme başlatıldı. Birkaç dakika sonra yeniden deneyin.",
    away: "Ödeme şu anda başlatılamıyor. Bir dakika sonra yeniden deneyin.",
    note: "Not çok uzun veya izin verilmeyen karakterler içeriyor.",
  },
  linkAwayLead: "Mağaza şu anda ödeme alamıyor. Daha sonra yeniden deneyin.",
  linkUsedTitle: "Bu ödeme bağlantısı zaten kullanıldı",
  linkUsedLead: (merchant) =>
    `${merchant} bu bağlantıyla başka ödeme almıyor. Başka bir ödeme zamanında tamamlanmazsa bağlantı yeniden kullanılabilir.`,
  linkEndedTitle: "Bu ödeme bağlantısı sona erdi",
  linkEndedLead: (merchant) =>
    `${merchant} bu bağlantıyla artık ödeme almıyor. Hâlâ ödemek istiyorsanız yeni bir bağlantı isteyin.`,
  linkNoneLead: "Bu adreste ödeme bağlantısı yok. Adresi kontrol edin veya mağazaya ulaşın.",

  detailsHeading: "Ayrıntılar",
  merchant: "Satıcı",
  price: "Fiyat",
  subject: "Konu",
  amountOrdered: "İstenen",
  amountReceived: "Gelen",
  network: "Ağ",
  address: "Adres",
  transaction: "İşlem",
  paidAt: "Ödeme zamanı",
  expiredAt: "Bitiş zamanı",
  reference: "Referans",

  returnTo: (merchant) => `${merchant} sitesine dön`,
  returning: (seconds) => `${seconds} sn içinde geri dönülüyor.`,
  returnStay: "Bu sayfada kal",
  returnStayed: "Bu sayfada kalıyorsunuz",
  printReceipt: "Makbuzu yazdır",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `Ödemeniz doğrudan ${merchant} cüzdanına gider.`,
  support: (merchant) => `${merchant} ile iletişime geçin`,
  close: "Kapat",
  poweredBy: "Stablegate",
  offline: "Çevrimdışısınız. Bağlantı geri gelince bu sayfa kendiliğinden devam eder.",

  notFoundTitle: "Bu ödeme bağlantısı bir yere gitmiyor",
  notFoundLead:
    "Bu bağlantının arkasında sipariş yok. Adresin tamamının kopyalandığını kontrol edin veya mağazaya dönüp ödemeye yeniden başlayın. **Para göndermeyin.**",
  refusedTitle: "Bu ödeme başlatılamadı",
  refusedLead: "Mağaza geçersiz bir ödeme isteği gönderdi. Mağazaya dönün ve yeniden deneyin. **Para göndermeyin.**",
  notNowLead: "Şu anda ödeme başlatılamıyor. Mağazaya dönün ve bir dakika sonra yeniden deneyin. **Para göndermeyin.**",
  tamperedTitle: "Bunu ödemeyin",
  tamperedLead:
    "Bu siparişin adresi oluşturulduktan sonra değiştirildi ve bunu mağaza yapmadı. **Para göndermeyin.** Zaten gönderdiyseniz cüzdanınızdaki işlem kimliğini saklayın.",
  closedTitle: "Şu anda ödeme yapılamıyor",
  closedLead:
    "Mağaza şu anda bu ödemeyi alamıyor. Mağazaya dönüp başka bir ödeme yöntemi seçin veya daha sonra yeniden deneyin. **Para göndermeyin.**",
  otherWay: "Mağazaya dönüp başka bir ödeme yöntemi de seçebilirsiniz.",
  alreadyPaidTitle: "Bu sipariş zaten ödendi",
  alreadyPaidLead: "Mağazaya dönün. **Yeniden ödeme yapmayın.**",
  depositStatus: "Yatırma adresiniz",
  depositLead: (merchant) =>
    `${merchant} nezdindeki bu adres yalnızca size aittir. **İstediğiniz tutarı, istediğiniz kadar sık gönderin:** süresi dolmaz.`,
  depositOnly: (currencies, network) =>
    `**Yalnızca ${network} ağında ${currencies}.** Bu adrese gönderilen başka her şey hesabınıza geçmez ve kaybolabilir.`,
  depositArrived: "Bu adrese gelenler",
  depositNothing: "Henüz bir şey gelmedi. Gönderdiğiniz burada kendiliğinden görünür.",
  depositConfirmed: "Onaylandı",
  depositReversed: "Ağ tarafından geri alındı",
  depositLatest: (count) => `Son ${count} işlem gösteriliyor.`,
  depositClosedTitle: "Bu adres şu anda kullanılmıyor",
  depositClosedLead: (merchant) =>
    `${merchant} onu duraklattı. **Hiçbir şey göndermeyin.** Daha önce gönderdiğiniz kaybolmadı, burada görünür.`,
  depositBrokenTitle: "Bu adres gösterilemiyor",
  depositBrokenLead: (merchant) =>
    `Kayıtlı bilgi denetimimizden geçmedi ve başkası tarafından değiştirilmiş olabilir. **Hiçbir şey göndermeyin.** ${merchant} ile iletişime geçin, bunu inceletebilir.`,
  depositNoneLead:
    "Bu bağlantının arkasında adres yok. Bağlantının tamamının kopyalandığını kontrol edin veya aldığınız yerden yeniden isteyin. **Para göndermeyin.**",
  busyTitle: "Çok fazla görüntüleme",
  busyLead:
    "Bu sayfa internet adresinizden çok sık açıldı. Birazdan kendiliğinden yeniden dener. Önceden gönderdiğiniz ödeme kaybolmaz.",
  awayTitle: "Hemen dönüyoruz",
  awayLead:
    "Ödeme sayfası şu anda gösterilemiyor. Birkaç saniyede bir kendiliğinden yeniden dener. Önceden gönderdiğiniz ödeme kaybolmaz.",
};
