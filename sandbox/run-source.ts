/**
 * A module that is loaded before a sandbox program (node --import). It resolves imports of "@/…", so that plain Node can run the sources
 * without a build. It must not import project modules.
 */
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const root = pathToFileURL(`${import.meta.dirname}/../`);

registerHooks({
  resolve: (specifier, context, next) => {
    if (!specifier.startsWith("@/")) return next(specifier, context);
    const file = specifier.endsWith(".json") ? specifier.slice(2) : `${specifier.slice(2)}.ts`;
    return next(new URL(file, root).href, context);
  },
});
