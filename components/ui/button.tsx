import { LoaderCircle } from "lucide-react";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/components/ui/class-names";

const LOOK = {
  primary: "bg-accent text-accent-ink hover:bg-accent-hover border-transparent shadow-xs",
  secondary: "bg-surface text-ink border-line hover:bg-sunken shadow-xs",
  quiet: "bg-transparent text-ink-soft border-transparent hover:bg-sunken hover:text-ink",
  danger: "bg-bad text-white dark:text-accent-ink border-transparent hover:bg-bad-hover shadow-xs",
} as const;

const SIZE = {
  normal: "h-9 px-3.5",
  small: "h-8 px-2.5 text-[0.8125rem]",
  icon: "size-8 justify-center",
} as const;

interface ButtonProps extends ComponentProps<"button"> {
  look?: keyof typeof LOOK;
  size?: keyof typeof SIZE;
  /** True while the action runs. The button then has a busy style and cannot be pressed. */
  isBusy?: boolean;
  /** True if the button's styles are applied to its only child, for example a link. */
  asChild?: boolean;
}

/** Renders a button, or a link that looks like one. */
export function Button(props: ButtonProps) {
  const {
    look = "secondary",
    size = "normal",
    isBusy = false,
    asChild,
    className,
    children,
    disabled,
    ...rest
  } = props;
  const Tag = asChild ? Slot.Root : "button";
  return (
    <Tag
      type={asChild ? undefined : "button"}
      disabled={asChild ? undefined : disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={cn(
        "inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-lg border font-medium transition-colors disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0",
        LOOK[look],
        SIZE[size],
        className,
      )}
      {...rest}
    >
      {asChild ? (
        children
      ) : (
        <>
          {isBusy ? <LoaderCircle aria-hidden className="animate-spin" /> : null}
          {children}
        </>
      )}
    </Tag>
  );
}
