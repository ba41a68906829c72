"use client";

import { browserSupportsWebAuthn, startAuthentication } from "@simplewebauthn/browser";
import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useContext, useEffect, useRef, useState } from "react";
import { toast } from "sonner";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/form/field";
import { FormErrors, FormScope, ProofScope } from "@/components/ui/form/form-state";

/**
 * Renders the fields with which a signed-in user confirms their identity: password and code, or a passkey, which submits the form
 * automatically.
 */
export function ProveAgain() {
  const t = useTranslations("ui");
  const errorOf = useContext(FormErrors);
  const { hasTotp, hasPasskey } = useContext(ProofScope);
  return (
    <>
      <TextField
        label={t("yourPassword")}
        name="password"
        type="password"
        autoComplete="current-password"
        hint={t("passwordAgain")}
        error={errorOf("password")}
      />
      {hasTotp || hasPasskey ? (
        <TextField
          label={t(hasTotp ? "secondCode" : "recoveryCode")}
          name="code"
          autoComplete="one-time-code"
          hint={hasTotp ? t("secondCodeHint") : undefined}
          error={errorOf("code")}
          isMono
        />
      ) : null}
      {hasPasskey ? <PasskeyInstead /> : null}
    </>
  );
}

/** Renders the fields of `ProveAgain` for a payment decision, if the shop requires second factors. */
export function ProvePayment() {
  return useContext(ProofScope).isForPayments ? <ProveAgain /> : null;
}

/** Returns true if this browser can use passkeys at this URL. Passkeys require https or localhost, and a host name. */
export function usePasskeys(): boolean {
  const [canPasskey, setCan] = useState(false);
  useEffect(() => setCan(browserSupportsWebAuthn() && !/^[\d.]+$|^\[/.test(location.hostname)), []);
  return canPasskey;
}

function PasskeyInstead() {
  const t = useTranslations("ui");
  const { askPasskey } = useContext(ProofScope);
  const scope = useContext(FormScope);
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const prove = async () => {
    const data = new FormData();
    for (const [name, value] of Object.entries(scope)) data.set(name, value);
    const asked = await askPasskey?.(data);
    if (!asked || !("ok" in asked) || !field.current) throw new Error("not asked");
    field.current.value = JSON.stringify(await startAuthentication({ optionsJSON: asked.ok }));
    field.current.form?.requestSubmit();
    // The value can be used only once.
    field.current.value = "";
  };
  const use = () => {
    setBusy(true);
    prove()
      .catch(() => toast.error(t("passkeyStopped")))
      .finally(() => setBusy(false));
  };
  return (
    <div>
      <input type="hidden" name="passkey" ref={field} />
      <Button onClick={use} isBusy={isBusy}>
        <KeyRound aria-hidden />
        {t("usePasskey")}
      </Button>
    </div>
  );
}
