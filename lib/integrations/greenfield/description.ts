import type { IntegrationDescription } from "@/lib/domain/integrations/description";
import { GREENFIELD_FORMS } from "@/lib/integrations/greenfield/forms";

export const greenfieldDescription: IntegrationDescription = {
  about: {
    en: "For WooCommerce, Magento, OpenCart, XenForo, GiveWP and other systems with a plugin for BTCPay Server. Enter the address in the plugin and connect: the plugin then requests its own API key. Or enter all values manually.",
    zh: "适用于带有 BTCPay Server 插件的 WooCommerce、Magento、OpenCart、XenForo、GiveWP 等系统。在插件中填写地址并点击连接，它会在这里申请自己的 API key；也可以手动填写全部内容。",
    es: "Para WooCommerce, Magento, OpenCart, XenForo, GiveWP y otros sistemas con un plugin para BTCPay Server. Escribe la dirección en el plugin y conéctalo: el plugin solicita entonces su propia clave de API. También puedes escribir todos los valores manualmente.",
    ru: "Для WooCommerce, Magento, OpenCart, XenForo, GiveWP и других систем с плагином для BTCPay Server. Введите адрес в плагине и подключите его: плагин сам запросит ключ API. Можно также ввести все значения вручную.",
  },
  path: "/greenfield",
  terms: { url: "BTCPay Server URL", id: "Store ID", key: "API key" },
  isWeaklySigned: false,
  hasPriceCurrency: false,
  settings: [],
  forms: GREENFIELD_FORMS,
};
