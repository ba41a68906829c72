import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { confirmationText, ruleText, waitText } from "@/components/dashboard/addresses/confirmation-text";
import { Card } from "@/components/ui/card";
import { getNetwork } from "@/lib/domain/networks";
import type { ConfirmationSetting } from "@/lib/domain/networks/finality";

interface ConfirmationPanelProps {
  settings: readonly ConfirmationSetting[];
  /** Renders the action that a user can take on one setting. */
  actionFor: (setting: ConfirmationSetting) => ReactNode;
}

/** Renders the confirmations that payments on each network need. Renders nothing if there are no networks. */
export function ConfirmationPanel({ settings, actionFor }: ConfirmationPanelProps) {
  const t = useTranslations("addresses");
  const text = useTranslations("confirmations");
  if (settings.length === 0) return null;
  return (
    <Card title={t("confirmations")} hint={t("confirmationsHint")} isFlush className="mt-4">
      <ul className="divide-y divide-line border-line border-t">
        {settings.map((setting) => (
          <li key={setting.network} className="flex items-center justify-between gap-4 px-4 py-3 sm:px-5">
            <div className="min-w-0">
              <p className="font-medium">{getNetwork(setting.network).name}</p>
              <p className="text-[0.8125rem] text-ink-soft tabular-nums">
                {confirmationText(setting, text)} · {waitText(setting, text)}
              </p>
              {setting.minConfirmations === null && setting.minSeconds === null ? null : (
                <p className="text-[0.8125rem] text-ink-soft tabular-nums">{ruleText(setting, text)}</p>
              )}
            </div>
            {actionFor(setting)}
          </li>
        ))}
      </ul>
    </Card>
  );
}
