"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { changeRules, issueKey, switchOff } from "@/app/dashboard/settings/plugins/actions";
import { IssuedKey } from "@/app/dashboard/settings/plugins/issued-key";
import { ProtocolForm } from "@/app/dashboard/settings/plugins/protocol-form";
import { decides, hasSettings, type OfferedIntegration } from "@/components/dashboard/plugins/known-plugins";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Choice, SelectField, TextField } from "@/components/ui/form/field";
import { EXPIRATIONS, type Expiration } from "@/lib/domain/integration-id";
import type { IssuedPluginKey } from "@/lib/plugins/plugin-settings";

interface Protocol {
  integration: OfferedIntegration;
  /** Where the protocol is spoken, without a slash at its end. */
  url: string;
  takesKeyInUrl: boolean;
  expiration: Expiration;
  fiat: string | null;
}

const TASKS = ["settings", "newKey", "switchOff"] as const;
type Task = (typeof TASKS)[number];

/** What can be done with a protocol that is switched on, each with its window. */
export function PluginActions({ protocol }: { protocol: Protocol }) {
  const { integration, url } = protocol;
  const t = useTranslations("plugins");
  const name = useTranslations("states")(`integration.${integration}`);
  const [task, setTask] = useState<Task | null>(null);
  const [issued, setIssued] = useState<IssuedPluginKey | null>(null);
  const router = useRouter();
  const close = () => {
    if (issued) router.refresh();
    setTask(null);
    setIssued(null);
  };
  const finish = (words: string) => {
    toast.success(words);
    close();
  };
  const titles = {
    settings: t("settingsOf", { protocol: name }),
    newKey: t("newKeyFor", { protocol: name }),
    switchOff: t("switchOffWhat", { protocol: name }),
  };
  const hints = { settings: undefined, newKey: t("newKeyHint"), switchOff: t("switchOffHint") };
  return (
    <div className="flex flex-wrap gap-2">
      {TASKS.filter((one) => one !== "settings" || hasSettings(integration)).map((one) => (
        <Button key={one} size="small" aria-label={titles[one]} onClick={() => setTask(one)}>
          {t(one)}
        </Button>
      ))}
      <Dialog
        isOpen={task !== null}
        onOpenChange={(isOpen) => !isOpen && close()}
        isHeld={issued !== null}
        title={issued ? t("yours", { protocol: name }) : task ? titles[task] : ""}
        hint={issued || !task ? undefined : hints[task]}
      >
        {issued ? <IssuedKey material={{ integration, url, ...issued }} onDone={close} /> : null}
        {task === "settings" ? <Rules protocol={protocol} onDone={() => finish(t("saved"))} onCancel={close} /> : null}
        {task === "newKey" && !issued ? <NewKey integration={integration} onDone={setIssued} onCancel={close} /> : null}
        {task === "switchOff" ? (
          <ProtocolForm
            integration={integration}
            action={switchOff}
            submit={t("switchOff")}
            isDangerous
            onDone={() => finish(t("switchedOff", { protocol: name }))}
            onCancel={close}
          />
        ) : null}
      </Dialog>
    </div>
  );
}

interface RulesProps {
  protocol: Protocol;
  onDone(): void;
  onCancel(): void;
}

/** What a protocol has no field for stays as it is. */
function Rules({ protocol: { integration, takesKeyInUrl, expiration, fiat }, onDone, onCancel }: RulesProps) {
  const t = useTranslations("plugins");
  return (
    <ProtocolForm integration={integration} action={changeRules} submit={t("save")} onDone={onDone} onCancel={onCancel}>
      {(errorOf) => (
        <>
          <TextField
            label={t("prices")}
            name="fiat"
            autoComplete="off"
            maxLength={3}
            placeholder="EUR"
            defaultValue={fiat ?? ""}
            hint={t("pricesHint")}
            error={errorOf("fiat")}
          />
          {decides(integration, "keyInUrl") ? (
            <Choice
              type="checkbox"
              name="takesKeyInUrl"
              label={t("keyInUrlChoice")}
              hint={t("keyInUrlHint")}
              defaultChecked={takesKeyInUrl}
            />
          ) : takesKeyInUrl ? (
            <input type="hidden" name="takesKeyInUrl" value="on" />
          ) : null}
          {decides(integration, "expiration") ? (
            <SelectField
              label={t("expiration")}
              name="expiration"
              defaultValue={expiration}
              options={EXPIRATIONS.map((value) => ({ value, text: t(`expirations.${value}`) }))}
              hint={t("expirationHint")}
              error={errorOf("expiration")}
            />
          ) : (
            <input type="hidden" name="expiration" value={expiration} />
          )}
        </>
      )}
    </ProtocolForm>
  );
}

interface NewKeyProps {
  integration: OfferedIntegration;
  onDone(issued: IssuedPluginKey): void;
  onCancel(): void;
}

function NewKey({ integration, onDone, onCancel }: NewKeyProps) {
  const t = useTranslations("plugins");
  const overlaps = [
    { value: "0", text: t("noOverlap") },
    ...[1, 24].map((hours) => ({ value: String(hours), text: t("overlapHours", { hours }) })),
    ...[3, 7].map((days) => ({ value: String(days * 24), text: t("overlapDays", { days }) })),
  ];
  return (
    <ProtocolForm integration={integration} action={issueKey} submit={t("issue")} onDone={onDone} onCancel={onCancel}>
      {(errorOf) => (
        <SelectField
          label={t("overlap")}
          name="overlapHours"
          defaultValue="24"
          options={overlaps}
          error={errorOf("overlapHours")}
        />
      )}
    </ProtocolForm>
  );
}
