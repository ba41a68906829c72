import { CopyButton } from "@/components/ui/copy-button";

/** Text to copy into a terminal or a file. */
export function CodeBlock({ text, what }: { text: string; what: string }) {
  return (
    <div className="relative min-w-0 rounded-lg border border-line bg-sunken text-left">
      <pre className="whitespace-pre-wrap break-all p-3 pr-26 font-mono text-[0.8125rem] text-ink leading-relaxed">
        {text}
      </pre>
      <div className="absolute top-2 right-2">
        <CopyButton text={text} what={what} isWide />
      </div>
    </div>
  );
}
