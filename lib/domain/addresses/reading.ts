/** What a family's reader makes of a typed address; a null problem means that the text has not even the form. */
export type AddressReading = { address: string } | { problem: string | null };
