/** A text, or several, in each language of the back office. */
export type Localized<Text = string> = Readonly<Record<"en" | "zh", Text>>;

/** Returns a text in a language of the back office: English unless it exists in that language. */
export function inLanguage<Text>(texts: Localized<Text>, language: string): Text {
  return isLanguageOf(texts, language) ? texts[language] : texts.en;
}

function isLanguageOf<Text>(texts: Localized<Text>, language: string): language is keyof typeof texts {
  return Object.hasOwn(texts, language);
}
