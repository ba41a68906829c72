"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { changeRules, issueKey, switchOff } from "@/app/dashboard/settings/plugins/actions";
import { IssuedKey } from "@/app/dashboard/settings/plugins/issued-key";
import { ProtocolForm } from "@/app/dashboard/settings/plugins/protocol-form";
import { PriceCurrencyField } from "@/components/dashboard/plugins/price-currency-field";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Choice, SelectField } from "@/components/ui/form/field";
import type { IntegrationView } from "@/lib/domain/integrations/integration";
import type { SettingValues, SettingView } from "@/lib/domain/integrations/settings";
import type { IssuedPluginKey } from "@/lib/plugins/plugin-settings";

interface Protocol {
  integration: IntegrationView;
  /** The URL that shops enter, without a trailing slash. */
  url: string;
  settings: SettingValues;
  fiat: string | null;
}

const TASKS = ["settings", "newKey", "switchOff"] as const;
type Task = (typeof TASKS)[number];

/** Renders the actions of an enabled integration, each with its dialog. */
export function PluginActions({ protocol }: { protocol: Protocol }) {
  const { integration, url } = protocol;
  const t = useTranslations("plugins");
  const { name, terms } = integration;
  const hasSettings = integration.hasPriceCurrency || integration.settings.length > 0;
  const [task, setTask] = useState<Task | null>(null);
  const [issued, setIssued] = useState<IssuedPluginKey | null>(null);
  const router = useRouter();
  const close = () => {
    if (issued) router.refresh();
    setTask(null);
    setIssued(null);
  };
  const finish = (message: string) => {
    toast.success(message);
    close();
  };
  const titles = {
    settings: t("settingsOf", { protocol: name }),
    newKey: t("newKeyFor", { protocol: name, key: terms.key }),
    switchOff: t("switchOffWhat", { protocol: name }),
  };
  const hints = { settings: undefined, newKey: t("newKeyHint", { key: terms.key }), switchOff: t("switchOffHint") };
  return (
    <div className="flex flex-wrap gap-2">
      {TASKS.filter((one) => one !== "settings" || hasSettings).map((one) => (
        <Button key={one} size="small" aria-label={titles[one]} onClick={() => setTask(one)}>
          {one === "newKey" ? t("newKey", { key: terms.key }) : t(one)}
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
            integration={integration.id}
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

function Rules({ protocol: { integration, settings, fiat }, onDone, onCancel }: RulesProps) {
  const t = useTranslations("plugins");
  return (
    <ProtocolForm
      integration={integration.id}
      action={changeRules}
      submit={t("save")}
      onDone={onDone}
      onCancel={onCancel}
    >
      {(errorOf) => (
        <>
          {integration.hasPriceCurrency ? <PriceCurrencyField fiat={fiat} error={errorOf("fiat")} /> : null}
          {integration.settings.map((setting) => (
            <SettingField
              key={setting.name}
              setting={setting}
              value={settings[setting.name]}
              error={errorOf(setting.name)}
            />
          ))}
        </>
      )}
    </ProtocolForm>
  );
}

interface SettingFieldProps {
  setting: SettingView;
  value: boolean | string | undefined;
  error: string | undefined;
}

function SettingField({ setting, value, error }: SettingFieldProps) {
  const { name, label, hint } = setting;
  if (setting.kind === "flag")
    return <Choice type="checkbox" name={name} label={setting.choice} hint={hint} defaultChecked={value === true} />;
  return (
    <SelectField
      label={label}
      name={name}
      defaultValue={String(value ?? "")}
      options={[...setting.options]}
      hint={hint}
      error={error}
    />
  );
}

interface NewKeyProps {
  integration: IntegrationView;
  onDone(issued: IssuedPluginKey): void;
  onCancel(): void;
}

function NewKey({ integration, onDone, onCancel }: NewKeyProps) {
  const t = useTranslations("plugins");
  const { key } = integration.terms;
  const overlaps = [
    { value: "0", text: t("noOverlap", { key }) },
    ...[1, 24].map((hours) => ({ value: String(hours), text: t("overlapHours", { hours }) })),
    ...[3, 7].map((days) => ({ value: String(days * 24), text: t("overlapDays", { days }) })),
  ];
  return (
    <ProtocolForm
      integration={integration.id}
      action={issueKey}
      submit={t("newKey", { key })}
      onDone={onDone}
      onCancel={onCancel}
    >
      {(errorOf) => (
        <SelectField
          label={t("overlap", { key })}
          name="overlapHours"
          defaultValue="24"
          options={overlaps}
          error={errorOf("overlapHours")}
        />
      )}
    </ProtocolForm>
  );
}
