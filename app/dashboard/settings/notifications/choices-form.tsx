"use client";

import { useTranslations } from "next-intl";
import { toast } from "sonner";
import { chooseNotifications } from "@/app/dashboard/settings/notifications/actions";
import { Button } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { Cell, Table } from "@/components/ui/table";
import { NOTIFICATION_KINDS, type NotificationKind, type Way } from "@/lib/domain/notifications/notification";

interface ChoicesFormProps {
  /** The verified channels. */
  channels: readonly { id: string; way: Way; shown: string; kinds: readonly NotificationKind[] }[];
  timeZone: string;
  reportHour: number;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  text: `${String(hour).padStart(2, "0")}:00`,
}));

/** Renders a checkbox for each pair of channel and notification, and the field for the hour of the daily report. */
export function ChoicesForm({ channels, timeZone, reportHour }: ChoicesFormProps) {
  const t = useTranslations("notifications");
  const form = useForm(chooseNotifications, () => toast.success(t("saved")));
  if (channels.length === 0) return <p className="px-4 py-3.5 text-ink-soft sm:px-5">{t("unverified")}</p>;
  const head = channels.map(({ id, way, shown }) => ({ id, text: `${t(`way.${way}`)} · ${shown}` }));
  return (
    <Form form={form} className="gap-0">
      <Table
        caption={t("choices")}
        head={[
          { text: t("kind") },
          ...head.map(({ text }) => ({ text, className: "max-w-44 whitespace-normal wrap-anywhere" })),
        ]}
      >
        {NOTIFICATION_KINDS.map((kind) => (
          <tr key={kind}>
            <Cell className="whitespace-normal sm:min-w-40">{t(`kinds.${kind}`)}</Cell>
            {channels.map(({ id, kinds, shown }) => (
              <Cell key={id}>
                <input
                  type="checkbox"
                  name="choice"
                  value={`${id} ${kind}`}
                  defaultChecked={kinds.includes(kind)}
                  aria-label={t("channelLabel", { kind: t(`kinds.${kind}`), where: shown })}
                  className="size-5 accent-accent"
                />
              </Cell>
            ))}
          </tr>
        ))}
      </Table>
      <div className="grid items-end gap-4 border-line border-t px-4 py-3.5 sm:grid-cols-[10rem_1fr_auto] sm:px-5">
        <SelectField
          label={t("reportHour")}
          name="reportHour"
          defaultValue={String(reportHour)}
          options={HOURS}
          error={form.errorOf("reportHour")}
        />
        <TextField
          label={t("timeZone")}
          name="timeZone"
          defaultValue={timeZone}
          autoComplete="off"
          error={form.errorOf("timeZone")}
        />
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {t("save")}
        </Button>
      </div>
    </Form>
  );
}
