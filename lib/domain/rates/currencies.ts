/**
 * The fiat currencies by ISO 4217 code, with the decimals of their minor unit: the active codes of list one without funds, metals and test
 * codes, which shops do not use. Source: ISO 4217 list one (SIX Interbank Clearing).
 */
const MINOR_UNITS: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
  2: [
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP",
    "CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS",
    "KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD",
    "PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP",
    "TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
  ].join(" "),
  3: "BHD IQD JOD KWD LYD OMR TND",
};

const DECIMALS = new Map(
  Object.entries(MINOR_UNITS).flatMap(([decimals, codes]) =>
    codes.split(" ").map((code): [string, number] => [code, Number(decimals)]),
  ),
);

/** The highest price of an order in any currency, in its major unit. */
export const MAX_PRICE = 1_000_000_000_000_000;

/** The codes of all currencies that a price can be in, in alphabetical order. */
export const FIAT_CODES: readonly string[] = [...DECIMALS.keys()].sort();

/** Formats a price with the usual decimals of its currency: "19.9" EUR is "19.90 EUR". */
export function priceText({ amount, fiat }: { amount: string; fiat: string }): string {
  const [whole = "0", fraction = ""] = amount.split(".");
  const digits = fraction.padEnd(DECIMALS.get(fiat) ?? 0, "0");
  return `${whole}${digits === "" ? "" : `.${digits}`} ${fiat}`;
}

/** Finds a fiat currency by its code in any case, and returns it with the decimals of its minor unit; null if there is no such currency. */
export function findFiat(code: string): { code: string; decimals: number } | null {
  const decimals = DECIMALS.get(code.toUpperCase());
  return decimals === undefined ? null : { code: code.toUpperCase(), decimals };
}
