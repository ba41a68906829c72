import { validateCallbackUrl } from "@/lib/domain/callbacks/address-rule";
import { type FormField, type FormTexts, formList, formOption, formReader, formText } from "@/lib/domain/fields/form";
import { isTimeZone, NOTIFICATION_KINDS, type NotificationKind, WAYS } from "@/lib/domain/notifications/notification";
import { type Problem, problem } from "@/lib/domain/problems/problem";

const MAX_EMAIL = 254;
const EMAIL = /^[^\s@<>"(),:;[\]\\]{1,64}@[^\s@<>"(),:;[\]\\]+\.[^\s@<>"(),:;[\]\\.]+$/;
const TOKEN = /^\d{1,20}:[A-Za-z0-9_-]{10,100}$/;
const CHAT = /^(-?\d{1,20}|@[A-Za-z0-9_]{4,64})$/;
const USUAL_REPORT_HOUR = 8;
const LAST_HOUR = 23;

const way = formOption(WAYS, "email");

/** Returns a field that applies to one kind of channel; it is read as an empty string for the other kinds. */
function fieldOf(
  kind: (typeof WAYS)[number],
  accepts: (typed: string) => boolean,
  refused: Problem,
): FormField<string> {
  return formText((typed, form) => {
    if (wayOf(form) !== kind) return { value: "" };
    const value = typed.trim();
    return accepts(value) ? { value } : { problem: refused };
  });
}

function wayOf(form: Readonly<Record<string, unknown>>) {
  return WAYS.find((one) => one === form["way"]) ?? "email";
}

const webhookUrl: FormField<string> = {
  read: (given, { callbackAllowCidrs }, form) => {
    if (wayOf(form) !== "webhook") return { value: "" };
    const value = typeof given === "string" ? given.trim() : "";
    const refused = validateCallbackUrl(value, { allowCidrs: callbackAllowCidrs });
    return refused ? { problem: problem("callback_address_invalid", { problem: refused }) } : { value };
  },
};

/** The form of a channel. Only the fields of its kind are read. */
export const CHANNEL_FORM = {
  way,
  email: fieldOf(
    "email",
    (typed) => EMAIL.test(typed) && typed.length <= MAX_EMAIL,
    problem("channel_email_malformed"),
  ),
  token: fieldOf("telegram", (typed) => TOKEN.test(typed), problem("bot_token_malformed")),
  chatId: fieldOf("telegram", (typed) => CHAT.test(typed), problem("chat_id_malformed")),
  url: webhookUrl,
  /** The time zone; UTC if it is unknown. */
  timeZone: formText((typed) => ({ value: isTimeZone(typed) ? typed : "UTC" })),
};

export type ChannelForm = FormTexts<typeof CHANNEL_FORM>;
export const readChannelForm = formReader(CHANNEL_FORM);

/** The form that selects the notifications of a user's channels and the time of the daily report. */
export const NOTIFICATIONS_FORM = {
  /** The selected notifications, each as the id of a channel and a kind of notification, separated by a space. */
  choice: formList((typed) => ({ value: typed.flatMap(choiceOf) })),
  timeZone: formText((typed) => (isTimeZone(typed) ? { value: typed } : { problem: problem("time_zone_unknown") })),
  /** The hour, at most 23; 8 if the input is not a number. */
  reportHour: formText((typed) => {
    const hour = /^\d{1,2}$/.test(typed) ? Number(typed) : USUAL_REPORT_HOUR;
    return { value: Math.min(hour, LAST_HOUR) };
  }),
};

function choiceOf(text: string): { channelId: string; kind: NotificationKind }[] {
  const [channelId = "", name = ""] = text.split(" ");
  const kind = NOTIFICATION_KINDS.find((one) => one === name);
  return kind ? [{ channelId, kind }] : [];
}
