import { connect } from "node:net";

/** A coturn whose command port this server may use. */
export interface CommandPort {
  readonly host: string;
  readonly port: number;
  readonly password: string;
}

/** Sends one command and resolves to the text of its answer. */
type Run = (line: string) => Promise<string>;

interface RelaySession {
  readonly id: string;
  /** Whole seconds since its start. */
  readonly ageSeconds: number;
}

/** How long one connection may take, whatever coturn sends meanwhile. */
const connectionMsMax = 3_000;
/** 256 sessions, which is as many as coturn lists, have about 150,000 bytes. */
const answerBytesMax = 1_000_000;
/** A page cannot receive the end of its call and start the next one in less than this. */
const nextCallMsMin = 300;
/** Names that cannot hold a second command. */
const safeName = /^[\w-]{1,64}$/;

/**
 * Runs commands at coturn's command port.
 *
 * @throws Error whose message ends a sentence that begins with the port's address.
 */
export async function withCommands<Result>(
  { host, port, password }: CommandPort,
  work: (run: Run) => Promise<Result>,
  timeoutMs = connectionMsMax,
): Promise<Result> {
  const socket = connect({ host, port });
  // The iterator below throws every error, but does not listen between two reads.
  socket.on("error", () => undefined);
  const timer = setTimeout(() => socket.destroy(new Error("does not answer in time")), timeoutMs);
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let bytes = 0;
  const readUntil = async (isWhole: (text: string) => boolean): Promise<string> => {
    let text = "";
    while (!isWhole(text)) {
      const { value, done } = await chunks.next();
      if (done) throw new Error("closes the connection");
      bytes += value.length;
      if (bytes > answerBytesMax) throw new Error("sends too much");
      text += value.toString("latin1");
    }
    return text;
  };
  try {
    await readUntil(isAskingPassword);
    socket.write(`${password}\r\n`);
    const answer = await readUntil((text) => isPrompt(text) || isAskingPassword(text));
    if (!isPrompt(answer)) throw new Error("refuses TURN_CLI_PASSWORD");
    return await work(async (line) => {
      socket.write(`${line}\r\n`);
      return readUntil(isPrompt);
    });
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/**
 * Ends the sessions of a user that started before `elapsedMs` ago. Sessions of a later call stay.
 *
 * @throws Error if the name could hold a command, or if a session is still there afterwards.
 */
export async function endSessions(run: Run, externalId: string, elapsedMs: () => number): Promise<void> {
  if (!safeName.test(externalId)) throw new Error("does not get a name that could hold a command");
  const found = await olderSessions(run, externalId, elapsedMs());
  for (const { id } of found) await run(`cs ${id}`);
  // coturn answers nothing to `cs`, and ends the session in another thread.
  const left = found.length === 0 ? [] : await olderSessions(run, externalId, elapsedMs());
  if (left.some(({ id }) => found.some((ended) => ended.id === id))) throw new Error("keeps a session");
}

async function olderSessions(run: Run, externalId: string, elapsedMs: number): Promise<RelaySession[]> {
  const startedMs = elapsedMs < nextCallMsMin ? 0 : elapsedMs;
  return sessionsOf(await run(`psp :${externalId}`), externalId).filter(
    ({ ageSeconds }) => ageSeconds * 1_000 >= startedMs,
  );
}

/** Sessions in the answer to `ps` or `psp` whose user is exactly this one. */
export function sessionsOf(answer: string, externalId: string): RelaySession[] {
  const entries = answer.matchAll(/\bid=(\d{1,20}), user <\d+:([\w-]{1,64})>:[^<]*?\bstarted (\d{1,9}) secs ago/g);
  return Array.from(entries, ([, id = "", user = "", age]) => ({ id, user, ageSeconds: Number(age) })).filter(
    ({ user }) => user === externalId,
  );
}

function isPrompt(text: string): boolean {
  return text === "> " || text.endsWith("\n> ");
}

function isAskingPassword(text: string): boolean {
  return /password:\s*$/.test(text);
}
