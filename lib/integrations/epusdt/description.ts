import type { IntegrationDescription } from "@/lib/domain/integrations/description";
import { EXPIRATIONS } from "@/lib/integrations/epusdt/expiration";
import { EPUSDT_FORMS } from "@/lib/integrations/epusdt/forms";

export const epusdtDescription: IntegrationDescription = {
  about: {
    en: "For dujiaoka, dujiao-next, Xboard, WooCommerce and others with a plugin for epusdt, BEpusdt or GMPay.",
    zh: "适用于带有 epusdt、BEpusdt 或 GMPay 插件的独角数卡、dujiao-next、Xboard、WooCommerce 等系统。",
    es: "Para dujiaoka, dujiao-next, Xboard, WooCommerce y otros con un plugin para epusdt, BEpusdt o GMPay.",
    ru: "Для dujiaoka, dujiao-next, Xboard, WooCommerce и других систем с плагином для epusdt, BEpusdt или GMPay.",
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
        es: {
          label: "expiration_time significa",
          hint: "BEpusdt y la mayoría de los plugins esperan los segundos restantes; el epusdt original y GMPay esperan una hora Unix. Las rutas propias de GMPay siempre devuelven una hora Unix.",
          options: {
            remaining: "Segundos restantes (BEpusdt)",
            unix: "Caducidad como hora Unix (epusdt, GMPay)",
          },
        },
        ru: {
          label: "expiration_time означает",
          hint: "BEpusdt и большинство плагинов ожидают оставшиеся секунды; исходный epusdt и GMPay ожидают Unix-время. Собственные пути GMPay всегда возвращают Unix-время.",
          options: {
            remaining: "Оставшиеся секунды (BEpusdt)",
            unix: "Окончание как Unix-время (epusdt, GMPay)",
          },
        },
      },
    },
  ],
  forms: EPUSDT_FORMS,
};
