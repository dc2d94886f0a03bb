import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "@fava/server/db/embedded.ts";
import type { DisposalStack } from "@fava/server/lib/disposal-stack.ts";
import { childrenOf } from "@fava/server/test/fixtures/child-processes.ts";
import { SiteProcesses, type SiteOptions } from "@fava/server/test/fixtures/site-processes.ts";

/** Complete servers with their own Redis and PostgreSQL. */
export interface BenchSite {
  readonly site: SiteProcesses;
  readonly databasePid: number;
}

/** Starts the servers without rate limits; `stack` ends everything. */
export async function startBenchSite(
  { environment, ...options }: Omit<SiteOptions, "databaseUrl">,
  stack: DisposalStack,
): Promise<BenchSite> {
  const directory = await mkdtemp(join(tmpdir(), `fava-bench-${process.pid}-`));
  stack.defer("folder", () => rm(directory, { recursive: true, force: true }));
  // The database's own system account must reach its data.
  await chmod(directory, 0o755);
  const database = stack.use(await startEmbedded({ directory: join(directory, "postgres"), log: () => undefined }));
  const [databasePid = 0] = childrenOf(process.pid, join(database.directory, "pgdata"));
  const site = await SiteProcesses.start({
    ...options,
    databaseUrl: database.url,
    environment: { RATE_LIMIT_FACTOR: "1000000", ...environment },
  });
  return { site: stack.use(site), databasePid };
}
