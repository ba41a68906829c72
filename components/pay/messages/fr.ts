import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { plural, unit } = counting("fr");

/** French. */
export const fr: Messages = {
  lang: "fr",
  dir: "ltr",
  name: "Français",
  chooseLanguage: "Langue",

  chooseTitle: "Comment voulez-vous payer ?",
  chooseStatus: "En attente de votre choix",
  chooseLead: (merchant, asked) =>
    `${merchant} demande **${asked}**. Choisissez le réseau depuis lequel votre portefeuille ou votre plateforme envoie. Vous verrez ensuite quoi envoyer, et où.`,
  chooseNone: (merchant) =>
    `Il n’est pas possible de payer ${merchant} pour le moment. Cette page vérifie de nouveau toute seule. **N’envoyez rien.**`,
  chooseLegend: "Monnaie et réseau",
  choose: "Continuer",
  chooseProblem: {
    taken: "Rien n’y est libre pour ce montant actuellement. Choisissez un autre réseau ou réessayez dans une minute.",
    closed: "Ce choix n’est pas disponible actuellement. Choisissez-en un autre ou réessayez dans une minute.",
    unrated: "Impossible de dire pour le moment à combien revient ce prix. Réessayez dans une minute.",
    enough: "Cinq façons de payer ont déjà été proposées pour cette commande. Payez l’une d’elles.",
    often: "Le choix a été refait trop souvent. Réessayez dans une minute.",
  },
  chooseExpiredLead: "Rien n’a été choisi à temps. **N’envoyez rien :** cette offre est terminée.",
  chooseCancelledLead: (merchant) => `${merchant} a annulé cette commande. **N’envoyez rien.**`,

  waitingStatus: "En attente du paiement",
  waitingTitle: (currency, network) => `Envoyez des ${currency} sur ${network}`,
  underpaidStatus: "Une partie du paiement est arrivée",
  underpaidTitle: (currency, network) => `Envoyez le reste en ${currency} sur ${network}`,
  underpaidLead: (arrived, due) =>
    `**${arrived}** sur ${due} sont arrivés. Envoyez le reste à la même adresse avant la fin du délai.`,
  partialTitle: "Une partie du paiement est arrivée",
  partialLead: (merchant, arrived, due) =>
    `${merchant} a compté **${arrived}** sur ${due}. **N’envoyez pas le reste de vous-même.**`,

  elsewhereNetworkTitle: "Payé sur un autre réseau",
  elsewhereCurrencyTitle: "Payé dans une autre monnaie",
  elsewhereLead: (arrived, network, currency, due) =>
    `**${arrived}** sont arrivés sur **${network}**. Cette commande demande des ${currency} sur ${due} : le paiement ne compte donc pas de lui-même.`,
  lookAlikeTitle: "Payé avec un autre jeton",
  bridged: (currency) => `${currency} passé par un pont`,
  discontinued: (currency) => `${currency} abandonné`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `Vous avez envoyé **${arrived}** sur **${network}**. Les portefeuilles l’affichent comme ${symbol}, mais c’est un autre jeton (${contract}) que le ${currency} demandé : il ne paie pas la commande.`,
  lookAlikeSeen: (merchant) =>
    `**Le paiement est arrivé à une adresse de ${merchant}.** Le marchand le voit à côté de cette commande.`,
  elsewhereSeen: (merchant) =>
    `**Le paiement est arrivé à une adresse de ${merchant}.** Le marchand le voit à côté de cette commande et peut l’accepter.`,
  elsewhereContact: (merchant) =>
    `**Contactez ${merchant}** et donnez l’identifiant de transaction ci-dessous. Le marchand décide de la suite.`,
  keepId: (merchant: string) =>
    `**Conservez l’identifiant de transaction ci-dessous.** ${merchant} voit ce paiement à côté de la commande et décide de la suite.`,
  contactAsk: (merchant: string) => `Contactez ${merchant} si vous avez des questions.`,
  sentKeepId: "**Déjà envoyé ?** Conservez l’identifiant de transaction de votre portefeuille ou plateforme.",
  paymentSeen: (merchant: string) => `${merchant} voit votre paiement.`,
  elsewhereAgain: (merchant) => `**Ne payez pas une seconde fois,** sauf si ${merchant} vous le demande.`,
  elsewherePay: "Payer quand même cette commande une seconde fois",
  elsewherePayNote: (merchant) =>
    `Seulement si ${merchant} vous l’a demandé : ce que vous envoyez maintenant s’ajoute à ce que vous avez déjà envoyé.`,
  otherAmountTitle: "Un autre montant est arrivé",
  otherAmountShort: (arrived, due, off) => `**${arrived}** sont arrivés au lieu de ${due} : **il manque ${off}.**`,
  otherAmountOver: (arrived, due, off) => `**${arrived}** sont arrivés au lieu de ${due} : **${off} de trop.**`,
  notMine: "Ce n’est pas mon paiement",
  alsoArrived: (arrived, network, merchant) =>
    `**${arrived}** sont aussi arrivés sur **${network}**, où ils ne comptent pas pour cette commande. ${merchant} le voit. Ne renvoyez rien.`,
  transactionOn: (network) => `Transaction sur ${network}`,

  sourceTitle: "Où se trouve votre argent ?",
  sourceExchange: "Compte sur une plateforme",
  sourceWallet: "Application portefeuille",
  sourceOther: "Autre plateforme",
  exchangeNetwork: (exchange: string) => `Réseau sur ${exchange}`,
  exchangeFee: (fee: string) => `frais d’environ ${fee}`,
  exchangeMinimum: (minimum: string) => `minimum d’environ ${minimum}`,
  exchangeTooSmall: (exchange: string, minimum: string) =>
    `**${exchange} envoie ici au moins ${minimum} environ,** plus que cette commande. Choisissez un autre réseau ou un portefeuille.`,
  exchangeUnlisted: (exchange: string, currency: string) =>
    `${exchange} n’envoie peut-être pas ${currency} sur ce réseau. Vérifiez d’abord son formulaire de retrait.`,
  exchangeSlow: "**Les retraits peuvent prendre plusieurs minutes.** Aucun mémo ni tag n’est nécessaire.",
  amountLabel: "Montant",
  receivedLabel: "Montant qui doit arriver",
  remainingLabel: "Montant restant",
  addressLabel: "À cette adresse",
  copyAmount: "Copier le montant",
  copyAddress: "Copier l’adresse",
  copied: "Copié",
  amountCopied: "Montant copié",
  addressCopied: "Adresse copiée",
  copyFailed: "La copie a échoué. Sélectionnez le texte et copiez-le à la main.",

  tailNote: (digits) =>
    `Les derniers chiffres, **${digits}**, n’appartiennent qu’à votre commande. Saisissez-les aussi, sans arrondir.`,
  exactNote: (amount) =>
    `**Envoyez exactement ${amount}.** Votre paiement est reconnu à ce montant exact. Un autre montant ne peut pas être rattaché à votre commande.`,
  sumNote: (amount) =>
    `**Envoyez ${amount}, ou ce que votre plateforme en fait.** Cette adresse est réservée à votre commande : tout ce qui arrive compte.`,
  restNote:
    "**Il arrive moins à cause de frais ?** Cette page demande alors le reste. S’il arrive plus, l’excédent est affiché ici.",
  exchangeNote: (amount) =>
    `**Vous payez depuis une plateforme ?** Vérifiez que le montant reçu est exactement ${amount} : certaines retiennent leurs frais sur ce que vous saisissez, d’autres les ajoutent.`,
  onlyNote: (currency, network) =>
    `**Uniquement des ${currency} sur ${network}.** Tout autre envoi à cette adresse ne paie pas la commande et peut être perdu.`,

  sameTokenNote: (currency, shown) =>
    `Certains portefeuilles affichent ce ${currency} comme **${shown}**. C’est la même chose.`,
  lookAlikeNote: (name, symbol, contract) =>
    `**Pas de ${name}** (${contract}) : les portefeuilles l’affichent comme ${symbol}, mais c’est un autre jeton et il ne paie pas.`,

  qrLegend: "Contenu du code QR",
  qrAddress: "Adresse",
  qrWallet: "Portefeuille",
  qrAddressCaption: "L’adresse seule, pour tout portefeuille ou plateforme. Saisissez vous-même le montant.",
  qrWalletCaption:
    "Adresse et montant, pour les portefeuilles qui lisent les demandes de paiement. Vérifiez les deux avant d’envoyer.",
  qrAddressAlt: (address) => `Code QR de l’adresse ${address}`,
  qrWalletAlt: (amount, address) => `Code QR d’une demande de ${amount} à ${address}`,

  showQr: "Afficher le code QR",
  walletOpen: "Ouvrir dans le portefeuille",
  walletPay: "Payer avec un portefeuille",
  walletUnloaded: "Le chargement a échoué. Rechargez la page.",
  walletChoose: "Choisissez votre portefeuille",
  walletConnect: "Ouvrez votre portefeuille et autorisez cette page à voir votre compte.",
  walletConfirm: (amount, network) =>
    `Comparez le montant et l’adresse dans votre portefeuille, puis confirmez : ${amount} sur ${network}.`,
  walletSent: (network) => `Votre portefeuille a envoyé le paiement. Cette page attend que ${network} le montre.`,
  walletNothing: "Rien n’a été envoyé.",
  walletRejected: "Vous avez refusé dans votre portefeuille.",
  walletBusy: "Votre portefeuille attend encore une réponse de votre part. Ouvrez-le, puis réessayez.",
  walletNetwork: (network) => `Votre portefeuille n’est pas sur ${network}. Passez sur ce réseau, puis réessayez.`,
  walletAccount: (network) =>
    `Ce compte ne peut pas payer sur ${network}. Choisissez-en un autre dans votre portefeuille.`,
  walletFunds: (amount) => `Ce compte ne contient pas ${amount} et les frais du réseau.`,
  walletChanged: "Ce qui est à payer a changé entre-temps. Regardez de nouveau cette page avant de payer.",
  walletAgain: "Le paiement a déjà été envoyé depuis ce navigateur. Attendez qu’il apparaisse ici.",
  walletAway: "Ce n’est pas possible pour le moment. Réessayez dans un instant.",
  walletFailed: "Votre portefeuille a signalé un problème.",
  walletLook: "Vérifiez-y si quelque chose a été envoyé avant de réessayer.",

  contractSummary: (currency, network) => `Adresse du jeton ${currency} sur ${network}`,
  contractNote: "Comparez-la au jeton de votre portefeuille.",
  viewOn: (explorer) => `Voir sur ${explorer}`,
  opensNewTab: "(ouvre un nouvel onglet)",

  timeLeft: (clock) => `Encore ${clock}`,
  payBefore: (time) => `Payer avant : ${time}`,
  timeLeftSpoken: (minutes) => `Temps restant pour payer : ${unit(minutes, "minute")}`,

  chooseTime: (time) => `Définitif en ${time}`,
  chooseFeeUnder: (to) => `frais de réseau habituellement inférieurs à ${to} USD`,
  chooseFeeAbout: (from, to) => `frais de réseau d’environ ${from} à ${to} USD`,
  chooseRecommended: "Recommandé",
  chooseAmount: (amount: string) => `environ ${amount}`,
  chooseShown: "Choix actuel",
  chooseQuoted: (amount) => `${amount}, proposé auparavant`,
  chooseNote:
    "Les délais et les frais sont les valeurs habituelles, pas une promesse. Une plateforme prend en plus ses propres frais.",
  switchLink: "Payer autrement",
  switchTitle: "Payer autrement",
  switchStatus: "Choisir à nouveau",
  switchLead: (amount, network) =>
    `Demandé actuellement : **${amount}** sur **${network}**. Cela reste payable, quel que soit votre choix ici. **Si vous avez déjà envoyé, ne choisissez rien :** votre paiement compte.`,
  switchBack: "Retour, sans rien changer",
  otherOffer: (amount, network) =>
    `**Déjà envoyé ${amount} sur ${network} ?** Votre paiement compte et apparaîtra ici. Ne payez pas deux fois.`,
  paidOn: (network) => `Le paiement a été fait sur **${network}**, l’une des façons proposées.`,
  moreTime: "Il me faut plus de temps",
  moreTimeNote: (minutes, left) => `Ajoute ${minutes} min. Possible encore ${left} fois.`,
  paidLink: "J’ai payé",
  paidLabel: "Identifiant de transaction",
  paidHint: (networks) =>
    `Affiché par votre portefeuille ou votre plateforme, sur ${networks}. Il sert seulement à montrer ce qu’est devenue la transaction.`,
  paidLook: "Rechercher",
  paidNoId: (networks) =>
    `Ce n’est pas un identifiant de transaction de ${networks}. Copiez l’identifiant entier depuis votre portefeuille ou votre plateforme.`,
  paidOften: "Cette demande a été faite trop souvent. Réessayez dans une minute.",
  lookupAsking: (id, network) => `Recherche de ${id} sur ${network} …`,
  lookupSilent: (network) =>
    `**Aucun nœud de ${network} n’a répondu.** Cela ne dit rien de votre paiement. Redemandez dans une minute.`,
  lookupAbsent: (id, network) =>
    `**${id} n’est pas encore visible sur ${network}.** Cela peut prendre quelques minutes. Vérifiez dans votre portefeuille que l’envoi a bien eu lieu, et sur ${network}.`,
  lookupFailed: (id) =>
    `**${id} a échoué sur la chaîne,** donc rien n’a été envoyé. Votre portefeuille indique pourquoi.`,
  lookupNothing: (id) =>
    `**${id} n’a rien envoyé à l’adresse de cette commande.** Comparez l’adresse dans votre portefeuille avec celle affichée ici.`,
  lookupEarly: (id) => `**${id} a été faite avant cette commande,** elle ne peut donc pas la payer.`,
  lookupOtherOrder: (id) => `**${id} appartient à une autre commande,** elle ne paie donc pas celle-ci.`,
  lookupKept: (id, merchant) =>
    `**${id} est arrivée chez ${merchant}, mais ne paie pas cette commande d’elle-même.** Ne payez pas une seconde fois.`,
  lookupFound: (id) =>
    `**${id} a été trouvée.** Elle compte dès que le réseau l’a confirmée, et cette page l’affichera.`,
  lookupCounted: (id) =>
    `**${id} est comptée :** elle est arrivée et confirmée. Si cette commande n’est pas encore payée, il manque le reste.`,
  lookupWrongToken: (id, token) => `**${id} a envoyé ${token},** ce que cette commande ne demande pas.`,
  lookupUnknownToken: "un jeton qui n’est pas connu ici",
  lookupWrongNetwork: (id, network) =>
    `**${id} a été envoyée sur ${network},** où cette commande ne peut pas être payée.`,
  lookupShort: (id, arrived, due) =>
    `**Avec ${id}, ${arrived} sont arrivés au lieu de ${due}.** Des frais ont peut-être été retenus. Ce paiement ne peut pas être rattaché de lui-même.`,
  lookupOver: (id, arrived, due) =>
    `**Avec ${id}, ${arrived} sont arrivés au lieu de ${due}.** Ce paiement ne peut pas être rattaché de lui-même.`,

  sandboxNote: "Ceci est un bac à sable : l’argent est fictif, sur une chaîne à part.",
  sandboxPay: "Payer avec le portefeuille d’essai",
  sandboxPaying: "Envoi…",
  sandboxSent: "Envoyé depuis le portefeuille d’essai",
  sandboxFailed: "Le portefeuille d’essai n’a pas pu payer. Réessayez.",

  stepsLabel: "Avancement",
  stepSeen: "Vu",
  stepConfirming: "Confirmation",
  stepPaid: "Payé",
  seenTitle: "Paiement vu",
  seenLead: (amount, network) =>
    `**${amount}** sont arrivés à l’adresse. ${network} confirme maintenant le paiement. Vous n’avez plus rien à faire.`,
  confirmingTitle: "Confirmation de votre paiement",
  confirmingLead: (amount, network) =>
    `**${amount}** sont arrivés. ${network} rend le paiement définitif dans quelques blocs. Vous n’avez plus rien à faire.`,
  lateTitle: "Paiement tardif trouvé",
  lateLead: (amount) =>
    `**${amount}** sont arrivés après la fin du délai. Nous avons trouvé le paiement et il est en cours de confirmation. Ne renvoyez rien.`,
  confirmations: (count, required) =>
    `${count} sur ${required} ${plural(required, { one: "confirmation", other: "confirmations" })}`,
  almostThere: "presque terminé",
  aboutSeconds: (seconds) => `environ ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => (minutes === 1 ? "environ une minute" : `environ ${unit(minutes, "minute")}`),
  mayClose: "Vous pouvez fermer cette page ; le paiement continue sans elle.",

  checkingTitle: "Recherche de votre paiement",
  checkingLead: (network) =>
    `Le délai est écoulé. **N’envoyez plus rien maintenant.** Nous lisons les derniers blocs de ${network} ; un paiement déjà envoyé apparaîtra ici.`,

  paidTitle: "Paiement terminé",
  paidLead: (merchant, amount) => `${merchant} a reçu **${amount}**.`,
  paidByHandLead: (merchant, due) => `${merchant} a marqué cette commande de **${due}** comme payée.`,
  paidLateLead: (merchant, amount) => `${merchant} a reçu **${amount}**. Le paiement est arrivé après la fin du délai.`,
  overpaidTitle: "Payé, et plus que demandé",
  overpaidLead: (merchant, arrived, surplus) =>
    `${merchant} a reçu **${arrived}**, soit **${surplus}** de plus que demandé. La commande est payée.`,

  expiredTitle: "Le délai est écoulé",
  expiredLead: "Rien n’a été reçu. **N’envoyez plus rien :** cette offre est terminée.",
  expiredPartLead: (arrived, due) =>
    `Seuls **${arrived}** sur ${due} sont arrivés. **N’envoyez plus rien :** cette offre est terminée.`,
  expiredWatched: (hours) =>
    `**Déjà envoyé ?** Gardez cette page ouverte. Nous cherchons votre paiement pendant encore ${unit(hours, "hour")}, et il compte dès qu’il arrive.`,
  expiredUnwatched: (merchant) =>
    `**Déjà envoyé ?** Contactez ${merchant} et donnez l’identifiant de transaction affiché par votre portefeuille.`,
  expiredAgain: (merchant) => `Pour payer maintenant, recommencez chez ${merchant}.`,
  expiredPartAgain: (merchant) => `Contactez ${merchant} au sujet de votre envoi ; le marchand le voit aussi.`,

  cancelledTitle: "Commande annulée",
  cancelledLead: (merchant) => `${merchant} a annulé cette commande. **N’envoyez rien.**`,

  delayed: (network) =>
    `**Nous voyons ${network} avec du retard en ce moment.** Un paiement déjà envoyé est en sécurité et apparaîtra ici dès que nous aurons rattrapé. N’envoyez pas deux fois.`,

  refundTitle: "Demandez votre remboursement",
  refundStatus: "En attente de votre adresse",
  refundLead: (merchant, amount) =>
    `${merchant} vous rembourse **${amount}**. Saisissez l’adresse qui doit recevoir ce montant.`,
  refundReason: "Motif",
  refundReopened: (merchant) => `**${merchant} demande une autre adresse.**`,
  refundMessage: (merchant) => `Message de ${merchant}`,
  refundNetwork: "Réseau",
  refundPaidOn: "Vous avez payé sur ce réseau",
  refundAddress: "Votre adresse sur ce réseau",
  refundAddressHint:
    "L’adresse d’un portefeuille ou d’un compte qui vous appartient. Un remboursement envoyé ne peut pas être annulé.",
  refundExchange: (currency) =>
    `**Est-ce une adresse sur une plateforme ?** La plateforme doit accepter, à cette adresse, les dépôts de ${currency} sur le réseau choisi.`,
  refundConfirm: (count) => `Les ${count} derniers caractères de l’adresse`,
  refundConfirmHint:
    "Recopiez-les depuis votre portefeuille ou votre plateforme. Ils montrent que l’adresse a été copiée en entier.",
  refundOrderNumber: "Numéro de commande",
  refundOrderNumberHint: (merchant) => `Dans la confirmation de ${merchant}`,
  refundEmail: "Adresse e-mail",
  refundEmailHint: (merchant) => `Celle que vous avez donnée à ${merchant}`,
  refundSubmit: "Demander le remboursement",
  refundExpires: "Le lien expire le",
  refundProblem: {
    used: "Ce remboursement a déjà été demandé.",
    often: "Il y a eu trop de tentatives. Réessayez dans quelques minutes.",
    network: "Choisissez l’un de ces réseaux.",
    address: (network) => `Ce n’est pas une adresse valide sur ${network}. Copiez l’adresse entière.`,
    token: "C’est l’adresse du jeton lui-même, pas celle d’un portefeuille. Saisissez votre propre adresse.",
    shop: "Cette adresse appartient à la boutique. Saisissez votre propre adresse.",
    confirmation: "Ce ne sont pas les derniers caractères de l’adresse. Comparez les deux et réessayez.",
    number: "Ce n’est pas le numéro de la commande.",
    email: "Ce n’est pas l’adresse e-mail de la commande.",
  },
  refundClaimedTitle: "Adresse reçue",
  refundClaimedLead: (merchant) =>
    `${merchant} vérifie votre demande, puis envoie le remboursement. Cette page l’affichera toute seule dès qu’il sera en route.`,
  refundApprovedTitle: "Remboursement approuvé",
  refundApprovedLead: (merchant, amount, network) =>
    `${merchant} envoie **${amount}** sur **${network}** à votre adresse. Cette page l’affichera toute seule dès que le remboursement sera en route.`,
  refundSentTitle: "Remboursement en route",
  refundSentLead: (amount, network) =>
    `**${amount}** ont été envoyés à votre adresse. ${network} confirme maintenant l’envoi.`,
  refundCompletedTitle: "Remboursement terminé",
  refundCompletedLead: (amount, network) => `**${amount}** sont arrivés à votre adresse sur **${network}**.`,
  refundCancelledTitle: "Remboursement annulé",
  refundCancelledLead: (merchant) => `${merchant} a annulé ce remboursement.`,
  refundExpiredTitle: "Le lien a expiré",
  refundExpiredLead: (merchant) =>
    `Ce remboursement n’a pas été demandé à temps. Demandez un nouveau lien à ${merchant}.`,
  refundNoneLead: "Il n’y a aucun remboursement derrière ce lien. Vérifiez que le lien entier a été copié.",

  linkTitle: (merchant) => `Payer ${merchant}`,
  linkSubmit: "Continuer vers le paiement",
  linkOptional: "facultatif",
  linkContinue: "Continuer le paiement commencé",
  linkBetween: (min, max) => `De ${min} à ${max}`,
  linkAtLeast: (min) => `Au moins ${min}`,
  linkAtMost: (max) => `Au plus ${max}`,
  linkProblem: {
    amount: "Saisissez un montant, par exemple 25.00.",
    often: "Trop de paiements ont été commencés depuis votre réseau. Réessayez dans quelques minutes.",
    away: "Le paiement ne peut pas être commencé pour le moment. Réessayez dans une minute.",
    note: "La note est trop longue ou contient des caractères non autorisés.",
  },
  linkAwayLead: "La boutique ne peut pas accepter de paiements pour le moment. Réessayez plus tard.",
  linkUsedTitle: "Ce lien de paiement a déjà été utilisé",
  linkUsedLead: (merchant) =>
    `${merchant} n’accepte plus de paiements avec ce lien. Si un autre paiement n’est pas terminé à temps, le lien pourra resservir.`,
  linkEndedTitle: "Ce lien de paiement est terminé",
  linkEndedLead: (merchant) =>
    `${merchant} n’accepte plus de paiements avec ce lien. Demandez-en un nouveau si vous souhaitez encore payer.`,
  linkNoneLead: "Il n’y a aucun lien de paiement à cette adresse. Vérifiez l’adresse ou contactez la boutique.",

  detailsHeading: "Détails",
  merchant: "Marchand",
  price: "Prix",
  subject: "Objet",
  amountOrdered: "Demandé",
  amountReceived: "Reçu",
  network: "Réseau",
  address: "Adresse",
  transaction: "Transaction",
  paidAt: "Payé le",
  expiredAt: "Terminé le",
  reference: "Référence",

  returnTo: (merchant) => `Retour vers ${merchant}`,
  returning: (seconds) => `Retour dans ${seconds} s.`,
  returnStay: "Rester sur cette page",
  returnStayed: "Vous restez sur cette page",
  printReceipt: "Imprimer le reçu",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `Votre paiement va directement dans le portefeuille de ${merchant}.`,
  support: (merchant) => `Contacter ${merchant}`,
  close: "Fermer",
  poweredBy: "Stablegate",
  offline: "Vous êtes hors ligne. Cette page reprend toute seule au retour de la connexion.",

  notFoundTitle: "Ce lien de paiement ne mène nulle part",
  notFoundLead:
    "Il n’y a aucune commande derrière ce lien. Vérifiez que l’adresse a été copiée en entier, ou retournez à la boutique et recommencez le paiement. **N’envoyez pas d’argent.**",
  refusedTitle: "Ce paiement n’a pas pu être lancé",
  refusedLead:
    "La boutique a envoyé une demande de paiement non valide. Retournez à la boutique et réessayez. **N’envoyez pas d’argent.**",
  notNowLead:
    "Les paiements ne peuvent pas être lancés pour le moment. Retournez à la boutique et réessayez dans une minute. **N’envoyez pas d’argent.**",
  tamperedTitle: "Ne payez pas",
  tamperedLead:
    "L’adresse de cette commande a été modifiée après coup, et pas par la boutique. **N’envoyez pas d’argent.** Si vous l’avez déjà fait, conservez l’identifiant de transaction de votre portefeuille.",
  closedTitle: "Le paiement n’est pas possible pour le moment",
  closedLead:
    "La boutique ne peut pas accepter ce paiement pour le moment. Retournez à la boutique et choisissez un autre moyen de paiement, ou réessayez plus tard. **N’envoyez pas d’argent.**",
  otherWay: "Vous pouvez aussi retourner à la boutique et choisir un autre moyen de paiement.",
  alreadyPaidTitle: "Cette commande est déjà payée",
  alreadyPaidLead: "Retournez à la boutique. **Ne payez pas une seconde fois.**",
  depositStatus: "Votre adresse de dépôt",
  depositLead: (merchant) =>
    `Cette adresse chez ${merchant} n’appartient qu’à vous. **Envoyez le montant que vous voulez, aussi souvent que vous voulez :** elle n’expire pas.`,
  depositOnly: (currencies, network) =>
    `**Uniquement des ${currencies} sur ${network}.** Tout autre envoi à cette adresse n’est pas crédité et peut être perdu.`,
  depositArrived: "Reçu à cette adresse",
  depositNothing: "Rien n’est encore arrivé. Ce que vous envoyez apparaît ici tout seul.",
  depositConfirmed: "Confirmé",
  depositReversed: "Annulé par le réseau",
  depositLatest: (count) => `Les ${count} derniers sont affichés.`,
  depositClosedTitle: "Cette adresse n’est pas utilisée en ce moment",
  depositClosedLead: (merchant) =>
    `${merchant} l’a suspendue. **N’envoyez rien.** Ce que vous avez déjà envoyé n’est pas perdu et apparaît ici.`,
  depositBrokenTitle: "Cette adresse ne peut pas être affichée",
  depositBrokenLead: (merchant) =>
    `Ce qui est enregistré n’a pas passé notre contrôle et a pu être modifié par quelqu’un d’autre. **N’envoyez rien.** Prévenez ${merchant}, qui peut le faire vérifier.`,
  depositNoneLead:
    "Il n’y a aucune adresse derrière ce lien. Vérifiez que le lien a été copié en entier, ou redemandez-le là où vous l’avez reçu. **N’envoyez pas d’argent.**",
  busyTitle: "Trop d’affichages",
  busyLead:
    "Cette page a été ouverte trop souvent depuis votre adresse internet. Elle réessaie toute seule dans un instant. Un paiement déjà envoyé n’est pas perdu.",
  awayTitle: "De retour dans un instant",
  awayLead:
    "La page de paiement ne peut pas être affichée pour le moment. Elle réessaie toute seule toutes les quelques secondes. Un paiement déjà envoyé n’est pas perdu.",
};
