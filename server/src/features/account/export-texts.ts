import { catalogText } from "#catalog-text.ts";

/** Files of an export in the order in which they stand in it. */
export const exportFileNames = [
  "profile.json",
  "messages.json",
  "relations.json",
  "calls.json",
  "beans.json",
  "orders.json",
  "reports.json",
  "decisions.json",
  "sign-ins.json",
  "stopped-texts.json",
] as const;
export type ExportFileName = (typeof exportFileNames)[number];

/** What stands in `README.txt`: what each file is, in this language. */
export function readmeText(language: string, about: { account: string; day: string }): string {
  const lines = [...exportFileNames, "photos/"].map((name) => {
    const topic = name.replace(/\.json$|\/$/, "");
    return `${name}: ${catalogText(language, `export.${topic}`)}`;
  });
  const [title, intro, end] = ["title", "intro", "end"].map((part) => catalogText(language, `export.${part}`, about));
  return `${[title, "", intro, "", ...lines, "", end].join("\r\n")}\r\n`;
}
