import { join } from "node:path";
import { expect, test } from "vitest";
import { dataModel, domainOf, tablesIn } from "./data-model.ts";

const sql = `create table pets (
  id bigint primary key,
  owner_id bigint not null references people (id),
  vet_id bigint references people (id)
);
create index pets_owner on pets (owner_id);
comment on table pets is
  'A person''s pets.';

create table notes (
  text text not null
) partition by range (text);
`;

test("reads comments and foreign keys of tables", () => {
  expect(tablesIn(`${sql}comment on table notes is 'Notes.';\n`)).toEqual([
    { name: "pets", comment: "A person's pets.", references: ["people"] },
    { name: "notes", comment: "Notes.", references: [] },
  ]);
});

test("rejects a table without a comment", () => {
  expect(() => tablesIn(sql)).toThrow("the table notes has no comment");
});

test("reads the domain of a later migration, which must name one if it has tables", () => {
  expect(domainOf(`-- domain: people\n${sql}`)).toBe("people");
  expect(domainOf("alter table pets add name text;")).toBeNull();
  expect(() => domainOf(sql)).toThrow("names no domain");
  expect(() => domainOf(`-- domain: zoo\n${sql}`)).toThrow("names no domain");
});

test("lists the tables of all migrations and draws their foreign keys", () => {
  const { tables, diagram, personal } = dataModel(join(import.meta.dirname, "../.."));
  expect(personal).toContain("sessions");
  expect(personal).toContain("passkeys");
  expect(personal).not.toContain("packs");
  expect(tables).toContain("| `bean_entries` |");
  expect(diagram).toContain('cases ||--o{ evidence : ""');
});
