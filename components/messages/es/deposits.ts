import type { deposits as en } from "@/components/messages/en/deposits";
import type { Translation } from "@/components/messages/en/translation";

export const deposits: Translation<typeof en> = {
  title: "Depósitos",
  hint: "Direcciones permanentes de clientes, con sus depósitos definitivos.",
  customer: "Cliente",
  address: "Dirección",
  received: "Recibido",
  count: "Transferencias",
  open: "{count, number} todavía no definitivas",
  reversed: "{count, number} eliminadas por una reorganización",
  last: "Última transferencia",
  never: "sin transferencias",
  nothing: "sin depósitos",
  none: "Todavía no hay direcciones de depósito",
  noneHint:
    "Tu servidor solicita una con deposit-address. Añade primero una lista de direcciones dedicadas o una clave pública extendida.",
  toAddresses: "Direcciones de cobro",
  nothingFits: "Ninguna dirección de depósito coincide con este filtro",
  lookFor: "Busca por la referencia del cliente o su principio, o por una dirección completa.",
  showAll: "Mostrar todos los depósitos",
  transfers: "Transferencias a esta dirección",
  noTransfers: "Todavía no hay transferencias a esta dirección.",
  details: "Detalles",
  page: "Página del cliente",
  id: "Id.",
  notifyUrl: "URL del callback",
  noNotifyUrl: "ninguna; usa event/list o deposit/list",
  since: "Asignada",
  lost: "Una reorganización eliminó {count, plural, one {# depósito confirmado} other {# depósitos confirmados}}. Busca las transacciones en un explorador. Las que la cadena vuelva a incluir se confirman automáticamente.",
  closed:
    "Esta dirección está pausada o quitada, y su página pide al cliente que no envíe nada. Los depósitos a ella se siguen abonando. Reanúdala en Ajustes → Direcciones de cobro.",
  broken:
    "Falló la comprobación de integridad de esta dirección: se cambió en la base de datos o APP_SECRET es distinto. Está pausada y no se muestra a los pagadores. Revísala en Ajustes → Direcciones de cobro.",
};
