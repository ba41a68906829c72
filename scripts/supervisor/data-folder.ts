import { access, constants, mkdir, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { StartProblem } from "@/scripts/supervisor/problem";

/**
 * Creates the data folder of an installation or the sandbox, with its subfolders.
 * @throws StartProblem if this user cannot write to one of them
 */
export async function openDataFolder(folder: string, parts: readonly string[] = []): Promise<void> {
  for (const one of [folder, ...parts]) {
    try {
      await mkdir(one, { recursive: true, mode: 0o755 });
      await access(one, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      throw await problemOf(one, error as NodeJS.ErrnoException);
    }
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: "cannot write there",
  EPERM: "cannot write there",
  EROFS: "cannot write there, because its file system is read-only",
  ENOTDIR: "cannot write there, because part of this path is a file",
  EEXIST: "cannot write there, because it is a file",
};

async function problemOf(folder: string, error: NodeJS.ErrnoException): Promise<Error> {
  const problem = PROBLEMS[error.code ?? ""];
  if (!problem) return error;
  const canBeChanged = error.code === "EACCES" || error.code === "EPERM";
  const owner = await stat(folder).then(
    ({ uid }) => uid,
    () => null,
  );
  const assign = owner === null ? `sudo install -d -o ${userId()} ${folder}` : `sudo chown -R ${userId()} ${folder}`;
  const whose = owner === null || owner === process.getuid?.() ? "" : `, which belongs to user id ${owner}`;
  return new StartProblem(
    `The data folder is ${folder}${whose}; ${userName()} ${problem}. Set STABLEGATE_DATA_DIR to a folder that this user can write to${canBeChanged ? `, or run: ${assign}` : ""}.`,
  );
}

const userId = () => process.getuid?.() ?? "";

function userName(): string {
  try {
    return `the user "${userInfo().username}"`;
  } catch {
    return `the user with id ${userId()}`;
  }
}
