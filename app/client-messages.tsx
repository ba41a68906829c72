import { NextIntlClientProvider } from "next-intl";
import { getMessages } from "next-intl/server";
import type { ReactNode } from "react";
import { CLIENT_NAMESPACES } from "@/components/messages/client-namespaces";

interface ClientMessagesProps {
  of: keyof typeof CLIENT_NAMESPACES;
  children: ReactNode;
}

/** Provides the browser with only the messages that the client components in `children` use. */
export async function ClientMessages({ of, children }: ClientMessagesProps) {
  const all = await getMessages();
  const messages = Object.fromEntries(CLIENT_NAMESPACES[of].map((namespace) => [namespace, all[namespace]]));
  return <NextIntlClientProvider messages={messages}>{children}</NextIntlClientProvider>;
}
