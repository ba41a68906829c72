import { build } from "./build.mjs";
import { ENTRIES } from "./entries.mjs";
import { install } from "./machine/install.mjs";
import { Halt, main } from "./machine/toolchain.mjs";
import { logAs, startRole } from "./roles.mjs";

// Runs one program of this project in the foreground: node scripts/role.mjs NAME [arguments]
await main(async () => {
  const [name, ...args] = process.argv.slice(2);
  if (!name || !Object.hasOwn(ENTRIES, name))
    throw new Halt(`The program must be one of: ${Object.keys(ENTRIES).join(", ")}`);
  logAs(name);
  await install();
  await build();
  return (await startRole(name, args).ended).code;
});
