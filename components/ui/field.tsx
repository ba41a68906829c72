import { CircleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "@/components/ui/class-names";

const CONTROL =
  "w-full rounded-lg border bg-surface px-3 text-ink shadow-xs transition-colors placeholder:text-ink-soft/80 disabled:opacity-55";
const edge = (error: string | undefined) => (error ? "border-bad" : "border-line-strong/60 hover:border-line-strong");

interface Labelled {
  label: string;
  hint?: ReactNode;
  /** What is wrong, in words; shown next to the field and read out with it. */
  error?: string | undefined;
}

interface FrameProps extends Labelled {
  id: string;
  children: ReactNode;
}

function Frame({ id, label, hint, error, children }: FrameProps) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children}
      {error ? (
        <p id={`${id}-error`} className="flex gap-1.5 text-[0.8125rem] text-bad">
          <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          <span className="min-w-0 break-words">{error}</span>
        </p>
      ) : null}
      {hint ? (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-ink-soft">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

function describedBy(id: string, { hint, error }: Labelled) {
  return {
    "aria-invalid": error ? true : undefined,
    "aria-describedby": cn(error && `${id}-error`, hint ? `${id}-hint` : null) || undefined,
  };
}

interface TextFieldProps extends Labelled, Omit<ComponentProps<"input">, "id"> {
  isMono?: boolean;
}

/** A labelled line of text. */
export function TextField({ label, hint, error, isMono, className, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input
        id={id}
        className={cn(CONTROL, "h-9", edge(error), isMono && "font-mono text-[0.8125rem]", className)}
        {...describedBy(id, { label, hint, ...(error ? { error } : {}) })}
        {...rest}
      />
    </Frame>
  );
}

interface TextAreaFieldProps extends Labelled, Omit<ComponentProps<"textarea">, "id"> {
  isMono?: boolean;
}

/** A labelled text of several lines. */
export function TextAreaField({ label, hint, error, isMono, className, ...rest }: TextAreaFieldProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <textarea
        id={id}
        className={cn(CONTROL, "py-2", edge(error), isMono && "font-mono text-[0.8125rem]", className)}
        {...describedBy(id, { label, hint, ...(error ? { error } : {}) })}
        {...rest}
      />
    </Frame>
  );
}

interface SelectFieldProps extends Labelled, Omit<ComponentProps<"select">, "id"> {
  options: readonly { value: string; text: string }[];
}

/** A labelled choice; the browser's own list, which works by key, on phones and with screen readers. */
export function SelectField({ label, hint, error, options, className, ...rest }: SelectFieldProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <select
        id={id}
        className={cn(CONTROL, "h-9 pr-8", edge(error), className)}
        {...describedBy(id, { label, hint, ...(error ? { error } : {}) })}
        {...rest}
      >
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  );
}

interface ChoiceProps extends Omit<ComponentProps<"input">, "id"> {
  label: string;
  hint?: ReactNode;
  type: "checkbox" | "radio";
}

/** A checkbox or radio button with its label and an explanation. */
export function Choice({ label, hint, className, ...rest }: ChoiceProps) {
  const id = useId();
  return (
    <div className={cn("flex gap-2.5", className)}>
      <input
        id={id}
        className="mt-0.5 size-4 shrink-0 accent-accent"
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...rest}
      />
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint ? (
          <p id={`${id}-hint`} className="text-[0.8125rem] text-ink-soft">
            {hint}
          </p>
        ) : null}
      </div>
    </div>
  );
}
