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
import type { IssuedPluginKey } from "@/lib/plugins/plugin-settings";

interface ConnectFormProps {
  /** What the application asked for, as it asked. */
  query: string;
  /** Where the token goes; null: to the person. */
  host: string | null;
  /** Where the protocol is spoken, without a slash at its end. */
  url: string;
}

/** Allows or refuses what an application asks for, the password asked again. */
export function ConnectForm({ query, host, url }: ConnectFormProps) {
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
  if (ticket !== null) return <Leave ticket={ticket} host={host ?? ""} />;
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
        title={t("yours", { protocol: "BTCPay Greenfield" })}
      >
        {issued ? <IssuedKey material={{ integration: "greenfield", url, ...issued }} onDone={done} /> : null}
      </Dialog>
    </>
  );
}

/** Takes the browser to the page that brings the token to the application. */
function Leave({ ticket, host }: { ticket: string; host: string }) {
  const t = useTranslations("plugins.connect");
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.submit(), []);
  return (
    <form ref={form} method="post" action="/greenfield/hand-over" className="grid justify-items-start gap-3">
      <input type="hidden" name="ticket" value={ticket} />
      <p role="status">{t("handOver", { host })}</p>
      <Button type="submit" look="primary">
        {t("goOn", { host })}
      </Button>
    </form>
  );
}
