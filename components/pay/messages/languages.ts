import { ar } from "@/components/pay/messages/ar";
import { de } from "@/components/pay/messages/de";
import { en, type Messages } from "@/components/pay/messages/en";
import { es } from "@/components/pay/messages/es";
import { fa } from "@/components/pay/messages/fa";
import { fr } from "@/components/pay/messages/fr";
import { he } from "@/components/pay/messages/he";
import { hi } from "@/components/pay/messages/hi";
import { id } from "@/components/pay/messages/id";
import { isolating } from "@/components/pay/messages/isolation";
import { it } from "@/components/pay/messages/it";
import { ja } from "@/components/pay/messages/ja";
import { ko } from "@/components/pay/messages/ko";
import { ptBr } from "@/components/pay/messages/pt-br";
import { ru } from "@/components/pay/messages/ru";
import { th } from "@/components/pay/messages/th";
import { tr } from "@/components/pay/messages/tr";
import { uk } from "@/components/pay/messages/uk";
import { vi } from "@/components/pay/messages/vi";
import { zhHans } from "@/components/pay/messages/zh-hans";
import { zhHant } from "@/components/pay/messages/zh-hant";

const english = isolating(en);
const others = [es, ptBr, fr, de, it, tr, vi, id, uk, ru, ar, fa, he, hi, th, zhHans, zhHant, ja, ko];

/** The languages of the payment page, in the order of the language menu: by script, with related languages next to each other. */
export const LANGUAGES: readonly Messages[] = [english, ...others.map(isolating)];

/** The older or narrower tags of languages that are listed here under a different tag. */
const ALIASES: Readonly<Record<string, string>> = { iw: "he", in: "id", prs: "fa", cmn: "zh", yue: "zh" };
/** A pattern for Chinese tags that imply traditional characters. */
const TRADITIONAL = /(^yue|-(hant|tw|hk|mo|yue))\b/;
/** The maximum number of language ranges that are parsed from an Accept-Language header. */
const MAX_RANGES = 20;

interface Preferences {
  /** The language that the payer selected on the page: the `lang` parameter of its URL. */
  chosen?: string | null;
  /** The order's locale, which the merchant sets. */
  locale?: string | null;
  /** The Accept-Language header of the payer's browser. */
  accepted?: string | null;
}

/**
 * Returns the language of a page: the payer's choice, else the order's, else the best match for the payer's browser, else English. A
 * language that is not supported or not offered is ignored.
 * @param tags the tags of the languages that the merchant offers; all if empty
 */
export function chooseLanguage({ chosen, locale, accepted }: Preferences, tags: readonly string[] = []): Messages {
  const offered = offeredLanguages(tags);
  const wished = (tag: string | null | undefined) => {
    const found = languageOf(tag ?? "");
    return found && offered.includes(found) ? found : null;
  };
  const [first = english] = offered.includes(english) ? [] : offered;
  return wished(chosen) ?? wished(locale) ?? acceptedLanguage(accepted ?? "", offered) ?? first;
}

/** Returns the languages with these tags, in the order of the language menu. Returns all languages if none of the tags is supported. */
export function offeredLanguages(tags: readonly string[]): readonly Messages[] {
  const offered = LANGUAGES.filter(({ lang }) => tags.includes(lang));
  return offered.length > 0 ? offered : LANGUAGES;
}

/** Returns the language of a BCP 47 tag or an Accept-Language range; null if it is not supported. */
export function languageOf(tag: string): Messages | null {
  const wanted = tag.toLowerCase().replaceAll("_", "-");
  const [first = ""] = wanted.split("-");
  const language = Object.hasOwn(ALIASES, first) ? ALIASES[first] : first;
  const isSame = ({ lang }: Messages) => lang.split("-")[0] === language;
  if (language !== "zh") return LANGUAGES.find(isSame) ?? null;
  const isTraditional = TRADITIONAL.test(wanted) && !wanted.includes("-hans");
  return LANGUAGES.find(({ lang }) => lang === (isTraditional ? "zh-Hant" : "zh-Hans")) ?? null;
}

/** Returns the accepted language by RFC 9110: ranges are sorted by q, then by their position, and a range with q=0 is never selected. */
function acceptedLanguage(header: string, offered: readonly Messages[]): Messages | null {
  const ranges = header.split(",", MAX_RANGES).map(rangeOf);
  const refused = ranges.filter(({ quality }) => quality === 0).map(({ tag }) => languageOf(tag));
  const wanted = ranges.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality);
  for (const { tag } of wanted) {
    const found = tag === "*" ? offered.find((one) => !refused.includes(one)) : languageOf(tag);
    if (found && offered.includes(found)) return found;
  }
  return null;
}

function rangeOf(text: string): { tag: string; quality: number } {
  const [tag = "", ...parameters] = text.split(";").map((part) => part.trim());
  const quality = parameters.find((part) => /^q=/i.test(part))?.slice(2) ?? "1";
  return { tag, quality: /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(quality) ? Number(quality) : 0 };
}
