import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { plural, unit } = counting("es");

/** Spanish. */
export const es: Messages = {
  lang: "es",
  dir: "ltr",
  name: "Español",
  chooseLanguage: "Idioma",

  chooseTitle: "¿Cómo quieres pagar?",
  chooseStatus: "A la espera de tu elección",
  chooseLead: (merchant, asked) =>
    `${merchant} pide **${asked}**. Elige la red desde la que envía tu billetera o tu exchange. Después verás qué enviar y adónde.`,
  chooseNone: (merchant) =>
    `En este momento no se puede pagar a ${merchant}. Esta página lo vuelve a comprobar sola. **No envíes nada.**`,
  chooseLegend: "Moneda y red",
  choose: "Continuar",
  chooseProblem: {
    taken: "Ahora mismo no hay nada libre allí para este importe. Elige otra red o inténtalo de nuevo en un minuto.",
    closed: "Esa opción no está disponible ahora mismo. Elige otra o inténtalo de nuevo en un minuto.",
    unrated: "Ahora mismo no se puede calcular este precio. Inténtalo de nuevo en un minuto.",
    enough: "Ya se ofrecieron cinco formas de pagar este pedido. Paga una de ellas.",
    often: "Se ha vuelto a elegir demasiadas veces. Inténtalo de nuevo en un minuto.",
  },
  chooseExpiredLead: "No se eligió nada a tiempo. **No envíes nada:** esta oferta ha terminado.",
  chooseCancelledLead: (merchant) => `${merchant} canceló este pedido. **No envíes nada.**`,

  waitingStatus: "A la espera del pago",
  waitingTitle: (currency, network) => `Envía ${currency} por ${network}`,
  underpaidStatus: "Ha llegado una parte del pago",
  underpaidTitle: (currency, network) => `Envía el resto en ${currency} por ${network}`,
  underpaidLead: (arrived, due) =>
    `Han llegado **${arrived}** de ${due}. Envía el resto a la misma dirección antes de que se acabe el tiempo.`,
  partialTitle: "Ha llegado una parte del pago",
  partialLead: (merchant, arrived, due) =>
    `${merchant} ha contado **${arrived}** de ${due}. **No envíes el resto por tu cuenta.**`,

  elsewhereNetworkTitle: "Pagado por otra red",
  elsewhereCurrencyTitle: "Pagado en otra moneda",
  elsewhereLead: (arrived, network, currency, due) =>
    `Han llegado **${arrived}** por **${network}**. Este pedido pide ${currency} por ${due}, así que el pago no cuenta por sí solo.`,
  lookAlikeTitle: "Pagado con otro token",
  bridged: (currency) => `${currency} de un puente`,
  discontinued: (currency) => `${currency} descontinuado`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `Enviaste **${arrived}** por **${network}**. Las billeteras lo muestran como ${symbol}, pero es un token (${contract}) distinto del ${currency} que pide este pedido, así que no lo paga.`,
  lookAlikeSeen: (merchant) => `**Llegó a una dirección de ${merchant}.** El comercio lo ve junto a este pedido.`,
  elsewhereSeen: (merchant) =>
    `**Llegó a una dirección de ${merchant}.** El comercio lo ve junto a este pedido y puede aceptarlo.`,
  elsewhereContact: (merchant) =>
    `**Contacta con ${merchant}** y da el ID de la transacción de abajo. El comercio decide qué pasa con ella.`,
  keepId: (merchant: string) =>
    `**Guarda el ID de la transacción de abajo.** ${merchant} ve este pago junto al pedido y decide qué hacer.`,
  contactAsk: (merchant: string) => `Contacta con ${merchant} si tienes preguntas.`,
  sentKeepId: "**¿Ya lo enviaste?** Guarda el ID de la transacción de tu billetera o exchange.",
  paymentSeen: (merchant: string) => `${merchant} puede ver tu pago.`,
  elsewhereAgain: (merchant) => `**No vuelvas a pagar,** salvo que ${merchant} te lo pida.`,
  elsewherePay: "Pagar este pedido otra vez de todos modos",
  elsewherePayNote: (merchant) =>
    `Solo si ${merchant} te lo ha pedido: lo que envíes ahora se suma a lo que ya enviaste.`,
  otherAmountTitle: "Llegó otro importe",
  otherAmountShort: (arrived, due, off) => `Llegaron **${arrived}** en lugar de ${due}: **faltan ${off}.**`,
  otherAmountOver: (arrived, due, off) => `Llegaron **${arrived}** en lugar de ${due}: **sobran ${off}.**`,
  notMine: "Este no es mi pago",
  alsoArrived: (arrived, network, merchant) =>
    `También han llegado **${arrived}** por **${network}**, donde no cuentan para este pedido. ${merchant} lo ve. No lo envíes otra vez.`,
  transactionOn: (network) => `Transacción en ${network}`,

  sourceTitle: "¿Dónde está tu dinero?",
  sourceExchange: "Cuenta en un exchange",
  sourceWallet: "App de billetera",
  sourceOther: "Otro exchange",
  exchangeNetwork: (exchange: string) => `Red en ${exchange}`,
  exchangeFee: (fee: string) => `comisión de unos ${fee}`,
  exchangeMinimum: (minimum: string) => `mínimo de unos ${minimum}`,
  exchangeTooSmall: (exchange: string, minimum: string) =>
    `**${exchange} envía aquí al menos unos ${minimum},** más que este pedido. Elige otra red o una billetera.`,
  exchangeUnlisted: (exchange: string, currency: string) =>
    `Es posible que ${exchange} no envíe ${currency} por esta red. Compruébalo antes en su formulario de retiro.`,
  exchangeSlow: "**Los retiros pueden tardar varios minutos.** No hace falta memo ni etiqueta.",
  amountLabel: "Importe",
  receivedLabel: "Importe que debe llegar",
  remainingLabel: "Importe restante",
  addressLabel: "A esta dirección",
  copyAmount: "Copiar el importe",
  copyAddress: "Copiar la dirección",
  copied: "Copiado",
  amountCopied: "Importe copiado",
  addressCopied: "Dirección copiada",
  copyFailed: "No se pudo copiar. Selecciona el texto y cópialo a mano.",

  tailNote: (digits) => `Las últimas cifras, **${digits}**, son solo de tu pedido. Escríbelas también y no redondees.`,
  exactNote: (amount) =>
    `**Envía exactamente ${amount}.** Tu pago se reconoce por este importe exacto. Con cualquier otro no se puede asociar a tu pedido.`,
  sumNote: (amount) =>
    `**Envía ${amount}, o lo que tu exchange deje de ello.** Esta dirección es solo para tu pedido: todo lo que llegue cuenta.`,
  restNote:
    "**¿Llega menos por una comisión?** Entonces esta página te pide el resto. Si llega más, se muestra aquí como pago de más.",
  exchangeNote: (amount) =>
    `**¿Pagas desde un exchange?** Comprueba que el importe recibido sea exactamente ${amount}: unos descuentan su comisión de lo que escribes y otros la añaden.`,
  onlyNote: (currency, network) =>
    `**Solo ${currency} por ${network}.** Cualquier otra cosa enviada a esta dirección no paga el pedido y puede perderse.`,

  sameTokenNote: (currency, shown) => `Algunas billeteras muestran este ${currency} como **${shown}**. Es lo mismo.`,
  lookAlikeNote: (name, symbol, contract) =>
    `**No ${name}** (${contract}): las billeteras lo muestran como ${symbol}, pero es otro token y no paga.`,

  qrLegend: "Qué contiene el código QR",
  qrAddress: "Dirección",
  qrWallet: "Billetera",
  qrAddressCaption: "Solo la dirección, para cualquier billetera o exchange. El importe lo escribes tú.",
  qrWalletCaption:
    "Dirección e importe, para billeteras que leen solicitudes de pago. Comprueba ambos antes de enviar.",
  qrAddressAlt: (address) => `Código QR de la dirección ${address}`,
  qrWalletAlt: (amount, address) => `Código QR de una solicitud de ${amount} a ${address}`,

  showQr: "Mostrar código QR",
  walletOpen: "Abrir en la billetera",
  walletPay: "Pagar con una billetera",
  walletUnloaded: "No se pudo cargar. Vuelve a cargar la página.",
  walletChoose: "Elige tu billetera",
  walletConnect: "Abre tu billetera y permite que esta página vea tu cuenta.",
  walletConfirm: (amount, network) =>
    `Compara el importe y la dirección en tu billetera y confirma allí: ${amount} en ${network}.`,
  walletSent: (network) => `Tu billetera lo envió. Esta página espera a que ${network} lo muestre.`,
  walletNothing: "No se envió nada.",
  walletRejected: "Lo rechazaste en tu billetera.",
  walletBusy: "Tu billetera aún espera una respuesta tuya. Ábrela y vuelve a intentarlo.",
  walletNetwork: (network) => `Tu billetera no está en ${network}. Cámbiala a esa red y vuelve a intentarlo.`,
  walletAccount: (network) => `Esta cuenta no puede pagar en ${network}. Elige otra en tu billetera.`,
  walletFunds: (amount) => `Esta cuenta no tiene ${amount} y la comisión de la red.`,
  walletChanged: "Lo que hay que pagar ha cambiado entretanto. Mira de nuevo esta página antes de pagar.",
  walletAgain: "Ya se envió desde este navegador. Espera a que aparezca aquí.",
  walletAway: "No es posible en este momento. Vuelve a intentarlo en un momento.",
  walletFailed: "Tu billetera informó de un problema.",
  walletLook: "Comprueba allí si se envió algo antes de volver a intentarlo.",

  contractSummary: (currency, network) => `Dirección del token ${currency} en ${network}`,
  contractNote: "Compárala con el token de tu billetera.",
  viewOn: (explorer) => `Ver en ${explorer}`,
  opensNewTab: "(se abre en otra pestaña)",

  timeLeft: (clock) => `Quedan ${clock}`,
  payBefore: (time) => `Paga antes de: ${time}`,
  timeLeftSpoken: (minutes) => `Tiempo para pagar: ${unit(minutes, "minute")}`,

  chooseTime: (time) => `Definitivo en ${time}`,
  chooseFeeUnder: (to) => `comisión de red normalmente inferior a ${to} USD`,
  chooseFeeAbout: (from, to) => `comisión de red de unos ${from} a ${to} USD`,
  chooseRecommended: "Recomendado",
  chooseAmount: (amount: string) => `unos ${amount}`,
  chooseShown: "Elegido ahora",
  chooseQuoted: (amount) => `${amount}, ofrecido antes`,
  chooseNote:
    "Los tiempos y las comisiones son los habituales, no una promesa. Un exchange cobra además su propia comisión.",
  switchLink: "Pagar de otra forma",
  switchTitle: "Pagar de otra forma",
  switchStatus: "Elegir de nuevo",
  switchLead: (amount, network) =>
    `Ahora se piden **${amount}** por **${network}**. Eso se puede seguir pagando, elijas lo que elijas aquí. **Si ya lo enviaste, no elijas nada:** cuenta.`,
  switchBack: "Volver sin cambiar nada",
  otherOffer: (amount, network) =>
    `**¿Ya enviaste ${amount} por ${network}?** Cuenta y aparecerá aquí. No pagues dos veces.`,
  paidOn: (network) => `Se pagó por **${network}**, una de las formas que se ofrecieron.`,
  moreTime: "Necesito más tiempo",
  moreTimeNote: (minutes, left) => `Añade ${minutes} min. Veces restantes: ${left}.`,
  paidLink: "Ya he pagado",
  paidLabel: "ID de la transacción",
  paidHint: (networks) =>
    `Lo muestra tu billetera o tu exchange, en ${networks}. Solo sirve para ver qué ha pasado con ella.`,
  paidLook: "Buscarla",
  paidNoId: (networks) =>
    `Eso no es un ID de transacción de ${networks}. Copia el ID entero de tu billetera o de tu exchange.`,
  paidOften: "Se ha preguntado muchas veces. Inténtalo de nuevo en un minuto.",
  lookupAsking: (id, network) => `Buscando ${id} en ${network} …`,
  lookupSilent: (network) =>
    `**Ningún nodo de ${network} respondió.** Eso no dice nada sobre tu pago. Vuelve a preguntar en un minuto.`,
  lookupAbsent: (id, network) =>
    `**${id} aún no se ve en ${network}.** Puede tardar unos minutos. Comprueba en tu billetera que se envió de verdad, y por ${network}.`,
  lookupFailed: (id) => `**${id} falló en la cadena,** así que no se envió nada. Tu billetera dice por qué.`,
  lookupNothing: (id) =>
    `**${id} no envió nada a la dirección de este pedido.** Compara la dirección de tu billetera con la de aquí.`,
  lookupEarly: (id) => `**${id} se hizo antes que este pedido,** así que no puede pagarlo.`,
  lookupOtherOrder: (id) => `**${id} pertenece a otro pedido,** así que no paga este.`,
  lookupKept: (id, merchant) =>
    `**${id} llegó a ${merchant}, pero no paga este pedido por sí sola.** No vuelvas a pagar.`,
  lookupFound: (id) =>
    `**${id} se ha encontrado.** Cuenta cuando la red la haya confirmado, y esta página lo mostrará.`,
  lookupCounted: (id) =>
    `**${id} ya cuenta:** llegó y está confirmada. Si este pedido aún no está pagado, falta el resto.`,
  lookupWrongToken: (id, token) => `**${id} envió ${token},** que no es lo que pide este pedido.`,
  lookupUnknownToken: "un token que aquí no se conoce",
  lookupWrongNetwork: (id, network) => `**${id} se envió por ${network},** donde este pedido no se puede pagar.`,
  lookupShort: (id, arrived, due) =>
    `**Con ${id} llegaron ${arrived} en lugar de ${due}.** Puede que se haya descontado una comisión. No se puede asociar por sí sola.`,
  lookupOver: (id, arrived, due) =>
    `**Con ${id} llegaron ${arrived} en lugar de ${due}.** No se puede asociar por sí sola.`,

  sandboxNote: "Esto es un entorno de pruebas: el dinero es ficticio, en una cadena propia.",
  sandboxPay: "Pagar con la billetera de pruebas",
  sandboxPaying: "Enviando…",
  sandboxSent: "Enviado desde la billetera de pruebas",
  sandboxFailed: "La billetera de pruebas no pudo pagar. Inténtalo de nuevo.",

  stepsLabel: "Progreso",
  stepSeen: "Visto",
  stepConfirming: "Confirmando",
  stepPaid: "Pagado",
  seenTitle: "Pago visto",
  seenLead: (amount, network) =>
    `**${amount}** han llegado a la dirección. ${network} lo está confirmando. No tienes que hacer nada más.`,
  confirmingTitle: "Confirmando tu pago",
  confirmingLead: (amount, network) =>
    `Han llegado **${amount}**. ${network} lo hará definitivo en unos bloques. No tienes que hacer nada más.`,
  lateTitle: "Pago tardío encontrado",
  lateLead: (amount) =>
    `**${amount}** llegaron después de acabarse el tiempo. Lo hemos encontrado y se está confirmando. No lo envíes otra vez.`,
  confirmations: (count, required) =>
    `${count} de ${required} ${plural(required, { one: "confirmación", other: "confirmaciones" })}`,
  almostThere: "casi listo",
  aboutSeconds: (seconds) => `unos ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => (minutes === 1 ? "alrededor de un minuto" : `unos ${unit(minutes, "minute")}`),
  mayClose: "Puedes cerrar esta página; el pago sigue adelante sin ella.",

  checkingTitle: "Buscando tu pago",
  checkingLead: (network) =>
    `Se acabó el tiempo. **No envíes nada ahora.** Estamos leyendo los últimos bloques de ${network}; si ya enviaste un pago, aparecerá aquí.`,

  paidTitle: "Pago completado",
  paidLead: (merchant, amount) => `${merchant} recibió **${amount}**.`,
  paidByHandLead: (merchant, due) => `${merchant} marcó como pagado este pedido de **${due}**.`,
  paidLateLead: (merchant, amount) => `${merchant} recibió **${amount}**. Llegó después de acabarse el tiempo.`,
  overpaidTitle: "Pagado, y más de lo pedido",
  overpaidLead: (merchant, arrived, surplus) =>
    `${merchant} recibió **${arrived}**, es decir, **${surplus}** más de lo que pedía el pedido. El pedido está pagado.`,

  expiredTitle: "Se acabó el tiempo",
  expiredLead: "No se recibió nada. **No envíes ahora:** esta oferta ha terminado.",
  expiredPartLead: (arrived, due) =>
    `Solo han llegado **${arrived}** de ${due}. **No envíes ahora:** esta oferta ha terminado.`,
  expiredWatched: (hours) =>
    `**¿Ya lo enviaste?** Deja esta página abierta. Seguiremos buscando tu pago durante ${unit(hours, "hour")} más, y contará cuando llegue.`,
  expiredUnwatched: (merchant) =>
    `**¿Ya lo enviaste?** Contacta con ${merchant} y da el ID de la transacción que muestra tu billetera.`,
  expiredAgain: (merchant) => `Para pagar ahora, empieza de nuevo en ${merchant}.`,
  expiredPartAgain: (merchant) => `Contacta con ${merchant} por lo que enviaste; el comercio también lo ve.`,

  cancelledTitle: "Pedido cancelado",
  cancelledLead: (merchant) => `${merchant} canceló este pedido. **No envíes nada.**`,

  delayed: (network) =>
    `**Ahora mismo vemos ${network} con retraso.** Un pago que enviaste está seguro y aparecerá aquí en cuanto nos pongamos al día. No lo envíes dos veces.`,

  refundTitle: "Solicita tu reembolso",
  refundStatus: "A la espera de tu dirección",
  refundLead: (merchant, amount) =>
    `${merchant} te reembolsa **${amount}**. Escribe la dirección que debe recibir este importe.`,
  refundReason: "Motivo",
  refundReopened: (merchant) => `**${merchant} te pide otra dirección.**`,
  refundMessage: (merchant) => `Mensaje de ${merchant}`,
  refundNetwork: "Red",
  refundPaidOn: "Pagaste por esta red",
  refundAddress: "Tu dirección en esta red",
  refundAddressHint: "La dirección de una billetera o de una cuenta tuya. Un reembolso enviado no se puede revertir.",
  refundExchange: (currency) =>
    `**¿Es una dirección de un exchange?** El exchange debe aceptar en esta dirección depósitos de ${currency} por la red elegida.`,
  refundConfirm: (count) => `Los últimos ${count} caracteres de la dirección`,
  refundConfirmHint:
    "Escríbelos tal como los muestra tu billetera o tu exchange. Demuestran que se copió la dirección entera.",
  refundOrderNumber: "Número de pedido",
  refundOrderNumberHint: (merchant) => `Está en la confirmación de ${merchant}`,
  refundEmail: "Correo electrónico",
  refundEmailHint: (merchant) => `El que diste a ${merchant}`,
  refundSubmit: "Solicitar el reembolso",
  refundExpires: "El enlace caduca el",
  refundProblem: {
    used: "Este reembolso ya se ha solicitado.",
    often: "Ha habido demasiados intentos. Inténtalo de nuevo en unos minutos.",
    network: "Elige una de estas redes.",
    address: (network) => `No es una dirección válida en ${network}. Copia la dirección entera.`,
    token: "Es la dirección del propio token, no la de una billetera. Escribe tu propia dirección.",
    shop: "Esta dirección es de la tienda. Escribe tu propia dirección.",
    confirmation: "No son los últimos caracteres de la dirección. Compáralos e inténtalo de nuevo.",
    number: "Ese no es el número del pedido.",
    email: "Ese no es el correo electrónico del pedido.",
  },
  refundClaimedTitle: "Dirección recibida",
  refundClaimedLead: (merchant) =>
    `${merchant} revisa tu solicitud y después envía el reembolso. Esta página lo mostrará sola cuando esté en camino.`,
  refundApprovedTitle: "Reembolso aprobado",
  refundApprovedLead: (merchant, amount, network) =>
    `${merchant} envía **${amount}** por **${network}** a tu dirección. Esta página lo mostrará sola cuando el reembolso esté en camino.`,
  refundSentTitle: "Reembolso en camino",
  refundSentLead: (amount, network) => `Se han enviado **${amount}** a tu dirección. ${network} lo está confirmando.`,
  refundCompletedTitle: "Reembolso completado",
  refundCompletedLead: (amount, network) => `Han llegado **${amount}** a tu dirección por **${network}**.`,
  refundCancelledTitle: "Reembolso cancelado",
  refundCancelledLead: (merchant) => `${merchant} canceló este reembolso.`,
  refundExpiredTitle: "El enlace ha caducado",
  refundExpiredLead: (merchant) => `Este reembolso no se solicitó a tiempo. Pide un enlace nuevo a ${merchant}.`,
  refundNoneLead: "No hay ningún reembolso detrás de este enlace. Comprueba que se haya copiado el enlace completo.",

  linkTitle: (merchant) => `Pagar a ${merchant}`,
  linkSubmit: "Continuar al pago",
  linkOptional: "opcional",
  linkContinue: "Continuar el pago que empezaste",
  linkBetween: (min, max) => `De ${min} a ${max}`,
  linkAtLeast: (min) => `Como mínimo ${min}`,
  linkAtMost: (max) => `Como máximo ${max}`,
  linkProblem: {
    amount: "Escribe un importe, por ejemplo 25.00.",
    often: "Se han iniciado demasiados pagos desde tu red. Inténtalo de nuevo en unos minutos.",
    away: "El pago no se puede iniciar ahora mismo. Inténtalo de nuevo en un minuto.",
    note: "La nota es demasiado larga o contiene caracteres no permitidos.",
  },
  linkAwayLead: "La tienda no puede aceptar pagos en este momento. Inténtalo más tarde.",
  linkUsedTitle: "Este enlace de pago ya se ha usado",
  linkUsedLead: (merchant) =>
    `${merchant} no acepta más pagos con este enlace. Si otro pago no se completa a tiempo, el enlace se podrá usar de nuevo.`,
  linkEndedTitle: "Este enlace de pago ha terminado",
  linkEndedLead: (merchant) =>
    `${merchant} ya no acepta pagos con este enlace. Pide uno nuevo si todavía quieres pagar.`,
  linkNoneLead: "No hay ningún enlace de pago en esta dirección. Comprueba la dirección o contacta con la tienda.",

  detailsHeading: "Detalles",
  merchant: "Comercio",
  price: "Precio",
  subject: "Concepto",
  amountOrdered: "Pedido",
  amountReceived: "Recibido",
  network: "Red",
  address: "Dirección",
  transaction: "Transacción",
  paidAt: "Pagado el",
  expiredAt: "Terminado el",
  reference: "Referencia",

  returnTo: (merchant) => `Volver a ${merchant}`,
  returning: (seconds) => `Volvemos en ${seconds} s.`,
  returnStay: "Quedarme en esta página",
  returnStayed: "Te quedas en esta página",
  printReceipt: "Imprimir recibo",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `Tu pago va directo a la billetera de ${merchant}.`,
  support: (merchant) => `Contactar con ${merchant}`,
  close: "Cerrar",
  poweredBy: "Stablegate",
  offline: "No tienes conexión. Esta página sigue sola cuando vuelva.",

  notFoundTitle: "Este enlace de pago no lleva a ninguna parte",
  notFoundLead:
    "No hay ningún pedido detrás de este enlace. Comprueba que se copió la dirección entera, o vuelve a la tienda y empieza el pago de nuevo. **No envíes dinero.**",
  refusedTitle: "No se pudo iniciar este pago",
  refusedLead:
    "La tienda envió una solicitud de pago no válida. Vuelve a la tienda e inténtalo de nuevo. **No envíes dinero.**",
  notNowLead:
    "Ahora mismo no se pueden iniciar pagos. Vuelve a la tienda e inténtalo de nuevo en un minuto. **No envíes dinero.**",
  tamperedTitle: "No pagues esto",
  tamperedLead:
    "La dirección de este pedido se cambió después de crearlo, y no lo hizo la tienda. **No envíes dinero.** Si ya lo enviaste, guarda el ID de la transacción de tu billetera.",
  closedTitle: "Ahora mismo no es posible pagar",
  closedLead:
    "La tienda no puede aceptar este pago en este momento. Vuelve a la tienda y elige otra forma de pago, o inténtalo más tarde. **No envíes dinero.**",
  otherWay: "También puedes volver a la tienda y elegir otra forma de pago.",
  alreadyPaidTitle: "Este pedido ya está pagado",
  alreadyPaidLead: "Vuelve a la tienda. **No pagues otra vez.**",
  depositStatus: "Tu dirección de depósito",
  depositLead: (merchant) =>
    `Esta dirección en ${merchant} es solo tuya. **Envía cualquier importe, tantas veces como quieras:** no caduca.`,
  depositOnly: (currencies, network) =>
    `**Solo ${currencies} por ${network}.** Cualquier otra cosa enviada a esta dirección no se abona y puede perderse.`,
  depositArrived: "Recibido en esta dirección",
  depositNothing: "Todavía no ha llegado nada. Lo que envíes aparecerá aquí por sí solo.",
  depositConfirmed: "Confirmado",
  depositReversed: "Revertido por la red",
  depositLatest: (count) => `Se muestran los últimos ${count}.`,
  depositClosedTitle: "Esta dirección no se usa en este momento",
  depositClosedLead: (merchant) =>
    `${merchant} la ha pausado. **No envíes nada.** Lo que ya enviaste no se ha perdido: aparece aquí.`,
  depositBrokenTitle: "Esta dirección no se puede mostrar",
  depositBrokenLead: (merchant) =>
    `Lo que está guardado no superó nuestra comprobación y puede que alguien lo haya cambiado. **No envíes nada.** Avisa a ${merchant}, que puede hacer que se revise.`,
  depositNoneLead:
    "No hay ninguna dirección detrás de este enlace. Comprueba que se copió el enlace entero, o vuelve a pedirlo donde te lo dieron. **No envíes dinero.**",
  busyTitle: "Demasiadas visitas",
  busyLead:
    "Esta página se abrió demasiadas veces desde tu dirección de internet. Lo vuelve a intentar sola en un momento. Un pago que ya enviaste no se pierde.",
  awayTitle: "Volvemos enseguida",
  awayLead:
    "La página de pago no se puede mostrar ahora mismo. Lo vuelve a intentar sola cada pocos segundos. Un pago que ya enviaste no se pierde.",
};
