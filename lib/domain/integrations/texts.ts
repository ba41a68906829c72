/** A string or a set of strings in each back-office language. */
export type Localized<Text = string> = Readonly<Record<"en" | "zh" | "es" | "ru", Text>>;

/** Returns the text in a back-office language, or in English if there is none in that language. */
export function inLanguage<Text>(texts: Localized<Text>, language: string): Text {
  return isLanguageOf(texts, language) ? texts[language] : texts.en;
}

function isLanguageOf<Text>(texts: Localized<Text>, language: string): language is keyof typeof texts {
  return Object.hasOwn(texts, language);
}
