/** The languages of the back office, in the order of the language menu. The first is the default. */
export const LANGUAGES = [
  { id: "en", tag: "en", name: "English" },
  { id: "zh", tag: "zh-Hans", name: "简体中文" },
  { id: "es", tag: "es", name: "Español" },
  { id: "ru", tag: "ru", name: "Русский" },
] as const;

export type LanguageId = (typeof LANGUAGES)[number]["id"];

/** The name of the cookie that stores a user's language. The cookie is not secret and has no other content. */
export const LANGUAGE_COOKIE = "stablegate-language";

/** The maximum number of language ranges that are parsed from an Accept-Language header. */
const MAX_RANGES = 20;

/** Returns the language of a user: the chosen one, else the best match that the browser accepts (RFC 9110), else English. */
export function languageFor(chosen: string | undefined, accepted: string | null): LanguageId {
  const ranges = (accepted ?? "").split(",", MAX_RANGES).map(rangeOf);
  const wanted = ranges.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality);
  return [chosen ?? "", ...wanted.map(({ tag }) => tag)].map(languageOf).find((id) => id !== null) ?? LANGUAGES[0].id;
}

/** Returns the language of a BCP 47 tag; null if it is not supported. */
export function languageOf(tag: string): LanguageId | null {
  const [first] = tag.trim().toLowerCase().split(/[-_]/);
  return LANGUAGES.find(({ id }) => id === first)?.id ?? null;
}

function rangeOf(text: string): { tag: string; quality: number } {
  const [tag = "", ...parameters] = text.split(";").map((part) => part.trim());
  const quality = parameters.find((part) => /^q=/i.test(part))?.slice(2) ?? "1";
  return { tag, quality: /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(quality) ? Number(quality) : 0 };
}
