/** @jsxImportSource hono/jsx */

/** A message whose parts between ** are emphasised. */
export function Rich({ text }: { text: string }) {
  return <>{text.split("**").map((part, index) => (index % 2 === 1 ? <strong key={part}>{part}</strong> : part))}</>;
}

/** The same message as plain text, for titles and announcements. */
export function plain(text: string): string {
  return text.replaceAll("**", "");
}
