import type { receivers as en } from "@/components/messages/en/receivers";
import type { Translation } from "@/components/messages/en/translation";

export const receivers: Translation<typeof en> = {
  receivers: {
    add: "Añadir tesorería",
    addTitle: "Añadir una tesorería con receptores",
    addHint:
      "Cada pedido en una red EVM recibe la dirección de su propio contrato. El contrato solo puede pagar a tu tesorería. Cualquiera puede iniciar la transferencia y no hace falta ninguna clave para ello.",
    unaudited:
      "Estos contratos no se han auditado. Son cortos, están probados con secuencias aleatorias de llamadas y no se pueden modificar una vez desplegados. Lee contracts/Receivers.sol y barre a menudo.",
    knowsUnaudited: "Entiendo que estos contratos no están auditados",
    treasury: "Tesorería",
    treasuryHint:
      "Una dirección o una Safe que controlas en todas las redes que vayas a activar. Los receptores solo pueden enviar a ella.",
    looksSecret:
      "Esto es una clave privada o una frase de recuperación que puede gastar tus fondos. No se ha enviado. Escribe la dirección.",
    addDone: "Tesorería añadida. Ahora inicia una prueba de receptores en una red",
    panel: "Tesorerías",
    panelHint: "Los receptores se usan en pedidos de las redes con una prueba completada.",
    unnamed: "Tesorería",
    facts: "{derived, number} de {max, number} derivadas · {used, number} usadas",
    onNone: "Todavía no activada en ninguna red",
    on: "Activada en {networks}",
    try: "Probar redes",
    title: "Prueba de receptores",
    hint: "Antes de usar receptores en pedidos de una red, recibe y barre allí un importe pequeño.",
    sealed:
      "La tesorería no se puede descifrar: se cambió en la base de datos o APP_SECRET es distinto. No envíes nada a sus receptores. Quítala y añádela de nuevo.",
    receiver: "Receptor 0",
    receiverHint: "Solo para pruebas, nunca se usa en pedidos. El mismo en todas las redes.",
    begin: "Iniciar prueba en {network}",
    again: "Continuar",
    states: {
      never: "Sin iniciar",
      asked: "Comprobando",
      missing: "Sin fábrica",
      waiting: "A la espera de un pago",
      arrived: "Listo para barrer",
      swept: "Confirmando",
      tried: "Activado",
      forgotten: "Caducada",
    },
    steps: {
      never: "Desactivado: los receptores no se usan en pedidos de esta red.",
      asked: "Se está comprobando la red. Tarda unos segundos.",
      missing:
        "La fábrica de receptores todavía no está desplegada en esta red. Cualquiera puede desplegarla una vez para todos los comercios: envía esta transacción.",
      waiting:
        "Envía un importe pequeño, como 1 {currency}, al receptor 0 en esta red. Se detecta en un minuto aproximadamente.",
      arrived:
        "Recibido: {amount}. Envía esta transacción desde cualquier billetera para barrerlo a tu tesorería. Tú pagas el gas.",
      swept: "Barrido a tu tesorería: {amount}. Los receptores se activan cuando esta transacción sea definitiva.",
      tried: "Recibido y barrido a tu tesorería: {amount}. Los receptores se usan en pedidos de esta red.",
      forgotten: "La prueba caducó tras tres días sin actividad.",
    },
    arrivedBy: "Recibido en",
    sweptBy: "Barrido en",
    transaction: "hash de la transacción",
    to: "A",
    data: "Datos",
    value: "Valor: 0",
    calldata: "Datos de la transacción para otras billeteras",
    send: "Enviar con {wallet}",
    noWallet: "No hay ninguna billetera en este navegador. Envía la transacción de abajo desde otra billetera.",
    sending: "Confirma en tu billetera",
    sent: "Enviado",
    sweeping: {
      title: "Barrer saldos",
      link: "Barrer",
      hint: "Saldos de tus receptores y direcciones derivadas en todas las redes activadas, incluidos los que no están asociados.",
      read: "Leer saldos",
      asked: "Leyendo saldos",
      notAsked: "No hay nada que leer: los saldos se leyeron en el último minuto o no tienes direcciones de este tipo",
      reading: "{network}: leyendo {count, plural, one {1 saldo} other {# saldos}}.",
      unread:
        "{network}: {count, plural, one {no se pudo leer 1 saldo} other {no se pudieron leer # saldos}}. Lee los saldos de nuevo. Si el problema persiste, revisa los nodos de la red.",
      none: "Nada que barrer",
      noneHint: "Lee los saldos de tus propias direcciones para verlos aquí.",
      min: "Saldo mínimo",
      minHint: "Por token y dirección, como 5. Puede que los saldos menores no compensen su gas.",
      minInvalid: "Escribe un número, como 5 o 0.5",
      apply: "Aplicar",
      small:
        "{count, plural, one {1 saldo omitido} other {# saldos omitidos}}: por debajo del mínimo o del coste del gas.",
      nothingWorth: "Ningún saldo supera el mínimo.",
      gas: "Hasta unos {gas, number} de gas en total: {fee} {coin} a {price} gwei",
      gasUnknown: "Hasta unos {gas, number} de gas en total. Lee los saldos para obtener el precio del gas.",
      key: "Clave pública extendida",
      keyHint:
        "Solo la billetera que tiene las claves puede mover estos saldos. Descarga una lista sin firmar para ella. Cada dirección necesita la moneda nativa de la red para el gas.",
      address: "dirección",
      more: "{count, plural, one {y # más} other {y # más}}",
      batch: "Transacción {number} de {all}: {count, plural, one {# receptor} other {# receptores}}",
      noFactory:
        "La fábrica no se encontró en {network}, así que un barrido no haría nada. Inicia allí una prueba de receptores: muestra si la fábrica está desplegada y da la transacción que la despliega.",
      safe: "Archivo para Transaction Builder de Safe",
      list: "Lista sin firmar (CSV)",
      target: "Destino",
      targetHint: "Tu dirección en {network}. Compruébala en el archivo antes de firmar.",
      prepare: "Preparar transferencias",
      plan: "Transferencias sin firmar (JSON)",
    },
    words: {
      rejected: "Lo rechazaste en tu billetera. No se envió nada.",
      busy: "Tu billetera tiene una solicitud abierta. Complétala e inténtalo de nuevo.",
      network: "Tu billetera usa otra red. Cámbiala e inténtalo de nuevo.",
      account: "Tu billetera no devolvió ninguna cuenta que pueda enviar esto.",
      funds: "La cuenta no tiene suficiente moneda nativa de la red para pagar el gas.",
      failed: "Tu billetera no pudo enviar la transacción. Inténtalo de nuevo o usa otra billetera.",
    },
  },
};
