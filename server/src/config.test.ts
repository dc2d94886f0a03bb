import { pino } from "pino";
import { expect, test } from "vitest";
import { countryByCode } from "@fava/wire/countries.ts";
import { interfaceLanguages } from "@fava/wire/languages.ts";
import { SandboxPusher } from "#adapters/push/sandbox-pusher.ts";
import { makeVapidPair } from "#adapters/push/vapid.ts";
import { WebPusher } from "#adapters/push/web-pusher.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { choosePusher } from "#adapters/open.ts";
import { ConfigError, readConfig } from "./config.ts";
import { ServerSecret } from "#lib/server-secret.ts";

const production = {
  APP_MODE: "production",
  GOOGLE_CLIENT_ID: "google-client",
  FACEBOOK_APP_ID: "facebook-app",
  FACEBOOK_APP_SECRET: "facebook-secret",
  APPLE_CLIENT_ID: "apple-client",
  APPLE_REDIRECT_URI: "https://fava.test/",
  DATABASE_URL: "postgres://database.test/fava",
  SERVER_SECRET: "0123456789abcdef0123456789abcdef",
  TURN_URLS: "turn:turn.test:3478",
  TURN_SECRET: "0123456789abcdef",
  ONLINE_COUNT: "real",
  PUBLIC_ORIGIN: "https://fava.test",
  CONTACT_EMAIL: "help@fava.test",
  CONTACT_ACCOUNT: "@fava",
  COMPANY_NAME: "Fava Ltd",
  COMPANY_ADDRESS: "1 Bean Street",
  BUSINESS_EMAIL: "business@fava.test",
  BUSINESS_PHONE: "+1 555 0100",
  STRIPE_SECRET_KEY: "sk_live_1",
  STRIPE_WEBHOOK_SECRET: "whsec_1",
};

function problemsOf(environment: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test("uses the embedded database for an empty environment", () => {
  const config = readConfig({});
  expect(config.settings.mode).toBe("development");
  expect(config.port).toBe(3000);
  expect(config.databaseUrl).toBeNull();
  expect(config.settings.prices).toEqual({ gender: 1600, country: 800, both: 2000 });
});

test("listens for metrics on a second port only if one is set, which is not the first", () => {
  expect(readConfig({ METRICS_HOST: "0.0.0.0" }).metrics).toBeNull();
  expect(readConfig({ METRICS_PORT: "9464" }).metrics).toEqual({ host: "localhost", port: 9464 });
  expect(readConfig({ METRICS_PORT: "9464", METRICS_HOST: "::" }).metrics).toEqual({ host: "::", port: 9464 });
  expect(problemsOf({ PORT: "3100", METRICS_PORT: "3100" })).toEqual([
    "METRICS_PORT is the PORT, 3100: choose another, such as 9464",
  ]);
  expect(problemsOf({ METRICS_PORT: "70000" })).toHaveLength(1);
});

test("[START-9] accepts a complete production environment", () => {
  expect(readConfig(production).settings.mode).toBe("production");
});

const vapid = { ...makeVapidPair(), subject: "mailto:help@fava.test" };
const vapidSettings = {
  VAPID_PUBLIC_KEY: vapid.publicKey,
  VAPID_PRIVATE_KEY: vapid.privateKey,
  VAPID_SUBJECT: vapid.subject,
};

test("requires notification keys as a pair with the operator's address, or none", () => {
  expect(readConfig(production).push.keys).toBeNull();
  expect(readConfig({ ...production, ...vapidSettings }).push.keys).toEqual(vapid);
  const other = makeVapidPair();
  expect(problemsOf({ ...vapidSettings, VAPID_PRIVATE_KEY: other.privateKey }).join()).toContain("not a pair");
  expect(problemsOf({ ...vapidSettings, VAPID_SUBJECT: "help@fava.test" }).join()).toContain("VAPID_SUBJECT");
  expect(problemsOf({ ...vapidSettings, VAPID_SUBJECT: undefined }).join()).toContain("set all or none");
});

test("[NOTIFY-2] reads the allowed push services from a setting, by host", () => {
  expect(readConfig({}).push.hosts).toContain("fcm.googleapis.com");
  expect(readConfig({ PUSH_HOSTS: "push.fava.test,*.push.test" }).push.hosts).toEqual([
    "push.fava.test",
    "*.push.test",
  ]);
  for (const PUSH_HOSTS of ["https://push.test", "*", "*.test", "push.test:8443", "localhost", "10.0.0.1"])
    expect(problemsOf({ PUSH_HOSTS }).join()).toContain("PUSH_HOSTS");
});

test("keeps notifications in development without keys, and sends none in production", () => {
  const parts = { clock: new TestClock(), logger: pino({ level: "silent" }) };
  const chosen = (environment: object) =>
    choosePusher({ ...readConfig({ ...environment }), serverSecret: new ServerSecret("a secret") }, parts);
  expect(chosen({})).toEqual({ pusher: expect.any(SandboxPusher), sandbox: expect.any(SandboxPusher) });
  expect(chosen({}).pusher?.publicKey).toBe(chosen({}).pusher?.publicKey);
  expect(chosen(production)).toEqual({ pusher: null, sandbox: null });
  expect(chosen({ ...production, ...vapidSettings })).toEqual({ pusher: expect.any(WebPusher), sandbox: null });
});

test("[START-9] accepts any one sign-in provider in production, and rejects none", () => {
  const { GOOGLE_CLIENT_ID, FACEBOOK_APP_ID, FACEBOOK_APP_SECRET, APPLE_CLIENT_ID, APPLE_REDIRECT_URI, ...none } =
    production;
  for (const one of [
    { GOOGLE_CLIENT_ID },
    { FACEBOOK_APP_ID, FACEBOOK_APP_SECRET },
    { APPLE_CLIENT_ID, APPLE_REDIRECT_URI },
  ]) {
    expect(readConfig({ ...none, ...one }).settings.mode).toBe("production");
  }
  expect(problemsOf(none)).toEqual([expect.stringContaining("GOOGLE_CLIENT_ID, FACEBOOK_APP_ID or APPLE_CLIENT_ID")]);
});

test.each([
  "DATABASE_URL",
  "SERVER_SECRET",
  "TURN_URLS",
  "TURN_SECRET",
  "ONLINE_COUNT",
  "PUBLIC_ORIGIN",
  "CONTACT_EMAIL",
  "COMPANY_NAME",
])("[START-9] rejects production without %s, by name", (name) => {
  const problems = problemsOf({ ...production, [name]: undefined });
  expect(problems.join("\n")).toContain(name);
});

test("rejects production without a real payment provider", () => {
  const none = { ...production, STRIPE_SECRET_KEY: undefined, STRIPE_WEBHOOK_SECRET: undefined };
  expect(problemsOf(none)).toEqual([expect.stringContaining("sandbox payments are refused")]);
});

test("[START-9] rejects a short secret in production, also one that is accepted beside it", () => {
  expect(problemsOf({ ...production, SERVER_SECRET: "short" })).toHaveLength(1);
  expect(problemsOf({ ...production, SERVER_SECRET_OTHER: "short" })).toEqual([
    "SERVER_SECRET_OTHER is shorter than 32 characters",
  ]);
});

test("[START-103] reads another accepted secret, and rejects one without or equal to SERVER_SECRET", () => {
  const { SERVER_SECRET } = production;
  const other = { SERVER_SECRET_OTHER: "the secret before" };
  expect(readConfig({ SERVER_SECRET, ...other }).otherSecret).toEqual({ secret: "the secret before", isLeaked: false });
  expect(readConfig({ SERVER_SECRET, ...other, SERVER_SECRET_OTHER_LEAKED: "yes" }).otherSecret?.isLeaked).toBe(true);
  expect(problemsOf(other)).toEqual(["SERVER_SECRET_OTHER needs SERVER_SECRET"]);
  expect(problemsOf({ SERVER_SECRET, SERVER_SECRET_OTHER: SERVER_SECRET })).toEqual([
    "SERVER_SECRET_OTHER equals SERVER_SECRET",
  ]);
});

test("reports all contradictions at once", () => {
  const problems = problemsOf({ PORT: "http", DEFAULT_COUNTRY: "XX", ONLINE_COUNT: "maybe", PRICE_BOTH: "9000" });
  expect(problems).toHaveLength(4);
});

test("requires the payment entry to be a path alone, and the public origin to have nothing after its host", () => {
  expect(readConfig({})).toMatchObject({ gatewayEntry: "/gateway/entry", publicOrigin: null });
  expect(readConfig({ GATEWAY_ENTRY: "/pay.php" })).toMatchObject({ gatewayEntry: "/pay.php" });
  expect(problemsOf({ GATEWAY_ENTRY: "pay", PUBLIC_ORIGIN: "https://fava.test/shop" })).toHaveLength(2);
});

test("rejects half of a pair of settings", () => {
  expect(problemsOf({ TURN_URLS: "turn:turn.test" })).toEqual([
    "TURN_URLS and TURN_SECRET go together: set both or none",
  ]);
});

test("reads the price of the relay's traffic as minor units with a currency", () => {
  const priceOf = (price: string) => readConfig({ RELAY_COST_PER_TB: price }).settings.relayPrice;
  expect(readConfig({}).settings.relayPrice).toBeNull();
  expect(priceOf("4.50 EUR")).toEqual({ perTerabyte: 450n, currency: "EUR" });
  expect(priceOf("90 JPY")).toEqual({ perTerabyte: 90n, currency: "JPY" });
  for (const wrong of ["4.50", "EUR 4.50", "4.505 EUR", "-1 EUR", "1 eur", "1.2.3 EUR"])
    expect(problemsOf({ RELAY_COST_PER_TB: wrong })).toHaveLength(1);
});

test("reads coturn's command ports, on private addresses and with a password only", () => {
  const turn = { TURN_URLS: "turn:turn.test", TURN_SECRET: "0123456789abcdef" };
  const password = "fedcba9876543210";
  const read = (addresses: string, more: object = { TURN_CLI_PASSWORD: password }) =>
    readConfig({ ...turn, TURN_CLI_ADDRESSES: addresses, ...more }).turn?.commandPorts;
  expect(read("10.0.0.7:5766, coturn:5766,[fd00::7]:5766")).toEqual([
    { host: "10.0.0.7", port: 5_766, password },
    { host: "coturn", port: 5_766, password },
    { host: "fd00::7", port: 5_766, password },
  ]);
  expect(read("")).toEqual([]);
  for (const address of ["8.8.8.8:5766", "[2606:4700::1]:5766", "10.0.0.7", "10.0.0.7:0", "a b:1"])
    expect(problemsOf({ ...turn, TURN_CLI_ADDRESSES: address, TURN_CLI_PASSWORD: password })).toHaveLength(1);
  for (const unsafe of ["", "two words", "quit\r\nstop", "a$b"])
    expect(problemsOf({ ...turn, TURN_CLI_ADDRESSES: "10.0.0.7:1", TURN_CLI_PASSWORD: unsafe })).toHaveLength(1);
  expect(problemsOf({ TURN_CLI_ADDRESSES: "10.0.0.7:1", TURN_CLI_PASSWORD: password })).toHaveLength(1);
  const short = { ...production, TURN_CLI_ADDRESSES: "10.0.0.7:1", TURN_CLI_PASSWORD: "short" };
  expect(problemsOf(short)).toEqual(["TURN_CLI_PASSWORD is shorter than 16 characters"]);
});

test("requires all settings of a bucket or none, and a valid address", () => {
  const bucket = {
    S3_ENDPOINT: "https://s3.fava.test",
    S3_REGION: "eu-test-1",
    S3_BUCKET: "pictures",
    S3_ACCESS_KEY_ID: "key",
    S3_SECRET_ACCESS_KEY: "secret",
  };
  expect(readConfig({}).bucket).toBeNull();
  expect(readConfig(bucket).bucket).toEqual({
    endpoint: "https://s3.fava.test",
    region: "eu-test-1",
    bucket: "pictures",
    accessKeyId: "key",
    secretAccessKey: "secret",
  });
  for (const name of Object.keys(bucket)) {
    expect(problemsOf({ ...bucket, [name]: undefined })).toEqual([expect.stringContaining(name)]);
  }
  expect(problemsOf({ ...bucket, S3_ENDPOINT: "s3.fava.test" })).toEqual([expect.stringContaining("S3_ENDPOINT")]);
});

test("[SAFE-111] inspects video and lets software act by default", () => {
  expect(readConfig({}).settings.moderation).toEqual({
    mode: "auto",
    shadow: false,
    openNsfw: "shadow",
    auditFramesWeekly: 0,
    botsDryRun: true,
    ageHints: "shadow",
    ageHintsOffCountryIds: [],
  });
  expect(readConfig({ OPENNSFW: "on" }).settings.moderation.openNsfw).toBe("on");
  expect(readConfig({ ...production, MODERATION_SHADOW: "1" }).settings.moderation).toEqual({
    mode: "auto",
    shadow: true,
    openNsfw: "shadow",
    auditFramesWeekly: 0,
    botsDryRun: true,
    ageHints: "shadow",
    ageHintsOffCountryIds: [],
  });
  const ageHints = readConfig({ AGE_HINTS: "on", AGE_HINTS_OFF_COUNTRIES: "US,DE" }).settings.moderation;
  expect(ageHints).toMatchObject({ ageHints: "on", ageHintsOffCountryIds: [expect.any(Number), expect.any(Number)] });
  expect(() => readConfig({ AGE_HINTS_OFF_COUNTRIES: "XX" })).toThrow("AGE_HINTS_OFF_COUNTRIES names XX");
  expect(readConfig({}).settings.moderation).toMatchObject({ ageHints: "shadow", ageHintsOffCountryIds: [] });
  expect(readConfig({ AUDIT_FRAMES_WEEKLY: "60" }).settings.moderation.auditFramesWeekly).toBe(60);
  expect(problemsOf({ AUDIT_FRAMES_WEEKLY: "701" })).toHaveLength(1);
  expect(readConfig({ BOT_RULES: "on" }).settings.moderation.botsDryRun).toBe(false);
  expect(readConfig({ MODERATION: "marker" }).settings.moderation.mode).toBe("marker");
  expect(problemsOf({ MODERATION: "on" })).toEqual(["MODERATION is none of auto, off, marker"]);
});

test("reads the countries that need age checks, and rejects what is none", () => {
  const idOf = (code: string) => countryByCode(code)?.id ?? 0;
  expect(readConfig({}).settings.agePolicy).toEqual({ byCountry: new Map(), elsewhere: false });
  expect(readConfig({ AGE_POLICY: "gb:checked,AU:checked" }).settings.agePolicy).toEqual({
    byCountry: new Map([
      [idOf("GB"), true],
      [idOf("AU"), true],
    ]),
    elsewhere: false,
  });
  expect(readConfig({ AGE_POLICY: "*:checked,DE:declared" }).settings.agePolicy).toEqual({
    byCountry: new Map([[idOf("DE"), false]]),
    elsewhere: true,
  });
  for (const wrong of ["GB", "GB:yes", "XX:checked", "GB:checked:1", "*"])
    expect(problemsOf({ AGE_POLICY: wrong })).toEqual([
      `AGE_POLICY has ${wrong}, which is not like GB:checked, GB:declared or *:declared`,
    ]);
  expect(problemsOf({ YOTI_SDK_ID: "id" })).toHaveLength(1);
});

test("reads the translator, which is off by default", () => {
  expect(readConfig({}).translator).toBeNull();
  const url = "http://localhost:5000";
  expect(readConfig({ TRANSLATE_URL: url }).translator).toEqual({ url, apiKey: null, name: "LibreTranslate" });
  const all = { TRANSLATE_URL: url, TRANSLATE_KEY: "key", TRANSLATE_NAME: "Ours" };
  expect(readConfig(all).translator).toEqual({ url, apiKey: "key", name: "Ours" });
  expect(problemsOf({ TRANSLATE_URL: "ftp://localhost" })).toHaveLength(1);
  expect(problemsOf({ TRANSLATE_KEY: "key" })).toEqual(["TRANSLATE_KEY needs TRANSLATE_URL"]);
});

test("[SAFE-111] rejects the test classifier in production, and switches inspection off only with two settings", () => {
  expect(problemsOf({ ...production, MODERATION: "marker" })).toEqual([expect.stringContaining("for tests") as string]);
  const off = { ...production, MODERATION: "off" };
  expect(problemsOf(off)).toEqual([expect.stringContaining("MODERATION_OFF_ACCEPTED=yes") as string]);
  expect(problemsOf({ ...off, MODERATION_OFF_ACCEPTED: "1" })).toHaveLength(1);
  expect(readConfig({ ...off, MODERATION_OFF_ACCEPTED: "yes" }).settings.moderation.mode).toBe("off");
});

test("requires help lines with country, name, and phone or page, and names invalid ones", () => {
  const lines = readConfig({ HELP_LINES: "DE|Hilfe|116 016|https://help.test/;*|All||https://all.test/" }).settings;
  expect(lines.helpLines).toEqual([
    { countryId: countryByCode("DE")?.id, name: "Hilfe", phone: "116 016", url: "https://help.test/" },
    { countryId: null, name: "All", phone: "", url: "https://all.test/" },
  ]);
  expect(readConfig({}).settings.helpLines).toEqual([]);
  for (const line of ["DE|Hilfe", "XX|Hilfe|112|", "DE||112|", "DE|Hilfe|call us|", "DE|Hilfe||http://help.test/"]) {
    expect(problemsOf({ HELP_LINES: line })).toEqual([expect.stringContaining(`"${line}" is not`) as string]);
  }
});

const PEER_URL = "http://10.0.0.7:3000";

test("[GUARD-21] shares state through Redis only with a Redis address", () => {
  expect(readConfig({}).redisUrl).toBeNull();
  const { DATABASE_URL, SERVER_SECRET } = production;
  const site = { DATABASE_URL, SERVER_SECRET, PEER_URL };
  expect(readConfig({ ...site, REDIS_URL: "rediss://fava:word@redis.test:6380/1" }).redisUrl).toMatch(/^rediss:/);
  for (const url of ["redis.test:6379", "http://redis.test", "/run/redis.sock"])
    expect(problemsOf({ ...site, REDIS_URL: url })).toEqual([
      expect.stringContaining("REDIS_URL is not an address") as string,
    ]);
});

test("requires the other shared settings of several servers with Redis", () => {
  const REDIS_URL = "redis://redis.test";
  const { DATABASE_URL, SERVER_SECRET } = production;
  const site = { REDIS_URL, PEER_URL };
  expect(problemsOf({ ...site, DATABASE_URL, SERVER_SECRET })).toEqual([]);
  expect(problemsOf({ ...site, SERVER_SECRET })).toEqual([expect.stringContaining("DATABASE_URL") as string]);
  expect(problemsOf({ ...site, DATABASE_URL })).toEqual([expect.stringContaining("SERVER_SECRET") as string]);
  expect(problemsOf({ ...production, ...site })).toEqual([expect.stringContaining("S3_ENDPOINT") as string]);
  expect(problemsOf({ ...production, ...site, DATA_DIR_SHARED: "yes" })).toEqual([]);
  const bucket = { S3_REGION: "eu", S3_BUCKET: "pictures", S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" };
  expect(problemsOf({ ...production, ...site, S3_ENDPOINT: "https://s3.test", ...bucket })).toEqual([]);
});

test("requires PEER_URL with Redis", () => {
  const { DATABASE_URL, SERVER_SECRET } = production;
  const site = { REDIS_URL: "redis://redis.test", DATABASE_URL, SERVER_SECRET };
  expect(problemsOf(site)).toEqual([expect.stringContaining("REDIS_URL needs PEER_URL") as string]);
  for (const url of [PEER_URL, "https://fava-1.test", "http://[fd00::1]:3000"])
    expect(readConfig({ ...site, PEER_URL: url }).peerUrl).toBe(url);
  for (const url of ["10.0.0.7:3000", "redis://10.0.0.7", `${PEER_URL}/`, `${PEER_URL}/peer`, "http://"])
    expect(problemsOf({ ...site, PEER_URL: url })).toEqual([expect.stringContaining("PEER_URL is not an origin")]);
  expect(readConfig({}).peerUrl).toBeNull();
});

test("[ROLE-1] reads administrators as mail addresses or identities, and names what is neither", () => {
  const { adminIdentities } = readConfig({ ADMIN_IDENTITIES: "Ops@Fava.example, 1:10769, 3:001234.ab.5" }).settings;
  expect([...adminIdentities]).toEqual(["ops@fava.example", "1:10769", "3:001234.ab.5"]);
  for (const wrong of ["google:10769", "4:10769", "10769", "1:", "ops@fava", "@fava.example"])
    expect(() => readConfig({ ADMIN_IDENTITIES: wrong })).toThrow(`ADMIN_IDENTITIES names ${wrong}, which is neither`);
});

test("rejects languages without a catalog, and always offers English", () => {
  expect(problemsOf({ OFFERED_LANGUAGES: "en,xx" })).toEqual([
    expect.stringMatching(/names xx, which is none of zh-CN, en,/),
  ]);
  expect(problemsOf({ OFFERED_LANGUAGES: "de,fr" })).toEqual([expect.stringMatching(/lacks en/)]);
  const all = interfaceLanguages.map(({ value }) => value);
  expect(readConfig({ OFFERED_LANGUAGES: all.join(",") }).settings.offeredLanguages).toEqual(all);
});

test("logs traces unless a collector is set, and only a share of them in production", () => {
  expect(readConfig({}).traces).toEqual({ otlpEndpoint: null, perThousand: 1_000 });
  expect(readConfig(production).traces.perThousand).toBe(10);
  const named = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.test:4318", TRACES_PER_THOUSAND: "5" };
  expect(readConfig(named).traces).toEqual({ otlpEndpoint: "http://collector.test:4318", perThousand: 5 });
  expect(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318", TRACES_PER_THOUSAND: "1001" })).toEqual([
    "OTEL_EXPORTER_OTLP_ENDPOINT is not an address such as http://localhost:4318",
    "TRACES_PER_THOUSAND is not a whole number from 0 to 1000",
  ]);
});
