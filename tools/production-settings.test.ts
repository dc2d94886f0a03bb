import { readFileSync } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "@fava/server/config.ts";
import { root } from "./lib/bootstrap.mjs";
import { exampleSettings, exampleStripe } from "./lib/example-settings.ts";
import {
  answersIn,
  asEnvironmentFile,
  askForSettings,
  openEnvironmentFile,
  readEnvironmentFile,
  type Settings,
  settingsWithoutQuestions,
} from "./lib/production-settings.ts";

const answers: Readonly<Record<string, string>> = {
  Domain: "fava.test",
  "Public IP": "203.0.113.7",
  certificate: "ops@fava.test",
  "Name of the operator": 'Bean & "Sons" $1 O\'Neil \\ Ltd',
  "Postal address": "1 Bean Street, Town",
  "people who use": "help@fava.test",
  "Account for support": "@fava",
  "Mail address for business": "business@fava.test",
  "Phone number": "+1 555 0100",
  "People online": "real",
  "Google: client id": "google-client",
  "Stripe: secret key": "sk_live_1",
  "Stripe: secret of the webhook": "whsec_1",
};

const facebookSecret = "0123456789abcdef0123456789abcdef";
const askedMax = 200;

/** Answers by words of the question, each list in order; empty answers otherwise. */
function operatorWith(given: Readonly<Record<string, string | readonly string[]>>) {
  const left = new Map(Object.entries(given).map(([words, answer]) => [words, [answer].flat()]));
  const said: string[] = [];
  const asked: string[] = [];
  return {
    said,
    asked,
    ask: async (question: string) => {
      asked.push(question);
      if (asked.length > askedMax) throw new Error(`asked without an end: ${question}`);
      return [...left].find(([words]) => question.includes(words))?.[1].shift() ?? "";
    },
    say: (line: string) => void said.push(line),
  };
}

function startsWith(settings: Settings): string {
  return readConfig({ ...settings, DATABASE_URL: "postgres://postgres/fava" }).settings.mode;
}

test("turns an operator's answers into settings that start a server in production", async () => {
  const settings = await askForSettings(operatorWith(answers), {});
  const read = readEnvironmentFile(asEnvironmentFile(settings));
  expect(read).toEqual(settings);
  expect(startsWith(read)).toBe("production");
  expect(read["COMPANY_NAME"]).toBe(answers["Name of the operator"]);
  const other = await askForSettings(operatorWith(answers), {});
  for (const name of ["SERVER_SECRET", "POSTGRES_PASSWORD", "TURN_SECRET", "TURN_CLI_PASSWORD"]) {
    expect(read[name]).toMatch(/^[\w-]{43}$/);
    expect(other[name]).not.toBe(read[name]);
  }
});

test("creates and keeps notification keys", async () => {
  const first = await askForSettings(operatorWith(answers), {});
  const { keys } = readConfig({ ...first, DATABASE_URL: "postgres://postgres/fava" }).push;
  expect(keys).toMatchObject({ subject: "mailto:help@fava.test" });
  const again = await askForSettings(operatorWith({ "people who use": "other@fava.test" }), first);
  const of = ({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT }: Settings) => [
    VAPID_PUBLIC_KEY,
    VAPID_PRIVATE_KEY,
    VAPID_SUBJECT,
  ];
  expect(of(again)).toEqual(of(first));
  const other = await askForSettings(operatorWith(answers), {});
  expect(of(other)).not.toEqual(of(first));
});

test("reports what the server would reject, and asks again", async () => {
  const operator = operatorWith({ ...answers, "Facebook: app id": ["1", "-"] });
  const settings = await askForSettings(operator, {});
  expect(operator.said.join("\n")).toContain("FACEBOOK_APP_SECRET");
  expect(settings).not.toHaveProperty("FACEBOOK_APP_ID");
});

test("asks again at once for an answer of another kind", async () => {
  const operator = operatorWith({ ...answers, Domain: ["", "no domain", "https://fava.test", "fava.test"] });
  expect(await askForSettings(operator, {})).toMatchObject({ DOMAIN: "fava.test" });
  expect(operator.asked.filter((question) => question.includes("Domain"))).toHaveLength(4);
});

test.each([
  ["Stripe: secret key", "sk_test_1", "sk_live_1"],
  ["Stripe: secret of the webhook", "sk_live_1", "whsec_1"],
  ["Facebook: app secret", "shh", facebookSecret],
  ["PostgreSQL", "10.0.0.5", "postgres://fava@10.0.0.5/fava"],
])("rejects an answer of the wrong shape: %s", async (question, wrong, right) => {
  const operator = operatorWith({
    ...answers,
    "Facebook: app id": "1",
    "Facebook: app secret": facebookSecret,
    [question]: [wrong, right],
  });
  expect(Object.values(await askForSettings(operator, {}))).toContain(right);
  expect(operator.asked.filter((asked) => asked.includes(question))).toHaveLength(2);
});

test("shows the letters of no secret while they are typed", async () => {
  const hidden: string[] = [];
  const operator = operatorWith(answers);
  const ask = (question: string, isSecret: boolean) => {
    if (isSecret) hidden.push(question.replace(/ \(.*/, ""));
    return operator.ask(question);
  };
  await askForSettings({ ...operator, ask }, {});
  expect(hidden).toEqual([
    "Facebook: app secret",
    "Stripe: secret key",
    "Stripe: secret of the webhook",
    "PayerMax: our private key",
    "Coda: key",
    "PostgreSQL, as postgres://user:password@host/database; none with Compose",
    "Redis of several servers, as redis://host:6379; none with Compose",
    "Mail server, as smtps://user:password@host:465; none: no mails",
    "Bucket: secret key",
  ]);
});

/** The same answers by the names of the settings. */
const given: Settings = {
  DOMAIN: "fava.test",
  PUBLIC_ADDRESS: "203.0.113.7",
  CERTIFICATE_EMAIL: "ops@fava.test",
  ...exampleSettings,
  ...exampleStripe,
};

test("takes all answers from a file or the environment, keeps secrets, and removes what is empty", () => {
  const first = settingsWithoutQuestions(
    answersIn({ ...given, HOME: "/root", SERVER_SECRET: "of another program" }),
    {},
  );
  expect(startsWith(first)).toBe("production");
  expect(first).not.toHaveProperty("HOME");
  expect(first["SERVER_SECRET"]).toMatch(/^[\w-]{43}$/);
  const second = settingsWithoutQuestions(
    {
      ADMIN_IDENTITIES: "ops@fava.test",
      GOOGLE_CLIENT_ID: "",
      APPLE_CLIENT_ID: "a",
      APPLE_REDIRECT_URI: "https://fava.test/",
    },
    first,
  );
  expect(second).not.toHaveProperty("GOOGLE_CLIENT_ID");
  expect(second).toMatchObject({ SERVER_SECRET: first["SERVER_SECRET"], ADMIN_IDENTITIES: "ops@fava.test" });
});

test("keeps a relay that the answers name, and takes the site's own once it is emptied", () => {
  const TURN_URLS = "turns:relay.test:443";
  const first = settingsWithoutQuestions({ ...given, TURN_URLS }, {});
  expect(first).toMatchObject({ TURN_URLS, PUBLIC_ORIGIN: "https://fava.test" });
  expect(settingsWithoutQuestions({ DOMAIN: "bean.test" }, first)).toMatchObject({
    TURN_URLS,
    PUBLIC_ORIGIN: "https://bean.test",
  });
  expect(settingsWithoutQuestions({ TURN_URLS: "" }, first)["TURN_URLS"]).toMatch(/^turn:fava\.test:3478/);
});

test("names everything that is missing or wrong when it does not ask", () => {
  const { DOMAIN, COMPANY_NAME, ...rest } = given;
  expect([DOMAIN, COMPANY_NAME]).not.toContain(undefined);
  const wrong = { ...rest, STRIPE_SECRET_KEY: "sk_test_1" };
  expect(() => settingsWithoutQuestions(wrong, {})).toThrow(/DOMAIN .*COMPANY_NAME .*STRIPE_SECRET_KEY /s);
  expect(() => settingsWithoutQuestions({ ...given, ADMIN_IDENTITIES: "ada" }, {})).toThrow(
    "ADMIN_IDENTITIES names ada",
  );
});

test("offers earlier answers on a second run, keeps secrets unseen, and keeps manual additions", async () => {
  const first = await askForSettings(operatorWith(answers), {});
  const operator = operatorWith({
    "Google: client id": "-",
    "Facebook: app id": "1",
    "Facebook: app secret": facebookSecret,
  });
  const second = await askForSettings(operator, { ...first, HELP_LINES: "*|Somebody|112|" });
  const { GOOGLE_CLIENT_ID, ...rest } = first;
  expect(GOOGLE_CLIENT_ID).toBe("google-client");
  expect(second).toEqual({
    ...rest,
    HELP_LINES: "*|Somebody|112|",
    FACEBOOK_APP_ID: "1",
    FACEBOOK_APP_SECRET: facebookSecret,
  });
  expect(operator.asked.join("\n")).not.toContain("whsec_1");
});

test("keeps manual addresses, and updates those derived from the domain", async () => {
  const first = await askForSettings(operatorWith(answers), {});
  const TURN_URLS = "turns:turn.fava.test:443?transport=tcp";
  const operator = operatorWith({ Domain: "other.test" });
  const second = await askForSettings(operator, { ...first, TURN_URLS });
  expect(second).toMatchObject({ TURN_URLS, PUBLIC_ORIGIN: "https://other.test" });
  expect(operator.said).toEqual([`TURN_URLS stays as it was written by hand: ${TURN_URLS}`]);
  const moved = await askForSettings(operatorWith({ Domain: "other.test" }), first);
  expect(moved["TURN_URLS"]).toBe("turn:other.test:3478?transport=udp,turn:other.test:3478?transport=tcp");
});

test("keeps the file as written, except for new answers", async () => {
  const written = [
    "# Ours, since March",
    "COMPANY_NAME=Bean & Sons Ltd",
    "HELP_LINES='*|Somebody|112|'",
    'COUNTRIES="DE,FR" # more later',
    "http_proxy=http://10.0.0.1:3128",
    'DATABASE_URL="postgres://fava:p\\$x@db/fava"',
    "",
    "STRIPE_SECRET_KEY=sk_live_0",
  ];
  const before = `${written.join("\n")}\n`;
  const known = readEnvironmentFile(before);
  expect(known).toEqual({
    COMPANY_NAME: "Bean & Sons Ltd",
    HELP_LINES: "*|Somebody|112|",
    DATABASE_URL: "postgres://fava:p$x@db/fava",
    STRIPE_SECRET_KEY: "sk_live_0",
  });
  const { "Name of the operator": _kept, ...others } = answers;
  const after = asEnvironmentFile(await askForSettings(operatorWith(others), known), before);
  const lines = after.split("\n");
  expect(lines.slice(0, 7)).toEqual(written.slice(0, 7));
  expect(lines[7]).toBe('STRIPE_SECRET_KEY="sk_live_1"');
  expect(lines.filter((line) => line.startsWith("COMPANY_NAME="))).toHaveLength(1);
  expect(asEnvironmentFile(readEnvironmentFile(after), after)).toBe(after);
});

test("creates the folder for its owner alone, and reports an unwritable one before any question", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fava-settings-"));
  const file = join(folder, "fava", "env");
  expect(await openEnvironmentFile(file)).toBe("");
  expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
  await writeFile(file, "SERVERS=2\n");
  expect(await openEnvironmentFile(file)).toBe("SERVERS=2\n");
  await expect(openEnvironmentFile(join(file, "env"))).rejects.toThrow(/EEXIST|ENOTDIR/);
  await rm(folder, { recursive: true });
});

test("gives every container of Compose settings that start a server", async () => {
  const settings = await askForSettings(operatorWith(answers), {});
  const compose = readFileSync(join(root, "deploy/compose.yaml"), "utf8");
  const [, block = ""] = /^x-server:[^]*?^ {2}environment:.*\n((?: {4}.*\n)+)/m.exec(compose) ?? [];
  const environment = Array.from(block.matchAll(/^ {4}([A-Z_]+): "?([^"\n]*)"?$/gm), ([, name = "", value = ""]) => [
    name,
    value.replaceAll(/\$\{([A-Z_]+)\}/g, (_all, named: string) => settings[named] ?? ""),
  ]);
  const config = readConfig({ ...settings, ...Object.fromEntries(environment) });
  expect(config).toMatchObject({ host: "0.0.0.0", redisUrl: "redis://redis:6379" });
});

test("exits with a reason for a wrong setting that was not asked for", async () => {
  await expect(askForSettings(operatorWith(answers), { COUNTRIES: "XX" })).rejects.toThrow("COUNTRIES names XX");
});

test("asks for or creates every setting that the files of a site use", async () => {
  const settings = await askForSettings(operatorWith(answers), {});
  const asked = ["compose.yaml", "Caddyfile"].flatMap((file) =>
    Array.from(readFileSync(join(root, "deploy", file), "utf8").matchAll(/\{\$?([A-Z_]+)\}/g), ([, name = ""]) => name),
  );
  expect(asked.length).toBeGreaterThan(5);
  for (const name of asked) expect(Object.keys(settings)).toContain(name);
});
