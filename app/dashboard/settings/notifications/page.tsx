import { Bell } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { AddChannel, ChannelActions } from "@/app/dashboard/settings/notifications/channel-forms";
import { ChoicesForm } from "@/app/dashboard/settings/notifications/choices-form";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { ChannelTable } from "@/components/dashboard/notifications/channel-table";
import { messageOrNull } from "@/components/messages/problem-message";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { listChannels } from "@/db/queries/notifications/channels";

export const generateMetadata = pageTitle("notifications");

export default async function NotificationsPage() {
  const person = await requirePerson();
  const { env, pool } = getContext();
  const owner = { merchantId: person.merchantId, userId: person.user.id };
  const [channels, t] = await Promise.all([listChannels(pool.db, owner), getTranslations("notifications")]);
  const language = await getLocale();
  const rows = await Promise.all(
    channels.map(async (one) => ({ ...one, problem: await messageOrNull(language, one.problem) })),
  );
  const hasMail = env.smtpUrl !== null;
  const add = <AddChannel email={person.user.email} hasMail={hasMail} />;
  const ready = channels.filter(({ verifiedAt }) => verifiedAt !== null);
  const [first] = channels;
  return (
    <>
      <PageHead
        title={t("title")}
        hint={t("hint", { shop: person.merchantName })}
        // The dialog has the same position in the component tree regardless of the list, so that it stays open while the first channel is
        // added.
        action={add}
      />
      <div className="grid gap-4">
        {hasMail ? null : <Notice tone="info">{t("noSmtp")}</Notice>}
        <Card isFlush {...(first ? { title: t("channels") } : {})}>
          {first ? (
            <ChannelTable
              channels={rows}
              actionsFor={({ id, shown, verifiedAt }) => (
                <ChannelActions id={id} shown={shown} isVerified={verifiedAt !== null} />
              )}
            />
          ) : (
            <EmptyState Icon={Bell} title={t("none")}>
              <p>{t("noneHint")}</p>
            </EmptyState>
          )}
        </Card>
        {first ? (
          <Card title={t("choices")} hint={t("choicesHint")} isFlush>
            <ChoicesForm
              key={ready.map(({ id, kinds }) => `${id}:${kinds.toSorted().join()}`).join(" ")}
              channels={ready.map(({ id, way, shown, kinds }) => ({ id, way, shown, kinds }))}
              timeZone={first.timeZone}
              reportHour={first.reportHour}
            />
          </Card>
        ) : null}
      </div>
    </>
  );
}
