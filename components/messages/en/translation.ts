/** The type of a translation: it has exactly the messages of the English one. */
export type Translation<Of> = { readonly [Key in keyof Of]: Of[Key] extends string ? string : Translation<Of[Key]> };
