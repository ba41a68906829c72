import { CHECK_BOX, type FormField, formChoice, formText } from "@/lib/domain/fields/form";
import { inLanguage, type Localized } from "@/lib/domain/integrations/texts";
import { problem } from "@/lib/domain/problems/problem";
import { findFiat } from "@/lib/domain/rates/currencies";

interface FlagTexts {
  label: string;
  hint: string;
  /** The label of the checkbox. */
  choice: string;
  yes: string;
  no: string;
}

interface ChoiceTexts {
  label: string;
  hint: string;
  /** The label of each option. */
  options: Readonly<Record<string, string>>;
}

/** A setting of a shop for the plugins of an integration. Its `name` is stored and must never change. */
export type IntegrationSetting =
  | { kind: "flag"; name: string; initial: boolean; texts: Localized<FlagTexts> }
  | { kind: "choice"; name: string; initial: string; options: readonly string[]; texts: Localized<ChoiceTexts> };

/** The values of settings by their names. */
export type SettingValues = Readonly<Record<string, boolean | string>>;

/** A setting in one language. */
export type SettingView =
  | ({ kind: "flag"; name: string } & FlagTexts)
  | { kind: "choice"; name: string; label: string; hint: string; options: readonly { value: string; text: string }[] };

/** Returns the values of settings: the given value if it is valid, otherwise the initial one. Values of unknown settings are omitted. */
export function settingValues(settings: readonly IntegrationSetting[], given: SettingValues): SettingValues {
  return Object.fromEntries(settings.map((setting) => [setting.name, readValue(setting, given[setting.name])]));
}

function readValue(setting: IntegrationSetting, given: boolean | string | undefined): boolean | string {
  if (setting.kind === "flag") return typeof given === "boolean" ? given : setting.initial;
  return typeof given === "string" && setting.options.includes(given) ? given : setting.initial;
}

/** The value of the form's price currency for prices that are amounts of tokens. */
export const TOKEN_PRICES = "tokens";

/**
 * The form that sets the currency of the prices that an integration's plugins send. A currency must be selected; TOKEN_PRICES is read as
 * null.
 */
export const PRICE_CURRENCY_FORM = {
  fiat: formText<string | null>((chosen) => {
    if (chosen === TOKEN_PRICES) return { value: null };
    const fiat = findFiat(chosen);
    return fiat ? { value: fiat.code } : { problem: problem("price_currency_missing") };
  }),
};

/** Returns the form for settings. An unchecked flag is false. */
export function settingsForm(settings: readonly IntegrationSetting[]): Record<string, FormField<boolean | string>> {
  return Object.fromEntries(settings.map((setting) => [setting.name, settingField(setting)]));
}

function settingField(setting: IntegrationSetting): FormField<boolean | string> {
  return setting.kind === "flag" ? CHECK_BOX : formChoice(setting.options, problem("setting_option_missing"));
}

/** Returns a setting in a back-office language. */
export function viewSetting(setting: IntegrationSetting, language: string): SettingView {
  const { name } = setting;
  if (setting.kind === "flag") return { kind: "flag", name, ...inLanguage(setting.texts, language) };
  const { label, hint, options } = inLanguage(setting.texts, language);
  return {
    kind: "choice",
    name,
    label,
    hint,
    options: setting.options.map((value) => ({ value, text: options[value] ?? value })),
  };
}
