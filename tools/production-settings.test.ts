import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "@fava/server/config.ts";
import { root } from "./lib/bootstrap.mjs";
import { asEnvironmentFile, askForSettings, readEnvironmentFile, type Settings } from "./lib/production-settings.ts";

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

const askedMax = 200;

/** Answers by the words of the question, each list to its end; nothing where there is none. */
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

test("[START-90] what an operator answers becomes settings with which a server starts in production", async () => {
  const settings = await askForSettings(operatorWith(answers), {});
  const read = readEnvironmentFile(asEnvironmentFile(settings));
  expect(read).toEqual(settings);
  expect(startsWith(read)).toBe("production");
  expect(read["COMPANY_NAME"]).toBe(answers["Name of the operator"]);
  const other = await askForSettings(operatorWith(answers), {});
  for (const name of ["SERVER_SECRET", "POSTGRES_PASSWORD", "TURN_SECRET"]) {
    expect(read[name]).toMatch(/^[\w-]{43}$/);
    expect(other[name]).not.toBe(read[name]);
  }
});

test("[NOTIFY-8] keys for notifications are made with everything else, and kept", async () => {
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

test("[START-90] what the server would refuse is said, and asked again", async () => {
  const operator = operatorWith({ ...answers, "Stripe: secret key": ["sk_test_1", "sk_live_1"] });
  const settings = await askForSettings(operator, {});
  expect(operator.said.join("\n")).toContain("STRIPE_SECRET_KEY");
  expect(settings["STRIPE_SECRET_KEY"]).toBe("sk_live_1");
});

test("[START-90] an answer of another kind is asked for again at once", async () => {
  const operator = operatorWith({ ...answers, Domain: ["", "no domain", "https://fava.test", "fava.test"] });
  expect(await askForSettings(operator, {})).toMatchObject({ DOMAIN: "fava.test" });
  expect(operator.asked.filter((question) => question.includes("Domain"))).toHaveLength(4);
});

test("[START-91] asked a second time, everything stands there already, secrets are kept and not shown, and what was added by hand stays", async () => {
  const first = await askForSettings(operatorWith(answers), {});
  const operator = operatorWith({ "Google: client id": "-", "Facebook: app id": "1", "Facebook: app secret": "shh" });
  const second = await askForSettings(operator, { ...first, HELP_LINES: "*|Somebody|112|" });
  const { GOOGLE_CLIENT_ID, ...rest } = first;
  expect(GOOGLE_CLIENT_ID).toBe("google-client");
  expect(second).toEqual({ ...rest, HELP_LINES: "*|Somebody|112|", FACEBOOK_APP_ID: "1", FACEBOOK_APP_SECRET: "shh" });
  expect(operator.asked.join("\n")).not.toContain("whsec_1");
});

test("[START-164] whatever is started in a container of Compose has settings with which a server starts", async () => {
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

test("[START-90] what is wrong and was not asked for ends it with a word about it", async () => {
  await expect(askForSettings(operatorWith(answers), { COUNTRIES: "XX" })).rejects.toThrow("COUNTRIES names XX");
});

test("[START-90] every setting that the files of a site ask for is asked for or made", async () => {
  const settings = await askForSettings(operatorWith(answers), {});
  const asked = ["compose.yaml", "Caddyfile"].flatMap((file) =>
    Array.from(readFileSync(join(root, "deploy", file), "utf8").matchAll(/\{\$?([A-Z_]+)\}/g), ([, name = ""]) => name),
  );
  expect(asked.length).toBeGreaterThan(5);
  for (const name of asked) expect(Object.keys(settings)).toContain(name);
});
