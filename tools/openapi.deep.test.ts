import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startProduct } from "../e2e/support/product.ts";
import { root } from "./lib/bootstrap.mjs";
import { pythonProgram } from "./lib/python-programs.mjs";
import { preparedCalls } from "./schemathesis/prepared-calls.ts";

const fuzzSeconds = 60;
/** Share of the operations that answer with a success at least once. The others need a judged call, or time. */
const reachedShareMin = 0.88;
const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_schema_conformance",
];

test("answers generated requests as openapi.json describes, and with no error of the server", async () => {
  await using product = await startProduct();
  await using calls = await preparedCalls(product.url);
  const folder = await mkdtemp(join(tmpdir(), "fava-openapi-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [plan, reached] = [join(folder, "plan.json"), join(folder, "reached.json")];
  await writeFile(plan, JSON.stringify(calls));
  const words = [
    "run",
    `${product.url}/api/openapi.json`,
    "--phases=fuzzing",
    `--checks=${checks.join(",")}`,
    `--max-time=${fuzzSeconds}`,
    "--seed=1",
    "--workers=2",
    "--suppress-health-check=all",
    "--generation-database=none",
  ];
  const hooks = join(root, "tools/schemathesis/hooks.py");
  const env = { ...process.env, SCHEMATHESIS_HOOKS: hooks, OPENAPI_PLAN: plan, OPENAPI_REACHED: reached };
  const schemathesis = spawn(pythonProgram("schemathesis"), words, { cwd: folder, env, stdio: "inherit" });
  const [status] = (await once(schemathesis, "exit")) as [number | null];
  expect(status).toBe(0);
  const codes = JSON.parse(await readFile(reached, "utf8")) as Record<string, Record<string, number>>;
  const unreached = Object.keys(codes).filter((name) => !("200" in (codes[name] ?? {})));
  console.log(`${unreached.length} of ${Object.keys(codes).length} operations had no success: ${unreached.join(" ")}`);
  expect(1 - unreached.length / Object.keys(codes).length).toBeGreaterThanOrEqual(reachedShareMin);
});
