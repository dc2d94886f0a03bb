import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { access, constants, mkdir, readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { dirname } from "node:path";
import { makeVapidPair } from "@fava/server/adapters/push/vapid.ts";
import { ConfigError, readConfig } from "@fava/server/config.ts";

/** Environment variables by name. */
export type Settings = Readonly<Record<string, string>>;

/** The person who sets up a site. */
export interface Operator {
  /** The answer to a question, as it was typed. */
  ask(question: string): Promise<string>;
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
  ...[
    ["GOOGLE_CLIENT_ID", "Google: client id"],
    ["FACEBOOK_APP_ID", "Facebook: app id"],
    ["FACEBOOK_APP_SECRET", "Facebook: app secret"],
    ["APPLE_CLIENT_ID", "Apple: client id"],
    ["APPLE_REDIRECT_URI", "Apple: redirect address"],
    ["STRIPE_SECRET_KEY", "Stripe: secret key"],
    ["STRIPE_WEBHOOK_SECRET", "Stripe: secret of the webhook"],
    ["PAYERMAX_APP_ID", "PayerMax: app id"],
    ["PAYERMAX_MERCHANT_NO", "PayerMax: merchant number"],
    ["PAYERMAX_PRIVATE_KEY", "PayerMax: our private key"],
    ["PAYERMAX_PUBLIC_KEY", "PayerMax: their public key"],
    ["CODA_API_KEY", "Coda: key"],
    ["CODA_PROJECT_ID", "Coda: project"],
    ["ADMIN_IDENTITIES", "Administrators: mail addresses that Google or Apple has verified"],
  ].map(([name = "", question = ""]) => ({ name, question, isOptional: true as const })),
];

/** Secrets that are generated once and then kept. */
const secretNames = ["SERVER_SECRET", "POSTGRES_PASSWORD", "TURN_SECRET"];
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

async function askAll(operator: Operator, known: Settings): Promise<Settings> {
  const answers: Record<string, string> = { ...known };
  for (const asked of questions) {
    const answer = await askFor(operator, asked, known[asked.name] ?? "");
    if (answer === "") delete answers[asked.name];
    else answers[asked.name] = answer;
  }
  return answers;
}

async function askFor(operator: Operator, { name, question, wrong, isOptional }: Question, kept: string) {
  const hint = kept === "" ? (isOptional ? " (may be empty)" : "") : ` [${isSecret(name) ? "kept" : kept}]`;
  for (;;) {
    const typed = (await operator.ask(`${question}${hint}: `)).trim();
    const answer = typed === "" ? kept : typed === "-" ? "" : typed;
    const unlike = answer === "" ? (isOptional ? null : "an answer that is needed") : wrong?.(answer);
    if (!unlike) return answer;
    operator.say(`That is not ${unlike}.`);
  }
}

function isSecret(name: string): boolean {
  return /SECRET|PRIVATE_KEY|API_KEY/.test(name);
}

/** Settings that follow from others, unless the operator sets them. */
function followingFrom({ DOMAIN }: Settings): Settings {
  const turn = `turn:${DOMAIN}:3478`;
  return { PUBLIC_ORIGIN: `https://${DOMAIN}`, TURN_URLS: `${turn}?transport=udp,${turn}?transport=tcp` };
}

/** Those of them that the operator wrote by hand, since they did not follow from the earlier settings. */
function writtenByHand(known: Settings): Settings {
  return Object.fromEntries(
    Object.entries(followingFrom(known)).flatMap(([name, value]): [string, string][] => {
      const written = known[name];
      return written && written !== value ? [[name, written]] : [];
    }),
  );
}

function withSecrets(answers: Settings, known: Settings): Settings {
  const secrets = secretNames.map((name) => [name, answers[name] ?? randomBytes(secretBytes).toString("base64url")]);
  const servers = answers["SERVERS"] ?? String(serversDefault);
  return {
    ...answers,
    SERVERS: servers,
    // Host names as in Compose.
    APP_SERVERS: Array.from({ length: Number(servers) }, (_none, index) => `fava-app-${index + 1}:3000`).join(" "),
    ...Object.fromEntries(secrets),
    ...vapidOf(answers),
    APP_MODE: "production",
    ...followingFrom(answers),
    ...writtenByHand(known),
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
