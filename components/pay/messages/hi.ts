import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { unit } = counting("hi");

/** Hindi. */
export const hi: Messages = {
  lang: "hi",
  dir: "ltr",
  name: "हिन्दी",
  chooseLanguage: "भाषा",

  chooseTitle: "आप कैसे भुगतान करना चाहते हैं?",
  chooseStatus: "आपके चुनने का इंतज़ार है",
  chooseLead: (merchant, asked) =>
    `विक्रेता ${merchant} को **${asked}** चाहिए। वह नेटवर्क चुनें जिस पर आपका वॉलेट या एक्सचेंज भेजता है। क्या और कहाँ भेजना है, यह अगले चरण में दिखेगा।`,
  chooseNone: (merchant) =>
    `विक्रेता ${merchant} को अभी भुगतान नहीं किया जा सकता। यह पेज अपने आप फिर से देखेगा। **कुछ भी न भेजें।**`,
  chooseLegend: "मुद्रा और नेटवर्क",
  choose: "आगे बढ़ें",
  chooseProblem: {
    taken: "इस राशि के लिए वहाँ अभी कोई जगह खाली नहीं है। दूसरा नेटवर्क चुनें, या एक मिनट बाद फिर कोशिश करें।",
    closed: "इस विकल्प का अभी उपयोग नहीं हो सकता। दूसरा चुनें, या एक मिनट बाद फिर कोशिश करें।",
    unrated: "अभी यह नहीं बताया जा सकता कि यह कीमत कितनी राशि बनती है। एक मिनट बाद फिर कोशिश करें।",
    enough: "इस ऑर्डर के लिए पहले ही पाँच तरीके दिए जा चुके हैं। उनमें से किसी एक से भुगतान करें।",
    often: "बहुत बार दोबारा चुना गया। एक मिनट बाद फिर कोशिश करें।",
  },
  chooseExpiredLead: "समय रहते कुछ नहीं चुना गया। **कुछ भी न भेजें:** यह ऑफ़र समाप्त हो गया है।",
  chooseCancelledLead: (merchant) => `विक्रेता ${merchant} ने यह ऑर्डर रद्द कर दिया है। **कुछ भी न भेजें।**`,

  waitingStatus: "भुगतान का इंतज़ार है",
  waitingTitle: (currency, network) => `${network} पर ${currency} भेजें`,
  underpaidStatus: "भुगतान का एक हिस्सा मिला",
  underpaidTitle: (currency, network) => `${network} पर बाकी ${currency} भेजें`,
  underpaidLead: (arrived, due) => `${due} में से **${arrived}** मिले। समय समाप्त होने से पहले बाकी राशि उसी पते पर भेजें।`,
  partialTitle: "भुगतान का एक हिस्सा मिला",
  partialLead: (merchant, arrived, due) =>
    `विक्रेता ${merchant} ने ${due} में से **${arrived}** गिने हैं। **बाकी राशि अपनी मर्ज़ी से न भेजें।**`,

  elsewhereNetworkTitle: "दूसरे नेटवर्क पर भुगतान हुआ",
  elsewhereCurrencyTitle: "दूसरी मुद्रा में भुगतान हुआ",
  elsewhereLead: (arrived, network, currency, due) =>
    `**${network}** पर **${arrived}** मिले। इस ऑर्डर के लिए ${due} पर ${currency} चाहिए, इसलिए यह भुगतान अपने आप नहीं गिना जाता।`,
  lookAlikeTitle: "दूसरे टोकन से भुगतान हुआ",
  bridged: (currency) => `ब्रिज किया हुआ ${currency}`,
  discontinued: (currency) => `बंद हो चुका ${currency}`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `आपने **${network}** पर **${arrived}** भेजे। वॉलेट इसे ${symbol} के रूप में दिखाते हैं, लेकिन यह दूसरा टोकन है (${contract}), वह ${currency} नहीं जो इस ऑर्डर के लिए चाहिए। इसलिए इससे ऑर्डर का भुगतान नहीं होता।`,
  lookAlikeSeen: (merchant) => `**यह विक्रेता ${merchant} के एक पते पर पहुँच गया है।** विक्रेता इसे इस ऑर्डर के साथ देख सकता है।`,
  elsewhereSeen: (merchant) =>
    `**यह विक्रेता ${merchant} के एक पते पर पहुँच गया है।** विक्रेता इसे इस ऑर्डर के साथ देख सकता है और स्वीकार कर सकता है।`,
  elsewhereContact: (merchant) =>
    `**विक्रेता ${merchant} से संपर्क करें** और नीचे दी गई ट्रांज़ैक्शन ID बताएँ। इसका क्या होगा, यह विक्रेता तय करता है।`,
  keepId: (merchant: string) =>
    `**नीचे दी गई ट्रांज़ैक्शन ID संभालकर रखें।** ${merchant} इस भुगतान को ऑर्डर के साथ देखता है और तय करेगा कि क्या करना है।`,
  contactAsk: (merchant: string) => `कोई सवाल हो तो ${merchant} से संपर्क करें।`,
  sentKeepId: "**पहले ही भेज दिया?** अपने वॉलेट या एक्सचेंज की ट्रांज़ैक्शन ID संभालकर रखें।",
  paymentSeen: (merchant: string) => `${merchant} आपका भुगतान देख सकता है।`,
  elsewhereAgain: (merchant) => `**दोबारा भुगतान न करें,** जब तक विक्रेता ${merchant} आपसे ऐसा करने को न कहे।`,
  elsewherePay: "फिर भी इस ऑर्डर का दोबारा भुगतान करें",
  elsewherePayNote: (merchant) =>
    `केवल तभी, जब विक्रेता ${merchant} ने आपसे कहा हो: अभी जो भेजेंगे, वह पहले भेजी गई राशि के अलावा होगा।`,
  otherAmountTitle: "अलग राशि पहुँची",
  otherAmountShort: (arrived, due, off) => `${due} की जगह **${arrived}** पहुँचे: **${off} कम हैं।**`,
  otherAmountOver: (arrived, due, off) => `${due} की जगह **${arrived}** पहुँचे: **${off} ज़्यादा हैं।**`,
  notMine: "यह मेरा भुगतान नहीं है",
  alsoArrived: (arrived, network, merchant) =>
    `**${network}** पर भी **${arrived}** मिले, जहाँ वे इस ऑर्डर के लिए नहीं गिने जाते। विक्रेता ${merchant} इसे देख सकता है। दोबारा न भेजें।`,
  transactionOn: (network) => `${network} पर ट्रांज़ैक्शन`,

  sourceTitle: "आपके पैसे कहाँ हैं?",
  sourceExchange: "एक्सचेंज खाता",
  sourceWallet: "वॉलेट ऐप",
  sourceOther: "कोई और एक्सचेंज",
  exchangeNetwork: (exchange: string) => `${exchange} पर नेटवर्क`,
  exchangeFee: (fee: string) => `शुल्क लगभग ${fee}`,
  exchangeMinimum: (minimum: string) => `न्यूनतम लगभग ${minimum}`,
  exchangeTooSmall: (exchange: string, minimum: string) =>
    `**${exchange} यहाँ कम से कम लगभग ${minimum} भेजता है,** जो इस ऑर्डर से ज़्यादा है। दूसरा नेटवर्क या वॉलेट चुनें।`,
  exchangeUnlisted: (exchange: string, currency: string) =>
    `${exchange} शायद इस नेटवर्क पर ${currency} नहीं भेजता। पहले उसका निकासी फ़ॉर्म देखें।`,
  exchangeSlow: "**निकासी में कई मिनट लग सकते हैं।** Memo या Tag की ज़रूरत नहीं है।",
  amountLabel: "राशि",
  receivedLabel: "जो राशि पहुँचनी चाहिए",
  remainingLabel: "बाकी राशि",
  addressLabel: "इस पते पर",
  copyAmount: "राशि कॉपी करें",
  copyAddress: "पता कॉपी करें",
  copied: "कॉपी हो गया",
  amountCopied: "राशि कॉपी हो गई",
  addressCopied: "पता कॉपी हो गया",
  copyFailed: "कॉपी नहीं हो सका। टेक्स्ट चुनकर खुद कॉपी करें।",

  tailNote: (digits) => `आख़िरी अंक, **${digits}**, सिर्फ़ आपके ऑर्डर के हैं। इन्हें भी लिखें और राशि को पूर्णांकित न करें।`,
  exactNote: (amount) =>
    `**ठीक ${amount} भेजें।** आपका भुगतान इसी सटीक राशि से पहचाना जाता है। किसी और राशि को आपके ऑर्डर से नहीं जोड़ा जा सकता।`,
  sumNote: (amount) =>
    `**${amount} भेजें, या एक्सचेंज के शुल्क के बाद जितना बचे।** यह पता केवल आपके ऑर्डर के लिए है, इसलिए जो भी पहुँचेगा वह गिना जाएगा।`,
  restNote: "**शुल्क के कारण कम पहुँचा?** तब यह पेज बाकी राशि माँगेगा। अगर ज़्यादा पहुँचा, तो वह यहाँ अधिक भुगतान के रूप में दिखेगा।",
  exchangeNote: (amount) =>
    `**एक्सचेंज से भुगतान कर रहे हैं?** जाँच लें कि पहुँचने वाली राशि ठीक ${amount} हो: कुछ एक्सचेंज शुल्क आपकी लिखी राशि से काटते हैं, कुछ उसमें जोड़ते हैं।`,
  onlyNote: (currency, network) =>
    `**केवल ${network} पर ${currency}।** इस पते पर कुछ और भेजने से ऑर्डर का भुगतान नहीं होगा और वह खो सकता है।`,

  sameTokenNote: (currency, shown) => `कुछ वॉलेट इस ${currency} को **${shown}** के रूप में दिखाते हैं। दोनों एक ही हैं।`,
  lookAlikeNote: (name, symbol, contract) =>
    `**${name} नहीं** (${contract}): वॉलेट इसे ${symbol} के रूप में दिखाते हैं, लेकिन यह दूसरा टोकन है और इससे भुगतान नहीं होता।`,

  qrLegend: "QR कोड में क्या है",
  qrAddress: "पता",
  qrWallet: "वॉलेट",
  qrAddressCaption: "केवल पता, किसी भी वॉलेट या एक्सचेंज के लिए। राशि खुद लिखें।",
  qrWalletCaption: "पता और राशि, उन वॉलेट के लिए जो भुगतान अनुरोध पढ़ते हैं। भेजने से पहले दोनों जाँच लें।",
  qrAddressAlt: (address) => `पते ${address} का QR कोड`,
  qrWalletAlt: (amount, address) => `${address} पर ${amount} के भुगतान अनुरोध का QR कोड`,

  showQr: "QR कोड दिखाएँ",
  walletOpen: "वॉलेट में खोलें",
  walletPay: "वॉलेट से भुगतान करें",
  walletUnloaded: "यह लोड नहीं हो सका। पेज को फिर से लोड करें।",
  walletChoose: "अपना वॉलेट चुनें",
  walletConnect: "अपना वॉलेट खोलें और इस पेज को अपना खाता देखने दें।",
  walletConfirm: (amount, network) => `अपने वॉलेट में राशि और पता मिलाएँ, फिर वहीं पुष्टि करें: ${network} पर ${amount}।`,
  walletSent: (network) => `आपके वॉलेट ने भेज दिया है। यह पेज ${network} पर दिखने तक प्रतीक्षा करता है।`,
  walletNothing: "कुछ नहीं भेजा गया।",
  walletRejected: "आपने अपने वॉलेट में मना कर दिया।",
  walletBusy: "आपका वॉलेट अब भी आपके जवाब की प्रतीक्षा में है। उसे खोलें, फिर दोबारा कोशिश करें।",
  walletNetwork: (network) => `आपका वॉलेट ${network} पर नहीं है। उसे वहाँ बदलें, फिर दोबारा कोशिश करें।`,
  walletAccount: (network) => `यह खाता ${network} पर भुगतान नहीं कर सकता। अपने वॉलेट में दूसरा खाता चुनें।`,
  walletFunds: (amount) => `इस खाते में ${amount} और नेटवर्क शुल्क नहीं है।`,
  walletChanged: "इस बीच भुगतान की माँग बदल गई है। भुगतान करने से पहले इस पेज को फिर से देखें।",
  walletAgain: "यह इस ब्राउज़र से पहले ही भेजा जा चुका है। यहाँ दिखने तक प्रतीक्षा करें।",
  walletAway: "अभी यह संभव नहीं है। थोड़ी देर में फिर कोशिश करें।",
  walletFailed: "आपके वॉलेट ने समस्या बताई।",
  walletLook: "दोबारा कोशिश करने से पहले वहाँ देखें कि कुछ भेजा गया या नहीं।",

  contractSummary: (currency, network) => `${network} पर ${currency} का टोकन पता`,
  contractNote: "इसे अपने वॉलेट के टोकन से मिलाएँ।",
  viewOn: (explorer) => `${explorer} पर देखें`,
  opensNewTab: "(नए टैब में खुलेगा)",

  timeLeft: (clock) => `${clock} बाकी`,
  payBefore: (time) => `इस समय से पहले भुगतान करें: ${time}`,
  timeLeftSpoken: (minutes) => `भुगतान के लिए ${unit(minutes, "minute")} बाकी`,

  chooseTime: (time) => `${time} में पक्का`,
  chooseFeeUnder: (to) => `नेटवर्क शुल्क आम तौर पर ${to} USD से कम`,
  chooseFeeAbout: (from, to) => `नेटवर्क शुल्क लगभग ${from} से ${to} USD`,
  chooseRecommended: "सुझाया गया",
  chooseAmount: (amount: string) => `लगभग ${amount}`,
  chooseShown: "अभी चुना हुआ",
  chooseQuoted: (amount) => `${amount}, पहले दिया गया`,
  chooseNote: "समय और शुल्क आम तौर पर इतने होते हैं, यह वादा नहीं है। एक्सचेंज अपना अलग शुल्क लेता है।",
  switchLink: "किसी और तरीके से भुगतान करें",
  switchTitle: "दूसरे तरीके से भुगतान करें",
  switchStatus: "फिर से चुनें",
  switchLead: (amount, network) =>
    `अभी माँगी गई राशि: **${network}** पर **${amount}**। आप यहाँ कुछ भी चुनें, उसका भुगतान तब भी किया जा सकता है। **अगर पहले ही भेज दिया है, तो कुछ न चुनें:** वह गिना जाएगा।`,
  switchBack: "वापस जाएँ, कुछ न बदलें",
  otherOffer: (amount, network) =>
    `**${network} पर ${amount} पहले ही भेज दिए?** वह गिना जाएगा और यहाँ दिखेगा। दो बार भुगतान न करें।`,
  paidOn: (network) => `भुगतान **${network}** पर हुआ, जो दिए गए तरीकों में से एक था।`,
  moreTime: "मुझे और समय चाहिए",
  moreTimeNote: (minutes, left) => `${minutes} मिनट जुड़ेंगे। अभी और ${left} बार संभव।`,
  paidLink: "मैंने भुगतान कर दिया है",
  paidLabel: "ट्रांज़ैक्शन ID",
  paidHint: (networks) => `${networks} पर, आपके वॉलेट या एक्सचेंज से। इससे केवल यह दिखता है कि उसका क्या हुआ।`,
  paidLook: "खोजें",
  paidNoId: (networks) => `यह ${networks} की ट्रांज़ैक्शन ID नहीं है। अपने वॉलेट या एक्सचेंज से पूरी ID कॉपी करें।`,
  paidOften: "बहुत बार पूछा गया। एक मिनट बाद फिर कोशिश करें।",
  lookupAsking: (id, network) => `${network} पर ${id} खोजी जा रही है …`,
  lookupSilent: (network) =>
    `**${network} के किसी नोड ने जवाब नहीं दिया।** इससे आपके भुगतान के बारे में कुछ पता नहीं चलता। एक मिनट बाद फिर पूछें।`,
  lookupAbsent: (id, network) =>
    `**${id} अभी ${network} पर नहीं दिख रही है।** इसमें कुछ मिनट लग सकते हैं। अपने वॉलेट में जाँच लें कि वह सच में भेजी गई है, और ${network} पर भेजी गई है।`,
  lookupFailed: (id) => `**${id} चेन पर विफल हो गई,** इसलिए कुछ नहीं भेजा गया। कारण आपके वॉलेट में दिखेगा।`,
  lookupNothing: (id) => `**${id} से इस ऑर्डर के पते पर कुछ नहीं भेजा गया।** अपने वॉलेट के पते को यहाँ के पते से मिलाएँ।`,
  lookupEarly: (id) => `**${id} इस ऑर्डर से पहले की है,** इसलिए इससे इसका भुगतान नहीं हो सकता।`,
  lookupOtherOrder: (id) => `**${id} किसी दूसरे ऑर्डर की है,** इसलिए इससे इस ऑर्डर का भुगतान नहीं होता।`,
  lookupKept: (id, merchant) =>
    `**${id} विक्रेता ${merchant} तक पहुँच गई है, लेकिन इससे इस ऑर्डर का भुगतान अपने आप नहीं होता।** दोबारा भुगतान न करें।`,
  lookupFound: (id) => `**${id} मिल गई।** नेटवर्क के कन्फ़र्म करने पर यह गिनी जाएगी, और यह पेज इसे दिखाएगा।`,
  lookupCounted: (id) =>
    `**${id} गिनी जा चुकी है:** यह पहुँच गई और कन्फ़र्म हो गई है। अगर इस ऑर्डर का भुगतान अभी पूरा नहीं हुआ, तो बाकी रकम आनी है।`,
  lookupWrongToken: (id, token) => `**${id} से ${token} भेजा गया,** जो इस ऑर्डर के लिए नहीं चाहिए।`,
  lookupUnknownToken: "ऐसा टोकन जो यहाँ ज्ञात नहीं है",
  lookupWrongNetwork: (id, network) => `**${id} को ${network} पर भेजा गया,** वहाँ नहीं जहाँ इस ऑर्डर का भुगतान हो सकता है।`,
  lookupShort: (id, arrived, due) =>
    `**${id} से ${due} के बजाय ${arrived} मिले।** हो सकता है इसमें से शुल्क काटा गया हो। इसे अपने आप ऑर्डर से नहीं जोड़ा जा सकता।`,
  lookupOver: (id, arrived, due) => `**${id} से ${due} के बजाय ${arrived} मिले।** इसे अपने आप ऑर्डर से नहीं जोड़ा जा सकता।`,

  sandboxNote: "यह सैंडबॉक्स है: यहाँ का पैसा अपनी अलग चेन पर नकली पैसा है।",
  sandboxPay: "सैंडबॉक्स वॉलेट से भुगतान करें",
  sandboxPaying: "भेजा जा रहा है…",
  sandboxSent: "सैंडबॉक्स वॉलेट से भेज दिया गया",
  sandboxFailed: "सैंडबॉक्स वॉलेट से भुगतान नहीं हो सका। फिर कोशिश करें।",

  stepsLabel: "प्रगति",
  stepSeen: "दिख गया",
  stepConfirming: "कन्फ़र्म हो रहा है",
  stepPaid: "भुगतान हुआ",
  seenTitle: "भुगतान दिख गया",
  seenLead: (amount, network) => `**${amount}** पते पर पहुँच गए। ${network} अब इसे कन्फ़र्म कर रहा है। आपको और कुछ नहीं करना है।`,
  confirmingTitle: "आपका भुगतान कन्फ़र्म हो रहा है",
  confirmingLead: (amount, network) =>
    `**${amount}** मिल गए। ${network} कुछ और ब्लॉक में इसे पक्का कर देगा। आपको और कुछ नहीं करना है।`,
  lateTitle: "देर से आया भुगतान मिला",
  lateLead: (amount) =>
    `**${amount}** समय समाप्त होने के बाद पहुँचे। हमें भुगतान मिल गया है और वह अब कन्फ़र्म हो रहा है। दोबारा न भेजें।`,
  confirmations: (count, required) => `${required} में से ${count} कन्फ़र्मेशन`,
  almostThere: "बस होने ही वाला है",
  aboutSeconds: (seconds) => `लगभग ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => `लगभग ${unit(minutes, "minute")}`,
  mayClose: "आप यह पेज बंद कर सकते हैं; भुगतान इसके बिना भी चलता रहेगा।",

  checkingTitle: "आपका भुगतान खोजा जा रहा है",
  checkingLead: (network) =>
    `समय समाप्त हो गया है। **अब कुछ भी न भेजें।** हम ${network} के आखिरी ब्लॉक पढ़ रहे हैं; जो भुगतान आप पहले ही भेज चुके हैं, वह यहाँ दिखेगा।`,

  paidTitle: "भुगतान पूरा हुआ",
  paidLead: (merchant, amount) => `विक्रेता ${merchant} को **${amount}** मिले।`,
  paidByHandLead: (merchant, due) => `विक्रेता ${merchant} ने **${due}** के इस ऑर्डर को भुगतान हो चुका चिह्नित किया है।`,
  paidLateLead: (merchant, amount) => `विक्रेता ${merchant} को **${amount}** मिले। भुगतान समय समाप्त होने के बाद आया।`,
  overpaidTitle: "भुगतान हुआ, और माँगी गई राशि से ज़्यादा",
  overpaidLead: (merchant, arrived, surplus) =>
    `विक्रेता ${merchant} को **${arrived}** मिले, जो ऑर्डर की राशि से **${surplus}** ज़्यादा हैं। ऑर्डर का भुगतान हो गया है।`,

  expiredTitle: "समय समाप्त हो गया",
  expiredLead: "कुछ नहीं मिला। **अब न भेजें:** यह ऑफ़र समाप्त हो गया है।",
  expiredPartLead: (arrived, due) => `${due} में से केवल **${arrived}** मिले। **अब न भेजें:** यह ऑफ़र समाप्त हो गया है।`,
  expiredWatched: (hours) =>
    `**पहले ही भेज दिया?** यह पेज खुला रखें। हम अभी और ${unit(hours, "hour")} आपका भुगतान खोजते रहेंगे, और आने पर वह गिना जाएगा।`,
  expiredUnwatched: (merchant) => `**पहले ही भेज दिया?** विक्रेता ${merchant} से संपर्क करें और अपने वॉलेट से ट्रांज़ैक्शन ID बताएँ।`,
  expiredAgain: (merchant) => `अभी भुगतान करने के लिए ${merchant} पर फिर से शुरू करें।`,
  expiredPartAgain: (merchant) => `आपने जो भेजा है, उसके बारे में विक्रेता ${merchant} से संपर्क करें; विक्रेता को भी वह दिखता है।`,

  cancelledTitle: "ऑर्डर रद्द हुआ",
  cancelledLead: (merchant) => `विक्रेता ${merchant} ने यह ऑर्डर रद्द कर दिया है। **कुछ भी न भेजें।**`,

  delayed: (network) =>
    `**हमें अभी ${network} देरी से दिख रहा है।** आपका भेजा हुआ भुगतान सुरक्षित है, और देरी दूर होते ही यहाँ दिखेगा। दो बार न भेजें।`,

  refundTitle: "अपने रिफ़ंड का अनुरोध करें",
  refundStatus: "आपके पते का इंतज़ार है",
  refundLead: (merchant, amount) =>
    `विक्रेता ${merchant} आपको **${amount}** रिफ़ंड कर रहा है। वह पता लिखें जिस पर यह राशि भेजी जाए।`,
  refundReason: "कारण",
  refundReopened: (merchant) => `**विक्रेता ${merchant} ने दूसरा पता माँगा है।**`,
  refundMessage: (merchant) => `विक्रेता ${merchant} का संदेश`,
  refundNetwork: "नेटवर्क",
  refundPaidOn: "आपने इस नेटवर्क पर भुगतान किया था",
  refundAddress: "इस नेटवर्क पर आपका पता",
  refundAddressHint: "आपके अपने वॉलेट या खाते का पता। भेजा गया रिफ़ंड वापस नहीं लिया जा सकता।",
  refundExchange: (currency) =>
    `**क्या यह किसी एक्सचेंज का पता है?** एक्सचेंज चुने गए नेटवर्क पर इस पते पर ${currency} जमा स्वीकार करता हो, यह ज़रूरी है।`,
  refundConfirm: (count) => `पते के आख़िरी ${count} कैरेक्टर`,
  refundConfirmHint: "इन्हें अपने वॉलेट या एक्सचेंज में देखकर लिखें। इससे पक्का होता है कि पूरा पता कॉपी हुआ है।",
  refundOrderNumber: "ऑर्डर नंबर",
  refundOrderNumberHint: (merchant) => `विक्रेता ${merchant} की पुष्टि में दिया गया`,
  refundEmail: "ईमेल पता",
  refundEmailHint: (merchant) => `जो आपने विक्रेता ${merchant} को दिया था`,
  refundSubmit: "रिफ़ंड का अनुरोध करें",
  refundExpires: "लिंक की समाप्ति का समय",
  refundProblem: {
    used: "इस रिफ़ंड का अनुरोध पहले ही किया जा चुका है।",
    often: "बहुत बार कोशिश की गई। कुछ मिनट बाद फिर कोशिश करें।",
    network: "इनमें से कोई नेटवर्क चुनें।",
    address: (network) => `यह ${network} पर मान्य पता नहीं है। पूरा पता कॉपी करें।`,
    token: "यह टोकन का अपना पता है, किसी वॉलेट का नहीं। अपना पता लिखें।",
    shop: "यह पता दुकान का है। अपना पता लिखें।",
    confirmation: "ये पते के आख़िरी कैरेक्टर नहीं हैं। दोनों को मिलाएँ और फिर कोशिश करें।",
    number: "यह इस ऑर्डर का नंबर नहीं है।",
    email: "यह इस ऑर्डर का ईमेल पता नहीं है।",
  },
  refundClaimedTitle: "पता मिल गया",
  refundClaimedLead: (merchant) =>
    `विक्रेता ${merchant} आपके अनुरोध की जाँच करके रिफ़ंड भेजेगा। भेजे जाने पर यह पेज उसे अपने आप दिखाएगा।`,
  refundApprovedTitle: "रिफ़ंड मंज़ूर हुआ",
  refundApprovedLead: (merchant, amount, network) =>
    `विक्रेता ${merchant} **${network}** पर आपके पते पर **${amount}** भेजेगा। भेजे जाने पर यह पेज उसे अपने आप दिखाएगा।`,
  refundSentTitle: "रिफ़ंड रास्ते में है",
  refundSentLead: (amount, network) => `**${amount}** आपके पते पर भेजे गए। ${network} अब इसे कन्फ़र्म कर रहा है।`,
  refundCompletedTitle: "रिफ़ंड पूरा हुआ",
  refundCompletedLead: (amount, network) => `**${network}** पर आपके पते पर **${amount}** पहुँच गए।`,
  refundCancelledTitle: "रिफ़ंड रद्द हुआ",
  refundCancelledLead: (merchant) => `विक्रेता ${merchant} ने यह रिफ़ंड रद्द कर दिया है।`,
  refundExpiredTitle: "लिंक की समय-सीमा समाप्त हो गई",
  refundExpiredLead: (merchant) => `इस रिफ़ंड का अनुरोध समय पर नहीं किया गया। विक्रेता ${merchant} से नया लिंक माँगें।`,
  refundNoneLead: "इस लिंक के पीछे कोई रिफ़ंड नहीं है। जाँच लें कि पूरा लिंक कॉपी हुआ है।",

  linkTitle: (merchant) => `${merchant} को भुगतान करें`,
  linkSubmit: "भुगतान पर जाएँ",
  linkOptional: "वैकल्पिक",
  linkContinue: "शुरू किया हुआ भुगतान जारी रखें",
  linkBetween: (min, max) => `${min} से ${max} तक`,
  linkAtLeast: (min) => `कम से कम ${min}`,
  linkAtMost: (max) => `ज़्यादा से ज़्यादा ${max}`,
  linkProblem: {
    amount: "राशि लिखें, जैसे 25.00।",
    often: "आपके नेटवर्क से बहुत ज़्यादा भुगतान शुरू किए गए हैं। कुछ मिनट बाद फिर कोशिश करें।",
    away: "भुगतान अभी शुरू नहीं हो सकता। एक मिनट बाद फिर कोशिश करें।",
    note: "टिप्पणी बहुत लंबी है, या उसमें ऐसे अक्षर हैं जिनकी अनुमति नहीं है।",
  },
  linkAwayLead: "दुकान अभी भुगतान स्वीकार नहीं कर सकती। बाद में फिर कोशिश करें।",
  linkUsedTitle: "यह भुगतान लिंक पहले ही इस्तेमाल हो चुका है",
  linkUsedLead: (merchant) =>
    `${merchant} इस लिंक से और भुगतान नहीं लेता। अगर कोई दूसरा भुगतान समय पर पूरा नहीं हुआ, तो लिंक फिर इस्तेमाल हो सकेगा।`,
  linkEndedTitle: "यह भुगतान लिंक समाप्त हो गया है",
  linkEndedLead: (merchant) => `${merchant} इस लिंक से अब भुगतान नहीं लेता। अगर आप अब भी भुगतान करना चाहते हैं, तो नया लिंक माँगें।`,
  linkNoneLead: "इस पते पर कोई भुगतान लिंक नहीं है। पता जाँच लें, या दुकान से संपर्क करें।",

  detailsHeading: "विवरण",
  merchant: "विक्रेता",
  price: "कीमत",
  subject: "किसके लिए",
  amountOrdered: "ऑर्डर की राशि",
  amountReceived: "मिली राशि",
  network: "नेटवर्क",
  address: "पता",
  transaction: "ट्रांज़ैक्शन",
  paidAt: "भुगतान का समय",
  expiredAt: "समाप्ति का समय",
  reference: "संदर्भ संख्या",

  returnTo: (merchant) => `${merchant} पर वापस जाएँ`,
  returning: (seconds) => `${seconds} सेकंड में आपको वापस ले जाया जाएगा।`,
  returnStay: "इसी पेज पर रहें",
  returnStayed: "आप इसी पेज पर रहेंगे",
  printReceipt: "रसीद प्रिंट करें",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `आपका भुगतान सीधे विक्रेता ${merchant} के वॉलेट में जाता है।`,
  support: (merchant) => `विक्रेता ${merchant} से संपर्क करें`,
  close: "बंद करें",
  poweredBy: "Stablegate",
  offline: "आप ऑफ़लाइन हैं। कनेक्शन लौटने पर यह पेज अपने आप आगे चलेगा।",

  notFoundTitle: "यह भुगतान लिंक कहीं नहीं ले जाता",
  notFoundLead:
    "इस लिंक के पीछे कोई ऑर्डर नहीं है। जाँच लें कि पूरा लिंक कॉपी हुआ है, या दुकान पर वापस जाकर भुगतान फिर से शुरू करें। **कोई पैसा न भेजें।**",
  refusedTitle: "यह भुगतान शुरू नहीं हो सका",
  refusedLead: "दुकान ने एक अमान्य भुगतान अनुरोध भेजा। दुकान पर वापस जाकर फिर कोशिश करें। **कोई पैसा न भेजें।**",
  notNowLead: "अभी भुगतान शुरू नहीं किए जा सकते। दुकान पर वापस जाएँ और एक मिनट में फिर से कोशिश करें। **कोई पैसा न भेजें।**",
  tamperedTitle: "भुगतान न करें",
  tamperedLead:
    "इस ऑर्डर का पता बनने के बाद बदला गया है, और दुकान ने नहीं बदला। **कोई पैसा न भेजें।** अगर आप भेज चुके हैं, तो अपने वॉलेट की ट्रांज़ैक्शन ID संभालकर रखें।",
  closedTitle: "अभी भुगतान संभव नहीं है",
  closedLead:
    "दुकान अभी यह भुगतान स्वीकार नहीं कर सकती। दुकान पर वापस जाकर भुगतान का कोई दूसरा तरीका चुनें, या बाद में फिर कोशिश करें। **कोई पैसा न भेजें।**",
  otherWay: "आप दुकान पर वापस जाकर भुगतान का कोई दूसरा तरीका भी चुन सकते हैं।",
  alreadyPaidTitle: "इस ऑर्डर का भुगतान पहले ही हो चुका है",
  alreadyPaidLead: "दुकान पर वापस जाएँ। **दोबारा भुगतान न करें।**",
  depositStatus: "आपका जमा पता",
  depositLead: (merchant) =>
    `${merchant} में यह पता केवल आपका है। **कितनी भी राशि, जितनी बार चाहें भेजें:** इसकी समय-सीमा समाप्त नहीं होती।`,
  depositOnly: (currencies, network) =>
    `**केवल ${network} पर ${currencies}।** इस पते पर भेजा गया कुछ और आपके खाते में नहीं जुड़ेगा और खो सकता है।`,
  depositArrived: "इस पते पर प्राप्त",
  depositNothing: "अभी तक कुछ नहीं आया। आप जो भेजेंगे वह यहाँ अपने आप दिखेगा।",
  depositConfirmed: "कन्फ़र्म हुआ",
  depositReversed: "नेटवर्क ने वापस ले लिया",
  depositLatest: (count) => `पिछले ${count} दिखाए गए हैं।`,
  depositClosedTitle: "यह पता अभी उपयोग में नहीं है",
  depositClosedLead: (merchant) =>
    `विक्रेता ${merchant} ने इसे रोक दिया है। **कुछ भी न भेजें।** जो आप पहले भेज चुके हैं वह खोया नहीं है और यहाँ दिखता है।`,
  depositBrokenTitle: "यह पता नहीं दिखाया जा सकता",
  depositBrokenLead: (merchant) =>
    `इसके लिए सहेजी गई जानकारी हमारी जाँच में सही नहीं निकली, शायद किसी ने उसे बदल दिया है। **कुछ भी न भेजें।** विक्रेता ${merchant} को बताएँ, ताकि इसकी जाँच हो सके।`,
  depositNoneLead:
    "इस लिंक के पीछे कोई पता नहीं है। जाँच लें कि पूरा लिंक कॉपी हुआ है, या जहाँ से मिला था वहाँ फिर से माँगें। **कोई पैसा न भेजें।**",
  busyTitle: "बहुत बार देखा गया",
  busyLead: "यह पेज आपके IP पते से बहुत बार खोला गया। यह थोड़ी देर में अपने आप फिर कोशिश करेगा। आपका पहले भेजा हुआ भुगतान खोया नहीं है।",
  awayTitle: "थोड़ी देर में वापस आएँगे",
  awayLead:
    "भुगतान पेज अभी नहीं दिखाया जा सकता। यह हर कुछ सेकंड में अपने आप फिर कोशिश करता है। आपका पहले भेजा हुआ भुगतान खोया नहीं है।",
};
