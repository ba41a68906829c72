"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { allowConnection } from "@/app/dashboard/settings/plugins/actions";
import { IssuedKey } from "@/app/dashboard/settings/plugins/issued-key";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import { Notice } from "@/components/ui/notice";
import type { IntegrationView } from "@/lib/domain/integrations/integration";
import type { IssuedPluginKey } from "@/lib/plugins/plugin-settings";

interface ConnectFormProps {
  /** The query string of the application's request. */
  query: string;
  /** The host that receives the token; null if the user receives it. */
  host: string | null;
  integration: IntegrationView;
  /** The URL that shops enter, without a trailing slash. */
  url: string;
  /** The path to which the browser posts the ticket of the issued token. */
  connectionPath: string;
}

/** Renders the form that allows or refuses the request of an application, after the user confirmed the password. */
export function ConnectForm({ query, host, integration, url, connectionPath }: ConnectFormProps) {
  const t = useTranslations("plugins");
  const router = useRouter();
  const [ticket, setTicket] = useState<string | null>(null);
  const [issued, setIssued] = useState<IssuedPluginKey | null>(null);
  const [isRefused, setRefused] = useState(false);
  const form = useForm(allowConnection, (ok) => ("ticket" in ok ? setTicket(ok.ticket) : setIssued(ok.issued)));
  const done = () => router.push("/dashboard/settings/plugins");
  if (isRefused)
    return (
      <Notice tone="info" isAlert>
        {t("connect.refusedByYou")} {t("connect.nothingGiven")}
      </Notice>
    );
  if (ticket !== null)
    return <ConnectionForm ticket={ticket} host={host ?? ""} path={connectionPath} keyTerm={integration.terms.key} />;
  return (
    <>
      <Form form={form}>
        <input type="hidden" name="query" value={query} />
        <ProveAgain />
        <DialogActions>
          <Button onClick={() => setRefused(true)}>{t("connect.refuse")}</Button>
          <Button type="submit" look="primary" isBusy={form.isBusy}>
            {t("connect.allow")}
          </Button>
        </DialogActions>
      </Form>
      <Dialog
        isOpen={issued !== null}
        onOpenChange={(isOpen) => !isOpen && done()}
        isHeld
        title={t("yours", { protocol: integration.name })}
      >
        {issued ? <IssuedKey material={{ integration, url, ...issued }} onDone={done} /> : null}
      </Dialog>
    </>
  );
}

interface ConnectionFormProps {
  ticket: string;
  host: string;
  path: string;
  /** The protocol's name for a token. */
  keyTerm: string;
}

/** Sends the browser to the page that hands the token over to the application. */
function ConnectionForm({ ticket, host, path, keyTerm }: ConnectionFormProps) {
  const t = useTranslations("plugins.connect");
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.submit(), []);
  return (
    <form ref={form} method="post" action={path} className="grid justify-items-start gap-3">
      <input type="hidden" name="ticket" value={ticket} />
      <p role="status">{t("handOver", { host, key: keyTerm })}</p>
      <Button type="submit" look="primary">
        {t("goOn", { host })}
      </Button>
    </form>
  );
}
