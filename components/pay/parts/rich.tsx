/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import { ISOLATES, SLOT } from "@/components/pay/messages/isolation";

/** Renders a message. Its parts between ** are emphasized, and texts with an isolated direction become elements. */
export function Rich({ text }: { text: string }) {
  return (
    <>
      {text
        .split("**")
        .map((part, index) => (index % 2 === 1 ? <strong key={part}>{apart(part)}</strong> : apart(part)))}
    </>
  );
}

/** Returns a text with elements instead of isolating characters, which would be copied along with an amount. */
function apart(text: string) {
  const parts = text.split(ISOLATES);
  return parts.map((part, index) => (index % 2 === 1 ? <bdi key={part}>{part}</bdi> : part));
}

/** Renders a message with an element in place of SLOT. */
export function Filled({ text, children }: { text: string; children?: Child }) {
  const [before, after] = text.split(SLOT);
  return (
    <>
      {before}
      {children}
      {after}
    </>
  );
}

/** Returns the message as plain text, for titles and announcements. */
export function plain(text: string): string {
  return text.replaceAll("**", "");
}
