/** A text or a set of texts in each language of the back office. */
export type Localized<Text = string> = Readonly<Record<"en" | "zh", Text>>;

/** Returns a text in a language of the back office; in English if it does not exist in that language. */
export function inLanguage<Text>(texts: Localized<Text>, language: string): Text {
  return isLanguageOf(texts, language) ? texts[language] : texts.en;
}

function isLanguageOf<Text>(texts: Localized<Text>, language: string): language is keyof typeof texts {
  return Object.hasOwn(texts, language);
}
