import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { plural, unit } = counting("pt-BR");

/** Portuguese as written in Brazil. */
export const ptBr: Messages = {
  lang: "pt-BR",
  dir: "ltr",
  name: "Português (Brasil)",
  chooseLanguage: "Idioma",

  chooseTitle: "Como você quer pagar?",
  chooseStatus: "Aguardando sua escolha",
  chooseLead: (merchant, asked) =>
    `${merchant} pede **${asked}**. Escolha a rede pela qual sua carteira ou exchange envia. Em seguida você verá o que enviar e para onde.`,
  chooseNone: (merchant) =>
    `Não é possível pagar ${merchant} neste momento. Esta página verifica de novo sozinha. **Não envie nada.**`,
  chooseLegend: "Moeda e rede",
  choose: "Continuar",
  chooseProblem: {
    taken: "No momento não há nada livre ali para este valor. Escolha outra rede ou tente de novo em um minuto.",
    closed: "Essa opção não está disponível no momento. Escolha outra ou tente de novo em um minuto.",
    unrated: "No momento não dá para saber quanto este preço representa. Tente de novo em um minuto.",
    enough: "Já foram oferecidas cinco formas de pagar este pedido. Pague uma delas.",
    often: "A escolha foi refeita vezes demais. Tente de novo em um minuto.",
  },
  chooseExpiredLead: "Nada foi escolhido a tempo. **Não envie nada:** esta oferta terminou.",
  chooseCancelledLead: (merchant) => `${merchant} cancelou este pedido. **Não envie nada.**`,

  waitingStatus: "Aguardando o pagamento",
  waitingTitle: (currency, network) => `Envie ${currency} pela ${network}`,
  underpaidStatus: "Parte do pagamento chegou",
  underpaidTitle: (currency, network) => `Envie o restante em ${currency} pela ${network}`,
  underpaidLead: (arrived, due) =>
    `Chegaram **${arrived}** de ${due}. Envie o restante para o mesmo endereço antes que o tempo acabe.`,
  partialTitle: "Parte do pagamento chegou",
  partialLead: (merchant, arrived, due) =>
    `${merchant} contou **${arrived}** de ${due}. **Não envie o restante por conta própria.**`,

  elsewhereNetworkTitle: "Pago por outra rede",
  elsewhereCurrencyTitle: "Pago em outra moeda",
  elsewhereLead: (arrived, network, currency, due) =>
    `Chegaram **${arrived}** pela **${network}**. Este pedido pede ${currency} pela ${due}, então o pagamento não vale por si só.`,
  lookAlikeTitle: "Pago com outro token",
  bridged: (currency) => `${currency} de bridge`,
  discontinued: (currency) => `${currency} descontinuado`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `Você enviou **${arrived}** pela **${network}**. As carteiras mostram como ${symbol}, mas é um token (${contract}) diferente do ${currency} que este pedido pede, por isso não o paga.`,
  lookAlikeSeen: (merchant) => `**Chegou a um endereço de ${merchant}.** A loja vê isso ao lado deste pedido.`,
  elsewhereSeen: (merchant) =>
    `**Chegou a um endereço de ${merchant}.** A loja vê isso ao lado deste pedido e pode aceitar.`,
  elsewhereContact: (merchant) =>
    `**Fale com ${merchant}** e informe o ID da transação abaixo. A loja decide o que fazer com ela.`,
  keepId: (merchant: string) =>
    `**Guarde o ID da transação abaixo.** ${merchant} vê este pagamento junto ao pedido e decide o que fazer.`,
  contactAsk: (merchant: string) => `Fale com ${merchant} se tiver dúvidas.`,
  sentKeepId: "**Já enviou?** Guarde o ID da transação da sua carteira ou corretora.",
  paymentSeen: (merchant: string) => `${merchant} pode ver seu pagamento.`,
  elsewhereAgain: (merchant) => `**Não pague de novo,** a menos que ${merchant} peça.`,
  elsewherePay: "Pagar este pedido de novo mesmo assim",
  elsewherePayNote: (merchant) => `Só se ${merchant} pediu: o que você enviar agora se soma ao que já enviou.`,
  otherAmountTitle: "Chegou outro valor",
  otherAmountShort: (arrived, due, off) => `Chegaram **${arrived}** em vez de ${due}: **faltam ${off}.**`,
  otherAmountOver: (arrived, due, off) => `Chegaram **${arrived}** em vez de ${due}: **sobram ${off}.**`,
  notMine: "Este não é o meu pagamento",
  alsoArrived: (arrived, network, merchant) =>
    `**${arrived}** também chegaram pela **${network}**, onde não valem para este pedido. ${merchant} está vendo. Não envie de novo.`,
  transactionOn: (network) => `Transação na ${network}`,

  sourceTitle: "Onde está seu dinheiro?",
  sourceExchange: "Conta em corretora",
  sourceWallet: "App de carteira",
  sourceOther: "Outra corretora",
  exchangeNetwork: (exchange: string) => `Rede na ${exchange}`,
  exchangeFee: (fee: string) => `taxa de cerca de ${fee}`,
  exchangeMinimum: (minimum: string) => `mínimo de cerca de ${minimum}`,
  exchangeTooSmall: (exchange: string, minimum: string) =>
    `**${exchange} envia aqui no mínimo cerca de ${minimum},** mais que este pedido. Escolha outra rede ou uma carteira.`,
  exchangeUnlisted: (exchange: string, currency: string) =>
    `${exchange} talvez não envie ${currency} nesta rede. Confira antes no formulário de saque.`,
  exchangeSlow: "**Saques podem levar alguns minutos.** Não é preciso memo nem tag.",
  amountLabel: "Valor",
  receivedLabel: "Valor que deve chegar",
  remainingLabel: "Valor restante",
  addressLabel: "Para este endereço",
  copyAmount: "Copiar o valor",
  copyAddress: "Copiar o endereço",
  copied: "Copiado",
  amountCopied: "Valor copiado",
  addressCopied: "Endereço copiado",
  copyFailed: "Não foi possível copiar. Selecione o texto e copie à mão.",

  tailNote: (digits) => `Os últimos dígitos, **${digits}**, são só do seu pedido. Digite-os também e não arredonde.`,
  exactNote: (amount) =>
    `**Envie exatamente ${amount}.** Seu pagamento é reconhecido por este valor exato. Outro valor não pode ser ligado ao seu pedido.`,
  sumNote: (amount) =>
    `**Envie ${amount}, ou o que a sua exchange fizer chegar.** Este endereço é só do seu pedido: tudo o que chegar conta.`,
  restNote:
    "**Chegou menos por causa de uma taxa?** Então esta página pede o restante. Se chegar mais, aparece aqui como pago a mais.",
  exchangeNote: (amount) =>
    `**Pagando por uma exchange?** Confira se o valor recebido será exatamente ${amount}: algumas descontam a taxa do valor digitado, outras a somam.`,
  onlyNote: (currency, network) =>
    `**Somente ${currency} pela ${network}.** Qualquer outra coisa enviada a este endereço não paga o pedido e pode se perder.`,

  sameTokenNote: (currency, shown) => `Algumas carteiras mostram este ${currency} como **${shown}**. É o mesmo.`,
  lookAlikeNote: (name, symbol, contract) =>
    `**Não ${name}** (${contract}): as carteiras mostram como ${symbol}, mas é outro token e não paga.`,

  qrLegend: "O que o código QR contém",
  qrAddress: "Endereço",
  qrWallet: "Carteira",
  qrAddressCaption: "Só o endereço, para qualquer carteira ou exchange. Digite o valor você mesmo.",
  qrWalletCaption: "Endereço e valor, para carteiras que leem pedidos de pagamento. Confira os dois antes de enviar.",
  qrAddressAlt: (address) => `Código QR do endereço ${address}`,
  qrWalletAlt: (amount, address) => `Código QR de um pedido de ${amount} para ${address}`,

  showQr: "Mostrar QR code",
  walletOpen: "Abrir na carteira",
  walletPay: "Pagar com uma carteira",
  walletUnloaded: "Não foi possível carregar. Recarregue a página.",
  walletChoose: "Escolha sua carteira",
  walletConnect: "Abra sua carteira e permita que esta página veja sua conta.",
  walletConfirm: (amount, network) =>
    `Compare o valor e o endereço na sua carteira e confirme lá: ${amount} em ${network}.`,
  walletSent: (network) => `Sua carteira enviou. Esta página espera até que ${network} mostre o pagamento.`,
  walletNothing: "Nada foi enviado.",
  walletRejected: "Você recusou na sua carteira.",
  walletBusy: "Sua carteira ainda espera uma resposta sua. Abra-a e tente de novo.",
  walletNetwork: (network) => `Sua carteira não está em ${network}. Mude para essa rede e tente de novo.`,
  walletAccount: (network) => `Esta conta não pode pagar em ${network}. Escolha outra na sua carteira.`,
  walletFunds: (amount) => `Esta conta não tem ${amount} e a taxa da rede.`,
  walletChanged: "O que deve ser pago mudou nesse meio-tempo. Olhe esta página de novo antes de pagar.",
  walletAgain: "Isto já foi enviado deste navegador. Espere até que apareça aqui.",
  walletAway: "Não é possível no momento. Tente de novo daqui a pouco.",
  walletFailed: "Sua carteira informou um problema.",
  walletLook: "Verifique nela se algo foi enviado antes de tentar de novo.",

  contractSummary: (currency, network) => `Endereço do token ${currency} na ${network}`,
  contractNote: "Compare com o token na sua carteira.",
  viewOn: (explorer) => `Ver no ${explorer}`,
  opensNewTab: "(abre em uma nova aba)",

  timeLeft: (clock) => `Restam ${clock}`,
  payBefore: (time) => `Pague até: ${time}`,
  timeLeftSpoken: (minutes) => `Tempo restante para pagar: ${unit(minutes, "minute")}`,

  chooseTime: (time) => `Definitivo em ${time}`,
  chooseFeeUnder: (to) => `taxa da rede geralmente abaixo de ${to} USD`,
  chooseFeeAbout: (from, to) => `taxa da rede de cerca de ${from} a ${to} USD`,
  chooseRecommended: "Recomendado",
  chooseAmount: (amount: string) => `cerca de ${amount}`,
  chooseShown: "Escolhido agora",
  chooseQuoted: (amount) => `${amount}, oferecido antes`,
  chooseNote: "Os prazos e as taxas são os habituais, não uma promessa. Uma exchange cobra também a própria taxa.",
  switchLink: "Pagar de outra forma",
  switchTitle: "Pagar de outra forma",
  switchStatus: "Escolher de novo",
  switchLead: (amount, network) =>
    `Pedido agora: **${amount}** pela **${network}**. Isso continua podendo ser pago, seja qual for sua escolha aqui. **Se você já enviou, não escolha nada:** o pagamento vale.`,
  switchBack: "Voltar sem mudar nada",
  otherOffer: (amount, network) =>
    `**Já enviou ${amount} pela ${network}?** O pagamento vale e aparece aqui. Não pague duas vezes.`,
  paidOn: (network) => `O pagamento foi feito pela **${network}**, uma das formas oferecidas.`,
  moreTime: "Preciso de mais tempo",
  moreTimeNote: (minutes, left) => `Acrescenta ${minutes} min. Vezes restantes: ${left}.`,
  paidLink: "Já paguei",
  paidLabel: "ID da transação",
  paidHint: (networks) =>
    `Está na sua carteira ou exchange, em ${networks}. Serve só para mostrar o que aconteceu com ela.`,
  paidLook: "Procurar",
  paidNoId: (networks) =>
    `Isso não é um ID de transação de ${networks}. Copie o ID inteiro da sua carteira ou exchange.`,
  paidOften: "Isso foi consultado muitas vezes. Tente de novo em um minuto.",
  lookupAsking: (id, network) => `Procurando ${id} na ${network} …`,
  lookupSilent: (network) =>
    `**Nenhum nó da ${network} respondeu.** Isso não diz nada sobre seu pagamento. Consulte de novo em um minuto.`,
  lookupAbsent: (id, network) =>
    `**${id} ainda não aparece na ${network}.** Pode levar alguns minutos. Confira na sua carteira se foi mesmo enviada, e pela ${network}.`,
  lookupFailed: (id) => `**${id} falhou na blockchain,** por isso nada foi enviado. Sua carteira mostra o motivo.`,
  lookupNothing: (id) =>
    `**${id} não enviou nada para o endereço deste pedido.** Compare o endereço na sua carteira com o daqui.`,
  lookupEarly: (id) => `**${id} foi feita antes deste pedido,** por isso não pode pagá-lo.`,
  lookupOtherOrder: (id) => `**${id} pertence a outro pedido,** por isso não paga este.`,
  lookupKept: (id, merchant) =>
    `**${id} chegou a ${merchant}, mas não paga este pedido por si só.** Não pague de novo.`,
  lookupFound: (id) => `**${id} foi encontrada.** Ela vale assim que a rede a confirmar, e esta página vai mostrar.`,
  lookupCounted: (id) =>
    `**${id} já conta:** chegou e está confirmada. Se este pedido ainda não está pago, falta o restante.`,
  lookupWrongToken: (id, token) => `**${id} enviou ${token},** e não é isso que este pedido pede.`,
  lookupUnknownToken: "um token que não é conhecido aqui",
  lookupWrongNetwork: (id, network) => `**${id} foi enviada pela ${network},** onde este pedido não pode ser pago.`,
  lookupShort: (id, arrived, due) =>
    `**Com ${id} chegaram ${arrived} em vez de ${due}.** Uma taxa pode ter sido descontada. O pagamento não pode ser ligado ao pedido por si só.`,
  lookupOver: (id, arrived, due) =>
    `**Com ${id} chegaram ${arrived} em vez de ${due}.** O pagamento não pode ser ligado ao pedido por si só.`,

  sandboxNote: "Este é um ambiente de testes: o dinheiro é fictício, em uma rede própria.",
  sandboxPay: "Pagar com a carteira de testes",
  sandboxPaying: "Enviando…",
  sandboxSent: "Enviado da carteira de testes",
  sandboxFailed: "A carteira de testes não conseguiu pagar. Tente de novo.",

  stepsLabel: "Andamento",
  stepSeen: "Visto",
  stepConfirming: "Confirmando",
  stepPaid: "Pago",
  seenTitle: "Pagamento visto",
  seenLead: (amount, network) =>
    `**${amount}** chegaram ao endereço. A ${network} está confirmando agora. Você não precisa fazer mais nada.`,
  confirmingTitle: "Confirmando seu pagamento",
  confirmingLead: (amount, network) =>
    `**${amount}** chegaram. A ${network} torna o pagamento definitivo em alguns blocos. Você não precisa fazer mais nada.`,
  lateTitle: "Pagamento atrasado encontrado",
  lateLead: (amount) =>
    `**${amount}** chegaram depois que o tempo acabou. Encontramos o pagamento e ele está sendo confirmado. Não envie de novo.`,
  confirmations: (count, required) =>
    `${count} de ${required} ${plural(required, { one: "confirmação", other: "confirmações" })}`,
  almostThere: "quase lá",
  aboutSeconds: (seconds) => `cerca de ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => (minutes === 1 ? "cerca de um minuto" : `cerca de ${unit(minutes, "minute")}`),
  mayClose: "Você pode fechar esta página; o pagamento continua sem ela.",

  checkingTitle: "Procurando seu pagamento",
  checkingLead: (network) =>
    `O tempo acabou. **Não envie nada agora.** Estamos lendo os últimos blocos da ${network}; um pagamento que você já enviou aparecerá aqui.`,

  paidTitle: "Pagamento concluído",
  paidLead: (merchant, amount) => `${merchant} recebeu **${amount}**.`,
  paidByHandLead: (merchant, due) => `${merchant} marcou como pago este pedido de **${due}**.`,
  paidLateLead: (merchant, amount) =>
    `${merchant} recebeu **${amount}**. O pagamento chegou depois que o tempo acabou.`,
  overpaidTitle: "Pago, e mais do que o pedido",
  overpaidLead: (merchant, arrived, surplus) =>
    `${merchant} recebeu **${arrived}**, ou seja, **${surplus}** a mais do que foi pedido. O pedido está pago.`,

  expiredTitle: "O tempo acabou",
  expiredLead: "Nada foi recebido. **Não envie agora:** esta oferta terminou.",
  expiredPartLead: (arrived, due) => `Só chegaram **${arrived}** de ${due}. **Não envie agora:** esta oferta terminou.`,
  expiredWatched: (hours) =>
    `**Já enviou?** Deixe esta página aberta. Continuamos procurando seu pagamento por mais ${unit(hours, "hour")}, e ele vale quando chegar.`,
  expiredUnwatched: (merchant) =>
    `**Já enviou?** Fale com ${merchant} e informe o ID da transação que aparece na sua carteira.`,
  expiredAgain: (merchant) => `Para pagar agora, comece de novo em ${merchant}.`,
  expiredPartAgain: (merchant) => `Fale com ${merchant} sobre o que você enviou; a loja também vê.`,

  cancelledTitle: "Pedido cancelado",
  cancelledLead: (merchant) => `${merchant} cancelou este pedido. **Não envie nada.**`,

  delayed: (network) =>
    `**No momento vemos a ${network} com atraso.** Um pagamento que você enviou está seguro e aparece aqui assim que recuperarmos o atraso. Não envie duas vezes.`,

  refundTitle: "Solicite seu reembolso",
  refundStatus: "Aguardando seu endereço",
  refundLead: (merchant, amount) =>
    `${merchant} vai reembolsar **${amount}** a você. Digite o endereço que deve receber esse valor.`,
  refundReason: "Motivo",
  refundReopened: (merchant) => `**${merchant} pede outro endereço.**`,
  refundMessage: (merchant) => `Mensagem de ${merchant}`,
  refundNetwork: "Rede",
  refundPaidOn: "Você pagou por esta rede",
  refundAddress: "Seu endereço nesta rede",
  refundAddressHint: "O endereço de uma carteira ou de uma conta sua. Um reembolso enviado não pode ser revertido.",
  refundExchange: (currency) =>
    `**É um endereço de uma exchange?** A exchange precisa aceitar neste endereço depósitos de ${currency} pela rede escolhida.`,
  refundConfirm: (count) => `Os últimos ${count} caracteres do endereço`,
  refundConfirmHint:
    "Digite-os como aparecem na sua carteira ou exchange. Eles mostram que o endereço foi copiado por inteiro.",
  refundOrderNumber: "Número do pedido",
  refundOrderNumberHint: (merchant) => `Está na confirmação de ${merchant}`,
  refundEmail: "Endereço de e-mail",
  refundEmailHint: (merchant) => `O que você informou a ${merchant}`,
  refundSubmit: "Solicitar o reembolso",
  refundExpires: "O link expira em",
  refundProblem: {
    used: "Este reembolso já foi solicitado.",
    often: "Houve tentativas demais. Tente de novo em alguns minutos.",
    network: "Escolha uma destas redes.",
    address: (network) => `Isso não é um endereço válido na ${network}. Copie o endereço inteiro.`,
    token: "Este é o endereço do próprio token, não o de uma carteira. Digite o seu endereço.",
    shop: "Este endereço é da loja. Digite o seu endereço.",
    confirmation: "Estes não são os últimos caracteres do endereço. Compare os dois e tente de novo.",
    number: "Este não é o número do pedido.",
    email: "Este não é o endereço de e-mail do pedido.",
  },
  refundClaimedTitle: "Endereço recebido",
  refundClaimedLead: (merchant) =>
    `${merchant} confere sua solicitação e depois envia o reembolso. Esta página mostra sozinha quando ele estiver a caminho.`,
  refundApprovedTitle: "Reembolso aprovado",
  refundApprovedLead: (merchant, amount, network) =>
    `${merchant} envia **${amount}** pela **${network}** para o seu endereço. Esta página mostra sozinha quando o reembolso estiver a caminho.`,
  refundSentTitle: "Reembolso a caminho",
  refundSentLead: (amount, network) =>
    `**${amount}** foram enviados para o seu endereço. A ${network} está confirmando agora.`,
  refundCompletedTitle: "Reembolso concluído",
  refundCompletedLead: (amount, network) => `**${amount}** chegaram ao seu endereço pela **${network}**.`,
  refundCancelledTitle: "Reembolso cancelado",
  refundCancelledLead: (merchant) => `${merchant} cancelou este reembolso.`,
  refundExpiredTitle: "O link expirou",
  refundExpiredLead: (merchant) => `Este reembolso não foi solicitado a tempo. Peça um novo link a ${merchant}.`,
  refundNoneLead: "Não há nenhum reembolso neste link. Confira se o link inteiro foi copiado.",

  linkTitle: (merchant) => `Pagar ${merchant}`,
  linkSubmit: "Continuar para o pagamento",
  linkOptional: "opcional",
  linkContinue: "Continuar o pagamento iniciado",
  linkBetween: (min, max) => `De ${min} a ${max}`,
  linkAtLeast: (min) => `No mínimo ${min}`,
  linkAtMost: (max) => `No máximo ${max}`,
  linkProblem: {
    amount: "Digite um valor, por exemplo 25.00.",
    often: "Muitos pagamentos foram iniciados a partir da sua rede. Tente de novo em alguns minutos.",
    away: "O pagamento não pode ser iniciado agora. Tente de novo em um minuto.",
    note: "A observação é longa demais ou contém caracteres não permitidos.",
  },
  linkAwayLead: "A loja não pode aceitar pagamentos no momento. Tente de novo mais tarde.",
  linkUsedTitle: "Este link de pagamento já foi usado",
  linkUsedLead: (merchant) =>
    `${merchant} não aceita mais pagamentos com este link. Se outro pagamento não for concluído a tempo, o link poderá ser usado de novo.`,
  linkEndedTitle: "Este link de pagamento foi encerrado",
  linkEndedLead: (merchant) =>
    `${merchant} não aceita mais pagamentos com este link. Peça um novo se ainda quiser pagar.`,
  linkNoneLead: "Não há nenhum link de pagamento neste endereço. Confira o endereço ou fale com a loja.",

  detailsHeading: "Detalhes",
  merchant: "Loja",
  price: "Preço",
  subject: "Referente a",
  amountOrdered: "Pedido",
  amountReceived: "Recebido",
  network: "Rede",
  address: "Endereço",
  transaction: "Transação",
  paidAt: "Pago em",
  expiredAt: "Terminou em",
  reference: "Referência",

  returnTo: (merchant) => `Voltar para ${merchant}`,
  returning: (seconds) => `Voltando em ${seconds} s.`,
  returnStay: "Ficar nesta página",
  returnStayed: "Você fica nesta página",
  printReceipt: "Imprimir recibo",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `Seu pagamento vai direto para a carteira de ${merchant}.`,
  support: (merchant) => `Falar com ${merchant}`,
  close: "Fechar",
  poweredBy: "Stablegate",
  offline: "Você está sem conexão. Esta página continua sozinha quando ela voltar.",

  notFoundTitle: "Este link de pagamento não leva a lugar nenhum",
  notFoundLead:
    "Não há nenhum pedido neste link. Confira se o endereço foi copiado por inteiro, ou volte à loja e comece o pagamento de novo. **Não envie dinheiro.**",
  refusedTitle: "Não foi possível iniciar este pagamento",
  refusedLead: "A loja enviou um pedido de pagamento inválido. Volte à loja e tente de novo. **Não envie dinheiro.**",
  notNowLead:
    "Não é possível iniciar pagamentos agora. Volte à loja e tente de novo em um minuto. **Não envie dinheiro.**",
  tamperedTitle: "Não pague",
  tamperedLead:
    "O endereço deste pedido foi alterado depois de criado, e não pela loja. **Não envie dinheiro.** Se já enviou, guarde o ID da transação da sua carteira.",
  closedTitle: "Não é possível pagar neste momento",
  closedLead:
    "A loja não pode aceitar este pagamento neste momento. Volte à loja e escolha outra forma de pagamento, ou tente de novo mais tarde. **Não envie dinheiro.**",
  otherWay: "Você também pode voltar à loja e escolher outra forma de pagamento.",
  alreadyPaidTitle: "Este pedido já está pago",
  alreadyPaidLead: "Volte à loja. **Não pague de novo.**",
  depositStatus: "Seu endereço de depósito",
  depositLead: (merchant) =>
    `Este endereço em ${merchant} é só seu. **Envie qualquer valor, quantas vezes quiser:** ele não expira.`,
  depositOnly: (currencies, network) =>
    `**Somente ${currencies} pela ${network}.** Qualquer outra coisa enviada a este endereço não é creditada e pode se perder.`,
  depositArrived: "Recebido neste endereço",
  depositNothing: "Nada chegou ainda. O que você enviar aparece aqui sozinho.",
  depositConfirmed: "Confirmado",
  depositReversed: "Revertido pela rede",
  depositLatest: (count) => `São mostrados os últimos ${count}.`,
  depositClosedTitle: "Este endereço não está em uso no momento",
  depositClosedLead: (merchant) =>
    `${merchant} pausou este endereço. **Não envie nada.** O que você já enviou não se perdeu: aparece aqui.`,
  depositBrokenTitle: "Este endereço não pode ser mostrado",
  depositBrokenLead: (merchant) =>
    `O que está guardado não passou na nossa verificação e pode ter sido alterado por outra pessoa. **Não envie nada.** Avise ${merchant}, que pode mandar verificar.`,
  depositNoneLead:
    "Não há nenhum endereço neste link. Confira se o link foi copiado por inteiro, ou peça de novo onde você o recebeu. **Não envie dinheiro.**",
  busyTitle: "Acessos demais",
  busyLead:
    "Esta página foi aberta vezes demais a partir do seu endereço de internet. Ela tenta de novo sozinha em instantes. Um pagamento que você já enviou não se perde.",
  awayTitle: "Voltamos já",
  awayLead:
    "A página de pagamento não pode ser mostrada agora. Ela tenta de novo sozinha a cada poucos segundos. Um pagamento que você já enviou não se perde.",
};
