import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { access, constants, mkdir, readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { dirname } from "node:path";
import { isLiveStripeKey } from "@fava/server/adapters/payments/stripe/stripe-payments.ts";
import { makeVapidPair } from "@fava/server/adapters/push/vapid.ts";
import { ConfigError, readConfig } from "@fava/server/config.ts";

/** Environment variables by name. */
export type Settings = Readonly<Record<string, string>>;

/** The person who sets up a site. */
export interface Operator {
  /** The answer to a question, as it was typed; the letters of a secret are not shown. */
  ask(question: string, isSecret: boolean): Promise<string>;
  say(line: string): void;
}

interface Question {
  readonly name: string;
  readonly question: string;
  /** What is wrong with an answer, or null. The server's own checks follow at the end. */
  readonly wrong?: (answer: string) => string | null;
  /** May be empty. */
  readonly isOptional?: true;
}

const isDomain = (text: string) => (/^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/.test(text) ? null : "a domain");
const isAddress = (text: string) => (isIP(text) > 0 ? null : "an IP address");
const isMail = (text: string) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? null : "a mail address");
const isCount = (text: string) => (/^(?:[1-9]|1[0-6])$/.test(text) ? null : "a number from 1 to 16");
const isStripeKey = (text: string) => (isLiveStripeKey(text) ? null : "a key that starts with sk_live_ or rk_live_");
const startsWith = (start: string) => (text: string) =>
  text.startsWith(start) && text.length > start.length ? null : `a key that starts with ${start}`;
const isFacebookSecret = (text: string) => (/^[\da-f]{32}$/.test(text) ? null : "32 hexadecimal digits");
const isDatabase = (text: string) =>
  /^postgres(?:ql)?:\/\/\S+$/.test(text) ? null : "an address such as postgres://fava:password@10.0.0.5/fava";
const isOnlineCount = (text: string) => (["display", "real"].includes(text) ? null : "display or real");

/** In the order of the questions. */
const questions: readonly Question[] = [
  { name: "DOMAIN", question: "Domain of the site, such as fava.example", wrong: isDomain },
  { name: "PUBLIC_ADDRESS", question: "Public IP address of this machine", wrong: isAddress },
  { name: "SERVERS", question: "Servers on this machine, 1 unless said", wrong: isCount, isOptional: true },
  { name: "CERTIFICATE_EMAIL", question: "Mail address for the certificate authority", wrong: isMail },
  { name: "COMPANY_NAME", question: "Name of the operator" },
  { name: "COMPANY_ADDRESS", question: "Postal address of the operator" },
  { name: "CONTACT_EMAIL", question: "Mail address for people who use the site", wrong: isMail },
  { name: "CONTACT_ACCOUNT", question: "Account for support, such as @fava.help" },
  { name: "BUSINESS_EMAIL", question: "Mail address for business", wrong: isMail },
  { name: "BUSINESS_PHONE", question: "Phone number for business" },
  {
    name: "ONLINE_COUNT",
    question: "People online as the specification displays them, or the real number (display, real)",
    wrong: isOnlineCount,
  },
  { name: "GOOGLE_CLIENT_ID", question: "Google: client id", isOptional: true },
  { name: "FACEBOOK_APP_ID", question: "Facebook: app id", isOptional: true },
  { name: "FACEBOOK_APP_SECRET", question: "Facebook: app secret", wrong: isFacebookSecret, isOptional: true },
  { name: "APPLE_CLIENT_ID", question: "Apple: client id", isOptional: true },
  { name: "APPLE_REDIRECT_URI", question: "Apple: redirect address", isOptional: true },
  { name: "STRIPE_SECRET_KEY", question: "Stripe: secret key", wrong: isStripeKey, isOptional: true },
  {
    name: "STRIPE_WEBHOOK_SECRET",
    question: "Stripe: secret of the webhook",
    wrong: startsWith("whsec_"),
    isOptional: true,
  },
  { name: "PAYERMAX_APP_ID", question: "PayerMax: app id", isOptional: true },
  { name: "PAYERMAX_MERCHANT_NO", question: "PayerMax: merchant number", isOptional: true },
  { name: "PAYERMAX_PRIVATE_KEY", question: "PayerMax: our private key", isOptional: true },
  { name: "PAYERMAX_PUBLIC_KEY", question: "PayerMax: their public key", isOptional: true },
  { name: "CODA_API_KEY", question: "Coda: key", isOptional: true },
  { name: "CODA_PROJECT_ID", question: "Coda: project", isOptional: true },
  {
    name: "ADMIN_IDENTITIES",
    question: "Administrators: mail addresses that Google or Apple has verified",
    isOptional: true,
  },
  {
    name: "DATABASE_URL",
    question: "PostgreSQL, as postgres://user:password@host/database; none with Compose",
    wrong: isDatabase,
    isOptional: true,
  },
  {
    name: "REDIS_URL",
    question: "Redis of several servers, as redis://host:6379; none with Compose",
    isOptional: true,
  },
  {
    name: "SMTP_URL",
    question: "Mail server, as smtps://user:password@host:465; none: no mails",
    isOptional: true,
  },
  { name: "MAIL_FROM", question: "Sender's address of mails", wrong: isMail, isOptional: true },
  { name: "TRUST_PROXY", question: "IP address of your proxy; none with Compose", isOptional: true },
  { name: "S3_ENDPOINT", question: "Bucket for pictures: address; none: files on this machine", isOptional: true },
  { name: "S3_REGION", question: "Bucket: region", isOptional: true },
  { name: "S3_BUCKET", question: "Bucket: name", isOptional: true },
  { name: "S3_ACCESS_KEY_ID", question: "Bucket: id of the key", isOptional: true },
  { name: "S3_SECRET_ACCESS_KEY", question: "Bucket: secret key", isOptional: true },
];

/** Secrets that are generated once and then kept. */
const secretNames = ["SERVER_SECRET", "POSTGRES_PASSWORD", "TURN_SECRET", "TURN_CLI_PASSWORD"];
const secretBytes = 32;
/** One server: a second one allows a replacement without downtime. */
const serversDefault = 1;

/**
 * Asks for what only an operator knows, generates every secret, and asks again until a server would start in production
 * with the result.
 *
 * @param known the earlier settings: an empty answer keeps one, `-` removes it.
 * @throws ConfigError if no answer has changed: the remaining problem was written by hand.
 */
export async function askForSettings(operator: Operator, known: Settings): Promise<Settings> {
  let answers: Settings = known;
  for (let isFirst = true; ; isFirst = false) {
    const before = asEnvironmentFile(answers);
    answers = await askAll(operator, answers);
    const settings = withSecrets(answers, known);
    const problems = problemsOf(settings);
    if (problems.length === 0) {
      for (const [name, value] of Object.entries(followingFrom(answers)))
        if (settings[name] !== value) operator.say(`${name} stays as it was written by hand: ${settings[name]}`);
      return settings;
    }
    if (!isFirst && asEnvironmentFile(answers) === before) throw new ConfigError(problems);
    operator.say("The server would not start with these settings:");
    for (const problem of problems) operator.say(`  - ${problem}`);
    operator.say("Once more; Enter keeps what stands there.");
  }
}

/**
 * The same without questions, for scripts.
 *
 * @param given the answers: an empty one removes an earlier setting.
 * @throws ConfigError with everything that is missing or wrong.
 */
export function settingsWithoutQuestions(given: Settings, known: Settings): Settings {
  const answers = Object.fromEntries(Object.entries({ ...known, ...given }).filter(([, value]) => value !== ""));
  const unlike = questions.flatMap((asked) => {
    const answer = answers[asked.name] ?? "";
    const wrong = wrongIn(asked, answer);
    if (wrong === null) return [];
    return [answer === "" ? `${asked.name} is missing: ${asked.question}` : `${asked.name} is not ${wrong}`];
  });
  if (unlike.length > 0) throw new ConfigError(unlike);
  const settings = withSecrets(answers, known, given);
  const problems = problemsOf(settings);
  if (problems.length > 0) throw new ConfigError(problems);
  return settings;
}

/** The answers among environment variables. */
export function answersIn(environment: Readonly<Record<string, string | undefined>>): Settings {
  return Object.fromEntries(
    questions.flatMap(({ name }): [string, string][] => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

async function askAll(operator: Operator, known: Settings): Promise<Settings> {
  const answers: Record<string, string> = { ...known };
  for (const asked of questions) {
    const answer = await askFor(operator, asked, known[asked.name] ?? "");
    if (answer === "") delete answers[asked.name];
    else answers[asked.name] = answer;
  }
  return answers;
}

async function askFor(operator: Operator, asked: Question, kept: string): Promise<string> {
  const { name, question, isOptional } = asked;
  const hint = kept === "" ? (isOptional ? " (may be empty)" : "") : ` [${isSecret(name) ? "kept" : kept}]`;
  for (;;) {
    const typed = (await operator.ask(`${question}${hint}: `, isSecret(name))).trim();
    const answer = typed === "" ? kept : typed === "-" ? "" : typed;
    const unlike = wrongIn(asked, answer);
    if (unlike === null) return answer;
    operator.say(`That is not ${unlike}.`);
  }
}

/** What an answer should be, or null if it is that. */
function wrongIn({ wrong, isOptional }: Question, answer: string): string | null {
  if (answer === "") return isOptional ? null : "an answer, which is needed";
  return wrong?.(answer) ?? null;
}

function isSecret(name: string): boolean {
  return /SECRET|PRIVATE_KEY|API_KEY|DATABASE_URL|REDIS_URL|SMTP_URL/.test(name);
}

/** Settings that follow from others, unless the operator sets them. */
function followingFrom({ DOMAIN }: Settings): Settings {
  const turn = `turn:${DOMAIN}:3478`;
  return { PUBLIC_ORIGIN: `https://${DOMAIN}`, TURN_URLS: `${turn}?transport=udp,${turn}?transport=tcp` };
}

/** Those of them that the operator wrote by hand: they are given, or did not follow from the earlier settings. */
function writtenByHand(known: Settings, given: Settings): Settings {
  return Object.fromEntries(
    Object.entries(followingFrom(known)).flatMap(([name, value]): [string, string][] => {
      const written = given[name] ?? (known[name] === value ? "" : known[name]);
      return written ? [[name, written]] : [];
    }),
  );
}

function withSecrets(answers: Settings, known: Settings, given: Settings = {}): Settings {
  const secrets = secretNames.map((name) => [name, answers[name] ?? randomBytes(secretBytes).toString("base64url")]);
  return {
    ...answers,
    SERVERS: answers["SERVERS"] ?? String(serversDefault),
    ...Object.fromEntries(secrets),
    ...vapidOf(answers),
    APP_MODE: "production",
    ...followingFrom(answers),
    ...writtenByHand(known, given),
  };
}

/** Keys for notifications. Subscribed browsers are bound to them, so they are generated once and kept as a pair. */
function vapidOf({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT, ...answers }: Settings): Settings {
  const subject = VAPID_SUBJECT ?? `mailto:${answers["CONTACT_EMAIL"]}`;
  if (VAPID_PUBLIC_KEY && VAPID_PRIVATE_KEY) return { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT: subject };
  const { publicKey, privateKey } = makeVapidPair();
  return { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject };
}

const surroundings = {
  DATABASE_URL: "postgres://postgres/fava",
  REDIS_URL: "redis://redis:6379",
  PEER_URL: "http://localhost:3000",
  DATA_DIR_SHARED: "yes",
};

/** The addresses of database and Redis come from `deploy/compose.yaml`, or without containers from the operator. */
function problemsOf(settings: Settings): readonly string[] {
  try {
    readConfig({ ...surroundings, ...settings });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

/**
 * Settings as a file that Docker Compose and systemd read alike.
 *
 * @param before the earlier file: other lines stay, and unchanged settings stay as they were written.
 */
export function asEnvironmentFile(settings: Settings, before = ""): string {
  const unwritten = new Map(Object.entries(settings));
  const kept = before.trimEnd() === "" ? [] : before.trimEnd().split("\n");
  const lines = kept.flatMap((line) => {
    const [name, valueBefore] = settingIn(line) ?? [];
    if (name === undefined) return [line];
    const value = unwritten.get(name);
    unwritten.delete(name);
    return value === undefined ? [] : [value === valueBefore ? line : lineOf(name, value)];
  });
  return [...lines, ...[...unwritten].map(([name, value]) => lineOf(name, value)), ""].join("\n");
}

function lineOf(name: string, value: string): string {
  return `${name}="${value.replaceAll(/[\\"$]/g, "\\$&")}"`;
}

/** Reads files of `asEnvironmentFile`, including lines that were added by hand. */
export function readEnvironmentFile(text: string): Settings {
  return Object.fromEntries(
    text
      .split("\n")
      .map(settingIn)
      .filter((setting) => setting !== null),
  );
}

/**
 * Null without a setting, or for one that Docker Compose and systemd read differently, such as with a comment at the
 * end.
 */
function settingIn(line: string): [name: string, value: string] | null {
  const parts = /^\s*([A-Z][A-Z\d_]*)=(?:"((?:[^"\\]|\\.)*)"|'([^'\\]*)'|((?:[^\s"'#](?:(?!\s#).)*)?))\s*$/.exec(line);
  if (!parts) return null;
  const [, name = "", quoted, literal, bare = ""] = parts;
  return [name, quoted?.replaceAll(/\\(.)/g, "$1") ?? literal ?? bare.trimEnd()];
}

/**
 * The text of a file of settings, empty if it does not exist. Creates its folder, accessible only to its owner: systemd
 * reads settings as root.
 *
 * @throws Error if the folder is not writable, before any question.
 */
export async function openEnvironmentFile(file: string): Promise<string> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await access(folder, constants.W_OK);
  return existsSync(file) ? readFile(file, "utf8") : "";
}
