import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";

/** An action that makes sense now, or the reason to wait. */
export interface AreaItem {
  key: string;
  title: string;
  /** A sentence on when or why to do it. */
  text: ReactNode;
  /** The button or link; absent if there is only something to know. */
  action?: ReactNode;
  /** Content below the sentence, such as a list of choices. */
  more?: ReactNode;
}

interface ActionAreaProps {
  items: readonly AreaItem[];
  /** The sentence that is shown if there is no item. */
  empty: string;
}

/** Renders the area "What can I do?" with the actions that make sense now, the most urgent first. */
export function ActionArea({ items, empty }: ActionAreaProps) {
  const t = useTranslations("actions");
  return (
    <Card title={t("title")} isFlush={items.length > 0}>
      {items.length === 0 ? (
        <p className="text-ink-soft">{empty}</p>
      ) : (
        <ul aria-label={t("title")} className="divide-y divide-line border-line border-t">
          {items.map(({ key, title, text, action, more }) => (
            <li key={key} className="grid gap-2.5 px-4 py-3 sm:px-5">
              <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
                <div className="min-w-0 flex-1 basis-60">
                  <h3 className="font-medium">{title}</h3>
                  <p className="text-[0.8125rem] text-ink-soft wrap-anywhere">{text}</p>
                </div>
                {action}
              </div>
              {more}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
