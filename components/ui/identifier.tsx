import { cn } from "@/components/ui/class-names";
import { CopyButton } from "@/components/ui/copy-button";
import { shorten } from "@/lib/domain/addresses/address";

interface IdentifierProps {
  text: string;
  /** The kind of identifier: "transaction hash". */
  what: string;
  /** True if the middle is omitted. The title and the clipboard contain the full text. */
  isShort?: boolean;
  /** The URL of a page that shows the identifier. */
  href?: string | undefined;
  className?: string;
}

/** Renders an id, hash or address in monospace with a copy button. */
export function Identifier({ text, what, isShort, href, className }: IdentifierProps) {
  const shown = isShort ? shorten(text) : text;
  const look = cn("font-mono text-[0.8125rem]", !isShort && "break-all whitespace-normal");
  return (
    <span className={cn("inline-flex min-w-0 items-center gap-0.5", className)}>
      {href ? (
        <a
          href={href}
          target="_blank"
          rel="noreferrer"
          title={text}
          className={cn(look, "underline decoration-line-strong/60 underline-offset-3 hover:decoration-current")}
        >
          {shown}
        </a>
      ) : (
        <span title={isShort ? text : undefined} className={look}>
          {shown}
        </span>
      )}
      <CopyButton text={text} what={what} />
    </span>
  );
}
