import type { IntegrationSetting } from "@/lib/domain/integrations/settings";
import type { Localized } from "@/lib/domain/integrations/texts";

/** A form of a shop system, with the labels of its fields and the value to enter in each. */
export interface PluginForm {
  name: string;
  /**
   * `{url}` is replaced by the URL without a trailing slash, `{id}`, `{key}` and `{platform_key}` by the credentials. Other values are
   * entered unchanged.
   */
  fields: readonly { label: string; value: string }[];
}

/** The names that plugins use for a shop's URL, id and key. */
export interface CredentialTerms {
  url: string;
  id: string;
  key: string;
  /** The platform's public key; only for a key pair. */
  platformKey?: string;
}

/** The presentation of an integration in the back office. */
export interface IntegrationDescription {
  /** The systems that use the protocol. */
  about: Localized;
  /** The URL that shops enter, as a path below the public URL. */
  path: string;
  terms: CredentialTerms;
  /** True if the protocol's only signature is an MD5 hash of the text and the key. */
  isWeaklySigned: boolean;
  /** True if requests may omit the currency of their prices. The currency that the shop selected when it enabled the integration then applies. */
  hasPriceCurrency: boolean;
  settings: readonly IntegrationSetting[];
  forms: readonly PluginForm[];
}
