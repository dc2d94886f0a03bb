import { type DestinationStream, destination, type Logger, pino } from "pino";

/** Never written, wherever they stand: what opens a session, and what people say to each other. */
const secretNames = [
  "token",
  "signature",
  "sign_key",
  "signKey",
  "tencent_sign",
  "third_party_token",
  "appeal_token",
  "credential",
  "password",
  "text",
  "texts",
  "offer",
  "sdp",
  "body",
];

export interface LoggerOptions {
  level: string;
  /** Standard output unless given. */
  stream?: DestinationStream;
}

/** The log of the process: one JSON object a line. */
export function createLogger(options: LoggerOptions): Logger {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`]), censor: "[redacted]" },
      serializers: { err: describeError, error: describeError },
    },
    // Written while the process goes on; what is left is flushed when it ends.
    options.stream ?? destination({ sync: false }),
  );
}

/** Without the other properties that libraries hang on errors: those of the database quote rows. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: typeof error };
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {};
  const cause = error.cause instanceof Error ? { cause: `${error.cause.name}: ${error.cause.message}` } : {};
  return { type: error.name, message: error.message, stack: error.stack, ...code, ...cause };
}
