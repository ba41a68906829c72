import type { Localized } from "@/lib/domain/integrations/texts";

/** The permissions that a token can have, each for one store. Plugins refuse a token with fewer than they requested, or with more. */
export const PERMISSIONS = [
  "btcpay.store.canviewinvoices",
  "btcpay.store.cancreateinvoice",
  "btcpay.store.canviewstoresettings",
  "btcpay.store.canmodifyinvoices",
  "btcpay.store.cancreatenonapprovedpullpayments",
  "btcpay.store.webhooks.canmodifywebhooks",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/**
 * Returns the permissions of a store's token by their names in the protocol.
 * @param kept the stored permissions; empty: all permissions
 */
export function storePermissions(storeId: string, kept: readonly string[] = []): string[] {
  const names = PERMISSIONS.filter((name) => kept.length === 0 || kept.includes(name));
  return names.map((name) => `${name}:${storeId}`);
}

/** Descriptions of the permissions for the user who grants them. */
export const PERMISSION_TEXTS: Localized<Readonly<Record<Permission, string>>> = {
  en: {
    "btcpay.store.canviewinvoices": "view the orders created through BTCPay Greenfield",
    "btcpay.store.cancreateinvoice": "make orders",
    "btcpay.store.canviewstoresettings": "view the shop's name and payment methods",
    "btcpay.store.canmodifyinvoices": "cancel unpaid orders, archive orders and change their metadata",
    "btcpay.store.webhooks.canmodifywebhooks": "create webhooks for its orders",
    "btcpay.store.cancreatenonapprovedpullpayments":
      "request refunds of paid orders, view them, and cancel them before they are sent. You approve each refund here and pay it from your own wallet",
  },
  zh: {
    "btcpay.store.canviewinvoices": "查看通过 BTCPay Greenfield 创建的订单",
    "btcpay.store.cancreateinvoice": "创建订单",
    "btcpay.store.canviewstoresettings": "查看店铺名称和支付方式",
    "btcpay.store.canmodifyinvoices": "取消无人支付的订单、归档订单并修改其附加数据",
    "btcpay.store.webhooks.canmodifywebhooks": "让订单消息发送到它指定的地址",
    "btcpay.store.cancreatenonapprovedpullpayments":
      "为已付款的订单申请退款、查看退款，并在发出之前取消。每笔退款都由您在此批准，并从您自己的钱包支付",
  },
  es: {
    "btcpay.store.canviewinvoices": "ver los pedidos creados con BTCPay Greenfield",
    "btcpay.store.cancreateinvoice": "crear pedidos",
    "btcpay.store.canviewstoresettings": "ver el nombre y los métodos de pago de la tienda",
    "btcpay.store.canmodifyinvoices": "cancelar pedidos sin pagar, archivar pedidos y cambiar sus metadatos",
    "btcpay.store.webhooks.canmodifywebhooks": "crear webhooks para sus pedidos",
    "btcpay.store.cancreatenonapprovedpullpayments":
      "iniciar reembolsos de pedidos pagados, verlos y cancelarlos antes de que se envíen. Tú apruebas aquí cada reembolso y lo pagas desde tu propia billetera",
  },
  ru: {
    "btcpay.store.canviewinvoices": "просматривать заказы, созданные через BTCPay Greenfield",
    "btcpay.store.cancreateinvoice": "создавать заказы",
    "btcpay.store.canviewstoresettings": "просматривать название и способы оплаты магазина",
    "btcpay.store.canmodifyinvoices": "отменять неоплаченные заказы, архивировать заказы и менять их метаданные",
    "btcpay.store.webhooks.canmodifywebhooks": "создавать вебхуки для своих заказов",
    "btcpay.store.cancreatenonapprovedpullpayments":
      "оформлять возвраты по оплаченным заказам, просматривать их и отменять до отправки. Каждый возврат одобряете здесь вы и платите из своего кошелька",
  },
};
