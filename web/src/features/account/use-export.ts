import { useEffect, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { userExport } from "@fava/wire/endpoints/account.ts";
import { codes } from "@fava/wire/codes.ts";
import { exportLinkMs } from "@fava/wire/limits.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";

export type DataCopy = OutputOf<typeof userExport>;

/** While it is being prepared, the next look is this much later. */
const lookAgainMs = 1_500;
/** The address of the file is asked for anew before it closes. */
const renewMs = exportLinkMs / 2;

export interface ExportView {
  /** Undefined until the server has told. */
  readonly copy: DataCopy | undefined;
  /** The last question was not answered; `too-often`: no more copies today. */
  readonly problem: "failed" | "too-often" | null;
  readonly asking: boolean;
  readonly begin: () => void;
}

/** A copy of everything kept about the person; looks how far it is until it is ready (rule DATA-52). */
export function useExport(userId: number): ExportView {
  const [copy, setCopy] = useState<DataCopy>();
  const [problem, setProblem] = useState<ExportView["problem"]>(null);
  const [ask, setAsk] = useState<{ begin: 0 | 1; afterMs: number }>({ begin: 0, afterMs: 0 });
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    const owner = new AbortController();
    const look = async () => {
      try {
        const answer = await call(
          userExport,
          { user_id: userId, begin: ask.begin },
          { quiet: true, signal: owner.signal },
        );
        setCopy(answer);
        setProblem(null);
        if (answer.state === "preparing") setAsk({ begin: 0, afterMs: lookAgainMs });
        if (answer.state === "ready") setAsk({ begin: 0, afterMs: renewMs });
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        if (error.reason === "aborted") return;
        if (ask.afterMs === renewMs) return setAsk({ ...ask });
        setProblem(error.code === codes.slowDown ? "too-often" : "failed");
      }
      setAsking(false);
    };
    const timer = setTimeout(() => void look(), ask.afterMs);
    return () => {
      clearTimeout(timer);
      owner.abort();
    };
  }, [userId, ask]);
  return {
    copy,
    problem,
    asking,
    begin() {
      setAsking(true);
      setAsk({ begin: 1, afterMs: 0 });
    },
  };
}
