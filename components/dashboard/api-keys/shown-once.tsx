"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { DialogActions } from "@/components/ui/dialog";
import { Choice } from "@/components/ui/form/field";
import { Notice } from "@/components/ui/notice";

/** The length from which a value, such as a private key, is shown in a field that scrolls. */
const LONG = 200;

interface ShownOnceProps {
  /** The values to store, each with its name. */
  shown: readonly { name: string; text: string; hint?: string }[];
  labels: {
    /** The reason to copy the values now. */
    warning: string;
    /** The label with which the user confirms that the values are stored. */
    stored: string;
    done: string;
  };
  /** Other ways to store the values. */
  children: ReactNode;
  onDone(): void;
}

/** Renders values that are shown only once, until the user confirms that they are stored. */
export function ShownOnce({ shown, labels, children, onDone }: ShownOnceProps) {
  const [isKept, setKept] = useState(false);
  return (
    <div className="grid gap-4">
      <Notice tone="warn">{labels.warning}</Notice>
      {shown.map(({ name, text, hint }) => (
        <div key={name} className="grid gap-1">
          <div className="flex items-center justify-between gap-2">
            <span className="font-medium">{name}</span>
            <CopyButton text={text} what={name} isWide />
          </div>
          <Shown name={name} text={text} />
          {hint ? <p className="text-[0.8125rem] text-ink-soft">{hint}</p> : null}
        </div>
      ))}
      {children}
      <Choice
        type="checkbox"
        label={labels.stored}
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <DialogActions>
        <Button look="primary" disabled={!isKept} onClick={onDone}>
          {labels.done}
        </Button>
      </DialogActions>
    </div>
  );
}

function Shown({ name, text }: { name: string; text: string }) {
  const look = "break-all rounded-lg border border-line bg-sunken px-3 py-2 font-mono text-[0.8125rem]";
  if (text.length < LONG) return <code className={`select-all ${look}`}>{text}</code>;
  return (
    <textarea readOnly rows={5} aria-label={name} value={text} spellCheck={false} className={`resize-y ${look}`} />
  );
}
