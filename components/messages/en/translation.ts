/** The shape of a language: every message that English has, and no other. */
export type Translation<Of> = { readonly [Key in keyof Of]: Of[Key] extends string ? string : Translation<Of[Key]> };
