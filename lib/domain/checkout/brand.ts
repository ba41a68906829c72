import { isIP } from "node:net";
import { readHttpUrl } from "@/lib/domain/callbacks/address-rule";
import { accentOf, type Hex, parseHex } from "@/lib/domain/checkout/colour";
import type { Reading, ValuesOf } from "@/lib/domain/fields/field";
import { type FormTexts, formReader, formText, optionalText } from "@/lib/domain/fields/form";
import { problem } from "@/lib/domain/problems/problem";

/** The appearance of a merchant's payment pages, and the sites that may embed them in frames. */
export interface Brand {
  /** The version, incremented with every change; 0 if no settings were made. */
  version: number;
  /** The accent color; null for the page's default color. */
  accent: Hex | null;
  /** An https: or mailto: URL where payers get help. */
  supportUrl: string | null;
  /** Origins whose pages may embed the payment page in a frame. */
  frameParents: string[];
  /** Tags of the languages that the page offers; empty for all available ones. */
  languages: string[];
  hasLogo: boolean;
}

/** The brand of a merchant without settings. */
export const PLAIN_BRAND: Brand = {
  version: 0,
  accent: null,
  supportUrl: null,
  frameParents: [],
  languages: [],
  hasLogo: false,
};

/**
 * Returns a brand from its stored row; a version of null means that the merchant never changed it. Sites that a merchant connected may
 * embed the page without a stored brand, and `frameParents` may then contain an origin twice.
 */
export function brandOf({ version, ...stored }: Omit<Brand, "version"> & { version: number | null }): Brand {
  const frameParents = [...new Set(stored.frameParents)];
  if (version === null) return frameParents.length > 0 ? { ...PLAIN_BRAND, frameParents } : PLAIN_BRAND;
  const { accent, supportUrl, languages, hasLogo } = stored;
  return { version, accent, supportUrl, frameParents, languages, hasLogo };
}

const MAX_NAME = 60;
const MAX_PARENTS = 10;
const MAX_LANGUAGES = 50;
const MAX_EMAIL = 254;

/** The form of a brand. Empty fields become null or an empty list. */
export const BRAND_FORM = {
  shownName: optionalText(readName),
  accent: optionalText(readAccent),
  /** The URL of a page or an email address. */
  supportUrl: optionalText(readSupport),
  /** Origins, one per line. */
  frameParents: formText(readParents),
  /** Tags, separated by spaces. */
  languages: formText(readLanguages),
  logoUrl: optionalText(readLogoUrl),
};

/** The form of the contact alone, which must not be empty. */
export const CONTACT_FORM = { supportUrl: formText((typed) => readSupport(typed.trim())) };

export type BrandForm = FormTexts<typeof BRAND_FORM>;
export type BrandTerms = ValuesOf<typeof BRAND_FORM>;

/** Reads the form of a brand, or returns the problems of its fields. */
export const readBrand = formReader(BRAND_FORM);

function readName(text: string): Reading<string> {
  if (/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(text)) return { problem: problem("text_control_characters") };
  return [...text].length <= MAX_NAME ? { value: text } : { problem: problem("text_too_long", { max: MAX_NAME }) };
}

function readAccent(text: string): Reading<Hex> {
  const colour = parseHex(text);
  if (colour === null) return { problem: problem("colour_malformed", { given: cut(text) }) };
  const accent = accentOf(colour);
  return "problem" in accent ? accent : { value: colour };
}

function readSupport(text: string): Reading<string> {
  const mail = /^(?:mailto:)?([^\s@:/?#,;<>"]+@[^\s@:/?#,;<>"]+\.[^\s@:/?#,;<>"]+)$/i.exec(text)?.[1];
  if (mail)
    return mail.length <= MAX_EMAIL ? { value: `mailto:${mail}` } : { problem: problem("support_address_too_long") };
  const example = "https://shop.example.com/help";
  const read = readHttpUrl(text, example);
  if ("url" in read && read.url.protocol === "https:" && !read.url.username && !read.url.password)
    return { value: read.url.href };
  return { problem: problem("support_address_malformed", { example }) };
}

function readLogoUrl(text: string): Reading<string> {
  const example = "https://shop.example.com/logo.png";
  const read = readHttpUrl(text, example);
  return "url" in read ? { value: read.url.href } : { problem: problem("logo_url_malformed", { example }) };
}

function readParents(text: string): Reading<string[]> {
  const lines = text.split(/[\s,]+/).filter((line) => line !== "");
  const origins: string[] = [];
  for (const line of lines) {
    const origin = parentOrigin(line);
    if (origin === null) return { problem: problem("origin_malformed", { given: cut(line) }) };
    if (!origins.includes(origin)) origins.push(origin);
  }
  return origins.length <= MAX_PARENTS
    ? { value: origins }
    : { problem: problem("too_many_origins", { max: MAX_PARENTS }) };
}

function readLanguages(text: string): Reading<string[]> {
  const tags = [...new Set(text.split(/[\s,]+/).filter((tag) => tag !== ""))];
  const invalid = tags.find((tag) => !/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/.test(tag));
  if (invalid !== undefined) return { problem: problem("language_malformed", { given: cut(invalid) }) };
  return tags.length <= MAX_LANGUAGES
    ? { value: tags }
    : { problem: problem("too_many_languages", { max: MAX_LANGUAGES }) };
}

/**
 * Returns the origin of a site that may frame payment pages, as browsers write it: https, or plain http on the user's own machine. Returns
 * null for anything else, so that a Content-Security-Policy never contains unvalidated text.
 */
export function parentOrigin(text: string): string | null {
  const url = /^https?:\/\/[^/\\]/i.test(text) ? URL.parse(text) : null;
  if (!url) return null;
  if (url.pathname !== "/" || [url.search, url.hash, url.username, url.password].some(Boolean)) return null;
  const isLocal = url.hostname === "localhost" || (isIP(url.hostname) === 4 && url.hostname.startsWith("127."));
  if (url.protocol !== "https:" && !isLocal) return null;
  return /^https?:\/\/[a-z0-9._-]+(?::\d+)?$/.test(url.origin) ? url.origin : null;
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
