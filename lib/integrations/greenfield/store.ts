import type { PluginShop } from "@/lib/plugins/find-shop";
import type { Plugin } from "@/lib/plugins/plugin-caller";

/**
 * The settings of the protocol that this service does not have, with the values that describe its behaviour. No value is null, because
 * typed clients reject null. Source: BTCPay Server, StoreBaseData.
 */
const FIXED = {
  website: "",
  archived: false,
  speedPolicy: "MediumSpeed",
  lightningDescriptionTemplate: "",
  anyoneCanCreateInvoice: false,
  requiresRefundEmail: false,
  lightningAmountInSatoshi: false,
  lightningPrivateRouteHints: false,
  onChainWithLnInvoiceFallback: false,
  redirectAutomatically: false,
  showRecommendedFee: false,
  recommendedFeeBlockTarget: 1,
  defaultLang: "en",
  customLogo: "",
  customCSS: "",
  networkFeeMode: "Never",
  payJoinEnabled: false,
  lazyPaymentMethods: false,
  defaultPaymentMethod: "",
};

/**
 * Returns the JSON of a store: the name of the shop and the settings that its orders have by default. Times are in seconds, and the
 * tolerance is in percent.
 */
export function toStore({ publicId, fiat }: Pick<Plugin, "publicId" | "fiat">, shop: PluginShop): object {
  return {
    id: publicId,
    name: shop.name,
    defaultCurrency: fiat ?? "USD",
    invoiceExpiration: shop.expiresInSeconds,
    displayExpirationTimer: shop.expiresInSeconds,
    monitoringExpiration: shop.lateWindowSeconds,
    paymentTolerance: (shop.toleranceBasisPoints ?? 0) / 100,
    htmlTitle: shop.name,
    ...FIXED,
  };
}
