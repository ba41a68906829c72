import { createTranslator, NextIntlClientProvider } from "next-intl";
import type { ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { en } from "@/components/messages/en";
import type { MessageNamespace, Translate } from "@/components/messages/translate";

/** Returns the function that translates the messages of a namespace into English. */
export function translator<Name extends MessageNamespace>(namespace: Name): Translate<Name> {
  return createTranslator({
    locale: "en",
    messages: en,
    namespace,
    timeZone: "UTC",
  }) as unknown as Translate<Name>;
}

/** Returns the HTML of a back office component, in English. */
export function renderInEnglish<Props extends object>(Component: ComponentType<Props>, props: Props): string {
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={en} timeZone="UTC">
      <Component {...props} />
    </NextIntlClientProvider>,
  );
}
