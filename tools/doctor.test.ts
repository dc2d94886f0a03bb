import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { makeVapidPair } from "@fava/server/adapters/push/vapid.ts";
import { CallDays } from "@fava/server/db/call-days.ts";
import { startEmbedded } from "@fava/server/db/embedded.ts";
import { migrate } from "@fava/server/db/migrate.ts";
import { openDatabase } from "@fava/server/db/pool.ts";
import { TestClock } from "@fava/server/test/fakes/clock.ts";
import { FakeS3 } from "@fava/server/test/fakes/fake-s3.ts";
import { openMailServer } from "@fava/server/test/fixtures/mail-server.ts";
import { redisIsInstalled, TestRedis } from "@fava/server/test/fixtures/redis.ts";
import { startTurn, turnCliPassword, turnIsInstalled, turnSecret } from "../e2e/support/turn.ts";
import { root } from "./lib/bootstrap.mjs";
import { exampleSecret, exampleSettings, exampleStripe } from "./lib/example-settings.ts";
import { judgeGreyPicture } from "./lib/examine-models.ts";
import { fine, type Finding } from "./lib/finding.ts";
import { examine, type Surroundings } from "./lib/installation.ts";

let folder = "";
let databaseUrl = "";
let stopDatabase = async () => {};

// Only stops a test that hangs: a shared machine may stall for seconds.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), `fava-doctor-${process.pid}-`));
  await chmod(folder, 0o755);
  const database = await startEmbedded({ directory: join(folder, "postgres"), log: () => {} });
  databaseUrl = database.url;
  stopDatabase = () => database[Symbol.asyncDispose]();
});

afterAll(async () => {
  await stopDatabase();
  await rm(folder, { recursive: true, force: true });
});

/** The words that run a program with mounts of its own, which only root may. */
const ownMounts = ["unshare", "--mount"];
const canMount = process.getuid?.() === 0 && spawnSync("unshare", ["--mount", "true"]).status === 0;

const [outerAddress = ""] = Object.values(networkInterfaces()).flatMap((all = []) =>
  all.flatMap(({ family, internal, address }) => (family === "IPv4" && !internal ? [address] : [])),
);

const weeksMs = 21 * 86_400_000;

/** The sentences about one part, as `kind: sentence`. */
async function said(
  part: string,
  settings: Readonly<Record<string, string>>,
  around: Partial<Surroundings> = {},
): Promise<string> {
  const whole = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: "0", ...settings };
  return textOf(part, await examine(whole, { freeBytesMin: 0, judge: async () => fine("Judged."), ...around }));
}

function textOf(part: string, findings: readonly Finding[]): string {
  return findings
    .filter(({ sentence }) => sentence.startsWith(`${part}:`))
    .map(({ kind, sentence }) => `${kind}: ${sentence}`)
    .join("\n");
}

test("names short, monotonous and shared secrets without showing them", async () => {
  expect(await said("Secrets", { SERVER_SECRET: exampleSecret })).toMatch(/^fine:/);
  const shared = await said("Secrets", { SERVER_SECRET: exampleSecret, POSTGRES_PASSWORD: exampleSecret });
  expect(shared).toMatch(/^harm: .*SERVER_SECRET and POSTGRES_PASSWORD are the same/);
  expect(shared).not.toContain(exampleSecret);
  expect(await said("Secrets", { SERVER_SECRET: "a".repeat(40) })).toMatch(/^harm: .*SERVER_SECRET can be guessed/);
  expect(await said("Secrets", { POSTGRES_PASSWORD: "fava" })).toMatch(/^harm: .*POSTGRES_PASSWORD can be guessed/);
});

test("warns about missing notification keys in production only", async () => {
  const production = {
    ...exampleSettings,
    ...exampleStripe,
    APP_MODE: "production",
    SERVER_SECRET: exampleSecret,
    TURN_URLS: "turn:localhost:9?transport=tcp",
    TURN_SECRET: exampleSecret.toLowerCase(),
    PUBLIC_ORIGIN: "https://localhost:9",
  };
  const { publicKey, privateKey } = makeVapidPair();
  const keys = { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: "mailto:help@fava.test" };
  expect(await said("Notifications", {})).toMatch(/^fine: /);
  expect(await said("Notifications", production)).toMatch(/^doubt: .*npm run setup:production/);
  expect(await said("Notifications", { ...production, ...keys })).toMatch(/^fine: /);
});

test("tells a port of another program from a free one and from Fava's own", async () => {
  let status = "another";
  const taken = createServer((_request, response) => void response.end(JSON.stringify({ status })));
  await once(taken.listen(0, "127.0.0.1"), "listening");
  const { port } = taken.address() as AddressInfo;
  const settings = { HOST: "127.0.0.1", PORT: String(port) };
  expect(await said("Port", settings)).toMatch(new RegExp(`^harm: .*${port} is taken`));
  status = "up";
  expect(await said("Port", settings)).toMatch(/^fine: .*Fava answers/);
  taken.closeAllConnections();
  await once(taken.close(), "close");
  expect(await said("Port", settings)).toMatch(/^fine: .*is free/);
});

test("names a full disk, also of a folder that does not exist yet", async () => {
  const settings = { DATA_DIR: join(folder, "later", "on") };
  expect(await said("Disk", settings)).toMatch(/^fine:/);
  expect(await said("Disk", settings, { freeBytesMin: Number.MAX_SAFE_INTEGER })).toMatch(/^harm: .*are free at/);
});

test("names picture models that are missing or damaged, and what then happens", async () => {
  expect(await said("Picture models", {})).toBe("fine: Picture models: all are there, and undamaged.");
  expect(await said("Picture models", { MODERATION: "off" })).toBe("");
  const models = join(folder, "models");
  await cp(join(root, "server/src/adapters/classifier/onnx/models"), models, { recursive: true });
  const modelsFolder = pathToFileURL(`${models}/`);
  await writeFile(join(models, "open-nsfw.onnx"), "damaged");
  const found = await said("Picture models", {}, { modelsFolder });
  expect(found).toMatch(/^doubt: Picture models: the second family will not judge\. .*open-nsfw\.onnx is damaged/);
  expect(await said("Picture models", { OPENNSFW: "off" }, { modelsFolder })).toContain("fine:");
  await writeFile(join(models, "dlib-age.onnx"), "damaged");
  expect(await said("Picture models", { OPENNSFW: "off" }, { modelsFolder })).toMatch(
    /^doubt: Picture models: there will be no age hints\. .*dlib-age\.onnx is damaged/,
  );
  expect(await said("Picture models", { OPENNSFW: "off", AGE_HINTS: "off" }, { modelsFolder })).toContain("fine:");
  await rm(join(models, "mid.onnx"));
  expect(await said("Picture models", {}, { modelsFolder })).toContain(
    "harm: Picture models: no picture will be judged.",
  );
});

test("judges a picture by the models, as the server does", async () => {
  expect(await judgeGreyPicture()).toEqual(fine("Picture models: they judge a picture, by onnx-native."));
});

test("says what to fix for a database that is away, too old or unsafe", async () => {
  expect(await said("Database", {})).toMatch(/^fine: .*PostgreSQL 18/);
  expect(await said("Database", {}, { postgresMajorMin: 19 })).toMatch(/^harm: .*PostgreSQL 18; Fava needs 19/);
  expect(await said("Database", { DATABASE_CONNECTIONS: "200" })).toMatch(/^fine/);
  const unsafe = new URL(databaseUrl);
  unsafe.searchParams.set("options", "-c synchronous_commit=off");
  expect(await said("Database", { DATABASE_URL: unsafe.href })).toMatch(/^harm: .*synchronous_commit is off/);
  const away = new URL(databaseUrl);
  away.port = "1";
  expect(await said("Database", { DATABASE_URL: away.href })).toMatch(/^harm: .*cannot be used/);
  const stranger = new URL(databaseUrl);
  stranger.password = "wrong";
  const refused = await said("Database", { DATABASE_URL: stranger.href });
  expect(refused).toMatch(/^harm: .*password/);
  expect(refused).not.toContain(new URL(databaseUrl).password);
});

test("counts the connections of all planned and running servers of a site", async () => {
  const site = { DATABASE_CONNECTIONS: "89" };
  expect(await said("Database", site)).toMatch(/^fine/);
  expect(await said("Database", { ...site, SERVERS: "2" })).toMatch(/^fine/);
  expect(await said("Database", { ...site, SERVERS: "16" })).toMatch(/^harm: .* 16 servers open 1600\./);
  await using own = openDatabase(databaseUrl, { max: 1 });
  await migrate(own.db);
  await own.pool.query("insert into processes (id) select 'server ' || number from generate_series(1, 15) as number");
  await own.pool.query("update processes set dead_at = now() where id = 'server 15'");
  expect(await said("Database", site)).toMatch(/^harm: .* 14 servers open 1400\./);
  await own.pool.query("delete from processes");
});

test("reports a missing partition and partitions that were not dropped", async () => {
  await using own = openDatabase(databaseUrl, { max: 1 });
  await migrate(own.db);
  const days = (atMs: number) => new CallDays({ db: own.db, clock: new TestClock(atMs) });
  const now = Date.now();
  const found = () => said("Calls", {}, { nowMs: () => now });
  expect(await found()).toBe("");
  await days(now - 190 * 86_400_000).makeAhead();
  expect(await found()).toMatch(/^doubt: .*tomorrow.*\ndoubt: .*[789] days are kept longer/);
  await days(now).makeAhead();
  await days(now).dropOld();
  expect(await found()).toBe("");
});

test("reports a replica that is away, and a primary in its place", async () => {
  const site = { DATABASE_REPLICA_URL: databaseUrl };
  expect(await said("Replica", {})).toBe("");
  expect(await said("Replica", site)).toMatch(/^doubt: .*does not replicate another one/);
  const away = new URL(databaseUrl);
  away.port = "1";
  expect(await said("Replica", { DATABASE_REPLICA_URL: away.href })).toMatch(/^doubt: .*cannot be used/);
});

test("names how far the clock is off from the database's", async () => {
  expect(await said("Clock", {})).toMatch(/^fine: .*database/);
  const late = () => Date.now() - 60_000;
  expect(await said("Clock", {}, { nowMs: late })).toMatch(/^harm: .*(?:59|60|6\d)\.\d s apart/);
  expect(await said("Clock", {}, { nowMs: () => Date.now() + 3_000 })).toMatch(/^doubt: .*s apart/);
});

test("signs in to the mail server, and says what is wrong with it", async () => {
  const login = { user: "fava", pass: "word" };
  await using server = await openMailServer({ login });
  const { port } = server.address;
  const site = { PUBLIC_ORIGIN: "https://fava.test", MAIL_FROM: "help@fava.test" };
  const withUrl = (url: string) => said("Mail", { ...site, SMTP_URL: url });
  expect(await said("Mail", {})).toBe("");
  expect(await withUrl(`smtp://fava:word@127.0.0.1:${port}`)).toMatch(/^fine: /);
  expect(await withUrl(`smtp://fava:wrong@127.0.0.1:${port}`)).toMatch(/^harm: .*535.*Mend user and password/s);
  expect(await withUrl("smtp://127.0.0.1:1")).toMatch(/^harm: .*ECONNREFUSED.*Mend SMTP_URL/s);
});

test("tries all operations on a bucket, and tells wrong key, missing bucket and wrong region apart", async () => {
  await using fake = await FakeS3.start();
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = fake.settings;
  const settings = {
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
  expect(await said("Bucket", {})).toBe("");
  expect(await said("Bucket", settings)).toMatch(/^fine: /);
  expect(fake.objects.size).toBe(0);
  for (const [change, name] of [
    [{ S3_ACCESS_KEY_ID: "AKIASOMEBODYELSE" }, "S3_ACCESS_KEY_ID"],
    [{ S3_SECRET_ACCESS_KEY: "another/secret/of/the/bucket" }, "S3_SECRET_ACCESS_KEY"],
    [{ S3_BUCKET: "another" }, "S3_BUCKET"],
    [{ S3_REGION: "us-test-9" }, "S3_REGION"],
    [{ S3_ENDPOINT: "http://127.0.0.1:9" }, "S3_ENDPOINT"],
  ] as const) {
    expect(await said("Bucket", { ...settings, ...change })).toMatch(new RegExp(`^harm: .*${name}`));
  }
  fake.denied.add("LIST");
  expect(await said("Bucket", settings)).toMatch(/^harm: .*may not list/);
});

describe.runIf(redisIsInstalled)("with Redis", () => {
  test("fails for a Redis that evicts keys, and compares its clock", async () => {
    await using server = await TestRedis.start();
    // Settings cannot name a Unix socket, only an address.
    const port = await redisPort(server);
    const site = { SERVER_SECRET: "of a test, and long enough", PEER_URL: "http://127.0.0.1:3000" };
    const settings = { ...site, REDIS_URL: `redis://127.0.0.1:${port}` };
    expect(await said("Redis", settings)).toMatch(/^fine: .*version 7.*\nfine: .*it evicts no keys/is);
    expect(await said("Clock", settings, { nowMs: () => Date.now() - 60_000 })).toMatch(/harm: .*Redis/);
    execFileSync("redis-cli", ["-p", String(port), "acl", "setuser", "default", "-client|kill"]);
    expect(await said("Redis", settings)).toMatch(/doubt: .*refuses CLIENT LIST or CLIENT KILL/);
    execFileSync("redis-cli", ["-p", String(port), "config", "set", "maxmemory-policy", "allkeys-lru"]);
    expect(await said("Redis", settings)).toMatch(/harm: .*maxmemory-policy is allkeys-lru.*noeviction/);
    await server.kill();
    expect(await said("Redis", settings)).toMatch(/^harm: .*cannot be used/);
  });

  const setting = (server: TestRedis, ...words: string[]) =>
    execFileSync("redis-cli", ["-s", server.url, "config", "set", ...words]);
  const askedAt = (address: string) =>
    said("Redis", {
      SERVER_SECRET: "of a test, and long enough",
      PEER_URL: "http://127.0.0.1:3000",
      REDIS_URL: `redis://${address}`,
    });

  // Protected mode lets loopback addresses in.
  test.runIf(outerAddress !== "")("explains Redis' protected mode to a server of another machine", async () => {
    await using server = await TestRedis.start();
    const port = await redisPort(server);
    setting(server, "bind", "*");
    expect(await askedAt(`${outerAddress}:${port}`)).toMatch(
      /^harm: .*protected mode rejects other machines.*requirepass/,
    );
  });

  test("tells a missing, a wrong and a needless password apart", async () => {
    await using server = await TestRedis.start();
    const port = await redisPort(server);
    const trial = (address: string) => askedAt(`${address}:${port}`);
    expect(await trial(":needless@127.0.0.1")).toMatch(/doubt: .*answers without one.*requirepass/);
    expect(await trial("127.0.0.1")).not.toContain("requirepass");
    setting(server, "requirepass", "secret-of-a-test");
    expect(await trial("127.0.0.1")).toMatch(/^harm: .*needs a password, and REDIS_URL has none/);
    expect(await trial(":wrong@127.0.0.1")).toMatch(/^harm: .*rejects the user or the password of REDIS_URL/);
    expect(await trial(":secret-of-a-test@127.0.0.1")).toMatch(/^fine: .*version 7/);
  });

  async function redisPort(server: TestRedis): Promise<number> {
    const probe = createServer();
    await once(probe.listen(0, "127.0.0.1"), "listening");
    const { port } = probe.address() as AddressInfo;
    await once(probe.close(), "close");
    execFileSync("redis-cli", ["-s", server.url, "config", "set", "port", String(port)]);
    return port;
  }
});

describe.runIf(turnIsInstalled)("with coturn", () => {
  test("tries to relay, and tells another secret, silence and a private address apart", async () => {
    await using turn = await startTurn();
    const urls = `turn:127.0.0.1:${turn.port}?transport=udp,turn:127.0.0.1:${turn.port}?transport=tcp`;
    const both = await said("TURN", { TURN_URLS: urls, TURN_SECRET: turnSecret });
    expect(both).toMatch(/^fine: .*udp relays.*\nfine: .*tcp relays/);
    const wrong = await said("TURN", { TURN_URLS: urls, TURN_SECRET: "quite-another-secret-0123456789" });
    expect(wrong).toMatch(/^harm: .*its secret is another.*\nharm: .*its secret is another/);
    const silent = await said("TURN", { TURN_URLS: "turn:127.0.0.1:9", TURN_SECRET: turnSecret });
    expect(silent).toMatch(/^harm: .*(?:does not answer|cannot be reached)/);
    expect(await said("TURN", { TURN_URLS: "https://turn", TURN_SECRET: turnSecret })).toMatch(
      /^harm: .*is not an address/,
    );
  });

  test("relays over TLS by a certificate that this machine trusts, and rejects another one", async () => {
    const [cert, key] = [join(folder, "turn.pem"), join(folder, "turn.key")];
    const words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -days 2";
    const names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert];
    execFileSync("openssl", [...words.split(" "), ...names], { stdio: "pipe" });
    await using turn = await startTurn({ cert, key });
    const urls = [`turns:localhost:${turn.tlsPort}`, `turn:localhost:${turn.port}?transport=tcp`];
    const settings = { TURN_URLS: urls.join(","), TURN_SECRET: turnSecret };
    expect(await said("TURN", settings)).toMatch(
      /^harm: .*turns:.* certificate that browsers reject .*\nfine: .*tcp relays/,
    );
    const trusting = await doctor(settings, [process.execPath], { NODE_EXTRA_CA_CERTS: cert });
    expect(trusting.output).toMatch(/fine {3}TURN: turns:.* relays packets.*\nfine {3}TURN: .*tcp relays packets/);
  });

  test("tries the command port, and tells a wrong password from silence", async () => {
    await using turn = await startTurn();
    const trial = (address: string, password: string) =>
      said("TURN", {
        TURN_URLS: `turn:127.0.0.1:${turn.port}`,
        TURN_SECRET: turnSecret,
        TURN_CLI_ADDRESSES: address,
        TURN_CLI_PASSWORD: password,
      });
    const address = `127.0.0.1:${turn.cliPort}`;
    expect(await trial(address, turnCliPassword)).toMatch(/^fine: .*command port .*accepts TURN_CLI_PASSWORD/);
    expect(await trial(address, "another-password")).toMatch(/^harm: .*refuses TURN_CLI_PASSWORD/);
    expect(await trial("127.0.0.1:9", turnCliPassword)).toMatch(/^harm: .*ECONNREFUSED/);
  });
});

test("fails for an expired or untrusted certificate", async () => {
  // OpenSSL 3.0 sets an end date only for an authority's certificate, which needs these files.
  await writeFile(join(folder, "index.txt"), "");
  await writeFile(join(folder, "serial"), "01\n");
  const authority =
    "[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\npolicy=any\n" +
    "[any]\ncommonName=supplied\n";
  await writeFile(join(folder, "ca.conf"), authority);
  const openssl = (...words: string[]) => execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });
  openssl(
    "req",
    "-new",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-keyout",
    "key.pem",
    "-out",
    "asked.pem",
    "-subj",
    "/CN=localhost",
  );
  const dates = ["-startdate", "20200101000000Z", "-enddate", "20200201000000Z"];
  const own = ["-config", "ca.conf", "-selfsign", "-keyfile", "key.pem", "-in", "asked.pem", "-notext", "-batch"];
  openssl("ca", ...own, ...dates, "-out", "cert.pem");
  const key = await readFile(join(folder, "key.pem"));
  const server = createTlsServer({ key, cert: await readFile(join(folder, "cert.pem")) });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const PUBLIC_ORIGIN = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await said("TLS", { PUBLIC_ORIGIN })).toMatch(/^harm: .*ended on 2020-02-01/);
  // By a clock of that January it is still valid, but its authority is unknown.
  const then = { nowMs: () => Date.parse("2020-02-01T00:00:00Z") - weeksMs };
  expect(await said("TLS", { PUBLIC_ORIGIN }, then)).toMatch(/^harm: .*browsers refuse/);
  server.closeAllConnections();
  await once(server.close(), "close");
  expect(await said("TLS", { PUBLIC_ORIGIN })).toMatch(/^doubt: .*no server answers/);
});

/** The exit code and output of `npm run doctor`, started by these words, which end with the program of Node.js. */
async function doctor(
  settings: Readonly<Record<string, string>>,
  node: readonly string[] = [process.execPath],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; output: string }> {
  const file = join(folder, "site.env");
  const lines = Object.entries({
    MODERATION: "off",
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    PORT: "0",
    ...settings,
  });
  await writeFile(file, lines.map(([name, value]) => `${name}=${value}\n`).join(""), { mode: 0o644 });
  const [program, ...words] = [...node, "--import", "tsx", "tools/doctor.ts", file];
  const child = spawn(program, words, { cwd: root, env: { ...process.env, ...env } });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  return { code, output };
}

test("names a host that does not exist, and leaves out what needs it", async () => {
  const settings = { TURN_URLS: "turn:turn.invalid:3478,turn:127.0.0.1:9?transport=tcp", TURN_SECRET: turnSecret };
  expect(await said("Names", { ...settings, DATABASE_REPLICA_URL: "postgres://replica.invalid/fava" })).toMatch(
    /^harm: Names: turn\.invalid \(TURN_URLS\) .*\ndoubt: Names: replica\.invalid \(DATABASE_REPLICA_URL\)/,
  );
  expect(await said("TURN", settings)).toMatch(/^harm: TURN: turn:127\.0\.0\.1:9\?transport=tcp [^\n]*$/);
  const known = new URL(databaseUrl);
  known.hostname = "localhost";
  expect(await said("Names", { DATABASE_URL: known.href })).toMatch(/^fine: /);
});

describe.runIf(canMount)("with a DNS server that never answers", () => {
  test("names each host that hangs, and examines what needs no DNS", async () => {
    const silent = createSocket("udp4");
    await once(silent.bind(53, "127.0.0.53"), "listening");
    const resolvers = join(folder, "resolv.conf");
    await writeFile(resolvers, "nameserver 127.0.0.53\noptions timeout:30\n");
    const mount = `mount --bind ${resolvers} /etc/resolv.conf && exec "$0" "$@"`;
    const known = new URL(databaseUrl);
    known.hostname = "localhost";
    const settings = {
      DATABASE_URL: known.href,
      TURN_URLS: "turn:turn.fava.test,turn:other.fava.test",
      TURN_SECRET: turnSecret,
    };
    const { code, output } = await doctor(settings, [...ownMounts, "sh", "-c", mount, process.execPath]);
    silent.close();
    expect(output).toMatch(/WRONG {2}Names: turn\.fava\.test \(TURN_URLS\) has no answer: the DNS server is away/);
    expect(output).toMatch(/WRONG {2}Names: other\.fava\.test \(TURN_URLS\) has no answer/);
    expect(output).toMatch(/fine {3}Database: PostgreSQL/);
    expect([code, output.includes("TURN:")]).toEqual([1, false]);
  });
});

test("prints sentences, and exits with 1 for what users would notice", async () => {
  const { code, output } = await doctor({
    MODERATION: "marker",
    APP_MODE: "production",
    POSTGRES_PASSWORD: "fava",
  });
  expect(code).toBe(1);
  expect(output).toMatch(/WRONG {2}Settings: MODERATION=marker is for tests/);
  expect(output).toMatch(/WRONG {2}Secrets: POSTGRES_PASSWORD can be guessed/);
  expect(output).toMatch(/LOOK {3}Secrets: others on this machine may read .*site\.env/);
});
