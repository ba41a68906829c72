/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import type { Messages } from "@/components/pay/messages/en";
import { Icon } from "@/components/pay/parts/icon";

interface CopyFieldProps {
  id: string;
  label: string;
  /** The copied value, without formatting. */
  value: string;
  button: string;
  /** Announced after copying. */
  done: string;
  t: Messages;
  children: Child;
}

/** A labelled value with a button that copies it; without a script one tap selects it whole. */
export function CopyField({ id, label, value, button, done, t, children }: CopyFieldProps) {
  return (
    <div class={`field field-${id}`}>
      <p class="label" id={`${id}-label`}>
        {label}
      </p>
      <p class="value" id={id} dir="ltr">
        {children}
      </p>
      <button type="button" class="copy scripted" id={`copy-${id}`} data-copy={value} data-done={done}>
        <Icon name="copy" />
        <span data-copied={t.copied}>{button}</span>
      </button>
    </div>
  );
}
