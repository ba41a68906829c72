/** @jsxImportSource hono/jsx */
import type { Messages } from "@/components/pay/messages/en";
import { offeredLanguages } from "@/components/pay/messages/languages";
import { Icon } from "@/components/pay/parts/icon";

interface SwitchProps {
  t: Messages;
  /** Tags of the languages that the merchant offers; none: all. */
  offered?: readonly string[];
  /** The rest of the page's query: what the payer is doing on it goes on in the other language. */
  doing?: string;
}

/** The languages by their own names, as links to the same page: no script, and the address keeps what was chosen. Nothing where there is one. */
export function LanguageSwitch({ t, offered = [], doing = "" }: SwitchProps) {
  const languages = offeredLanguages(offered);
  if (languages.length < 2) return null;
  return (
    <details class="languages" id="languages">
      <summary>
        <Icon name="globe" />
        <span class="spoken">{t.chooseLanguage}: </span>
        {t.name}
      </summary>
      <ul>
        {languages.map(({ lang, name }) => (
          <li key={lang}>
            <a href={`?lang=${lang}${doing}`} lang={lang} aria-current={lang === t.lang ? "true" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
