"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { DialogActions } from "@/components/ui/dialog";
import { Choice } from "@/components/ui/form/field";
import { Notice } from "@/components/ui/notice";

interface ShownOnceProps {
  /** What is to be kept, each with its name. */
  shown: readonly { name: string; text: string; hint?: string }[];
  words: {
    /** Why it is to be copied now. */
    warning: string;
    /** What the person says who has kept it. */
    stored: string;
    done: string;
  };
  /** More ways to keep it. */
  children: ReactNode;
  onDone(): void;
}

/** Shows what is never shown again; it ends when the person says that it is kept. */
export function ShownOnce({ shown, words, children, onDone }: ShownOnceProps) {
  const [isKept, setKept] = useState(false);
  return (
    <div className="grid gap-4">
      <Notice tone="warn">{words.warning}</Notice>
      {shown.map(({ name, text, hint }) => (
        <div key={name} className="grid gap-1">
          <div className="flex items-center justify-between gap-2">
            <span className="font-medium">{name}</span>
            <CopyButton text={text} what={name} isWide />
          </div>
          <code className="select-all break-all rounded-lg border border-line bg-sunken px-3 py-2 font-mono text-[0.8125rem]">
            {text}
          </code>
          {hint ? <p className="text-[0.8125rem] text-ink-soft">{hint}</p> : null}
        </div>
      ))}
      {children}
      <Choice
        type="checkbox"
        label={words.stored}
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <DialogActions>
        <Button look="primary" disabled={!isKept} onClick={onDone}>
          {words.done}
        </Button>
      </DialogActions>
    </div>
  );
}
