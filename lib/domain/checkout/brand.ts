import { isIP } from "node:net";
import { readHttpUrl } from "@/lib/domain/callbacks/address-rule";
import { accentOf, type Hex, parseHex } from "@/lib/domain/checkout/colour";
import { type FieldError, fieldError, type Problem, problem } from "@/lib/domain/problems/problem";

/** How a merchant's payment pages look, and where they may be shown. */
export interface Brand {
  /** Rises with every change; 0: nothing was ever set. */
  version: number;
  /** Null: a colour of the page's own. */
  accent: Hex | null;
  /** https: or mailto:, where payers get help. */
  supportUrl: string | null;
  /** Origins whose pages may show it in a frame. */
  frameParents: string[];
  /** Tags of the languages that it offers; none: all that it has. */
  languages: string[];
  hasLogo: boolean;
}

/** Of a merchant that never set anything. */
export const PLAIN_BRAND: Brand = {
  version: 0,
  accent: null,
  supportUrl: null,
  frameParents: [],
  languages: [],
  hasLogo: false,
};

/** A brand as it is stored, in whatever row; a version of null stands for a merchant who never changed anything. */
export function brandOf({ version, ...stored }: Omit<Brand, "version"> & { version: number | null }): Brand {
  if (version === null) return PLAIN_BRAND;
  const { accent, supportUrl, frameParents, languages, hasLogo } = stored;
  return { version, accent, supportUrl, frameParents, languages, hasLogo };
}

/** What a person types; empty: none. */
export interface BrandForm {
  shownName: string;
  accent: string;
  supportUrl: string;
  /** One origin a line. */
  frameParents: string;
  /** Tags, with spaces between them; empty: all that the page has. */
  languages: string;
  logoUrl: string;
}

/** The same, read. Null: none. */
export interface BrandTerms {
  shownName: string | null;
  accent: Hex | null;
  supportUrl: string | null;
  frameParents: string[];
  languages: string[];
  logoUrl: string | null;
}

type Read<T> = { value: T } | { problem: Problem };

const MOST_NAME = 60;
const MOST_PARENTS = 10;
const MOST_LANGUAGES = 50;
const MOST_EMAIL = 254;

/** Reads what a person typed, or says of every field what is wrong with it. */
export function readBrand(form: BrandForm): BrandTerms | { errors: FieldError[] } {
  const errors: FieldError[] = [];
  const take = <T>(field: keyof BrandForm, read: (text: string) => Read<T>): T | null => {
    const text = form[field].trim();
    const answer = text === "" ? null : read(text);
    if (answer && "problem" in answer) errors.push(fieldError(field, answer.problem));
    return answer && "value" in answer ? answer.value : null;
  };
  const terms = {
    shownName: take("shownName", readName),
    accent: take("accent", readAccent),
    supportUrl: take("supportUrl", readSupport),
    frameParents: take("frameParents", readParents) ?? [],
    languages: take("languages", readLanguages) ?? [],
    logoUrl: take("logoUrl", readLogoUrl),
  };
  return errors.length > 0 ? { errors } : terms;
}

function readName(text: string): Read<string> {
  if (/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(text)) return { problem: problem("text_control_characters") };
  return [...text].length <= MOST_NAME ? { value: text } : { problem: problem("text_too_long", { max: MOST_NAME }) };
}

function readAccent(text: string): Read<Hex> {
  const colour = parseHex(text);
  if (colour === null) return { problem: problem("colour_malformed", { given: cut(text) }) };
  const accent = accentOf(colour);
  return "problem" in accent ? accent : { value: colour };
}

function readSupport(text: string): Read<string> {
  const mail = /^(?:mailto:)?([^\s@:/?#,;<>"]+@[^\s@:/?#,;<>"]+\.[^\s@:/?#,;<>"]+)$/i.exec(text)?.[1];
  if (mail)
    return mail.length <= MOST_EMAIL ? { value: `mailto:${mail}` } : { problem: problem("support_address_too_long") };
  const example = "https://shop.example.com/help";
  const read = readHttpUrl(text, example);
  if ("url" in read && read.url.protocol === "https:" && !read.url.username && !read.url.password)
    return { value: read.url.href };
  return { problem: problem("support_address_malformed", { example }) };
}

function readLogoUrl(text: string): Read<string> {
  const example = "https://shop.example.com/logo.png";
  const read = readHttpUrl(text, example);
  return "url" in read ? { value: read.url.href } : { problem: problem("logo_url_malformed", { example }) };
}

function readParents(text: string): Read<string[]> {
  const lines = text.split(/[\s,]+/).filter((line) => line !== "");
  const origins: string[] = [];
  for (const line of lines) {
    const origin = parentOrigin(line);
    if (origin === null) return { problem: problem("origin_malformed", { given: cut(line) }) };
    if (!origins.includes(origin)) origins.push(origin);
  }
  return origins.length <= MOST_PARENTS
    ? { value: origins }
    : { problem: problem("too_many_origins", { max: MOST_PARENTS }) };
}

function readLanguages(text: string): Read<string[]> {
  const tags = [...new Set(text.split(/[\s,]+/))];
  const wrong = tags.find((tag) => !/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/.test(tag));
  if (wrong !== undefined) return { problem: problem("language_malformed", { given: cut(wrong) }) };
  return tags.length <= MOST_LANGUAGES
    ? { value: tags }
    : { problem: problem("too_many_languages", { max: MOST_LANGUAGES }) };
}

/**
 * The origin of a site that may show payment pages, as browsers write it: https, or plain http on the reader's own machine. Null
 * where it is none, or is more than an origin: what goes into a Content-Security-Policy is never text that somebody typed.
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
