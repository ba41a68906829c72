import type { Integration } from "@/lib/domain/integrations/integration";

/** Returns an integration that writes no callbacks, for tests of its other parts. */
export function blankIntegration(id: string, change: Partial<Integration> = {}): Integration {
  return {
    id,
    name: { en: id, zh: id, es: id, ru: id },
    callbacks: {
      write: () => [],
      sign: ({ url, body }) => ({ method: "POST", url, headers: {}, body }),
      isAcknowledged: () => false,
    },
    returnRule: { kind: "plain", url: ({ redirectUrl }) => redirectUrl },
    credentials: { publicId: "digits", key: "signing_key" },
    description: {
      about: { en: "", zh: "", es: "", ru: "" },
      path: `/${id}`,
      terms: { url: "URL", id: "Id", key: "Key" },
      isWeaklySigned: false,
      hasPriceCurrency: false,
      settings: [],
      forms: [],
    },
    ...change,
  };
}
