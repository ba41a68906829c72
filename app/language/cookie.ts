/** Carries the language that a person chose; it is no secret and says nothing else. */
export const LANGUAGE_COOKIE = "stablegate-language";
