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
  /** The text that is announced after copying. */
  done: string;
  t: Messages;
  children: Child;
}

/** Renders a labeled value with a button that copies it. Without a script, one tap selects the whole value. */
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
