import { CircleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "@/components/ui/class-names";

const CONTROL =
  "w-full rounded-lg border bg-surface px-3 text-ink shadow-xs transition-colors placeholder:text-ink-soft/80 disabled:opacity-55";

interface Labelled {
  label: string;
  hint?: ReactNode;
  /** The error, shown next to the field and read out with it. */
  error?: string | undefined;
}

/** The attributes that a labeled field's control needs for style and screen readers. */
interface Control {
  id: string;
  className: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

interface FieldProps extends Labelled {
  className: string;
  children(control: Control): ReactNode;
}

function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  const control: Control = {
    id,
    className: cn(CONTROL, error ? "border-bad" : "border-line-strong/60 hover:border-line-strong", className),
    "aria-invalid": error ? true : undefined,
    "aria-describedby": cn(error && `${id}-error`, hint ? `${id}-hint` : null) || undefined,
  };
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children(control)}
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

const MONO = "font-mono text-[0.8125rem]";

interface TextFieldProps extends Labelled, Omit<ComponentProps<"input">, "id" | "className"> {
  isMono?: boolean;
}

/** Renders a labeled single-line text field. */
export function TextField({ label, hint, error, isMono, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} className={cn("h-9", isMono && MONO)}>
      {(control) => <input {...control} {...rest} />}
    </Field>
  );
}

interface TextAreaFieldProps extends Labelled, Omit<ComponentProps<"textarea">, "id" | "className"> {
  isMono?: boolean;
}

/** Renders a labeled multi-line text field. */
export function TextAreaField({ label, hint, error, isMono, ...rest }: TextAreaFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} className={cn("py-2", isMono && MONO)}>
      {(control) => <textarea {...control} {...rest} />}
    </Field>
  );
}

interface SelectFieldProps extends Labelled, Omit<ComponentProps<"select">, "id" | "className"> {
  options: readonly { value: string; text: string }[];
}

/** Renders a labeled selection with the browser's native list, which works with the keyboard, on phones and with screen readers. */
export function SelectField({ label, hint, error, options, ...rest }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} className="h-9 pr-8">
      {(control) => (
        <select {...control} {...rest}>
          {options.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface ChoiceProps extends Omit<ComponentProps<"input">, "id"> {
  label: string;
  hint?: ReactNode;
  type: "checkbox" | "radio";
}

/** Renders a checkbox or radio button with its label and an explanation. */
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
