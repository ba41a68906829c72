/** @jsxImportSource hono/jsx */
import type { Messages } from "@/components/pay/messages/en";
import { offeredLanguages } from "@/components/pay/messages/languages";
import { Icon } from "@/components/pay/parts/icon";

interface SwitchProps {
  t: Messages;
  /** The tags of the languages that the merchant offers; all if empty. */
  offered?: readonly string[];
  /** The other parameters of the page's query, which preserve the payer's current step in the other language. */
  doing?: string;
}

/**
 * Renders links to the same page in each language, labeled with the language's own name. The links need no script, and the URL contains
 * the choice. Renders nothing if there is only one language.
 */
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
