import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A table, with its comment and the tables that its foreign keys name. */
export interface Table {
  name: string;
  comment: string;
  references: readonly string[];
}

/** Files of the baseline with tables, by the heading that they get. */
const domains = {
  people: "Accounts",
  relations: "Relations",
  messages: "Messages",
  calls: "Calls",
  beans: "Beans",
  shop: "Shop",
  moderation: "Moderation",
  standing: "Standing",
  servers: "Servers",
  operator: "Operator",
} as const;

/**
 * A list of all tables by domain and a diagram of their foreign keys, as Markdown, and the names of the tables that refer
 * to users.
 */
export function dataModel(root: string): { tables: string; diagram: string; personal: readonly string[] } {
  const folder = join(root, "server/src/db/migrations");
  const later = readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .map((file) => readFileSync(join(folder, file), "utf8"));
  const read = Object.entries(domains).map(([file, heading]) => ({
    heading,
    tables: [readFileSync(join(folder, `0001-baseline/${file}.sql`), "utf8"), ...later]
      .filter((sql, index) => index === 0 || domainOf(sql) === file)
      .flatMap(tablesIn),
  }));
  const lists = read.map(({ heading, tables }) => {
    const rows = tables.map(({ name, comment }) => `| \`${name}\` | ${comment} |`);
    return [`### ${heading}`, "", "| table | content |", "|---|---|", ...rows].join("\n");
  });
  const edges = read.flatMap(({ tables }) =>
    tables.flatMap(({ name, references }) =>
      references
        .filter((other) => other !== "users" && other !== name)
        .map((other) => `  ${other} ||--o{ ${name} : ""`),
    ),
  );
  return {
    tables: lists.join("\n\n"),
    diagram: ["```mermaid", "erDiagram", ...edges, "```"].join("\n"),
    personal: read.flatMap(({ tables }) =>
      tables.filter(({ references }) => references.includes("users")).map(({ name }) => name),
    ),
  };
}

/** The domain of a later migration, from its first line; null for one without tables. */
export function domainOf(sql: string): string | null {
  if (!/^create table /m.test(sql)) return null;
  const named = /^-- domain: ([\w-]+)\n/.exec(sql)?.[1];
  if (named === undefined || !(named in domains)) throw new Error("a migration with tables names no domain");
  return named;
}

/** @throws Error for a table without a comment. */
export function tablesIn(sql: string): Table[] {
  return [...sql.matchAll(/^create table (\w+) \((.*?)^\)/gms)].map(([, name = "", body = ""]) => {
    const comment = new RegExp(String.raw`^comment on table ${name} is\s+'((?:[^']|'')+)'`, "m").exec(sql)?.[1];
    if (comment === undefined) throw new Error(`the table ${name} has no comment`);
    const references = new Set(Array.from(body.matchAll(/\breferences (\w+)/g), ([, other = ""]) => other));
    return { name, comment: comment.replaceAll("''", "'"), references: [...references] };
  });
}
