import { randomBytes } from "node:crypto";
import { access, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { readAppSecret } from "@/scripts/installation/own-database";
import { ownFiles } from "@/scripts/installation/own-folder";

/** Both secrets of an embedded database, as settings; the second is set only during a rotation. */
export interface SecretSettings {
  APP_SECRET: string;
  APP_SECRET_ALSO?: string;
}

/**
 * Returns the secrets of an embedded database as settings. They come from the given settings, otherwise from its files.
 * @throws StartProblem as `readAppSecret`
 */
export async function readOwnSecrets(
  source: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<SecretSettings & { isNew: boolean }> {
  const { text, isNew } = await readAppSecret(source, folder);
  const also = source["APP_SECRET_ALSO"]?.trim() || (await readAlso(folder));
  return { APP_SECRET: text, ...(also && { APP_SECRET_ALSO: also }), isNew };
}

/**
 * Creates the next secret of an embedded database whose secret is in its file. The previous secret is stored beside it, so that both can
 * decrypt the data after a crash at any time. An interrupted rotation continues with the secret that it created. The caller must have
 * exclusive access to the folder, because a running service would not have the new secret.
 * @throws StartProblem if there is no secret to change
 */
export async function beginOwnRotation(folder: string): Promise<SecretSettings> {
  const files = ownFiles(folder);
  const { text } = await readAppSecret({}, folder, { mustExist: true });
  const kept = await readAlso(folder);
  if (kept !== null && kept !== text) return { APP_SECRET: text, APP_SECRET_ALSO: kept };
  await writeSecret(files.appSecretAlso, text);
  const made = randomBytes(32).toString("base64url");
  await writeSecret(files.appSecret, made);
  return { APP_SECRET: made, APP_SECRET_ALSO: text };
}

/** Removes the previous secret after all data are encrypted under the new one. */
export async function endOwnRotation(folder: string): Promise<void> {
  await rm(ownFiles(folder).appSecretAlso, { force: true });
}

async function readAlso(folder: string): Promise<string | null> {
  const file = ownFiles(folder).appSecretAlso;
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  return isThere ? (await readFile(file, "utf8")).trim() : null;
}

/** Writes a secret to a file. The complete file and its directory entry must be on disk before anything depends on them. */
async function writeSecret(file: string, secret: string): Promise<void> {
  const draft = `${file}.${process.pid}.new`;
  const handle = await open(draft, "w", 0o600);
  try {
    await handle.writeFile(`${secret}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  const folder = await open(path.dirname(file));
  await folder.sync().finally(() => folder.close());
}
