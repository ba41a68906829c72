/** @jsxImportSource hono/jsx */
import type { Messages } from "@/components/pay/messages/en";
import { LANGUAGES } from "@/components/pay/messages/languages";
import { Icon } from "@/components/pay/parts/icon";

interface SwitchProps {
  t: Messages;
  /** The rest of the page's query: what the payer is doing on it goes on in the other language. */
  doing?: string;
}

/** All languages by their own names, as links to the same page: no script, and the address keeps what was chosen. */
export function LanguageSwitch({ t, doing = "" }: SwitchProps) {
  return (
    <details class="languages" id="languages">
      <summary>
        <Icon name="globe" />
        <span class="spoken">{t.chooseLanguage}: </span>
        {t.name}
      </summary>
      <ul>
        {LANGUAGES.map(({ lang, name }) => (
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
