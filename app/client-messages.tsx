import { NextIntlClientProvider } from "next-intl";
import { getMessages } from "next-intl/server";
import type { ReactNode } from "react";
import { CLIENT_ROOMS } from "@/components/messages/client-rooms";

interface ClientMessagesProps {
  of: keyof typeof CLIENT_ROOMS;
  children: ReactNode;
}

/** Provides the browser with the messages that client components below use, and no others. */
export async function ClientMessages({ of, children }: ClientMessagesProps) {
  const all = await getMessages();
  const messages = Object.fromEntries(CLIENT_ROOMS[of].map((room) => [room, all[room]]));
  return <NextIntlClientProvider messages={messages}>{children}</NextIntlClientProvider>;
}
