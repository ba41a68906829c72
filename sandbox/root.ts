import path from "node:path";
import { ROOT } from "@/scripts/root";

/** The paths of Node scripts that run without a build. */
export const GUARDIAN = path.join(ROOT, "sandbox", "guardian.ts");
export const RUN_SOURCE = path.join(ROOT, "sandbox", "run-source.ts");
export const SOLANA_NODE = path.join(ROOT, "sandbox", "solana", "main.ts");
