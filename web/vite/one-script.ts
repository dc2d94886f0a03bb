import { build, type Rolldown } from "vite";

/**
 * Builds a module of the web app with all its imports as one classic script; its exports become properties of `name`.
 */
export async function oneScript(entry: string, name: string): Promise<string> {
  const built = await build({
    root: `${import.meta.dirname}/..`,
    configFile: false,
    logLevel: "warn",
    build: { write: false, minify: false, lib: { entry, formats: ["iife"], name, fileName: name } },
  });
  return (built as Rolldown.RolldownOutput[])[0]?.output[0].code ?? "";
}
