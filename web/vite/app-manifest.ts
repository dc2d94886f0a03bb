import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { manifestPath } from "../../wire/src/installed-app.ts";
import type { Plugin } from "vite";

type Texts = Readonly<Record<string, string>>;

/** Writes the manifest of the installed app, once per language, as `/manifest/<language>.webmanifest`. */
export function appManifest(): Plugin {
  let folder = "";
  return {
    name: "fava:app-manifest",
    apply: "build",
    configResolved(config) {
      folder = join(config.root, "locales");
    },
    generateBundle() {
      for (const file of readdirSync(folder)) {
        const language = file.replace(/\.json$/, "");
        const texts = JSON.parse(readFileSync(join(folder, file), "utf8")) as Texts;
        const source = `${JSON.stringify(manifestOf(language, texts), null, 2)}\n`;
        this.emitFile({ type: "asset", fileName: manifestPath(language).slice(1), source });
      }
    },
  };
}

function manifestOf(language: string, texts: Texts): object {
  return {
    // The same in every language: a change of language must not create another app.
    id: "/",
    start_url: "/",
    scope: "/",
    name: texts["app.title"],
    short_name: "Fava",
    description: texts["app.description"],
    lang: language,
    dir: "auto",
    display: "standalone",
    orientation: "any",
    background_color: "#0c0f0d",
    theme_color: "#0c0f0d",
    categories: ["social"],
    icons: [
      { src: "/icon.svg", type: "image/svg+xml", sizes: "any" },
      ...(["any", "maskable"] as const).flatMap((purpose) =>
        [192, 512].map((size) => ({
          src: `/icons/${purpose}-${size}.png`,
          type: "image/png",
          sizes: `${size}x${size}`,
          purpose,
        })),
      ),
    ],
    shortcuts: [
      { name: texts["home.start"], url: "/?open=start", icons: shortcutIcons },
      { name: texts["home.messages"], url: "/?open=messages", icons: shortcutIcons },
    ],
  };
}

const shortcutIcons = [{ src: "/icons/any-192.png", type: "image/png", sizes: "192x192" }];
