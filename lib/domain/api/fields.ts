import { refTo, type Schema } from "@/lib/domain/api/schema";
import { LOCAL_ZONES } from "@/lib/domain/callbacks/address-rule";
import { CURRENCIES, type Network } from "@/lib/domain/networks";
import { ORDER_STATUSES } from "@/lib/domain/orders/order";
import { FIAT_CODES, findFiat } from "@/lib/domain/rates/currencies";

/** What the readers of requests measure with, and the document says. */
export const MCH_ORDER_ID = { min: 1, max: 32 } as const;
export const EXPIRES_IN = { min: 300, max: 86_400 } as const;
export const LIST_LIMIT = { usual: 20, min: 1, max: 100 } as const;
export const MAX_SUBJECT = 127;
export const MAX_METADATA_BYTES = 2_048;
export const MAX_AMOUNT = 1_000_000_000;
/** In any currency: what one order may ask for, where a token costs a million. */
export const MAX_PRICE = 1_000_000_000_000_000;
/** Of texts that the document describes as URLs. */
const MAX_URL = 2_048;
/** Whole numbers without a sign, at most of so many digits: Unix seconds far beyond any order, and places in a list. */
export const MAX_WHOLE = 999_999_999_999;
/** Language, script, region and one variant of BCP 47, with hyphens or underscores. */
export const LOCALE =
  "^[A-Za-z]{2,3}([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|[0-9]{3}))?([-_]([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?$";
/** What `isId` takes for an id. */
export const ID = "^[0-7][0-9a-hjkmnp-tv-z]{27}$";

/** Fields that a request may have, and what JSON Schema can say about several of them together. */
export interface RequestShape<Field extends string = string> {
  readonly properties: Readonly<Record<Field, Schema>>;
  readonly required?: readonly Field[];
  readonly together?: Pick<Schema, "anyOf" | "oneOf">;
}

/** Null and an empty text count as left out. */
const NOTHING: Schema = { enum: [null, ""], description: "The same as left out." };
export const PRINTABLE = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";
const HOST_LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,38}[A-Za-z0-9])?";

export function given(schema: Schema, description: string): Schema {
  return { description, anyOf: [schema, NOTHING] };
}

/** An ordinary URL: what this lets through is taken. More is, such as a public IP address; the rule itself needs a program. */
function urlPattern(isPublic: boolean): string {
  const local = ["localhost", "arpa", ...LOCAL_ZONES.filter((zone) => !zone.includes("."))].join("|");
  const last = isPublic ? `(?!(${local})([:/?#]|$))[A-Za-z]{2,40}` : "[A-Za-z]{1,40}";
  const host = `(${HOST_LABEL}\\.){${isPublic ? 1 : 0},4}${last}`;
  const port = `(:(80|443|${digitsBetween(1_024, 65_535).slice(2, -2)}))?`;
  return `^https?://${host}${port}([/?#][!-~]*)?$`;
}

export function url(isPublic: boolean, description: string, example: string): Schema {
  const schema: Schema = { type: "string", format: "uri", maxLength: MAX_URL, pattern: urlPattern(isPublic) };
  return { ...given(schema, description), examples: [example] };
}

/** A whole number, or its digits as a text. */
export function whole(min: number, max: number, description: string, usual?: number): Schema {
  const number: Schema = { type: "integer", minimum: min, maximum: max };
  const digits: Schema = { type: "string", pattern: digitsBetween(min, max) };
  return { description, anyOf: [number, digits, NOTHING], ...(usual !== undefined && { default: usual }) };
}

/** A decimal number of at most so many decimals, more than 0; or the same as a text. @param most a power of ten */
function decimal(decimals: number, most: number): Schema {
  const fraction = decimals === 0 ? "" : `(\\.[0-9]{1,${decimals}})?`;
  const zeros = decimals === 0 ? "" : `(\\.0{1,${decimals}})?`;
  const pattern = `^(?!0${zeros}$)((0|[1-9][0-9]{0,${String(most).length - 2}})${fraction}|${most}${zeros})$`;
  const number: Schema = { type: "number", exclusiveMinimum: 0, maximum: most, multipleOf: 10 ** -decimals };
  return { anyOf: [number, { type: "string", pattern }] };
}

/**
 * A pattern of the texts without leading zeros that are whole numbers from `min` to `max`.
 * Both are split where their number of digits, and then their digits, begin to differ.
 */
export function digitsBetween(min: number, max: number): string {
  const ranges: string[] = [];
  for (let from = min; from <= max; ) {
    const size = 10 ** (String(from).length - 1) * 10;
    const to = Math.min(max, size - 1);
    ranges.push(...sameLength(String(from), String(to)));
    from = to + 1;
  }
  return `^(${ranges.join("|")})$`;
}

function sameLength(from: string, to: string): string[] {
  if (from === to) return [from];
  const low = from.slice(1);
  const high = to.slice(1);
  const rest = from.length - 1;
  if (from[0] === to[0]) return sameLength(low, high).map((tail) => from[0] + tail);
  const zeros = "0".repeat(rest);
  const nines = "9".repeat(rest);
  const first = Number(from[0]) + (low === zeros ? 0 : 1);
  const last = Number(to[0]) - (high === nines ? 0 : 1);
  return [
    ...(low === zeros ? [] : sameLength(low, nines).map((tail) => from[0] + tail)),
    ...(first > last ? [] : [`[${first}-${last}]${rest === 0 ? "" : `[0-9]{${rest}}`}`]),
    ...(high === nines ? [] : sameLength(zeros, high).map((tail) => to[0] + tail)),
  ];
}

export const CURRENCY: Schema = {
  description: "The token to be paid in. Its case does not matter.",
  enum: CURRENCIES,
};
const PRINTED_ID: Schema = {
  type: "string",
  minLength: MCH_ORDER_ID.min,
  maxLength: MCH_ORDER_ID.max,
  pattern: PRINTABLE,
};
const AMOUNT = decimal(6, MAX_AMOUNT);
const PRICES: readonly Schema[] = [0, 2, 3].map((decimals) => ({
  properties: {
    fiat: { enum: FIAT_CODES.filter((code) => findFiat(code)?.decimals === decimals) },
    fiat_amount: decimal(decimals, MAX_PRICE),
  },
}));

const TERMS = {
  amount: {
    ...given(
      AMOUNT,
      "What is to be paid: a number or its text, read as it is written, with at most 6 decimals. Required, unless `fiat_amount` is given instead.",
    ),
    examples: [12.5],
  },
  fiat: given(
    { enum: FIAT_CODES },
    "Instead of `amount`, with `fiat_amount`: the ISO 4217 code of the price's currency. Its case does not matter.",
  ),
  fiat_amount: {
    description:
      "The price in `fiat`: a number or its text, with at most the decimals of the currency's minor unit. It may come to 1,000,000,000 tokens at most.",
    anyOf: [{ type: "number" }, { type: "string" }, NOTHING],
  },
  mch_order_id: {
    ...PRINTED_ID,
    description: "Your own order number, unique for ever: the same number with the same terms answers the same order.",
    examples: ["A-1001"],
  },
  notify_url: url(
    true,
    "Where callbacks go: a public address. Without it there are none, and `event/list` still tells what happened.",
    "https://shop.example/paid",
  ),
  redirect_url: url(
    false,
    "Where the payer goes afterwards, with `trade_id` and `mch_order_id` added to its query.",
    "https://shop.example/thanks",
  ),
  expires_in: whole(
    EXPIRES_IN.min,
    EXPIRES_IN.max,
    "Seconds to pay. Left out: what your settings say, 1800 unless they say otherwise.",
  ),
  locale: given(
    { type: "string", pattern: LOCALE },
    "Language of the payment page, such as `de` or `zh-CN`. Left out, or one that the page does not have: the payer's browser decides. Payers can switch.",
  ),
  subject: given(
    { type: "string", maxLength: MAX_SUBJECT, pattern: PRINTABLE },
    "Shown to the payer, on the receipt and in lists.",
  ),
  metadata: given(
    { type: ["object", "array"], maxItems: 0 },
    `An object of at most ${MAX_METADATA_BYTES} bytes as they are sent, without a key twice in one object. It comes back byte for byte, and no payer sees it. An empty array counts as \`{}\`.`,
  ),
} as const satisfies RequestShape["properties"];

const AMOUNT_OR_PRICE = {
  oneOf: [
    {
      title: "An amount",
      required: ["amount"],
      properties: { amount: AMOUNT, fiat: NOTHING, fiat_amount: NOTHING },
    },
    {
      title: "A price",
      required: ["fiat", "fiat_amount"],
      properties: { amount: NOTHING },
      anyOf: PRICES,
    },
  ],
} as const satisfies RequestShape["together"];

/** The fields of order/add. */
export const ORDER_TERMS = {
  properties: { currency: CURRENCY, network: refTo("OfferedNetwork"), ...TERMS },
  required: ["currency", "network", "mch_order_id"],
  together: AMOUNT_OR_PRICE,
} as const satisfies RequestShape;

/** The fields of order/checkout. */
export const CHECKOUT_TERMS = {
  properties: {
    currency: given(CURRENCY, "Left out: the payer chooses. Its case does not matter."),
    network: given(refTo("OfferedNetwork"), "Left out: the payer chooses."),
    ...TERMS,
  },
  required: ["mch_order_id"],
  together: AMOUNT_OR_PRICE,
} as const satisfies RequestShape;

const someName = (name: string, schema: Schema): Schema => ({ required: [name], properties: { [name]: schema } });

/** The fields of order/detail and order/cancel. */
export const ORDER_NAMES = {
  properties: {
    trade_id: given({ type: "string", minLength: 1 }, "As `order/add` answered it."),
    mch_order_id: given(PRINTED_ID, "Your own order number. Given both, they must be of one order."),
  },
  together: {
    anyOf: [someName("trade_id", { type: "string", minLength: 1 }), someName("mch_order_id", PRINTED_ID)],
  },
} as const satisfies RequestShape;

/** The fields of order/list. */
export const ORDER_SEARCH = {
  properties: {
    status: given({ enum: ORDER_STATUSES }, "Only orders in this status."),
    network: given(refTo("KnownNetwork"), "Only orders on this network, also one that is switched off today."),
    currency: given(CURRENCY, "Only orders in this token."),
    created_from: whole(0, MAX_WHOLE, "Only orders made at this time or later, in Unix seconds."),
    created_to: whole(0, MAX_WHOLE, "Only orders made before this time, in Unix seconds."),
    cursor: given({ type: "string", pattern: ID }, "The `next_cursor` of the page before."),
    limit: whole(LIST_LIMIT.min, LIST_LIMIT.max, "Orders on a page.", LIST_LIMIT.usual),
  },
} as const satisfies RequestShape;

/** The fields of event/list. */
export const EVENT_PLACE = {
  properties: {
    after: whole(0, MAX_WHOLE, "The `next` of the answer before.", 0),
    limit: whole(LIST_LIMIT.min, LIST_LIMIT.max, "Events in an answer.", LIST_LIMIT.usual),
  },
} as const satisfies RequestShape;

/** Of requests that ask for nothing in particular. */
export const NO_FIELDS = { properties: {} } as const satisfies RequestShape;

/** The schema of a request's body. Unknown fields are ignored. */
export function bodySchema({ properties, required, together }: RequestShape): Schema {
  return { type: "object", ...(required && { required }), properties, ...together };
}

/** Names of networks: those that an order can be asked for on, and all that are known here. */
export function networkSchemas(all: readonly Network[], offered: readonly Network[]): Record<string, Schema> {
  const named = (networks: readonly Network[], description: string): Schema => ({
    description: `${description} Other names such as \`erc20\` mean the same; their case does not matter.`,
    enum: networks.flatMap(({ id, aliases }) => [id, ...aliases]),
  });
  return {
    OfferedNetwork: named(offered, "A network that is switched on."),
    KnownNetwork: named(all, "A network."),
    Network: { description: "A network.", enum: all.map(({ id }) => id) },
  };
}

/** Which currency can be asked for on which network. @param mayChoose whether both may be left to the payer */
export function offeredPairs(offered: readonly Network[], mayChoose: boolean): Schema {
  const nothing = mayChoose ? [null, ""] : [];
  const pairs = offered.map(({ id, aliases, tokens }) => ({
    names: [id, ...aliases],
    currencies: CURRENCIES.filter((currency) => tokens.some((token) => token.currency === currency && !token.isOff)),
  }));
  const groups = Map.groupBy(pairs, ({ currencies }) => currencies.join(" and "));
  const schemas = [...groups.values()].map((group) => ({
    properties: {
      network: { enum: [...group.flatMap(({ names }) => names), ...nothing] },
      currency: { enum: [...(group[0]?.currencies ?? []), ...nothing] },
    },
  }));
  return { anyOf: schemas };
}
