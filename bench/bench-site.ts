import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "@fava/server/db/embedded.ts";
import type { DisposalStack } from "@fava/server/lib/disposal-stack.ts";
import { childrenOf } from "@fava/server/test/fixtures/child-processes.ts";
import { SiteProcesses, type SiteOptions } from "@fava/server/test/fixtures/site-processes.ts";

/** Whole servers beside a Redis and a PostgreSQL of their own. */
export interface BenchSite {
  readonly site: SiteProcesses;
  readonly databasePid: number;
}

/** Servers whom nobody is too fast for; all of it ends with `stack`. */
export async function startBenchSite(
  { environment, ...options }: Omit<SiteOptions, "databaseUrl">,
  stack: DisposalStack,
): Promise<BenchSite> {
  const directory = await mkdtemp(join(tmpdir(), `fava-bench-${process.pid}-`));
  stack.defer("folder", () => rm(directory, { recursive: true, force: true }));
  // The database's own account has to get through to its data.
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
