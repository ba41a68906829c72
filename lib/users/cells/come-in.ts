import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { cellOf, type Db } from "@/db/client";
import { listUsedEmails } from "@/db/queries/users/email-claims";
import { findPasskey } from "@/db/queries/users/factors";
import { hasUsers } from "@/db/queries/users/users";
import { cellOfSecret } from "@/lib/domain/cells";
import { type FormError, wrong } from "@/lib/errors";
import { joinShop } from "@/lib/users/invitations";
import { askVisitor, credentialOf, signInByPasskey } from "@/lib/users/passkeys";
import { askReset } from "@/lib/users/reset-by-mail";
import type { Visitor } from "@/lib/users/session";
import { type SignedIn, signIn } from "@/lib/users/sign-in";

/** Pools of the cells that a process serves, in the order of its settings. */
export type Cells = readonly [Db, ...Db[]];

/** So long people wait for a cell that may be another's: one that says nothing counts as away. */
const PATIENCE_MS = 2_000;

const PERHAPS_AWAY =
  "Part of this service cannot be reached at the moment, perhaps the one of your account. Try again in a few minutes";
const MAIL_PERHAPS =
  "Part of this service cannot be reached at the moment. If no mail comes within a few minutes, ask for it again later";
const OTHER_CELL =
  "Your account is in another part of this installation and cannot join this shop. Ask to be invited with another e-mail address";

interface Asked {
  /** The first cell that has what was asked for; where none has it one that can be asked. */
  at: Db;
  /** Cells that answered. The first of them counts tries, whoever is meant, so that limits tell nobody which cell has what. */
  living: Cells;
  isAnyAway: boolean;
}

/**
 * Asks all cells at once which has something, the same of all whatever it is. A single cell is not asked.
 * @throws what the first cell said, where none can be asked
 */
async function askCells(cells: Cells, has: (db: Db) => Promise<boolean>): Promise<Asked> {
  const [only, ...others] = cells;
  if (others.length === 0) return { at: only, living: cells, isAnyAway: false };
  const answers = await Promise.allSettled(cells.map((db) => inTime(has(db))));
  const living = cells.filter((_, index) => answers[index]?.status === "fulfilled");
  const [first, ...rest] = living;
  if (!first) throw (answers[0] as PromiseRejectedResult).reason;
  const at = cells.find((_, index) => {
    const answer = answers[index];
    return answer?.status === "fulfilled" && answer.value;
  });
  return { at: at ?? first, living: [first, ...rest], isAnyAway: living.length < cells.length };
}

async function inTime<T>(asked: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer of a cell within ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  return Promise.race([asked, tooLate]).finally(() => clearTimeout(timer));
}

const hasEmail = (email: string) => async (db: Db) =>
  (await listUsedEmails(db, [email.trim().toLowerCase()])).length > 0;

/**
 * Signs somebody in who has an account in one of the cells. All cells are asked for every e-mail address, and tries are counted in one
 * place: neither limits nor times tell which cell has it, or whether one has.
 * @returns "unsure": it may be wrong, or in a cell that cannot be asked at present; the same for all e-mail addresses meanwhile
 */
export async function signInAnywhere(
  cells: Cells,
  form: Parameters<typeof signIn>[1],
  now: Date,
): Promise<SignedIn | { problem: "unsure" }> {
  const { at, living, isAnyAway } = await askCells(cells, hasEmail(form.email));
  const answer = await signIn(at, form, now, living[0]);
  return isAnyAway && "problem" in answer && answer.problem === "wrong" ? { problem: "unsure" } : answer;
}

/** Owes a link to a new password in the cell of an e-mail address; while a cell is away everybody hears that a mail may not come. */
export async function askResetAnywhere(
  cells: Cells,
  form: Visitor & { email: string; language: string },
  now: Date,
): Promise<true | { errors: FormError[] }> {
  const { at, living, isAnyAway } = await askCells(cells, hasEmail(form.email));
  const answer = await askReset(at, form, now, living[0]);
  return answer === true && isAnyAway ? wrong("", MAIL_PERHAPS) : answer;
}

/** What a device is asked that shall sign somebody in, of whatever cell its passkey is. */
export async function askVisitorAnywhere(
  cells: Cells,
  publicUrl: string,
  visitor: Pick<Visitor, "ip">,
  now: Date,
): Promise<PublicKeyCredentialRequestOptionsJSON | { problem: string }> {
  const [first, ...others] = (await askCells(cells, hasUsers)).living;
  return askVisitor(first, publicUrl, visitor, now, others);
}

/** Signs somebody in by a passkey alone, in the cell that has it. */
export async function enterAnywhere(
  cells: Cells,
  publicUrl: string,
  form: Parameters<typeof signInByPasskey>[2],
  now: Date,
): Promise<{ sessionId: string } | { problem: string }> {
  const id = credentialOf(form.answer);
  const { at, living, isAnyAway } = await askCells(cells, async (db) => (await findPasskey(db, id)) !== null);
  const answer = await signInByPasskey(at, publicUrl, form, now, living[0]);
  return "problem" in answer && isAnyAway ? { problem: PERHAPS_AWAY } : answer;
}

/** Whether an e-mail address has its account in another cell than one: that account cannot join a shop of this one. */
export async function hasAccountElsewhere(cells: Cells, db: Db, email: string): Promise<boolean> {
  const [first, ...rest] = cells.filter((one) => one !== db);
  if (!first) return false;
  const answers = await Promise.allSettled([first, ...rest].map((one) => inTime(hasEmail(email)(one))));
  return answers.some((one) => one.status === "fulfilled" && one.value);
}

/** Lets somebody who has an account in a cell into the shop of a link, which must be one of the same cell. */
export async function joinHere(
  db: Db,
  person: Parameters<typeof joinShop>[1],
  token: string,
  now: Date,
): Promise<true | { problem: string }> {
  return cellOf(db) === cellOfSecret(token) ? joinShop(db, person, token, now) : { problem: OTHER_CELL };
}

/** Whether the first cell has its first visitor behind it, who sets the installation up; taken for true while it cannot be asked beside others. */
export async function isSetUp([home, ...others]: Cells): Promise<boolean> {
  return others.length === 0 ? hasUsers(home) : inTime(hasUsers(home)).catch(() => true);
}
