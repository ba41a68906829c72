import { ArrowLeft } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";

interface PageHeadProps {
  title: ReactNode;
  hint?: ReactNode;
  action?: ReactNode;
  /** The previous page. */
  back?: { href: string; text: string };
}

/** Renders a page's heading with its main action. */
export function PageHead({ title, hint, action, back }: PageHeadProps) {
  return (
    <div className="mb-5">
      {back ? (
        <Link href={back.href} className="mb-2 inline-flex items-center gap-1 text-ink-soft hover:text-ink">
          <ArrowLeft aria-hidden className="size-3.5" />
          {back.text}
        </Link>
      ) : null}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
          {hint ? <p className="mt-0.5 max-w-2xl text-ink-soft">{hint}</p> : null}
        </div>
        {action}
      </div>
    </div>
  );
}
