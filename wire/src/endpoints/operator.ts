import * as v from "valibot";
import { endpoint } from "../endpoint.ts";

export const adminCspReports = endpoint({
  path: "/admin/cspReports",
  summary: "What browsers refused under the content security policy, of the last 30 days, most frequent first",
  access: "admin",
  input: {},
  isRead: true,
  output: v.object({
    rows: v.array(
      v.object({
        directive: v.string(),
        /** A host, a scheme such as `data`, or a keyword such as `inline`. */
        blocked: v.string(),
        /** Path of the page, without its query. */
        path: v.string(),
        count: v.number(),
        /** The last UTC day with such a report, `YYYY-MM-DD`. */
        last_on: v.string(),
      }),
    ),
  }),
});
