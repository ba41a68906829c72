import { useTranslations } from "next-intl";
import { ContactForm, SettleButton } from "@/app/dashboard/first-steps/step-forms";
import { FirstSteps, type Step } from "@/components/dashboard/home/first-steps";
import { FirstOrderSample } from "@/components/dashboard/orders/first-order-sample";
import type { Translate } from "@/components/messages/translate";
import { CREATE_LINK_PATH } from "@/lib/domain/back-office-paths";
import { type DoneSteps, listFirstSteps, type StepName, type StepViewer } from "@/lib/domain/onboarding/first-steps";

interface FirstStepsCardProps {
  done: DoneSteps;
  viewer: StepViewer & { canChange: boolean };
  publicUrl: string;
  networks: Iterable<string>;
}

/** Renders the first steps of a shop, each with its actions. Renders nothing once all are done. */
export function FirstStepsCard({ done, viewer, publicUrl, networks }: FirstStepsCardProps) {
  const t = useTranslations("steps");
  const steps = listFirstSteps(done, viewer);
  if (steps.every(({ isDone }) => isDone)) return null;
  const sample = done.hasKey ? <FirstOrderSample publicUrl={publicUrl} networks={networks} /> : null;
  return (
    <FirstSteps
      steps={steps.map(({ name, isDone }): Step => {
        const text = { title: t(`${name}.title`), hint: t(`${name}.hint`), isDone };
        return {
          ...text,
          ...(viewer.canChange ? actionsOf(name, t) : READ_ONLY),
          more: moreOf(name, sample, viewer, t),
        };
      })}
    />
  );
}

const READ_ONLY = { actions: [] };

function actionsOf(name: StepName, t: Translate<"steps">): Pick<Step, "actions" | "settle"> {
  const settings = (page: string, text: string) => ({ href: `/dashboard/settings/${page}`, text });
  switch (name) {
    case "ways":
      return { actions: [settings("addresses", t("ways.action"))] };
    case "contact":
      return { actions: [settings("checkout", t("contact.action"))] };
    case "connect":
      return {
        actions: [
          settings("api-keys", t("connect.key")),
          settings("plugins", t("connect.plugin")),
          { href: CREATE_LINK_PATH, text: t("connect.link") },
        ],
      };
    case "test":
      return { actions: [{ href: CREATE_LINK_PATH, text: t("test.action") }] };
    case "callback":
      return { actions: [settings("api-keys", t("callback.action"))], settle: <SettleButton step="callback" /> };
    case "factor":
      return { actions: [settings("security", t("factor.action"))], settle: <SettleButton step="factor" /> };
    case "backup":
      return { actions: [], settle: <SettleButton step="backup" /> };
  }
}

function moreOf(
  name: StepName,
  sample: Step["more"],
  { canChange }: FirstStepsCardProps["viewer"],
  t: Translate<"steps">,
): Step["more"] {
  if (name === "contact" && canChange) return <ContactForm />;
  if (name !== "test" || sample === null) return null;
  return (
    <div className="grid gap-2 text-[0.8125rem] text-ink-soft">
      <p>{t("test.sample")}</p>
      {sample}
    </div>
  );
}
