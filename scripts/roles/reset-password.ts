import { openDb } from "@/db/client";
import { createDbClock } from "@/lib/clock";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { resetPassword } from "@/lib/users/reset-password";
import { openInstallation } from "@/scripts/installation/own-database";

/** The argument after the email address that also removes all second factors. */
const FACTORS_TOO = "factors-too";

/**
 * `npm run reset-password -- owner@example.com`: sets a new password for a user who lost theirs and prints it once. With
 * "factors-too" it also removes the user's authenticator app, passkeys and recovery codes.
 */
async function run(): Promise<void> {
  const [email, word] = process.argv.slice(2);
  if (word && word !== FACTORS_TOO)
    throw new Error(`Nothing was changed. The only argument allowed after the email address is "${FACTORS_TOO}"`);
  if (!email) throw new Error("The email address is missing. For example: npm run reset-password -- owner@example.com");
  const installation = await openInstallation(process.env);
  const pool = openDb(installation.url, { work: "pages", max: 1, applicationName: "stablegate-reset-password" });
  try {
    const clock = createDbClock(pool.db, Date.now);
    await clock.sync();
    const done = await resetPassword(pool.db, { typed: email, areFactorsLost: word === FACTORS_TOO }, clock.now());
    if ("problem" in done) throw new Error(`Nothing was changed. ${inEnglish(done.problem)}.`);
    console.log(`The new password of ${done.email} is ${done.password}`);
    if (word) console.log(done.hadFactors ? "Their second factors were removed." : "They had no second factor.");
    console.log(
      `Sessions ended: ${done.sessions}. The user can sign in now and change the password under Settings, Account.`,
    );
  } finally {
    await pool.close();
    await installation.close();
  }
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
