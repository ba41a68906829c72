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

/** The languages of the payment page, in the order of its switch: by script, with related ones side by side. */
export const LANGUAGES: readonly Messages[] = [english, ...others.map(isolating)];

/** Older and nearer names of languages that are here under another. */
const ALIASES: Readonly<Record<string, string>> = { iw: "he", in: "id", prs: "fa", cmn: "zh", yue: "zh" };
/** The Chinese tags with traditional characters. */
const TRADITIONAL = /(^yue|-(hant|tw|hk|mo|yue))\b/;
/** The maximum number of ranges of a header that are parsed. */
const MAX_RANGES = 20;

interface Preferences {
  /** The language that the payer selected on the page: the `lang` of its address. */
  chosen?: string | null;
  /** The merchant's locale of the order. */
  locale?: string | null;
  /** Accept-Language of the payer's browser. */
  accepted?: string | null;
}

/**
 * The language a page is shown in: the one the payer chose, else the order's, else the best that the payer's browser accepts, else
 * English. A wish for a language that is not here, or not offered, is passed over.
 * @param tags of the languages that the merchant offers; none: all
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

/** The languages of these tags, in the order of the switch; all where none of them is here. */
export function offeredLanguages(tags: readonly string[]): readonly Messages[] {
  const offered = LANGUAGES.filter(({ lang }) => tags.includes(lang));
  return offered.length > 0 ? offered : LANGUAGES;
}

/** The language that a BCP 47 tag or an Accept-Language range asks for; null where it is not here. */
export function languageOf(tag: string): Messages | null {
  const wanted = tag.toLowerCase().replaceAll("_", "-");
  const [first = ""] = wanted.split("-");
  const language = Object.hasOwn(ALIASES, first) ? ALIASES[first] : first;
  const isSame = ({ lang }: Messages) => lang.split("-")[0] === language;
  if (language !== "zh") return LANGUAGES.find(isSame) ?? null;
  const isTraditional = TRADITIONAL.test(wanted) && !wanted.includes("-hans");
  return LANGUAGES.find(({ lang }) => lang === (isTraditional ? "zh-Hant" : "zh-Hans")) ?? null;
}

/** Returns the language by RFC 9110: ranges by their q, in their order if it is equal, and never one with q=0. */
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
