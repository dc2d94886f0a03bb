import { ConfigError, EnvReader, readConfig } from "@fava/server/config.ts";
import { settingMeanings } from "./setting-meanings.ts";

/** How `config.ts` reads one setting. */
interface ReadSetting {
  fallback?: string;
  /** Choices, or the range of a number. */
  values?: string;
}

/** Notes every setting that is read, and lets no problem end the reading. */
class RecordingReader extends EnvReader {
  readonly settings = new Map<string, ReadSetting>();
  readonly problems: string[] = [];

  override optional(name: string): string | null {
    this.#note(name, {});
    return super.optional(name);
  }

  override text(name: string, fallback: string): string {
    this.#note(name, { fallback });
    return super.text(name, fallback);
  }

  override choice<const Choices extends readonly string[]>(
    name: string,
    choices: Choices,
    fallback: Choices[number],
  ): Choices[number] {
    this.#note(name, { values: choices.map((choice) => `\`${choice}\``).join(", ") });
    return super.choice(name, choices, fallback);
  }

  override integer(name: string, range: { fallback: number; min: number; max: number }): number {
    const [min, max] = [range.min, range.max].map((value) => value.toLocaleString("en"));
    this.#note(name, { fallback: String(range.fallback), values: `${min} to ${max}` });
    return super.integer(name, range);
  }

  override problem(text: string): void {
    this.problems.push(text);
    super.problem(text);
  }

  #note(name: string, read: ReadSetting): void {
    this.settings.set(name, { ...this.settings.get(name), ...read });
  }
}

/**
 * The tables of all settings and the list of what production requires, as Markdown.
 *
 * @throws Error naming settings that are read and have no meaning, or have one and are not read.
 */
export function settingsTables(): string {
  const development = record({});
  const production = record({ APP_MODE: "production" });
  const site = record({ APP_MODE: "production", REDIS_URL: "redis://redis", MODERATION: "off" });
  const readAtAll = new Map([...site.settings, ...production.settings, ...development.settings]);
  const explained = Object.values(settingMeanings).flatMap((group) =>
    Object.keys(group).flatMap((names) => names.split(", ")),
  );
  const unlike = [
    ...[...readAtAll.keys()].filter((name) => !explained.includes(name)).map((name) => `${name} has no meaning`),
    ...explained.filter((name) => !readAtAll.has(name)).map((name) => `${name} is read nowhere`),
  ];
  if (unlike.length > 0) throw new Error(`tools/documents/setting-meanings.ts: ${unlike.join("; ")}`);
  const defaultOf = (name: string) => {
    const [inDevelopment, inProduction] = [development, production].map(({ settings }) => settings.get(name)?.fallback);
    const isSame = inDevelopment === inProduction;
    return isSame ? quoted(inDevelopment) : `${quoted(inDevelopment)}; production ${quoted(inProduction)}`;
  };
  const tables = Object.entries(settingMeanings).map(([heading, settings]) => {
    const rows = Object.entries(settings).map(([names, { meaning, default: told }]) => {
      const first = names.split(", ")[0] ?? "";
      const values = readAtAll.get(first)?.values;
      const shown = names.split(", ").map((name) => `\`${name}\``);
      const sentences = [meaning, ...(values === undefined ? [] : [`Values: ${values}.`])];
      return `| ${shown.join(", ")} | ${told ?? defaultOf(first)} | ${sentences.join(" ")} |`;
    });
    return [`## ${heading}`, "", "| setting | default | meaning |", "|---|---|---|", ...rows, ""].join("\n");
  });
  const required = bySameReason(production.problems).map((problem) => `- ${problem}`);
  const head = ["## What production requires", "", "A production server without any setting reports:", ""];
  return [...tables, ...head, ...required].join("\n");
}

/** Joins problems such as "production needs A: the placeholder is refused" that differ in the name alone. */
function bySameReason(problems: readonly string[]): string[] {
  const names = new Map<string, string[]>();
  for (const problem of problems) {
    const [, start = problem, name, end = ""] =
      /^(production needs )([A-Z_]+)(: the placeholder is refused)$/.exec(problem) ?? [];
    const key = `${start}|${end}`;
    names.set(key, [...(names.get(key) ?? []), ...(name === undefined ? [] : [name])]);
  }
  return [...names].map(([key, all]) => key.replace("|", all.join(", ")));
}

function record(environment: Readonly<Record<string, string>>): RecordingReader {
  const reader = new RecordingReader(environment);
  try {
    readConfig(environment, reader);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  return reader;
}

function quoted(fallback: string | undefined): string {
  return fallback === undefined || fallback === "" ? "" : `\`${fallback}\``;
}
