import * as v from "valibot";
import { endpoint } from "../endpoint.ts";

export const adminJobs = endpoint({
  path: "/admin/jobs",
  summary: "The periodic jobs of all servers: last run, next run and number of failures",
  access: "admin",
  input: {},
  output: v.object({
    rows: v.array(
      v.object({
        name: v.string(),
        /** Null before the first run. */
        ran_at: v.nullable(v.number()),
        /** Null while the job is not scheduled, until a server starts. */
        next_at: v.nullable(v.number()),
        is_running: v.boolean(),
        runs: v.number(),
        failures: v.number(),
        last_failed_at: v.nullable(v.number()),
        /** Accounts that the job skips, since an authority's hold keeps their data; null for a job without holds. */
        held: v.nullable(v.number()),
      }),
    ),
  }),
});
