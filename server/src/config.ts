import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { filterPricesDefault } from "@fava/wire/beans.ts";
import { countryByCode, selectableCountryIdsDefault } from "@fava/wire/countries.ts";
import { interfaceLanguages, isInterfaceLanguage, offeredLanguagesDefault } from "@fava/wire/languages.ts";
import { auditFramesWeeklyMax, helpLinesMax, excludedCountriesMax } from "@fava/wire/limits.ts";
import { minorFromText } from "@fava/wire/money.ts";
import type { YotiSettings } from "#adapters/age/yoti-age-check.ts";
import type { LibreTranslatorSettings } from "#adapters/translator/libre-translator.ts";
import { codaLiveUrl, type CodaSettings } from "#adapters/payments/coda/coda-payments.ts";
import {
  payermaxLiveUrl,
  payermaxPrivateKey,
  payermaxPublicKey,
  type PayerMaxSettings,
} from "#adapters/payments/payermax/payermax-gateway.ts";
import { readSmtpUrl, type SmtpServer } from "#adapters/mail/smtp-url.ts";
import { isPublicAddress } from "#lib/loopback.ts";
import { mailAddress } from "#lib/mail-address.ts";
import type { OtherSecret } from "#lib/server-secret.ts";
import { isVapidPair, type VapidKeys } from "#adapters/push/vapid.ts";
import type { StripeSettings } from "#adapters/payments/stripe/stripe-api.ts";
import { isLiveStripeKey } from "#adapters/payments/stripe/stripe-payments.ts";
import type { AgePolicy, HelpLine, Settings } from "#ports/settings.ts";

/** All settings of the operator, read once at start. `docs/operations/configure.md` lists names and defaults. */
export interface Config {
  settings: Settings;
  host: string;
  port: number;
  /** A second listener for /metrics alone; null: none. */
  metrics: { host: string; port: number } | null;
  dataDirectory: string;
  webDirectory: string;
  /** Null: start the embedded PostgreSQL. */
  databaseUrl: string | null;
  /** A read replica; null: the primary answers everything. */
  databaseReplicaUrl: string | null;
  databaseConnectionsMax: number;
  /** Redis of a site with several servers; null: a single server. */
  redisUrl: string | null;
  /** Address of this server for the other ones; null for a single server. */
  peerUrl: string | null;
  /** Users in searches and calls at one server before the next one opens; 0: users search at any server. */
  searchPeopleMax: number;
  /** How long a draining server waits until other servers have its users and calls; 0: not at all. */
  drainMs: number;
  /** Null in development: generated once and kept in the data directory. */
  serverSecret: string | null;
  /** Another secret that is accepted; null: none. */
  otherSecret: OtherSecret | null;
  appKey: string;
  gatewayEntry: string;
  /** Our own origin for browsers and payment providers; null: taken from each request. */
  publicOrigin: string | null;
  payments: PaymentsConfig;
  /** Storage of pictures and exports; null: files in the data directory. */
  bucket: BucketConfig | null;
  trustedProxies: readonly string[];
  /** Multiplies every rate limit; raised for local development and load tests. */
  rateLimitFactor: number;
  logLevel: string;
  traces: {
    /** OTLP/HTTP address of a collector; null: traces go to the log. */
    otlpEndpoint: string | null;
    perThousand: number;
  };
  identity: {
    google: { clientId: string } | null;
    facebook: { appId: string; appSecret: string } | null;
    apple: { clientId: string; redirectUri: string } | null;
  };
  push: {
    /** Null: no notifications in production; in development the sandbox keeps them. */
    keys: VapidKeys | null;
    /** Allowed hosts of push services; `*.` before a name allows every host under it. */
    hosts: readonly string[];
  };
  /** Null: no mails in production; in development the sandbox keeps them. */
  mail: { server: SmtpServer; from: string } | null;
  /** The vendor of age checks; null: the sandbox in development, none in production. */
  yoti: Pick<YotiSettings, "sdkId" | "apiKey"> | null;
  /** Null: texts are translated by browsers only. */
  translator: LibreTranslatorSettings | null;
  turn: {
    urls: readonly string[];
    secret: string;
    credentialSeconds: number;
    /** coturn's command ports, one for each coturn; empty: a cut does not end sessions there. */
    commandPorts: readonly { host: string; port: number; password: string }[];
  } | null;
  stunUrls: readonly string[];
}

interface BucketConfig {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** What one thread handles well, including its frames. */
const searchPeopleMaxDefault = 4_000;
/** Pages are asked to move within 7 s and disconnected 15 s later; a forced kill must come later (`deploy/`). */
export const drainSecondsDefault = 30;

const contactPlaceholders = {
  CONTACT_EMAIL: "help@fava.example",
  CONTACT_ACCOUNT: "@fava.help",
  CONTACT_MESSAGING_LINK: "",
  COMPANY_NAME: "Fava (name of the operator)",
  COMPANY_ADDRESS: "Postal address of the operator",
  BUSINESS_EMAIL: "business@fava.example",
  BUSINESS_PHONE: "+00 000 000 000",
} as const;

/** Whether the operator has replaced the placeholders of name and mail address. */
export function hasOwnContact({ contact: { email, company } }: Pick<Settings, "contact">): boolean {
  return email !== contactPlaceholders.CONTACT_EMAIL && company !== contactPlaceholders.COMPANY_NAME;
}

/** Reads and validates the environment; the only place that does. @throws ConfigError with all problems at once. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  env = new EnvReader(environment),
): Config {
  const production = env.choice("APP_MODE", ["development", "production"], "development") === "production";
  const config: Config = {
    settings: readSettings(env, production),
    host: env.text("HOST", production ? "0.0.0.0" : "localhost"),
    port: env.integer("PORT", { fallback: 3000, min: 0, max: 65_535 }),
    metrics: readMetrics(env),
    dataDirectory: resolve(env.text("DATA_DIR", ".data")),
    webDirectory: resolve(env.text("WEB_DIR", fileURLToPath(new URL("../../web/dist", import.meta.url)))),
    databaseUrl: env.optional("DATABASE_URL"),
    databaseReplicaUrl: env.optional("DATABASE_REPLICA_URL"),
    databaseConnectionsMax: env.integer("DATABASE_CONNECTIONS", { fallback: 16, min: 2, max: 200 }),
    redisUrl: readRedisUrl(env),
    peerUrl: readPeerUrl(env),
    searchPeopleMax: env.integer("SEARCH_PEOPLE_MAX", { fallback: searchPeopleMaxDefault, min: 0, max: 50_000 }),
    drainMs: env.integer("DRAIN_SECONDS", { fallback: drainSecondsDefault, min: 0, max: 86_400 }) * 1_000,
    serverSecret: env.optional("SERVER_SECRET"),
    otherSecret: readOtherSecret(env),
    appKey: env.text("APP_KEY", "fava-web"),
    gatewayEntry: readGatewayEntry(env),
    publicOrigin: readPublicOrigin(env),
    payments: readPayments(env),
    bucket: readBucket(env),
    trustedProxies: env.list("TRUST_PROXY"),
    rateLimitFactor: env.integer("RATE_LIMIT_FACTOR", { fallback: production ? 1 : 100, min: 1, max: 1_000_000 }),
    logLevel: env.choice("LOG_LEVEL", ["fatal", "error", "warn", "info", "debug", "trace", "silent"], "info"),
    traces: {
      otlpEndpoint: readOtlpEndpoint(env),
      perThousand: env.integer("TRACES_PER_THOUSAND", { fallback: production ? 10 : 1_000, min: 0, max: 1_000 }),
    },
    identity: readIdentity(env),
    push: readPush(env),
    mail: readMail(env),
    yoti: readYoti(env),
    translator: readTranslator(env),
    turn: readTurn(env),
    stunUrls: env.list("STUN_URLS"),
  };
  if (production) refuseUnsafeProduction(env, config);
  if (config.redisUrl !== null) refuseHalfSite(env, config);
  if (config.metrics?.port === config.port)
    env.problem(`METRICS_PORT is the PORT, ${config.port}: choose another, such as 9464`);
  if (config.databaseReplicaUrl !== null && config.databaseUrl === null)
    env.problem("DATABASE_REPLICA_URL needs DATABASE_URL: the embedded database has no replica");
  env.finish();
  return config;
}

function readSettings(env: EnvReader, production: boolean): Settings {
  const country = countryByCode(env.text("DEFAULT_COUNTRY", "US"));
  if (!country) env.problem("DEFAULT_COUNTRY is not an ISO 3166-1 alpha-2 code");
  const price = (name: string, fallback: number) => env.integer(name, { fallback, min: 0, max: 1_000_000 });
  const prices = {
    gender: price("PRICE_GENDER", filterPricesDefault.gender),
    country: price("PRICE_COUNTRY", filterPricesDefault.country),
    both: price("PRICE_BOTH", filterPricesDefault.both),
  };
  if (prices.both > prices.gender + prices.country)
    env.problem("PRICE_BOTH is more than PRICE_GENDER and PRICE_COUNTRY");
  return {
    mode: production ? "production" : "development",
    prices,
    ownPauseMs: env.integer("OWN_PAUSE_SECONDS", { fallback: 10, min: 0, max: 60 }) * 1_000,
    relayPrice: readRelayPrice(env),
    onlineCountMode: env.choice("ONLINE_COUNT", ["display", "real"], "display"),
    defaultCountryId: country?.id ?? 0,
    selectableCountryIds: readCountries(env),
    excludedCountriesMax: env.integer("EXCLUDE_MAX", {
      fallback: excludedCountriesMax,
      min: 0,
      max: excludedCountriesMax,
    }),
    offeredLanguages: readLanguages(env),
    agePolicy: readAgePolicy(env),
    contact: {
      email: env.text("CONTACT_EMAIL", contactPlaceholders.CONTACT_EMAIL),
      officialAccount: env.text("CONTACT_ACCOUNT", contactPlaceholders.CONTACT_ACCOUNT),
      messagingLink: env.text("CONTACT_MESSAGING_LINK", contactPlaceholders.CONTACT_MESSAGING_LINK),
      company: env.text("COMPANY_NAME", contactPlaceholders.COMPANY_NAME),
      address: env.text("COMPANY_ADDRESS", contactPlaceholders.COMPANY_ADDRESS),
      businessEmail: env.text("BUSINESS_EMAIL", contactPlaceholders.BUSINESS_EMAIL),
      phone: env.text("BUSINESS_PHONE", contactPlaceholders.BUSINESS_PHONE),
    },
    moderation: {
      mode: env.choice("MODERATION", ["auto", "off", "marker"], "auto"),
      shadow: env.choice("MODERATION_SHADOW", ["0", "1"], "0") === "1",
      openNsfw: env.choice("OPENNSFW", ["off", "shadow", "on"], "shadow"),
      ageHints: env.choice("AGE_HINTS", ["off", "shadow", "on"], "shadow"),
      ageHintsOffCountryIds: readCountryIds(env, "AGE_HINTS_OFF_COUNTRIES"),
      auditFramesWeekly: env.integer("AUDIT_FRAMES_WEEKLY", { fallback: 0, min: 0, max: auditFramesWeeklyMax }),
      botsDryRun: env.choice("BOT_RULES", ["dry-run", "on"], "dry-run") === "dry-run",
    },
    helpLines: readHelpLines(env),
    adminIdentities: readAdministrators(env),
  };
}

function readRelayPrice(env: EnvReader): Settings["relayPrice"] {
  const text = env.optional("RELAY_COST_PER_TB");
  if (text === null) return null;
  const [, amount = "", currency = ""] = /^([\d.]+) ([A-Z]{3})$/.exec(text) ?? [];
  const perTerabyte = minorFromText(amount, currency);
  if (perTerabyte === null) env.problem("RELAY_COST_PER_TB is not an amount and a currency, such as 4.50 EUR");
  return perTerabyte === null ? null : { perTerabyte, currency };
}

/** Off unless METRICS_PORT is set. */
function readMetrics(env: EnvReader): Config["metrics"] {
  const port = env.integer("METRICS_PORT", { fallback: 0, min: 0, max: 65_535 });
  const host = env.text("METRICS_HOST", "localhost");
  return port === 0 ? null : { host, port };
}

function readGatewayEntry(env: EnvReader): string {
  const entry = env.text("GATEWAY_ENTRY", "/gateway/entry");
  if (!/^(?:\/[\w.-]+)+$/.test(entry)) env.problem("GATEWAY_ENTRY is not a path such as /gateway/entry");
  return entry;
}

function readPublicOrigin(env: EnvReader): string | null {
  return optionalAddress(env, "PUBLIC_ORIGIN", { isRight: isOrigin, said: "an origin such as https://fava.example" });
}

function readRedisUrl(env: EnvReader): string | null {
  const isRight = ({ protocol }: URL) => /^rediss?:$/.test(protocol);
  return optionalAddress(env, "REDIS_URL", { isRight, said: "an address such as redis://localhost:6379" });
}

function readPeerUrl(env: EnvReader): string | null {
  const isRight = (url: URL, text: string) => isOfHttp(url) && isOrigin(url, text);
  return optionalAddress(env, "PEER_URL", { isRight, said: "an origin such as http://10.0.0.7:3000" });
}

function readOtlpEndpoint(env: EnvReader): string | null {
  const said = "an address such as http://localhost:4318";
  return optionalAddress(env, "OTEL_EXPORTER_OTLP_ENDPOINT", { isRight: isOfHttp, said });
}

const isOfHttp = ({ protocol }: URL) => /^https?:$/.test(protocol);
const isOrigin = ({ origin }: URL, text: string) => origin === text;

interface AddressKind {
  readonly isRight: (url: URL, text: string) => boolean;
  readonly said: string;
}

/** The address as written; null if unset; a problem if it is of another kind. */
function optionalAddress(env: EnvReader, name: string, { isRight, said }: AddressKind): string | null {
  const text = env.optional(name);
  if (text !== null && !(URL.canParse(text) && isRight(new URL(text), text))) env.problem(`${name} is not ${said}`);
  return text;
}

function readBucket(env: EnvReader): BucketConfig | null {
  const given = env.allOf(["S3_ENDPOINT", "S3_REGION", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"]);
  if (!given) return null;
  const endpoint = given.S3_ENDPOINT;
  if (!(URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol))) {
    env.problem("S3_ENDPOINT is not an address such as https://s3.eu-central-1.amazonaws.com");
  }
  return {
    endpoint,
    region: given.S3_REGION,
    bucket: given.S3_BUCKET,
    accessKeyId: given.S3_ACCESS_KEY_ID,
    secretAccessKey: given.S3_SECRET_ACCESS_KEY,
  };
}

function readCountries(env: EnvReader): readonly number[] {
  const ids = readCountryIds(env, "COUNTRIES");
  return ids.length === 0 ? selectableCountryIdsDefault : ids;
}

function readCountryIds(env: EnvReader, name: string): readonly number[] {
  return env.list(name).flatMap((code) => {
    const country = countryByCode(code);
    if (!country) env.problem(`${name} names ${code}, which is not an ISO 3166-1 alpha-2 code`);
    return country ? [country.id] : [];
  });
}

/** Mail addresses in lower case, because mailboxes ignore case. */
function readAdministrators(env: EnvReader): ReadonlySet<string> {
  const identities = env.list("ADMIN_IDENTITIES").map((entry) => (isMail(entry) ? entry.toLowerCase() : entry));
  for (const entry of identities) {
    if (!isMail(entry) && !/^[123]:\S+$/.test(entry))
      env.problem(
        `ADMIN_IDENTITIES names ${entry}, which is neither a mail address nor login_type:third_party_id, such as 1:104 for Google, 2: Facebook, 3: Apple`,
      );
  }
  return new Set(identities);
}

function isMail(text: string): boolean {
  return /^[^\s@:]+@[^\s@]+\.[^\s@]+$/.test(text);
}

/** Languages that have a catalog; English is the fallback. */
function readLanguages(env: EnvReader): readonly string[] {
  const codes = [...new Set(env.list("OFFERED_LANGUAGES"))];
  if (codes.length === 0) return offeredLanguagesDefault;
  const all = interfaceLanguages.map(({ value }) => value).join(", ");
  for (const code of codes) {
    if (!isInterfaceLanguage(code)) env.problem(`OFFERED_LANGUAGES names ${code}, which is none of ${all}`);
  }
  if (!codes.includes("en")) env.problem("OFFERED_LANGUAGES lacks en, the fallback for all other languages");
  return codes;
}

/** `CC:checked` or `CC:declared`, with `*` for all other countries. */
function readAgePolicy(env: EnvReader): AgePolicy {
  const byCountry = new Map<number, boolean>();
  let elsewhere = false;
  for (const entry of env.list("AGE_POLICY")) {
    const [, code = "", rule = ""] = /^(\*|[A-Za-z]{2}):(checked|declared)$/.exec(entry) ?? [];
    const country = countryByCode(code.toUpperCase());
    if (code === "*") elsewhere = rule === "checked";
    else if (country) byCountry.set(country.id, rule === "checked");
    else env.problem(`AGE_POLICY has ${entry}, which is not like GB:checked, GB:declared or *:declared`);
  }
  return { byCountry, elsewhere };
}

function readYoti(env: EnvReader): Config["yoti"] {
  const given = env.together("YOTI_SDK_ID", "YOTI_API_KEY");
  return given && { sdkId: given[0], apiKey: given[1] };
}

function readTranslator(env: EnvReader): Config["translator"] {
  const said = "an address such as http://localhost:5000";
  const url = optionalAddress(env, "TRANSLATE_URL", { isRight: isOfHttp, said });
  const apiKey = env.optional("TRANSLATE_KEY");
  const name = env.text("TRANSLATE_NAME", "LibreTranslate");
  if (url === null && apiKey !== null) env.problem("TRANSLATE_KEY needs TRANSLATE_URL");
  return url === null ? null : { url, apiKey, name };
}

function readIdentity(env: EnvReader): Config["identity"] {
  const google = env.optional("GOOGLE_CLIENT_ID");
  const facebook = env.together("FACEBOOK_APP_ID", "FACEBOOK_APP_SECRET");
  const apple = env.together("APPLE_CLIENT_ID", "APPLE_REDIRECT_URI");
  return {
    google: google === null ? null : { clientId: google },
    facebook: facebook && { appId: facebook[0], appSecret: facebook[1] },
    apple: apple && { clientId: apple[0], redirectUri: apple[1] },
  };
}

/** Push services of Chrome, Firefox, Safari and Edge. */
const pushHostsDefault = [
  "fcm.googleapis.com",
  "updates.push.services.mozilla.com",
  "*.push.apple.com",
  "*.notify.windows.com",
];
const pushHostShape = /^(?:\*\.)?(?:[a-z\d-]+\.)+[a-z]{2,}$/;

function readPush(env: EnvReader): Config["push"] {
  const named = env.list("PUSH_HOSTS");
  for (const host of named) if (!pushHostShape.test(host)) env.problem(`PUSH_HOSTS names ${host}, which is not a host`);
  const hosts = named.length > 0 ? named : pushHostsDefault;
  const given = env.allOf(["VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY", "VAPID_SUBJECT"]);
  if (!given) return { keys: null, hosts };
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = given;
  if (!isVapidPair({ publicKey, privateKey }))
    env.problem("VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are not a pair: npm run setup:production generates one");
  if (!/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]+.*)$/.test(subject))
    env.problem("VAPID_SUBJECT is not an address such as mailto:help@fava.example");
  return { keys: { publicKey, privateKey, subject }, hosts };
}

function readMail(env: EnvReader): Config["mail"] {
  const given = env.together("SMTP_URL", "MAIL_FROM");
  if (!given) return null;
  const [server, from] = [readSmtpUrl(given[0]), mailAddress(given[1])];
  // The value may contain a password, so the problem does not repeat it.
  if (!server) env.problem("SMTP_URL is not an address such as smtps://user:password@mail.fava.example:465");
  if (from === null) env.problem("MAIL_FROM is not a mail address such as help@fava.example");
  env.require("PUBLIC_ORIGIN", "mails contain links to the site");
  return server && from !== null ? { server, from } : null;
}

function readTurn(env: EnvReader): Config["turn"] {
  const pair = env.together("TURN_URLS", "TURN_SECRET");
  const credentialSeconds = env.integer("TURN_CREDENTIAL_SECONDS", { fallback: 3_600, min: 60, max: 86_400 });
  const commandPorts = readCommandPorts(env);
  if (!pair && commandPorts.length > 0) env.problem("TURN_CLI_ADDRESSES needs TURN_URLS and TURN_SECRET");
  return pair && { urls: env.list("TURN_URLS"), secret: pair[1], credentialSeconds, commandPorts };
}

/** A password alone is fine: Compose gives it to coturn. */
function readCommandPorts(env: EnvReader): NonNullable<Config["turn"]>["commandPorts"] {
  const addresses = env.list("TURN_CLI_ADDRESSES");
  const password = env.optional("TURN_CLI_PASSWORD") ?? "";
  if (addresses.length === 0) return [];
  if (!/^[\w-]{1,128}$/.test(password))
    env.problem("TURN_CLI_ADDRESSES needs TURN_CLI_PASSWORD of letters, digits, - and _");
  return addresses.flatMap((address) => {
    const [, host = "", port = ""] = /^(\[[\da-fA-F:]+\]|[\w.-]+):(\d{1,5})$/.exec(address) ?? [];
    const bare = host.replaceAll(/[[\]]/g, "");
    if (bare !== "" && Number(port) > 0 && Number(port) < 65_536 && !isPublicAddress(bare))
      return [{ host: bare, port: Number(port), password }];
    env.problem(`TURN_CLI_ADDRESSES: ${address} is not a private address with a port, such as 10.0.0.7:5766`);
    return [];
  });
}

function readOtherSecret(env: EnvReader): OtherSecret | null {
  const secret = env.optional("SERVER_SECRET_OTHER");
  const isLeaked = env.choice("SERVER_SECRET_OTHER_LEAKED", ["no", "yes"], "no") === "yes";
  if (secret === null) return null;
  const current = env.optional("SERVER_SECRET");
  if (current === null) env.problem("SERVER_SECRET_OTHER needs SERVER_SECRET");
  if (current === secret) env.problem("SERVER_SECRET_OTHER equals SERVER_SECRET");
  return { secret, isLeaked };
}

/** Production requires real providers, real secrets and relayed media (rule START-9). */
function refuseUnsafeProduction(env: EnvReader, config: Config): void {
  const { google, facebook, apple } = config.identity;
  if (!google && !facebook && !apple) {
    env.problem(
      "production needs GOOGLE_CLIENT_ID, FACEBOOK_APP_ID or APPLE_CLIENT_ID: the sandbox identity provider is refused",
    );
  }
  if (!config.databaseUrl) env.problem("production needs DATABASE_URL: the embedded database is refused");
  if (!config.serverSecret || config.serverSecret.length < 32)
    env.problem("production needs SERVER_SECRET of 32 characters or more");
  if (config.otherSecret && config.otherSecret.secret.length < 32)
    env.problem("SERVER_SECRET_OTHER is shorter than 32 characters");
  if (!config.turn)
    env.problem("production needs TURN_URLS and TURN_SECRET: strangers must not learn each other's address");
  if (config.turn && config.turn.secret.length < 16) env.problem("TURN_SECRET is shorter than 16 characters");
  if (config.turn?.commandPorts.some(({ password }) => password.length < 16))
    env.problem("TURN_CLI_PASSWORD is shorter than 16 characters");
  if (!config.publicOrigin?.startsWith("https://"))
    env.problem("production needs PUBLIC_ORIGIN with https: payment providers report to it");
  refuseUnsafePayments(env, config.payments);
  refuseUnsafeModeration(env, config.settings.moderation.mode);
  env.require("ONLINE_COUNT", "production must choose display or real");
  for (const [name, placeholder] of Object.entries(contactPlaceholders)) {
    if (placeholder !== "" && env.text(name, placeholder) === placeholder)
      env.problem(`production needs ${name}: the placeholder is refused`);
  }
}

/** A server with Redis may have siblings, so everything that they share must be configured. */
function refuseHalfSite(env: EnvReader, { settings, databaseUrl, serverSecret, bucket, peerUrl }: Config): void {
  if (peerUrl === null)
    env.problem("REDIS_URL needs PEER_URL: the address at which the other servers pass sockets to this one");
  if (settings.mode === "production") {
    if (bucket || env.optional("DATA_DIR_SHARED") === "yes") return;
    env.problem(
      "production with REDIS_URL needs S3_ENDPOINT with its other settings, because every server shows the pictures of all; set DATA_DIR_SHARED=yes if all servers share one DATA_DIR instead",
    );
    return;
  }
  if (!databaseUrl) env.problem("REDIS_URL needs DATABASE_URL: the servers of a site share one database");
  if (!serverSecret) env.problem("REDIS_URL needs SERVER_SECRET: servers verify each other's signatures");
}

/** Production inspects pictures, or the operator has explicitly accepted that it does not (rule SAFE-111). */
function refuseUnsafeModeration(env: EnvReader, mode: Settings["moderation"]["mode"]): void {
  if (mode === "marker") env.problem("MODERATION=marker is for tests: it does not judge pictures");
  if (mode === "off" && env.optional("MODERATION_OFF_ACCEPTED") !== "yes") {
    env.problem(
      "MODERATION=off shows every picture without inspection; set MODERATION_OFF_ACCEPTED=yes to accept that",
    );
  }
}

/** All problems of the environment, one line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`invalid settings:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/** Reads typed environment variables and collects all problems before it throws. */
export class EnvReader {
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #problems: string[] = [];

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
  }

  optional(name: string): string | null {
    const value = this.#environment[name]?.trim();
    return value === undefined || value === "" ? null : value;
  }

  text(name: string, fallback: string): string {
    return this.optional(name) ?? fallback;
  }

  list(name: string): string[] {
    return this.text(name, "")
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  }

  choice<const Choices extends readonly string[]>(
    name: string,
    choices: Choices,
    fallback: Choices[number],
  ): Choices[number] {
    const value = this.text(name, fallback);
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined) this.problem(`${name} is none of ${choices.join(", ")}`);
    return chosen ?? fallback;
  }

  integer(name: string, range: { fallback: number; min: number; max: number }): number {
    const text = this.optional(name);
    if (text === null) return range.fallback;
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= range.min && value <= range.max) return value;
    this.problem(`${name} is not a whole number from ${range.min} to ${range.max}`);
    return range.fallback;
  }

  /** Two settings that need each other. */
  together(first: string, second: string): [string, string] | null {
    const [one, two] = [this.optional(first), this.optional(second)];
    if (one !== null && two !== null) return [one, two];
    if (one !== null || two !== null) this.problem(`${first} and ${second} go together: set both or none`);
    return null;
  }

  /** Settings that must all be set, or none. */
  allOf<const Name extends string>(names: readonly Name[]): Record<Name, string> | null {
    const values = names.map((name) => [name, this.optional(name)] as const);
    const present = values.filter((entry): entry is readonly [Name, string] => entry[1] !== null);
    if (present.length === names.length) return Object.fromEntries(present) as Record<Name, string>;
    if (present.length > 0) this.problem(`${names.join(", ")} go together: set all or none`);
    return null;
  }

  require(name: string, why: string): void {
    if (this.optional(name) === null) this.problem(`${name} is missing: ${why}`);
  }

  problem(text: string): void {
    this.#problems.push(text);
  }

  /** @throws ConfigError after any problem. */
  finish(): void {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems);
  }
}

const form = "COUNTRY|name|phone|page, with * for everywhere";

/** Reads HELP_LINES: `COUNTRY|name|phone|page`, separated by semicolons. Phone or page may be empty, not both. */
function readHelpLines(env: EnvReader): readonly HelpLine[] {
  const entries = env.text("HELP_LINES", "").split(";");
  const lines = entries.filter((entry) => entry.trim() !== "");
  if (lines.length > helpLinesMax) env.problem(`HELP_LINES names more than ${helpLinesMax}`);
  return lines.flatMap((entry) => {
    const line = readLine(entry);
    if (!line) env.problem(`HELP_LINES: "${entry.trim()}" is not ${form}`);
    return line ?? [];
  });
}

function readLine(entry: string): HelpLine | null {
  const [code = "", name = "", phone = "", url = "", ...more] = entry.split("|").map((part) => part.trim());
  const country = countryByCode(code);
  const isPlace = code === "*" || country !== undefined;
  const isReached = /^\+?[\d ()-]{2,24}$/.test(phone) || (phone === "" && url !== "");
  const isPage = url === "" || (URL.canParse(url) && new URL(url).protocol === "https:");
  if (!isPlace || name === "" || !isReached || !isPage || more.length > 0) return null;
  return { countryId: country?.id ?? null, name, phone, url };
}

/** A provider is null if the operator has no account with it. Every field is secret. */
interface PaymentsConfig {
  payermax: PayerMaxSettings | null;
  coda: CodaSettings | null;
  stripe: StripeSettings | null;
}

export function readPayments(env: EnvReader): PaymentsConfig {
  return { payermax: readPayermax(env), coda: readCoda(env), stripe: readStripe(env) };
}

function readPayermax(env: EnvReader): PayerMaxSettings | null {
  const baseUrl = readAddress(env, "PAYERMAX_URL", payermaxLiveUrl);
  const group = env.allOf(["PAYERMAX_APP_ID", "PAYERMAX_MERCHANT_NO", "PAYERMAX_PRIVATE_KEY", "PAYERMAX_PUBLIC_KEY"]);
  if (!group) return null;
  const privateKey = group.PAYERMAX_PRIVATE_KEY;
  const publicKey = group.PAYERMAX_PUBLIC_KEY;
  if (!isKey(privateKey, payermaxPrivateKey)) env.problem("PAYERMAX_PRIVATE_KEY is not a PKCS 8 key in base64");
  if (!isKey(publicKey, payermaxPublicKey)) env.problem("PAYERMAX_PUBLIC_KEY is not an SPKI key in base64");
  return { appId: group.PAYERMAX_APP_ID, merchantNo: group.PAYERMAX_MERCHANT_NO, privateKey, publicKey, baseUrl };
}

function readCoda(env: EnvReader): CodaSettings | null {
  const baseUrl = readAddress(env, "CODA_URL", codaLiveUrl);
  const pair = env.together("CODA_API_KEY", "CODA_PROJECT_ID");
  return pair && { apiKey: pair[0], projectId: pair[1], baseUrl };
}

function readStripe(env: EnvReader): StripeSettings | null {
  const pair = env.together("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET");
  if (!pair) return null;
  const [secretKey, webhookSecret] = pair;
  if (!/^[sr]k_(?:live|test)_/.test(secretKey)) env.problem("STRIPE_SECRET_KEY does not begin like a key of Stripe");
  if (!webhookSecret.startsWith("whsec_")) env.problem("STRIPE_WEBHOOK_SECRET does not begin with whsec_");
  return { secretKey, webhookSecret };
}

/** Ends in a slash, because endpoint names are appended. */
function readAddress(env: EnvReader, name: string, fallback: string): string {
  const address = env.text(name, fallback).replace(/\/*$/, "/");
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) env.problem(`${name} is not an address`);
  return address;
}

function isKey(text: string, read: (text: string) => unknown): boolean {
  try {
    read(text);
    return true;
  } catch {
    return false;
  }
}

/** Production requires real payments: a test system would give beans away. */
export function refuseUnsafePayments(env: EnvReader, { payermax, coda, stripe }: PaymentsConfig): void {
  if (!payermax && !coda && !stripe) {
    env.problem(
      "production needs PAYERMAX_APP_ID, CODA_API_KEY or STRIPE_SECRET_KEY with its other settings: sandbox payments are refused",
    );
  }
  if (payermax && payermax.baseUrl !== payermaxLiveUrl)
    env.problem("production refuses a PAYERMAX_URL other than the live one");
  if (coda && coda.baseUrl !== codaLiveUrl) env.problem("production refuses a CODA_URL other than the live one");
  if (stripe && !isLiveStripeKey(stripe.secretKey))
    env.problem("production refuses a STRIPE_SECRET_KEY that is not live");
}
