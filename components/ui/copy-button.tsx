"use client";

import { Check, Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { toast } from "sonner";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";

interface CopyButtonProps {
  text: string;
  /** The copied item, for screen readers: "API key". */
  what: string;
  /** True if the button shows the word "Copy" beside the icon. */
  isWide?: boolean;
  className?: string;
}

const SHOWN_MS = 1_500;

/** Renders a button that copies text and announces it. */
export function CopyButton({ text, what, isWide, className }: CopyButtonProps) {
  const t = useTranslations("ui");
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    const done = await copyText(text);
    setCopied(done);
    if (!done) toast.error(t("copyRefused"));
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <Button
      look={isWide ? "secondary" : "quiet"}
      size={isWide ? "small" : "icon"}
      className={cn(!isWide && "size-6! [&_svg]:size-3.5!", className)}
      aria-label={isWide ? undefined : t("copyWhat", { what })}
      title={isWide ? undefined : t("copyWhat", { what })}
      onClick={copy}
    >
      <Icon aria-hidden className={isCopied ? "text-good" : undefined} />
      {isWide ? t(isCopied ? "copied" : "copy") : null}
      <span className="sr-only" aria-live="polite">
        {isCopied ? t("whatCopied", { what }) : ""}
      </span>
    </Button>
  );
}

/** Copies text. The clipboard API is missing on plain http other than localhost, so `execCommand` is used there. */
async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
    const area = document.createElement("textarea");
    area.value = text;
    const host = document.activeElement?.closest("[role=dialog]") ?? document.body;
    host.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  } catch {
    return false;
  }
}

/** Renders text to copy into a terminal or a file. */
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
