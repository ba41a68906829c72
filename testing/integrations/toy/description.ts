import type { IntegrationDescription } from "@/lib/domain/integrations/description";

const greets = {
  label: "Greeting",
  hint: "Responses begin with a greeting.",
  choice: "Send a greeting",
  yes: "Sent",
  no: "Not sent",
};

export const toyDescription: IntegrationDescription = {
  about: {
    en: "For shops that sell toys.",
    zh: "适用于玩具商店。",
    es: "Para tiendas que venden juguetes.",
    ru: "Для магазинов игрушек.",
  },
  path: "/toy",
  terms: { url: "Toy URL", id: "Shop", key: "Secret" },
  isWeaklySigned: false,
  hasPriceCurrency: false,
  settings: [
    { kind: "flag", name: "greets", initial: false, texts: { en: greets, zh: greets, es: greets, ru: greets } },
  ],
  forms: [{ name: "Toy shop", fields: [{ label: "URL", value: "{url}/orders" }] }],
};
