/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import { ISOLATES, SLOT } from "@/components/pay/messages/isolation";

/** A message whose parts between ** are emphasised; what is kept apart from the sentence's direction is an element. */
export function Rich({ text }: { text: string }) {
  return (
    <>
      {text
        .split("**")
        .map((part, index) => (index % 2 === 1 ? <strong key={part}>{apart(part)}</strong> : apart(part)))}
    </>
  );
}

/** Elements, not characters: those would be copied along with an amount. */
function apart(text: string) {
  const parts = text.split(ISOLATES);
  return parts.map((part, index) => (index % 2 === 1 ? <bdi key={part}>{part}</bdi> : part));
}

/** A message in which an element stands in the place of SLOT. */
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

/** The same message as plain text, for titles and announcements. */
export function plain(text: string): string {
  return text.replaceAll("**", "");
}
