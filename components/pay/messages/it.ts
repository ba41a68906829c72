import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { plural, unit } = counting("it");

/** Italian. */
export const it: Messages = {
  lang: "it",
  dir: "ltr",
  name: "Italiano",
  chooseLanguage: "Lingua",

  chooseTitle: "Come vuoi pagare?",
  chooseStatus: "In attesa della tua scelta",
  chooseLead: (merchant, asked) =>
    `${merchant} chiede **${asked}**. Scegli la rete da cui invia il tuo wallet o il tuo exchange. Dopo vedrai che cosa inviare e dove.`,
  chooseNone: (merchant) =>
    `In questo momento non è possibile pagare ${merchant}. Questa pagina ricontrolla da sola. **Non inviare nulla.**`,
  chooseLegend: "Valuta e rete",
  choose: "Continua",
  chooseProblem: {
    taken: "Al momento lì non c’è nulla di libero per questo importo. Scegli un’altra rete o riprova tra un minuto.",
    closed: "Questa scelta al momento non è disponibile. Scegline un’altra o riprova tra un minuto.",
    unrated: "Al momento non si può dire a quanto corrisponde questo prezzo. Riprova tra un minuto.",
    enough: "Per questo ordine sono già stati offerti cinque modi di pagare. Paga con uno di quelli.",
    often: "La scelta è stata rifatta troppe volte. Riprova tra un minuto.",
  },
  chooseExpiredLead: "Non è stato scelto nulla in tempo. **Non inviare nulla:** questa offerta è terminata.",
  chooseCancelledLead: (merchant) => `${merchant} ha annullato questo ordine. **Non inviare nulla.**`,

  waitingStatus: "In attesa del pagamento",
  waitingTitle: (currency, network) => `Invia ${currency} su ${network}`,
  underpaidStatus: "È arrivata una parte del pagamento",
  underpaidTitle: (currency, network) => `Invia il resto in ${currency} su ${network}`,
  underpaidLead: (arrived, due) =>
    `Sono arrivati **${arrived}** di ${due}. Invia il resto allo stesso indirizzo prima che scada il tempo.`,
  partialTitle: "È arrivata una parte del pagamento",
  partialLead: (merchant, arrived, due) =>
    `${merchant} ha contato **${arrived}** di ${due}. **Non inviare il resto di tua iniziativa.**`,

  elsewhereNetworkTitle: "Pagato su un’altra rete",
  elsewhereCurrencyTitle: "Pagato in un’altra valuta",
  elsewhereLead: (arrived, network, currency, due) =>
    `Sono arrivati **${arrived}** su **${network}**. Questo ordine chiede ${currency} su ${due}, perciò il pagamento non vale da solo.`,
  lookAlikeTitle: "Pagato con un altro token",
  bridged: (currency) => `${currency} da bridge`,
  discontinued: (currency) => `${currency} dismesso`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `Hai inviato **${arrived}** su **${network}**. I wallet lo mostrano come ${symbol}, ma è un token (${contract}) diverso dal ${currency} chiesto da questo ordine, quindi non lo paga.`,
  lookAlikeSeen: (merchant) =>
    `**È arrivato a un indirizzo di ${merchant}.** Il negozio lo vede accanto a questo ordine.`,
  elsewhereSeen: (merchant) =>
    `**È arrivato a un indirizzo di ${merchant}.** Il negozio lo vede accanto a questo ordine e può accettarlo.`,
  elsewhereContact: (merchant) =>
    `**Contatta ${merchant}** e indica l’ID della transazione qui sotto. Sarà il negozio a decidere.`,
  keepId: (merchant: string) =>
    `**Conserva l’ID della transazione qui sotto.** ${merchant} vede questo pagamento accanto all’ordine e decide come gestirlo.`,
  contactAsk: (merchant: string) => `Contatta ${merchant} se hai domande.`,
  sentKeepId: "**Già inviato?** Conserva l’ID della transazione del tuo wallet o exchange.",
  paymentSeen: (merchant: string) => `${merchant} può vedere il tuo pagamento.`,
  elsewhereAgain: (merchant) => `**Non pagare di nuovo,** a meno che ${merchant} non te lo chieda.`,
  elsewherePay: "Pagare comunque di nuovo questo ordine",
  elsewherePayNote: (merchant) =>
    `Solo se ${merchant} te lo ha chiesto: quello che invii ora si aggiunge a quello che hai già inviato.`,
  otherAmountTitle: "È arrivato un altro importo",
  otherAmountShort: (arrived, due, off) => `Sono arrivati **${arrived}** invece di ${due}: **mancano ${off}.**`,
  otherAmountOver: (arrived, due, off) => `Sono arrivati **${arrived}** invece di ${due}: **${off} in eccesso.**`,
  notMine: "Questo non è il mio pagamento",
  alsoArrived: (arrived, network, merchant) =>
    `Sono arrivati anche **${arrived}** su **${network}**, dove non valgono per questo ordine. ${merchant} li vede. Non inviarli di nuovo.`,
  transactionOn: (network) => `Transazione su ${network}`,

  sourceTitle: "Dove si trova il tuo denaro?",
  sourceExchange: "Conto su un exchange",
  sourceWallet: "App wallet",
  sourceOther: "Un altro exchange",
  exchangeNetwork: (exchange: string) => `Rete su ${exchange}`,
  exchangeFee: (fee: string) => `commissione di circa ${fee}`,
  exchangeMinimum: (minimum: string) => `minimo di circa ${minimum}`,
  exchangeTooSmall: (exchange: string, minimum: string) =>
    `**${exchange} qui invia almeno circa ${minimum},** più di questo ordine. Scegli un’altra rete o un wallet.`,
  exchangeUnlisted: (exchange: string, currency: string) =>
    `${exchange} potrebbe non inviare ${currency} su questa rete. Controlla prima il suo modulo di prelievo.`,
  exchangeSlow: "**I prelievi possono richiedere alcuni minuti.** Non servono memo o tag.",
  amountLabel: "Importo",
  receivedLabel: "Importo che deve arrivare",
  remainingLabel: "Importo restante",
  addressLabel: "A questo indirizzo",
  copyAmount: "Copia l’importo",
  copyAddress: "Copia l’indirizzo",
  copied: "Copiato",
  amountCopied: "Importo copiato",
  addressCopied: "Indirizzo copiato",
  copyFailed: "Copia non riuscita. Seleziona il testo e copialo a mano.",

  tailNote: (digits) =>
    `Le ultime cifre, **${digits}**, sono solo del tuo ordine. Scrivi anche quelle e non arrotondare.`,
  exactNote: (amount) =>
    `**Invia esattamente ${amount}.** Il pagamento viene riconosciuto da questo importo esatto. Un importo diverso non si può collegare al tuo ordine.`,
  sumNote: (amount) =>
    `**Invia ${amount}, o quello che il tuo exchange ne fa arrivare.** Questo indirizzo è solo per il tuo ordine: tutto ciò che arriva conta.`,
  restNote:
    "**Arriva meno per via di una commissione?** Allora questa pagina chiede il resto. Se arriva di più, viene mostrato qui come pagamento in eccesso.",
  exchangeNote: (amount) =>
    `**Paghi da un exchange?** Controlla che l’importo ricevuto sia esattamente ${amount}: alcuni tolgono la commissione da quello che scrivi, altri la aggiungono.`,
  onlyNote: (currency, network) =>
    `**Solo ${currency} su ${network}.** Qualsiasi altra cosa inviata a questo indirizzo non paga l’ordine e può andare persa.`,

  sameTokenNote: (currency, shown) => `Alcuni wallet mostrano questo ${currency} come **${shown}**. È lo stesso.`,
  lookAlikeNote: (name, symbol, contract) =>
    `**Non ${name}** (${contract}): i wallet lo mostrano come ${symbol}, ma è un altro token e non paga.`,

  qrLegend: "Che cosa contiene il codice QR",
  qrAddress: "Indirizzo",
  qrWallet: "Wallet",
  qrAddressCaption: "Solo l’indirizzo, per qualsiasi wallet o exchange. L’importo lo scrivi tu.",
  qrWalletCaption:
    "Indirizzo e importo, per i wallet che leggono le richieste di pagamento. Controlla entrambi prima di inviare.",
  qrAddressAlt: (address) => `Codice QR dell’indirizzo ${address}`,
  qrWalletAlt: (amount, address) => `Codice QR di una richiesta di ${amount} a ${address}`,

  showQr: "Mostra codice QR",
  walletOpen: "Apri nel wallet",
  walletPay: "Paga con un wallet",
  walletUnloaded: "Caricamento non riuscito. Ricarica la pagina.",
  walletChoose: "Scegli il tuo wallet",
  walletConnect: "Apri il wallet e consenti a questa pagina di vedere il tuo conto.",
  walletConfirm: (amount, network) =>
    `Confronta importo e indirizzo nel wallet, poi conferma lì: ${amount} su ${network}.`,
  walletSent: (network) => `Il wallet ha inviato il pagamento. Questa pagina attende che ${network} lo mostri.`,
  walletNothing: "Non è stato inviato nulla.",
  walletRejected: "Hai rifiutato nel tuo wallet.",
  walletBusy: "Il wallet attende ancora una tua risposta. Aprilo, poi riprova.",
  walletNetwork: (network) => `Il wallet non è su ${network}. Passa a quella rete, poi riprova.`,
  walletAccount: (network) => `Questo conto non può pagare su ${network}. Scegline un altro nel wallet.`,
  walletFunds: (amount) => `Questo conto non ha ${amount} e la commissione di rete.`,
  walletChanged: "Nel frattempo è cambiato ciò che c’è da pagare. Guarda di nuovo questa pagina prima di pagare.",
  walletAgain: "È già stato inviato da questo browser. Attendi che compaia qui.",
  walletAway: "Al momento non è possibile. Riprova tra poco.",
  walletFailed: "Il wallet ha segnalato un problema.",
  walletLook: "Controlla lì se è stato inviato qualcosa prima di riprovare.",

  contractSummary: (currency, network) => `Indirizzo del token ${currency} su ${network}`,
  contractNote: "Confrontalo con il token nel tuo wallet.",
  viewOn: (explorer) => `Vedi su ${explorer}`,
  opensNewTab: "(si apre in una nuova scheda)",

  timeLeft: (clock) => `Ancora ${clock}`,
  payBefore: (time) => `Paga entro: ${time}`,
  timeLeftSpoken: (minutes) => `Tempo rimasto per pagare: ${unit(minutes, "minute")}`,

  chooseTime: (time) => `Definitivo in ${time}`,
  chooseFeeUnder: (to) => `commissione di rete di solito sotto ${to} USD`,
  chooseFeeAbout: (from, to) => `commissione di rete da circa ${from} a ${to} USD`,
  chooseRecommended: "Consigliato",
  chooseAmount: (amount: string) => `circa ${amount}`,
  chooseShown: "Scelto ora",
  chooseQuoted: (amount) => `${amount}, offerto prima`,
  chooseNote:
    "Tempi e commissioni sono quelli abituali, non una promessa. Un exchange prende in più una propria commissione.",
  switchLink: "Paga in altro modo",
  switchTitle: "Paga in un altro modo",
  switchStatus: "Scegli di nuovo",
  switchLead: (amount, network) =>
    `Richiesto ora: **${amount}** su **${network}**. Resta pagabile qualunque cosa tu scelga qui. **Se hai già inviato, non scegliere nulla:** il pagamento vale.`,
  switchBack: "Indietro, senza cambiare nulla",
  otherOffer: (amount, network) =>
    `**Hai già inviato ${amount} su ${network}?** Il pagamento vale e comparirà qui. Non pagare due volte.`,
  paidOn: (network) => `Il pagamento è stato fatto su **${network}**, uno dei modi offerti.`,
  moreTime: "Mi serve più tempo",
  moreTimeNote: (minutes, left) => `Aggiunge ${minutes} min. Proroghe rimaste: ${left}.`,
  paidLink: "Ho pagato",
  paidLabel: "ID della transazione",
  paidHint: (networks) =>
    `Dal tuo wallet o exchange, su ${networks}. Serve solo a mostrare che fine ha fatto la transazione.`,
  paidLook: "Cerca",
  paidNoId: (networks) =>
    `Questo non è un ID di transazione di ${networks}. Copia l’ID intero dal tuo wallet o exchange.`,
  paidOften: "La richiesta è stata fatta molte volte. Riprova tra un minuto.",
  lookupAsking: (id, network) => `Ricerca di ${id} su ${network} …`,
  lookupSilent: (network) =>
    `**Nessun nodo di ${network} ha risposto.** Questo non dice nulla sul tuo pagamento. Chiedi di nuovo tra un minuto.`,
  lookupAbsent: (id, network) =>
    `**${id} non è ancora visibile su ${network}.** Può richiedere qualche minuto. Controlla nel tuo wallet che sia stata davvero inviata, e su ${network}.`,
  lookupFailed: (id) =>
    `**${id} non è riuscita sulla catena,** quindi non è stato inviato nulla. Il tuo wallet dice perché.`,
  lookupNothing: (id) =>
    `**${id} non ha inviato nulla all’indirizzo di questo ordine.** Confronta l’indirizzo nel tuo wallet con quello qui.`,
  lookupEarly: (id) => `**${id} è stata fatta prima di questo ordine,** quindi non può pagarlo.`,
  lookupOtherOrder: (id) => `**${id} appartiene a un altro ordine,** quindi non paga questo.`,
  lookupKept: (id, merchant) =>
    `**${id} è arrivata a ${merchant}, ma da sola non paga questo ordine.** Non pagare di nuovo.`,
  lookupFound: (id) => `**${id} è stata trovata.** Vale quando la rete l’ha confermata, e questa pagina lo mostrerà.`,
  lookupCounted: (id) =>
    `**${id} è già contata:** è arrivata ed è confermata. Se questo ordine non è ancora pagato, manca il resto.`,
  lookupWrongToken: (id, token) => `**${id} ha inviato ${token},** che non è ciò che chiede questo ordine.`,
  lookupUnknownToken: "un token qui non conosciuto",
  lookupWrongNetwork: (id, network) => `**${id} è stata inviata su ${network},** dove questo ordine non si può pagare.`,
  lookupShort: (id, arrived, due) =>
    `**Con ${id} sono arrivati ${arrived} invece di ${due}.** Forse è stata trattenuta una commissione. Il pagamento non si può collegare da solo.`,
  lookupOver: (id, arrived, due) =>
    `**Con ${id} sono arrivati ${arrived} invece di ${due}.** Il pagamento non si può collegare da solo.`,

  sandboxNote: "Questo è un ambiente di prova: il denaro è finto, su una catena a parte.",
  sandboxPay: "Paga dal wallet di prova",
  sandboxPaying: "Invio…",
  sandboxSent: "Inviato dal wallet di prova",
  sandboxFailed: "Il wallet di prova non è riuscito a pagare. Riprova.",

  stepsLabel: "Avanzamento",
  stepSeen: "Visto",
  stepConfirming: "In conferma",
  stepPaid: "Pagato",
  seenTitle: "Pagamento visto",
  seenLead: (amount, network) =>
    `**${amount}** sono arrivati all’indirizzo. ${network} li sta confermando. Non devi fare altro.`,
  confirmingTitle: "Conferma del pagamento in corso",
  confirmingLead: (amount, network) =>
    `Sono arrivati **${amount}**. ${network} li rende definitivi in pochi blocchi. Non devi fare altro.`,
  lateTitle: "Pagamento in ritardo trovato",
  lateLead: (amount) =>
    `**${amount}** sono arrivati a tempo scaduto. Li abbiamo trovati e ora vengono confermati. Non inviarli di nuovo.`,
  confirmations: (count, required) =>
    `${count} di ${required} ${plural(required, { one: "conferma", other: "conferme" })}`,
  almostThere: "ci siamo quasi",
  aboutSeconds: (seconds) => `circa ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => (minutes === 1 ? "circa un minuto" : `circa ${unit(minutes, "minute")}`),
  mayClose: "Puoi chiudere questa pagina; il pagamento va avanti anche senza.",

  checkingTitle: "Ricerca del tuo pagamento",
  checkingLead: (network) =>
    `Il tempo è scaduto. **Ora non inviare più nulla.** Stiamo leggendo gli ultimi blocchi di ${network}; un pagamento già inviato comparirà qui.`,

  paidTitle: "Pagamento completato",
  paidLead: (merchant, amount) => `${merchant} ha ricevuto **${amount}**.`,
  paidByHandLead: (merchant, due) => `${merchant} ha segnato come pagato questo ordine di **${due}**.`,
  paidLateLead: (merchant, amount) => `${merchant} ha ricevuto **${amount}**. Il pagamento è arrivato a tempo scaduto.`,
  overpaidTitle: "Pagato, e più del richiesto",
  overpaidLead: (merchant, arrived, surplus) =>
    `${merchant} ha ricevuto **${arrived}**, cioè **${surplus}** più del richiesto. L’ordine è pagato.`,

  expiredTitle: "Il tempo è scaduto",
  expiredLead: "Non è arrivato nulla. **Non inviare ora:** questa offerta è terminata.",
  expiredPartLead: (arrived, due) =>
    `Sono arrivati solo **${arrived}** di ${due}. **Non inviare ora:** questa offerta è terminata.`,
  expiredWatched: (hours) =>
    `**Hai già inviato?** Tieni aperta questa pagina. Cerchiamo il tuo pagamento ancora per ${unit(hours, "hour")}, e vale quando arriva.`,
  expiredUnwatched: (merchant) =>
    `**Hai già inviato?** Contatta ${merchant} e indica l’ID della transazione che vedi nel tuo wallet.`,
  expiredAgain: (merchant) => `Per pagare ora, ricomincia da ${merchant}.`,
  expiredPartAgain: (merchant) => `Contatta ${merchant} per quello che hai inviato; lo vede anche il negozio.`,

  cancelledTitle: "Ordine annullato",
  cancelledLead: (merchant) => `${merchant} ha annullato questo ordine. **Non inviare nulla.**`,

  delayed: (network) =>
    `**Al momento vediamo ${network} con ritardo.** Un pagamento già inviato è al sicuro e comparirà qui appena avremo recuperato. Non inviarlo due volte.`,

  refundTitle: "Richiedi il tuo rimborso",
  refundStatus: "In attesa del tuo indirizzo",
  refundLead: (merchant, amount) =>
    `${merchant} ti rimborsa **${amount}**. Scrivi l’indirizzo che deve ricevere questo importo.`,
  refundReason: "Motivo",
  refundReopened: (merchant) => `**${merchant} ti chiede un altro indirizzo.**`,
  refundMessage: (merchant) => `Messaggio di ${merchant}`,
  refundNetwork: "Rete",
  refundPaidOn: "Hai pagato su questa rete",
  refundAddress: "Il tuo indirizzo su questa rete",
  refundAddressHint: "L’indirizzo di un wallet o di un conto tuo. Un rimborso inviato non si può annullare.",
  refundExchange: (currency) =>
    `**È un indirizzo di un exchange?** L’exchange deve accettare a questo indirizzo depositi di ${currency} sulla rete scelta.`,
  refundConfirm: (count) => `Gli ultimi ${count} caratteri dell’indirizzo`,
  refundConfirmHint:
    "Scrivili come li mostra il tuo wallet o exchange. Dimostrano che l’indirizzo è stato copiato per intero.",
  refundOrderNumber: "Numero d’ordine",
  refundOrderNumberHint: (merchant) => `Nella conferma di ${merchant}`,
  refundEmail: "Indirizzo email",
  refundEmailHint: (merchant) => `Quello che hai dato a ${merchant}`,
  refundSubmit: "Richiedi il rimborso",
  refundExpires: "Il link scade il",
  refundProblem: {
    used: "Questo rimborso è già stato richiesto.",
    often: "Ci sono stati troppi tentativi. Riprova tra qualche minuto.",
    network: "Scegli una di queste reti.",
    address: (network) => `Questo non è un indirizzo valido su ${network}. Copia l’indirizzo intero.`,
    token: "Questo è l’indirizzo del token stesso, non di un wallet. Scrivi il tuo indirizzo.",
    shop: "Questo indirizzo è del negozio. Scrivi il tuo indirizzo.",
    confirmation: "Questi non sono gli ultimi caratteri dell’indirizzo. Confrontali e riprova.",
    number: "Questo non è il numero dell’ordine.",
    email: "Questo non è l’indirizzo email dell’ordine.",
  },
  refundClaimedTitle: "Indirizzo ricevuto",
  refundClaimedLead: (merchant) =>
    `${merchant} controlla la tua richiesta e poi invia il rimborso. Questa pagina lo mostrerà da sola quando sarà in arrivo.`,
  refundApprovedTitle: "Rimborso approvato",
  refundApprovedLead: (merchant, amount, network) =>
    `${merchant} invia **${amount}** su **${network}** al tuo indirizzo. Questa pagina lo mostrerà da sola quando il rimborso sarà in arrivo.`,
  refundSentTitle: "Rimborso in arrivo",
  refundSentLead: (amount, network) =>
    `**${amount}** sono stati inviati al tuo indirizzo. ${network} li sta confermando.`,
  refundCompletedTitle: "Rimborso completato",
  refundCompletedLead: (amount, network) => `**${amount}** sono arrivati al tuo indirizzo su **${network}**.`,
  refundCancelledTitle: "Rimborso annullato",
  refundCancelledLead: (merchant) => `${merchant} ha annullato questo rimborso.`,
  refundExpiredTitle: "Il link è scaduto",
  refundExpiredLead: (merchant) =>
    `Questo rimborso non è stato richiesto in tempo. Chiedi un nuovo link a ${merchant}.`,
  refundNoneLead: "Dietro questo link non c’è nessun rimborso. Controlla che il link sia stato copiato per intero.",

  linkTitle: (merchant) => `Paga ${merchant}`,
  linkSubmit: "Continua al pagamento",
  linkOptional: "facoltativo",
  linkContinue: "Continua il pagamento iniziato",
  linkBetween: (min, max) => `Da ${min} a ${max}`,
  linkAtLeast: (min) => `Almeno ${min}`,
  linkAtMost: (max) => `Al massimo ${max}`,
  linkProblem: {
    amount: "Inserisci un importo, per esempio 25.00.",
    often: "Dalla tua rete sono stati avviati troppi pagamenti. Riprova tra qualche minuto.",
    away: "Al momento non è possibile avviare il pagamento. Riprova tra un minuto.",
    note: "La nota è troppo lunga o contiene caratteri non consentiti.",
  },
  linkAwayLead: "Al momento il negozio non può accettare pagamenti. Riprova più tardi.",
  linkUsedTitle: "Questo link di pagamento è già stato usato",
  linkUsedLead: (merchant) =>
    `${merchant} non accetta altri pagamenti con questo link. Se un altro pagamento non viene completato in tempo, il link potrà essere usato di nuovo.`,
  linkEndedTitle: "Questo link di pagamento è terminato",
  linkEndedLead: (merchant) =>
    `${merchant} non accetta più pagamenti con questo link. Chiedine uno nuovo se vuoi ancora pagare.`,
  linkNoneLead: "A questo indirizzo non c’è nessun link di pagamento. Controlla l’indirizzo o contatta il negozio.",

  detailsHeading: "Dettagli",
  merchant: "Negozio",
  price: "Prezzo",
  subject: "Per",
  amountOrdered: "Richiesto",
  amountReceived: "Ricevuto",
  network: "Rete",
  address: "Indirizzo",
  transaction: "Transazione",
  paidAt: "Pagato il",
  expiredAt: "Terminato il",
  reference: "Riferimento",

  returnTo: (merchant) => `Torna a ${merchant}`,
  returning: (seconds) => `Ritorno tra ${seconds} s.`,
  returnStay: "Resta su questa pagina",
  returnStayed: "Resti su questa pagina",
  printReceipt: "Stampa la ricevuta",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `Il tuo pagamento va direttamente al wallet di ${merchant}.`,
  support: (merchant) => `Contatta ${merchant}`,
  close: "Chiudi",
  poweredBy: "Stablegate",
  offline: "Sei offline. Questa pagina riprende da sola quando torna la connessione.",

  notFoundTitle: "Questo link di pagamento non porta da nessuna parte",
  notFoundLead:
    "Dietro questo link non c’è nessun ordine. Controlla di aver copiato tutto l’indirizzo, oppure torna al negozio e ricomincia il pagamento. **Non inviare denaro.**",
  refusedTitle: "Non è stato possibile avviare questo pagamento",
  refusedLead:
    "Il negozio ha inviato una richiesta di pagamento non valida. Torna al negozio e riprova. **Non inviare denaro.**",
  notNowLead:
    "In questo momento non è possibile avviare pagamenti. Torna al negozio e riprova tra un minuto. **Non inviare denaro.**",
  tamperedTitle: "Non pagare",
  tamperedLead:
    "L’indirizzo di questo ordine è stato cambiato dopo la creazione, e non dal negozio. **Non inviare denaro.** Se l’hai già fatto, conserva l’ID della transazione del tuo wallet.",
  closedTitle: "In questo momento non è possibile pagare",
  closedLead:
    "Il negozio non può accettare questo pagamento in questo momento. Torna al negozio e scegli un altro metodo di pagamento, oppure riprova più tardi. **Non inviare denaro.**",
  otherWay: "Puoi anche tornare al negozio e scegliere un altro metodo di pagamento.",
  alreadyPaidTitle: "Questo ordine è già pagato",
  alreadyPaidLead: "Torna al negozio. **Non pagare di nuovo.**",
  depositStatus: "Il tuo indirizzo di deposito",
  depositLead: (merchant) =>
    `Questo indirizzo presso ${merchant} è solo tuo. **Invia qualsiasi importo, tutte le volte che vuoi:** non scade.`,
  depositOnly: (currencies, network) =>
    `**Solo ${currencies} su ${network}.** Qualsiasi altra cosa inviata a questo indirizzo non viene accreditata e può andare persa.`,
  depositArrived: "Ricevuto a questo indirizzo",
  depositNothing: "Non è ancora arrivato nulla. Quello che invii compare qui da solo.",
  depositConfirmed: "Confermato",
  depositReversed: "Annullato dalla rete",
  depositLatest: (count) => `Sono mostrati gli ultimi ${count}.`,
  depositClosedTitle: "Questo indirizzo al momento non è in uso",
  depositClosedLead: (merchant) =>
    `${merchant} lo ha messo in pausa. **Non inviare nulla.** Quello che hai già inviato non è perso e compare qui.`,
  depositBrokenTitle: "Questo indirizzo non può essere mostrato",
  depositBrokenLead: (merchant) =>
    `Ciò che è memorizzato non ha superato il nostro controllo e potrebbe essere stato cambiato da qualcun altro. **Non inviare nulla.** Avvisa ${merchant}, che può farlo verificare.`,
  depositNoneLead:
    "Dietro questo link non c’è nessun indirizzo. Controlla di aver copiato tutto il link, oppure richiedilo dove lo hai ricevuto. **Non inviare denaro.**",
  busyTitle: "Troppe visite",
  busyLead:
    "Questa pagina è stata aperta troppo spesso dal tuo indirizzo internet. Riprova da sola tra un momento. Un pagamento già inviato non va perso.",
  awayTitle: "Torniamo subito",
  awayLead:
    "La pagina di pagamento in questo momento non si può mostrare. Riprova da sola ogni pochi secondi. Un pagamento già inviato non va perso.",
};
