import type { plugins as en } from "@/components/messages/en/plugins";
import type { Translation } from "@/components/messages/en/translation";

export const plugins: Translation<typeof en> = {
  title: "Plugins",
  hint: "Conecta tiendas que ya admiten uno de estos protocolos. Escribe los valores de esta página en su plugin; no hace falta programar.",
  on: "Activado",
  off: "Desactivado",
  neverOn: "Desactivado. Al activarlo recibes credenciales solo para este protocolo.",
  isOff: "Desactivado. Las solicitudes se rechazan. Los callbacks de pedidos existentes se siguen entregando.",
  switchOn: "Activar",
  switchOnWhat: "Activar {protocol}",
  switchOnHint: "Recibes estos valores para escribirlos en el plugin: {url}, {id} y {key}.",
  switchOnAgain: "Los valores de {url} y {id} y cada {key} en vigor siguen siendo los mismos.",
  switchedOn: "{protocol} activado",
  weak: "Este protocolo se firma con MD5, que es débil. Una firma por sí sola nunca marca un pedido como pagado, pero quien tenga el valor de {key} puede crear pedidos en tu nombre y enviar a tu tienda una confirmación falsa. Es preferible usar la API; usa https y no uses el mismo valor de {key} en ningún otro sitio.",
  switchOff: "Desactivar",
  switchOffWhat: "Desactivar {protocol}",
  switchOffHint:
    "Las solicitudes de sus plugins se rechazan de inmediato. Los callbacks de pedidos existentes se siguen entregando.",
  switchedOff: "{protocol} desactivado",
  settings: "Ajustes",
  settingsOf: "Ajustes de {protocol}",
  saved: "Guardado",
  keys: "Credenciales de {protocol}",
  noKey:
    "No hay ningún valor válido de {key}. Las solicitudes se rechazan y los callbacks quedan pendientes. Crea un nuevo valor de {key}.",
  noAddress: {
    allOff:
      "Tu tienda no tiene ninguna dirección de cobro activa, así que sus pedidos no se podrían pagar. Añade una para activar un plugin.",
    anyOn:
      "Tu tienda no tiene ninguna dirección de cobro activa. Los pedidos de tus plugins se rechazan y tus clientes no pueden pagar. Añade una dirección o reanuda una pausada.",
    connecting:
      "Tu tienda no tiene ninguna dirección de cobro activa, así que sus pedidos no se podrían pagar. Añade una y vuelve a conectar desde la aplicación.",
    action: "Añadir dirección",
  },
  prices: "Moneda de los precios",
  pricesUnselected: "Elige una moneda",
  pricesInTokens: "Los importes están en tokens",
  pricesHint: "La moneda en la que tu tienda envía los importes. Se usa si una solicitud no indica ninguna.",
  platformKeyOf: "{name} de la clave {key}…",
  platformKeyHint: "Tu tienda verifica las respuestas y los callbacks con esta clave. No es secreta.",
  newKey: "Crear {key}",
  newKeyFor: "Crear {key} para {protocol}",
  newKeyHint:
    "El valor anterior de {key} sigue siendo válido durante el solape. Los callbacks usan el nuevo valor de {key} cuando tu tienda lo use.",
  overlap: "Solape del valor anterior de {key}",
  noOverlap: "Ninguno: el valor anterior de {key} caduca ahora",
  overlapHours: "{hours, plural, one {# hora} other {# horas}}",
  overlapDays: "{days, plural, one {# día} other {# días}}",
  yours: "Credenciales de {protocol}",
  copyNow: "Copia ahora el valor de {key}. No se vuelve a mostrar.",
  stored: "He guardado el valor de {key}",
  done: "Listo",
  cancel: "Cancelar",
  save: "Guardar",
  whatToType: "Ajustes del plugin",
  plugin: "Tu plugin",
  field: "Campo",
  value: "Valor",
  keyHere: "el valor de {key} que se mostró al crearlo",
  hosted: {
    title: "Plugins del servicio alojado",
    hint: "Escribe la dirección, el ID de comercio y una clave de API creada con «Para un plugin».",
    address: "Dirección de la API",
    merchantId: "ID de comercio",
    merchantIdHint:
      "Los plugins y SDK del servicio alojado lo piden. Los callbacks lo llevan en X-Webhook-Merchant-Id.",
    requested: "Un plugin pidió usar la clave {key} ({name}) <time></time>. La clave no se creó para un plugin.",
    allow: "Permitir formato de plugin",
    allowTitle: "Permitir que un plugin use «{name}»",
    allowHint:
      "Los callbacks de esta clave pasan al formato plugin v1. Si tu propio servidor también usa la clave, descarta la solicitud y crea una clave para el plugin.",
    allowed: "Plugin permitido. Guarda de nuevo los ajustes del plugin",
    dismiss: "Descartar",
    dismissTitle: "Descartar la solicitud para «{name}»",
    dismissHint: "La clave conserva su formato de callback. La solicitud vuelve a aparecer si el plugin la repite.",
    dismissNow: "Descartar solicitud",
    dismissed: "Solicitud descartada",
  },
  connect: {
    title: "¿Permitir que «{application}» se conecte?",
    hint: "La aplicación eligió este nombre. Permítelo solo si acabas de pedirle que se conecte y el valor de {key} va a tu propia tienda.",
    nameless: "una aplicación sin nombre",
    shop: "Tienda",
    goesTo: "Destino de {key}",
    goesToYou: "Tú (se muestra una sola vez)",
    mayDo: "Permisos",
    mayEmbed: "mostrar las páginas de pago de sus pedidos dentro de sus propias páginas",
    never: "No puede mover fondos ni cambiar direcciones de cobro o ajustes. {protocol} se activa para la tienda.",
    withheld:
      "También solicita aprobar pagos salientes. Este permiso no se concede, porque cada reembolso lo aprueba un usuario en el panel.",
    unprotected:
      "{host} no está protegido con https, así que otros en la red pueden leer el valor de {key}. Continúa solo en tu propio equipo o red.",
    allow: "Permitir",
    refuse: "Rechazar",
    askOther:
      "Tu rol es de solo lectura. Pide a un propietario o administrador de la tienda que conecte la aplicación.",
    refusedTitle: "No se puede conectar la aplicación",
    refused: {
      nothingAsked:
        "No solicitó ningún permiso. Vuelve a la aplicación, comprueba la URL de este servicio en sus ajustes y conéctala de nuevo.",
      tooWide:
        "Solicitó «{what}», que no está disponible. Solo se pueden conceder permisos sobre pedidos, reembolsos, el nombre de la tienda, los métodos de pago y los webhooks.",
      noUrl:
        "Solicitó que el valor de {key} se envíe a «{what}», que no es una dirección web válida. Debe ser una URL completa que empiece por https://.",
      unprotected:
        "Solicitó que el valor de {key} se envíe a {what} sin https, donde otros podrían leerlo. Activa https en la tienda y conéctala de nuevo.",
      ownPage:
        "Solicitó que el valor de {key} se envíe a «{what}», una página de este servicio. Debe ser una página de la aplicación.",
    },
    refusedByYou: "Lo rechazaste.",
    nothingGiven: "No se concedió ningún acceso. Puedes cerrar esta página.",
    handOver: "El valor de {key} va a {host}",
    goOn: "Continuar a {host}",
  },
  revoke: "Revocar",
  revokeKey: "Revocar {key}: {shown}",
  revokeHint:
    "Las solicitudes con este valor se rechazan de inmediato. Los callbacks se firman con otro valor válido de {key} o quedan pendientes hasta que haya uno.",
  revokeNow: "Revocar {key}",
  revoked: "{key}: revocado",
  lastUsed: "Último uso",
  created: "Creado",
  state: "Estado",
  actions: "Acciones",
  never: "Nunca",
  live: "Activo",
  ends: "Caduca",
};
