import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * A module that is loaded before a program (node --import). Node stores the compiled code of the program and its packages beside the build
 * when the program ends, so that later starts do not compile it again. Without write access, nothing is stored.
 */
enableCompileCache(fileURLToPath(new URL("../../.build/compiled", import.meta.url)));
