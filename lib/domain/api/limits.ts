/** The limits of fields that several requests share. */
export const MCH_ORDER_ID = { min: 1, max: 32 } as const;
export const CUSTOMER_REF = { min: 1, max: 64 } as const;
/** Seconds. */
export const EXPIRES_IN = { min: 300, max: 86_400 } as const;
export const LIST_LIMIT = { usual: 20, min: 1, max: 100 } as const;
export const MAX_SUBJECT = 127;
export const MAX_METADATA_BYTES = 2_048;
export const MAX_AMOUNT = 1_000_000_000;
/** Language, script, region and one variant of BCP 47, with hyphens or underscores. */
export const LOCALE =
  "^[A-Za-z]{2,3}([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|[0-9]{3}))?([-_]([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?$";
/** The pattern of the ids that `isId` accepts. */
export const ID = "^[0-7][0-9a-hjkmnp-tv-z]{27}$";
