import { CHECK_BOX, formChoice, formList, formText } from "@/lib/domain/fields/form";
import { readCidrs } from "@/lib/domain/keys/api-key";
import { CALLBACK_FORMATS, SCOPES, type Scope } from "@/lib/domain/keys/key-rules";
import { problem } from "@/lib/domain/problems/problem";

const MAX_NAME = 60;

/** The overlap after a rotation, in hours, during which both keys work. */
export const OVERLAP_HOURS = { min: 0, max: 168, default: 24 } as const;

/** The form of a key's name. */
export const KEY_NAME_FORM = {
  name: formText((typed) => {
    const name = typed.trim();
    const { length } = [...name];
    return length >= 1 && length <= MAX_NAME ? { value: name } : { problem: problem("key_name_malformed") };
  }),
};

/** The form of a key's permissions and callback format, and of the permissions for a plugin to set that format and for agents. */
export const KEY_RULES_FORM = {
  mustSign: CHECK_BOX,
  scopes: formList<Scope[]>((typed) => {
    const scopes = SCOPES.filter((scope) => typed.includes(scope));
    return scopes.length === 0 ? { problem: problem("scopes_missing") } : { value: scopes };
  }),
  cidrs: formText(readCidrs),
  callbackFormat: formChoice(CALLBACK_FORMATS, problem("format_missing")),
  isForPlugin: CHECK_BOX,
  isForAgents: CHECK_BOX,
};

/** The form of a new key. */
export const KEY_FORM = { ...KEY_NAME_FORM, ...KEY_RULES_FORM };

/** The form that rotates a key. */
export const ROTATION_FORM = {
  overlapHours: formText((typed) => {
    const value = typed === "" ? OVERLAP_HOURS.default : Number(typed);
    if (value >= OVERLAP_HOURS.min && value <= OVERLAP_HOURS.max) return { value };
    return { problem: problem("overlap_out_of_range") };
  }),
};

/** The form that revokes a key; the user confirms by entering its name. */
export const REVOCATION_FORM = {
  typedName: formText((typed, { expectedName }) => {
    const name = typeof expectedName === "string" ? expectedName : "";
    return typed.trim() === name ? { value: name } : { problem: problem("confirmation_text_differs", { name }) };
  }),
  expectedName: formText((name) => ({ value: name })),
};

/** The form of the optional event types that a key's merchant receives. */
export const KEY_EVENTS_FORM = { types: formList((types) => ({ value: types })) };
