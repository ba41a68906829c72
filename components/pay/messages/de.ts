import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { plural, unit } = counting("de");

/** German. */
export const de: Messages = {
  lang: "de",
  dir: "ltr",
  name: "Deutsch",
  chooseLanguage: "Sprache",

  chooseTitle: "Wie möchten Sie bezahlen?",
  chooseStatus: "Wartet auf Ihre Auswahl",
  chooseLead: (merchant, asked) =>
    `${merchant} verlangt **${asked}**. Wählen Sie das Netzwerk, über das Ihre Wallet oder Börse sendet. Was und wohin zu senden ist, folgt danach.`,
  chooseNone: (merchant) =>
    `${merchant} kann im Moment nicht bezahlt werden. Diese Seite sieht von selbst wieder nach. **Senden Sie nichts.**`,
  chooseLegend: "Währung und Netzwerk",
  choose: "Weiter",
  chooseProblem: {
    taken:
      "Dort ist für diesen Betrag gerade nichts frei. Wählen Sie ein anderes Netzwerk, oder versuchen Sie es in einer Minute noch einmal.",
    closed:
      "Das steht gerade nicht zur Verfügung. Wählen Sie etwas anderes, oder versuchen Sie es in einer Minute noch einmal.",
    unrated: "Im Moment lässt sich nicht sagen, was dieser Preis ergibt. Versuchen Sie es in einer Minute noch einmal.",
    enough: "Für diese Bestellung wurden schon fünf Zahlungswege angeboten. Bezahlen Sie einen davon.",
    often: "Es wurde zu oft neu gewählt. Versuchen Sie es in einer Minute noch einmal.",
  },
  chooseExpiredLead: "Es wurde nicht rechtzeitig gewählt. **Senden Sie nichts:** dieses Angebot ist beendet.",
  chooseCancelledLead: (merchant) => `${merchant} hat diese Bestellung storniert. **Senden Sie nichts.**`,

  waitingStatus: "Wartet auf die Zahlung",
  waitingTitle: (currency, network) => `${currency} senden über ${network}`,
  underpaidStatus: "Ein Teil der Zahlung ist da",
  underpaidTitle: (currency, network) => `Restliche ${currency} senden über ${network}`,
  underpaidLead: (arrived, due) =>
    `**${arrived}** von ${due} sind angekommen. Senden Sie den Rest an dieselbe Adresse, bevor die Zeit abläuft.`,
  partialTitle: "Ein Teil der Zahlung ist da",
  partialLead: (merchant, arrived, due) =>
    `${merchant} hat **${arrived}** von ${due} angerechnet. **Senden Sie den Rest nicht von sich aus.**`,

  elsewhereNetworkTitle: "Über ein anderes Netzwerk bezahlt",
  elsewhereCurrencyTitle: "In einer anderen Währung bezahlt",
  elsewhereLead: (arrived, network, currency, due) =>
    `**${arrived}** sind über **${network}** angekommen. Diese Bestellung verlangt ${currency} über ${due}, daher zählt die Zahlung nicht von selbst.`,
  lookAlikeTitle: "Mit einem anderen Token bezahlt",
  bridged: (currency) => `${currency} von einer Bridge`,
  discontinued: (currency) => `${currency} (eingestellt)`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `Sie haben **${arrived}** über **${network}** gesendet. Wallets zeigen es als ${symbol} an, es ist aber ein anderer Token (${contract}) als die ${currency}, die diese Bestellung verlangt. Damit ist sie nicht bezahlt.`,
  lookAlikeSeen: (merchant) =>
    `**Es ist bei einer Adresse von ${merchant} angekommen.** Dort ist es neben dieser Bestellung zu sehen.`,
  elsewhereSeen: (merchant) =>
    `**Es ist bei einer Adresse von ${merchant} angekommen.** Dort ist es neben dieser Bestellung zu sehen und kann angenommen werden.`,
  elsewhereContact: (merchant) =>
    `**Wenden Sie sich an ${merchant}** und nennen Sie die Transaktions-ID unten. Dort wird entschieden, was damit geschieht.`,
  keepId: (merchant: string) =>
    `**Bewahren Sie die Transaktions-ID unten auf.** ${merchant} sieht diese Zahlung neben der Bestellung und entscheidet darüber.`,
  contactAsk: (merchant: string) => `Bei Fragen wenden Sie sich an ${merchant}.`,
  sentKeepId: "**Schon gesendet?** Bewahren Sie die Transaktions-ID aus Ihrer Wallet oder Börse auf.",
  paymentSeen: (merchant: string) => `${merchant} sieht Ihre Zahlung.`,
  elsewhereAgain: (merchant) => `**Bezahlen Sie nicht noch einmal,** außer ${merchant} bittet Sie darum.`,
  elsewherePay: "Diese Bestellung trotzdem noch einmal bezahlen",
  elsewherePayNote: (merchant) =>
    `Nur wenn ${merchant} Sie darum gebeten hat: was Sie jetzt senden, kommt zu dem hinzu, was Sie schon gesendet haben.`,
  otherAmountTitle: "Ein anderer Betrag ist eingegangen",
  otherAmountShort: (arrived, due, off) => `Eingegangen sind **${arrived}** statt ${due}: **${off} fehlen.**`,
  otherAmountOver: (arrived, due, off) => `Eingegangen sind **${arrived}** statt ${due}: **${off} zu viel.**`,
  notMine: "Das ist nicht meine Zahlung",
  alsoArrived: (arrived, network, merchant) =>
    `**${arrived}** sind außerdem über **${network}** angekommen, wo sie für diese Bestellung nicht zählen. ${merchant} sieht es. Senden Sie nicht noch einmal.`,
  transactionOn: (network) => `Transaktion auf ${network}`,

  sourceTitle: "Wo liegt Ihr Geld?",
  sourceExchange: "Börsenkonto",
  sourceWallet: "Wallet-App",
  sourceOther: "Andere Börse",
  exchangeNetwork: (exchange: string) => `Netzwerk bei ${exchange}`,
  exchangeFee: (fee: string) => `Gebühr etwa ${fee}`,
  exchangeMinimum: (minimum: string) => `mindestens etwa ${minimum}`,
  exchangeTooSmall: (exchange: string, minimum: string) =>
    `**${exchange} sendet hier mindestens etwa ${minimum},** mehr als diese Bestellung. Wählen Sie ein anderes Netzwerk oder eine Wallet.`,
  exchangeUnlisted: (exchange: string, currency: string) =>
    `${exchange} sendet ${currency} auf diesem Netzwerk vielleicht nicht. Prüfen Sie zuerst das Auszahlungsformular.`,
  exchangeSlow: "**Auszahlungen können einige Minuten dauern.** Memo oder Tag sind nicht nötig.",
  amountLabel: "Betrag",
  receivedLabel: "Betrag, der ankommen muss",
  remainingLabel: "Restbetrag",
  addressLabel: "An diese Adresse",
  copyAmount: "Betrag kopieren",
  copyAddress: "Adresse kopieren",
  copied: "Kopiert",
  amountCopied: "Betrag kopiert",
  addressCopied: "Adresse kopiert",
  copyFailed: "Kopieren ging nicht. Markieren Sie den Text und kopieren Sie ihn von Hand.",

  tailNote: (digits) =>
    `Die letzten Ziffern, **${digits}**, gehören nur zu Ihrer Bestellung. Geben Sie sie mit ein und runden Sie nicht.`,
  exactNote: (amount) =>
    `**Senden Sie genau ${amount}.** Ihre Zahlung wird an diesem genauen Betrag erkannt. Ein anderer Betrag lässt sich Ihrer Bestellung nicht zuordnen.`,
  sumNote: (amount) =>
    `**Senden Sie ${amount}, oder was Ihre Börse daraus macht.** Diese Adresse gehört allein Ihrer Bestellung: Was ankommt, zählt.`,
  restNote:
    "**Kommt wegen einer Gebühr weniger an?** Dann bittet diese Seite um den Rest. Kommt mehr an, wird es hier als zu viel bezahlt angezeigt.",
  exchangeNote: (amount) =>
    `**Sie zahlen von einer Börse?** Prüfen Sie, dass genau ${amount} ankommen: Manche Börsen ziehen ihre Gebühr von Ihrer Eingabe ab, andere rechnen sie hinzu.`,
  onlyNote: (currency, network) =>
    `**Nur ${currency} über ${network}.** Alles andere, was an diese Adresse geht, bezahlt die Bestellung nicht und kann verloren sein.`,

  sameTokenNote: (currency, shown) => `Manche Wallets zeigen diese ${currency} als **${shown}** an. Es ist dasselbe.`,
  lookAlikeNote: (name, symbol, contract) =>
    `**Nicht ${name}** (${contract}): Wallets zeigen es als ${symbol} an, es ist aber ein anderer Token und bezahlt nicht.`,

  qrLegend: "Inhalt des QR-Codes",
  qrAddress: "Adresse",
  qrWallet: "Wallet",
  qrAddressCaption: "Nur die Adresse, für jede Wallet und Börse. Den Betrag geben Sie selbst ein.",
  qrWalletCaption:
    "Adresse und Betrag, für Wallets, die Zahlungsanforderungen lesen. Prüfen Sie beides, bevor Sie senden.",
  qrAddressAlt: (address) => `QR-Code der Adresse ${address}`,
  qrWalletAlt: (amount, address) => `QR-Code einer Anforderung von ${amount} an ${address}`,

  showQr: "QR-Code zeigen",
  walletOpen: "In Wallet öffnen",
  walletPay: "Mit Wallet bezahlen",
  walletUnloaded: "Das konnte nicht geladen werden. Laden Sie die Seite neu.",
  walletChoose: "Wählen Sie Ihre Wallet",
  walletConnect: "Öffnen Sie Ihre Wallet und geben Sie dieser Seite Ihr Konto frei.",
  walletConfirm: (amount, network) =>
    `Vergleichen Sie Betrag und Adresse in Ihrer Wallet und bestätigen Sie dort: ${amount} über ${network}.`,
  walletSent: (network) => `Ihre Wallet hat gesendet. Diese Seite wartet, bis ${network} es zeigt.`,
  walletNothing: "Es wurde nichts gesendet.",
  walletRejected: "Sie haben in Ihrer Wallet abgelehnt.",
  walletBusy:
    "Ihre Wallet wartet noch auf eine Antwort von Ihnen. Öffnen Sie sie und versuchen Sie es dann noch einmal.",
  walletNetwork: (network) =>
    `Ihre Wallet ist nicht auf ${network} eingestellt. Stellen Sie sie um und versuchen Sie es dann noch einmal.`,
  walletAccount: (network) =>
    `Dieses Konto kann nicht über ${network} bezahlen. Wählen Sie in Ihrer Wallet ein anderes.`,
  walletFunds: (amount) => `Auf diesem Konto sind nicht ${amount} und die Netzwerkgebühr.`,
  walletChanged:
    "Was zu bezahlen ist, hat sich inzwischen geändert. Sehen Sie diese Seite noch einmal an, bevor Sie bezahlen.",
  walletAgain: "Das wurde von diesem Browser schon gesendet. Warten Sie, bis es hier erscheint.",
  walletAway: "Das ist gerade nicht möglich. Versuchen Sie es gleich noch einmal.",
  walletFailed: "Ihre Wallet meldet ein Problem.",
  walletLook: "Sehen Sie dort nach, ob etwas gesendet wurde, bevor Sie es noch einmal versuchen.",

  contractSummary: (currency, network) => `Token-Adresse von ${currency} auf ${network}`,
  contractNote: "Vergleichen Sie sie mit dem Token in Ihrer Wallet.",
  viewOn: (explorer) => `Auf ${explorer} ansehen`,
  opensNewTab: "(öffnet einen neuen Tab)",

  timeLeft: (clock) => `Noch ${clock}`,
  payBefore: (time) => `Bezahlen bis ${time}`,
  timeLeftSpoken: (minutes) => `Noch ${unit(minutes, "minute")} Zeit zum Bezahlen`,

  chooseTime: (time) => `Zeit bis endgültig: ${time}`,
  chooseFeeUnder: (to) => `Netzwerkgebühr meist unter ${to} USD`,
  chooseFeeAbout: (from, to) => `Netzwerkgebühr etwa ${from} bis ${to} USD`,
  chooseRecommended: "Empfohlen",
  chooseAmount: (amount: string) => `etwa ${amount}`,
  chooseShown: "Jetzt gewählt",
  chooseQuoted: (amount) => `${amount}, schon angeboten`,
  chooseNote: "Zeiten und Gebühren sind übliche Werte, keine Zusage. Eine Börse nimmt zusätzlich eine eigene Gebühr.",
  switchLink: "Anders bezahlen",
  switchTitle: "Anders bezahlen",
  switchStatus: "Zahlungsart wählen",
  switchLead: (amount, network) =>
    `Zurzeit verlangt: **${amount}** über **${network}**. Diese Zahlung bleibt möglich, auch wenn Sie hier etwas anderes wählen. **Wenn Sie schon gesendet haben, wählen Sie nichts:** die Zahlung zählt.`,
  switchBack: "Zurück, ohne etwas zu ändern",
  otherOffer: (amount, network) =>
    `**${amount} schon über ${network} gesendet?** Die Zahlung zählt und erscheint hier. Bezahlen Sie nicht doppelt.`,
  paidOn: (network) => `Bezahlt wurde über **${network}**, einen der angebotenen Wege.`,
  moreTime: "Ich brauche mehr Zeit",
  moreTimeNote: (minutes, left) => `Verlängert um ${minutes} min. Noch ${left}-mal möglich.`,
  paidLink: "Ich habe bezahlt",
  paidLabel: "Transaktions-ID",
  paidHint: (networks) =>
    `Aus Ihrer Wallet oder Börse, auf ${networks}. Sie zeigt nur, was aus der Transaktion geworden ist.`,
  paidLook: "Suchen",
  paidNoId: (networks) =>
    `Das ist keine Transaktions-ID von ${networks}. Kopieren Sie die ganze ID aus Ihrer Wallet oder Börse.`,
  paidOften: "Danach wurde oft gefragt. Versuchen Sie es in einer Minute noch einmal.",
  lookupAsking: (id, network) => `${id} wird auf ${network} gesucht …`,
  lookupSilent: (network) =>
    `**Kein Knoten von ${network} hat geantwortet.** Das sagt nichts über Ihre Zahlung. Fragen Sie in einer Minute noch einmal.`,
  lookupAbsent: (id, network) =>
    `**${id} ist auf ${network} noch nicht zu sehen.** Das kann einige Minuten dauern. Prüfen Sie in Ihrer Wallet, ob wirklich gesendet wurde, und zwar über ${network}.`,
  lookupFailed: (id) =>
    `**${id} ist auf der Blockchain fehlgeschlagen,** daher wurde nichts gesendet. Den Grund zeigt Ihre Wallet.`,
  lookupNothing: (id) =>
    `**${id} hat nichts an die Adresse dieser Bestellung gesendet.** Vergleichen Sie die Adresse in Ihrer Wallet mit der Adresse hier.`,
  lookupEarly: (id) => `**${id} entstand vor dieser Bestellung** und kann sie daher nicht bezahlen.`,
  lookupOtherOrder: (id) => `**${id} gehört zu einer anderen Bestellung** und bezahlt diese daher nicht.`,
  lookupKept: (id, merchant) =>
    `**${id} ist bei ${merchant} angekommen, bezahlt diese Bestellung aber nicht von selbst.** Bezahlen Sie nicht noch einmal.`,
  lookupFound: (id) =>
    `**${id} wurde gefunden.** Die Zahlung zählt, sobald das Netzwerk sie bestätigt hat, und diese Seite zeigt es dann.`,
  lookupCounted: (id) =>
    `**${id} ist angerechnet:** angekommen und bestätigt. Ist diese Bestellung noch nicht bezahlt, fehlt noch der Rest.`,
  lookupWrongToken: (id, token) => `**Mit ${id} wurde ${token} gesendet.** Das verlangt diese Bestellung nicht.`,
  lookupUnknownToken: "ein hier nicht bekannter Token",
  lookupWrongNetwork: (id, network) =>
    `**${id} wurde über ${network} gesendet.** Dort kann diese Bestellung nicht bezahlt werden.`,
  lookupShort: (id, arrived, due) =>
    `**Mit ${id} kamen ${arrived} statt ${due} an.** Vielleicht wurde eine Gebühr abgezogen. Das lässt sich nicht von selbst zuordnen.`,
  lookupOver: (id, arrived, due) =>
    `**Mit ${id} kamen ${arrived} statt ${due} an.** Das lässt sich nicht von selbst zuordnen.`,

  sandboxNote: "Dies ist eine Testumgebung: das Geld ist Spielgeld auf einer eigenen Blockchain.",
  sandboxPay: "Aus der Test-Wallet bezahlen",
  sandboxPaying: "Wird gesendet …",
  sandboxSent: "Aus der Test-Wallet gesendet",
  sandboxFailed: "Die Test-Wallet konnte nicht bezahlen. Versuchen Sie es noch einmal.",

  stepsLabel: "Fortschritt",
  stepSeen: "Gesehen",
  stepConfirming: "In Bestätigung",
  stepPaid: "Bezahlt",
  seenTitle: "Zahlung gesehen",
  seenLead: (amount, network) =>
    `**${amount}** sind an der Adresse angekommen. ${network} bestätigt die Zahlung jetzt. Sie müssen nichts weiter tun.`,
  confirmingTitle: "Ihre Zahlung wird bestätigt",
  confirmingLead: (amount, network) =>
    `**${amount}** sind angekommen. In wenigen Blöcken macht ${network} die Zahlung endgültig. Sie müssen nichts weiter tun.`,
  lateTitle: "Verspätete Zahlung gefunden",
  lateLead: (amount) =>
    `**${amount}** sind nach Ablauf der Zeit angekommen. Wir haben die Zahlung gefunden, sie wird jetzt bestätigt. Senden Sie nicht noch einmal.`,
  confirmations: (count, required) =>
    `${count} von ${required} ${plural(required, { one: "Bestätigung", other: "Bestätigungen" })}`,
  almostThere: "gleich fertig",
  aboutSeconds: (seconds) => `etwa ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => (minutes === 1 ? "etwa eine Minute" : `etwa ${unit(minutes, "minute")}`),
  mayClose: "Sie können diese Seite schließen; die Zahlung läuft auch ohne sie weiter.",

  checkingTitle: "Ihre Zahlung wird gesucht",
  checkingLead: (network) =>
    `Die Zeit ist abgelaufen. **Senden Sie jetzt nichts mehr.** Wir lesen die letzten Blöcke von ${network}; eine Zahlung, die Sie schon gesendet haben, erscheint hier.`,

  paidTitle: "Zahlung abgeschlossen",
  paidLead: (merchant, amount) => `${merchant} hat **${amount}** erhalten.`,
  paidByHandLead: (merchant, due) => `${merchant} hat diese Bestellung über **${due}** als bezahlt markiert.`,
  paidLateLead: (merchant, amount) => `${merchant} hat **${amount}** erhalten. Die Zahlung kam nach Ablauf der Zeit.`,
  overpaidTitle: "Bezahlt, und mehr als verlangt",
  overpaidLead: (merchant, arrived, surplus) =>
    `${merchant} hat **${arrived}** erhalten, **${surplus}** mehr als verlangt. Die Bestellung ist bezahlt.`,

  expiredTitle: "Die Zeit ist abgelaufen",
  expiredLead: "Es ist nichts angekommen. **Senden Sie jetzt nichts:** dieses Angebot ist beendet.",
  expiredPartLead: (arrived, due) =>
    `Nur **${arrived}** von ${due} sind angekommen. **Senden Sie jetzt nichts:** dieses Angebot ist beendet.`,
  expiredWatched: (hours) =>
    `**Schon gesendet?** Lassen Sie diese Seite offen. Wir suchen noch ${unit(hours, "hour")} nach Ihrer Zahlung, und sie zählt, wenn sie kommt.`,
  expiredUnwatched: (merchant) =>
    `**Schon gesendet?** Wenden Sie sich an ${merchant} und nennen Sie die Transaktions-ID aus Ihrer Wallet.`,
  expiredAgain: (merchant) => `Um jetzt zu bezahlen, beginnen Sie bei ${merchant} noch einmal.`,
  expiredPartAgain: (merchant) =>
    `Wenden Sie sich wegen der gesendeten Zahlung an ${merchant}; sie ist dort auch zu sehen.`,

  cancelledTitle: "Bestellung storniert",
  cancelledLead: (merchant) => `${merchant} hat diese Bestellung storniert. **Senden Sie nichts.**`,

  delayed: (network) =>
    `**Wir sehen ${network} im Moment mit Verzögerung.** Eine gesendete Zahlung ist sicher und erscheint hier, sobald wir aufgeholt haben. Senden Sie nicht noch einmal.`,

  refundTitle: "Erstattung anfordern",
  refundStatus: "Wartet auf Ihre Adresse",
  refundLead: (merchant, amount) =>
    `${merchant} erstattet Ihnen **${amount}**. Geben Sie die Adresse ein, an die der Betrag gehen soll.`,
  refundReason: "Grund",
  refundReopened: (merchant) => `**${merchant} bittet um eine andere Adresse.**`,
  refundMessage: (merchant) => `Nachricht von ${merchant}`,
  refundNetwork: "Netzwerk",
  refundPaidOn: "Über dieses Netzwerk haben Sie bezahlt",
  refundAddress: "Ihre Adresse in diesem Netzwerk",
  refundAddressHint:
    "Die Adresse Ihrer eigenen Wallet oder Ihres eigenen Kontos. Eine gesendete Erstattung lässt sich nicht rückgängig machen.",
  refundExchange: (currency) =>
    `**Ist es eine Adresse bei einer Börse?** Die Börse muss Einzahlungen von ${currency} über das gewählte Netzwerk an diese Adresse annehmen.`,
  refundConfirm: (count) => `Die letzten ${count} Zeichen der Adresse`,
  refundConfirmHint: "Tippen Sie sie aus Ihrer Wallet oder Börse ab. Sie zeigen, dass die ganze Adresse kopiert wurde.",
  refundOrderNumber: "Bestellnummer",
  refundOrderNumberHint: (merchant) => `Aus der Bestätigung von ${merchant}`,
  refundEmail: "E-Mail-Adresse",
  refundEmailHint: (merchant) => `Die Adresse, die Sie bei ${merchant} angegeben haben`,
  refundSubmit: "Erstattung anfordern",
  refundExpires: "Link gültig bis",
  refundProblem: {
    used: "Diese Erstattung wurde schon angefordert.",
    often: "Das waren zu viele Versuche. Versuchen Sie es in ein paar Minuten noch einmal.",
    network: "Wählen Sie eines dieser Netzwerke.",
    address: (network) => `Das ist keine gültige Adresse auf ${network}. Kopieren Sie die ganze Adresse.`,
    token: "Das ist die Adresse des Tokens selbst, nicht die einer Wallet. Geben Sie Ihre eigene Adresse ein.",
    shop: "Diese Adresse gehört dem Shop. Geben Sie Ihre eigene Adresse ein.",
    confirmation:
      "Das sind nicht die letzten Zeichen der Adresse. Vergleichen Sie beides und versuchen Sie es noch einmal.",
    number: "Das ist nicht die Nummer der Bestellung.",
    email: "Das ist nicht die E-Mail-Adresse der Bestellung.",
  },
  refundClaimedTitle: "Adresse erhalten",
  refundClaimedLead: (merchant) =>
    `${merchant} prüft Ihre Angaben und sendet dann die Erstattung. Sobald sie unterwegs ist, zeigt diese Seite es von selbst.`,
  refundApprovedTitle: "Erstattung genehmigt",
  refundApprovedLead: (merchant, amount, network) =>
    `${merchant} sendet **${amount}** über **${network}** an Ihre Adresse. Sobald die Erstattung unterwegs ist, zeigt diese Seite es von selbst.`,
  refundSentTitle: "Erstattung unterwegs",
  refundSentLead: (amount, network) =>
    `**${amount}** wurden an Ihre Adresse gesendet. ${network} bestätigt die Erstattung jetzt.`,
  refundCompletedTitle: "Erstattung abgeschlossen",
  refundCompletedLead: (amount, network) => `**${amount}** sind über **${network}** an Ihrer Adresse angekommen.`,
  refundCancelledTitle: "Erstattung storniert",
  refundCancelledLead: (merchant) => `${merchant} hat diese Erstattung storniert.`,
  refundExpiredTitle: "Der Link ist abgelaufen",
  refundExpiredLead: (merchant) =>
    `Diese Erstattung wurde nicht rechtzeitig angefordert. Bitten Sie ${merchant} um einen neuen Link.`,
  refundNoneLead: "Hinter diesem Link gibt es keine Erstattung. Prüfen Sie, ob der ganze Link kopiert wurde.",

  linkTitle: (merchant) => `${merchant} bezahlen`,
  linkSubmit: "Weiter zur Zahlung",
  linkOptional: "freiwillig",
  linkContinue: "Begonnene Zahlung fortsetzen",
  linkBetween: (min, max) => `Von ${min} bis ${max}`,
  linkAtLeast: (min) => `Mindestens ${min}`,
  linkAtMost: (max) => `Höchstens ${max}`,
  linkProblem: {
    amount: "Geben Sie einen Betrag ein, zum Beispiel 25.00.",
    often: "Aus Ihrem Netz wurden zu viele Zahlungen begonnen. Versuchen Sie es in einigen Minuten noch einmal.",
    away: "Die Zahlung kann gerade nicht begonnen werden. Versuchen Sie es in einer Minute noch einmal.",
    note: "Die Notiz ist zu lang oder enthält unzulässige Zeichen.",
  },
  linkAwayLead: "Der Shop kann im Moment keine Zahlungen annehmen. Versuchen Sie es später noch einmal.",
  linkUsedTitle: "Dieser Zahlungslink wurde schon benutzt",
  linkUsedLead: (merchant) =>
    `${merchant} nimmt über diesen Link keine weiteren Zahlungen an. Wird eine andere Zahlung nicht rechtzeitig abgeschlossen, kann der Link wieder benutzt werden.`,
  linkEndedTitle: "Dieser Zahlungslink ist beendet",
  linkEndedLead: (merchant) =>
    `${merchant} nimmt über diesen Link keine Zahlungen mehr an. Bitten Sie um einen neuen, wenn Sie noch bezahlen möchten.`,
  linkNoneLead:
    "Unter dieser Adresse gibt es keinen Zahlungslink. Prüfen Sie die Adresse, oder wenden Sie sich an den Shop.",

  detailsHeading: "Einzelheiten",
  merchant: "Händler",
  price: "Preis",
  subject: "Wofür",
  amountOrdered: "Verlangt",
  amountReceived: "Erhalten",
  network: "Netzwerk",
  address: "Adresse",
  transaction: "Transaktion",
  paidAt: "Bezahlt am",
  expiredAt: "Beendet am",
  reference: "Referenz",

  returnTo: (merchant) => `Zurück zu ${merchant}`,
  returning: (seconds) => `Zurück in ${seconds} s.`,
  returnStay: "Auf dieser Seite bleiben",
  returnStayed: "Sie bleiben auf dieser Seite",
  printReceipt: "Beleg drucken",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `Ihre Zahlung geht direkt an die Wallet von ${merchant}.`,
  support: (merchant) => `${merchant} kontaktieren`,
  close: "Schließen",
  poweredBy: "Stablegate",
  offline: "Sie sind offline. Sobald die Verbindung wieder da ist, läuft diese Seite von selbst weiter.",

  notFoundTitle: "Dieser Zahlungslink führt ins Leere",
  notFoundLead:
    "Hinter diesem Link gibt es keine Bestellung. Prüfen Sie, ob die ganze Adresse kopiert wurde, oder gehen Sie zurück in den Shop und beginnen Sie die Zahlung neu. **Senden Sie kein Geld.**",
  refusedTitle: "Diese Zahlung konnte nicht gestartet werden",
  refusedLead:
    "Der Shop hat eine ungültige Zahlungsanfrage gesendet. Gehen Sie zurück in den Shop und versuchen Sie es noch einmal. **Senden Sie kein Geld.**",
  notNowLead:
    "Zahlungen können gerade nicht gestartet werden. Gehen Sie zurück in den Shop und versuchen Sie es in einer Minute noch einmal. **Senden Sie kein Geld.**",
  tamperedTitle: "Bitte nicht bezahlen",
  tamperedLead:
    "Die Adresse dieser Bestellung wurde nachträglich geändert, und nicht vom Shop. **Senden Sie kein Geld.** Haben Sie schon bezahlt, bewahren Sie die Transaktions-ID aus Ihrer Wallet auf.",
  closedTitle: "Zahlung zurzeit nicht möglich",
  closedLead:
    "Der Shop kann diese Zahlung zurzeit nicht annehmen. Gehen Sie zurück in den Shop und wählen Sie eine andere Zahlungsart, oder versuchen Sie es später noch einmal. **Senden Sie kein Geld.**",
  otherWay: "Sie können auch zurück in den Shop gehen und eine andere Zahlungsart wählen.",
  alreadyPaidTitle: "Diese Bestellung ist bereits bezahlt",
  alreadyPaidLead: "Gehen Sie zurück in den Shop. **Zahlen Sie nicht noch einmal.**",
  depositStatus: "Ihre Einzahlungsadresse",
  depositLead: (merchant) =>
    `Diese Adresse bei ${merchant} gehört nur Ihnen. **Senden Sie jeden Betrag, so oft Sie wollen:** Sie läuft nicht ab.`,
  depositOnly: (currencies, network) =>
    `**Nur ${currencies} über ${network}.** Alles andere, was an diese Adresse geht, wird nicht gutgeschrieben und kann verloren sein.`,
  depositArrived: "An dieser Adresse eingegangen",
  depositNothing: "Noch ist nichts angekommen. Was Sie senden, erscheint hier von selbst.",
  depositConfirmed: "Bestätigt",
  depositReversed: "Vom Netzwerk rückgängig gemacht",
  depositLatest: (count) => `Gezeigt werden die letzten ${count}.`,
  depositClosedTitle: "Diese Adresse wird zurzeit nicht verwendet",
  depositClosedLead: (merchant) =>
    `${merchant} hat sie pausiert. **Senden Sie nichts.** Was Sie schon gesendet haben, ist nicht verloren und erscheint hier.`,
  depositBrokenTitle: "Diese Adresse kann nicht gezeigt werden",
  depositBrokenLead: (merchant) =>
    `Was dazu gespeichert ist, hat unsere Prüfung nicht bestanden und wurde vielleicht von jemandem verändert. **Senden Sie nichts.** Sagen Sie ${merchant} Bescheid, damit es geprüft wird.`,
  depositNoneLead:
    "Hinter diesem Link gibt es keine Adresse. Prüfen Sie, ob der ganze Link kopiert wurde, oder fragen Sie noch einmal danach. **Senden Sie kein Geld.**",
  busyTitle: "Zu viele Aufrufe",
  busyLead:
    "Diese Seite wurde von Ihrer Internetadresse zu oft geöffnet. Sie versucht es gleich von selbst noch einmal. Eine schon gesendete Zahlung ist nicht verloren.",
  awayTitle: "Gleich wieder da",
  awayLead:
    "Die Zahlungsseite kann gerade nicht angezeigt werden. Sie versucht es alle paar Sekunden von selbst. Eine schon gesendete Zahlung ist nicht verloren.",
};
