import path from "node:path";
import { homeFolder } from "@/scripts/root";

type Source = Readonly<Record<string, string | undefined>>;

/** Returns the data folder of an installation on the embedded database. The sandbox uses a different folder. */
export function ownFolder(source: Source): string {
  const given = source["STABLEGATE_DATA_DIR"]?.trim();
  const home = homeFolder(source);
  return given ? path.resolve(home, given, "live") : path.join(home, ".live");
}

/** Returns the paths of the files and folders in a data folder. */
export function ownFiles(folder: string) {
  const at = (name: string) => path.join(folder, name);
  return {
    postgres: at("postgres"),
    lock: at("lock.json"),
    running: at("running.json"),
    appSecret: at("app-secret"),
    /** The previous secret, while data are re-encrypted under the new one. */
    appSecretAlso: at("app-secret-also"),
    password: at("database-password"),
    dumps: at("dumps"),
    /** The file that names the database to which the data were moved; it exists only after a move. */
    moved: at("moved.json"),
  };
}
