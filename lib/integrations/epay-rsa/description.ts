import type { IntegrationDescription } from "@/lib/domain/integrations/description";
import { EPAY_RSA_FORMS } from "@/lib/integrations/epay-rsa/forms";

export const epayRsaDescription: IntegrationDescription = {
  about: {
    en: "For the EpayCore SDK and other systems that support EPay V2 (易支付, RSA).",
    zh: "适用于 EpayCore SDK 以及其他使用易支付 V2（EPay，RSA）协议的系统。",
    es: "Para el SDK de EpayCore y otros sistemas que admiten EPay V2 (易支付, RSA).",
    ru: "Для EpayCore SDK и других систем, которые поддерживают EPay V2 (易支付, RSA).",
  },
  path: "/epay-rsa/",
  terms: { url: "API URL", id: "PID", key: "merchant_private_key", platformKey: "platform_public_key" },
  isWeaklySigned: false,
  hasPriceCurrency: true,
  settings: [],
  forms: EPAY_RSA_FORMS,
};
