"use client";

import { startAuthentication } from "@simplewebauthn/browser";
import { KeyRound } from "lucide-react";
import { useRouter } from "next/navigation";
import { signIn } from "next-auth/react";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { AuthForm } from "@/app/(auth)/auth-form";
import { askSignIn, enterByPasskey, finishSignIn } from "@/app/(auth)/login/actions";
import { type FieldMessage, problemMessages } from "@/components/messages/problem-message";
import type { Translate } from "@/components/messages/translate";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/form/field";
import type { Answer } from "@/components/ui/form/form-state";
import { usePasskeys } from "@/components/ui/form/prove-again";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import type { SecondStepWays } from "@/lib/users/sign-in";

interface LoginFormProps {
  hint?: string;
  email?: string;
  goTo?: string;
}

/** Renders the sign-in form: email and password, followed by the second step if the account has one, or a passkey. */
export function LoginForm({ hint, email, goTo }: LoginFormProps) {
  const t = useTranslations("auth");
  const [second, setSecond] = useState<SecondStepWays | null>(null);
  if (second) return <SecondStep second={second} onLeave={() => setSecond(null)} goTo={goTo} />;
  return (
    <>
      <AuthForm
        title={t("signIn")}
        hint={hint ?? t("signInHint")}
        submit={t("signIn")}
        action={(form) => sendSignIn(form, t, setSecond)}
        {...(goTo ? { goTo } : {})}
      >
        {(errorOf) => (
          <>
            <TextField
              label={t("email")}
              name="email"
              type="email"
              autoComplete="username"
              autoFocus={!email}
              defaultValue={email}
              error={errorOf("email")}
            />
            <TextField
              label={t("password")}
              name="password"
              type="password"
              autoComplete="current-password"
              error={errorOf("password")}
            />
          </>
        )}
      </AuthForm>
      <ByPasskey goTo={goTo} />
    </>
  );
}

interface SecondStepProps {
  second: SecondStepWays;
  onLeave(): void;
  goTo: string | undefined;
}

function SecondStep({ second, onLeave, goTo }: SecondStepProps) {
  const t = useTranslations("auth");
  const ui = useTranslations("ui");
  return (
    <>
      <AuthForm
        title={t("secondStep")}
        hint={second === "passkey" ? t("passkeyHint") : t("secondStepHint")}
        submit={t("goOn")}
        action={finishSignIn}
        {...(goTo ? { goTo } : {})}
      >
        {(errorOf) => (
          <TextField
            label={ui(second === "passkey" ? "recoveryCode" : "secondCode")}
            name="code"
            autoComplete="one-time-code"
            hint={second === "passkey" ? undefined : ui("secondCodeHint")}
            autoFocus
            isMono
            error={errorOf("code")}
          />
        )}
      </AuthForm>
      {second === "code" ? null : <ByPasskey goTo={goTo} />}
      <div className="mt-3 grid justify-center">
        <Button look="quiet" onClick={onLeave}>
          {t("startAgain")}
        </Button>
      </div>
    </>
  );
}

function ByPasskey({ goTo = "/dashboard" }: { goTo: string | undefined }) {
  const t = useTranslations("auth");
  const language = useLocale();
  const router = useRouter();
  const canPasskey = usePasskeys();
  const [isBusy, setBusy] = useState(false);
  const notify = async (errors: (FieldError | FieldMessage)[]) => {
    const [error] = await problemMessages(language, errors);
    toast.error(error?.message ?? "");
  };
  const enter = async () => {
    const asked = await askSignIn();
    if ("errors" in asked) return notify(asked.errors);
    const form = new FormData();
    form.set("passkey", JSON.stringify(await startAuthentication({ optionsJSON: asked.ok })));
    const answer = await enterByPasskey(form);
    if ("errors" in answer) return notify(answer.errors);
    router.replace(goTo);
    router.refresh();
  };
  const use = () => {
    setBusy(true);
    enter()
      .catch(() => toast.error(t("passkeyStopped")))
      .finally(() => setBusy(false));
  };
  if (!canPasskey) return null;
  return (
    <div className="mt-3 grid">
      <Button onClick={use} isBusy={isBusy} className="justify-center">
        <KeyRound aria-hidden />
        {t("withPasskey")}
      </Button>
    </div>
  );
}

async function sendSignIn(
  data: FormData,
  t: Translate<"auth">,
  onSecond: (second: SecondStepWays) => void,
): Promise<Answer<true>> {
  const email = String(data.get("email") ?? "");
  const password = String(data.get("password") ?? "");
  if (!email.trim()) return refuse("email", problem("email_missing"));
  if (!password) return refuse("password", problem("password_missing"));
  const answer = await signIn("credentials", { email, password, redirect: false });
  const second = /^secondStep:(\w+)$/.exec(answer?.error ?? "")?.[1];
  if (second === "code" || second === "passkey" || second === "both") {
    onSecond(second);
    return { errors: [] };
  }
  return answer?.ok ? { ok: true } : { errors: [{ field: "", message: messageOf(answer?.error ?? "", t) }] };
}

function messageOf(error: string, t: Translate<"auth">): string {
  const [kind, seconds] = error.split(":");
  if (kind === "CredentialsSignin") return t("wrongPair");
  if (kind === "tooMany") return waitText(Number(seconds), t);
  if (kind === "unknownDevice") return t("unknownDevice", { count: Math.ceil(Number(seconds) / 60) });
  if (kind === "away") return t("away");
  return t("failed");
}

function waitText(seconds: number, t: Translate<"auth">): string {
  return seconds < 90
    ? t("tooManySeconds", { count: seconds })
    : t("tooManyMinutes", { count: Math.ceil(seconds / 60) });
}
