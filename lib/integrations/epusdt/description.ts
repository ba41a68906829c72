import type { IntegrationDescription } from "@/lib/domain/integrations/description";
import { EXPIRATIONS } from "@/lib/integrations/epusdt/expiration";
import { EPUSDT_FORMS } from "@/lib/integrations/epusdt/forms";

export const epusdtDescription: IntegrationDescription = {
  about: {
    en: "For dujiaoka, dujiao-next, Xboard, WooCommerce and others with a plugin for epusdt, BEpusdt or GMPay.",
    zh: "适用于带有 epusdt、BEpusdt 或 GMPay 插件的独角数卡、dujiao-next、Xboard、WooCommerce 等系统。",
  },
  path: "/epusdt",
  terms: { url: "API URL", id: "PID", key: "API token" },
  isWeaklySigned: true,
  hasPriceCurrency: true,
  settings: [
    {
      kind: "choice",
      name: "expiration",
      initial: "remaining",
      options: EXPIRATIONS,
      texts: {
        en: {
          label: "expiration_time means",
          hint: "BEpusdt and most plugins expect the remaining seconds; the original epusdt and GMPay expect a Unix time. GMPay's own paths always return a Unix time.",
          options: {
            remaining: "Remaining seconds (BEpusdt)",
            unix: "Expiry as Unix time (epusdt, GMPay)",
          },
        },
        zh: {
          label: "expiration_time 表示",
          hint: "BEpusdt 和多数插件需要剩余秒数；最初的 epusdt 和 GMPay 需要 Unix 时间。GMPay 自己的路径始终得到后者。",
          options: {
            remaining: "剩余秒数（BEpusdt）",
            unix: "到期的 Unix 时间（epusdt、GMPay）",
          },
        },
      },
    },
  ],
  forms: EPUSDT_FORMS,
};
