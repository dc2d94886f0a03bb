import { type ReactNode, useEffect, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { userExport } from "@fava/wire/endpoints/account.ts";
import { exportLinkMs } from "@fava/wire/limits.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { formatPercent } from "#lib/format-percent.ts";
import { useT } from "#lib/i18n.ts";
import { Button, buttonClass } from "#ui/Button.tsx";
import type { Owner } from "./StatementPart.tsx";

/** While it is being prepared, the next look is this much later. */
const lookAgainMs = 1_500;
/** The address of the file is asked for anew before it closes. */
const renewMs = exportLinkMs / 2;

/** A copy of everything kept about the person. */
export function DataPart({ token, userId }: Owner): ReactNode {
  const t = useT();
  const [copy, setCopy] = useState<OutputOf<typeof userExport> | "failed">();
  const [ask, setAsk] = useState<{ begin: 0 | 1; afterMs: number }>({ begin: 0, afterMs: 0 });
  useEffect(() => {
    const owner = new AbortController();
    const look = async () => {
      try {
        const options = { token, quiet: true, signal: owner.signal };
        const answer = await call(userExport, { user_id: userId, begin: ask.begin }, options);
        setCopy(answer);
        if (answer.state === "preparing") setAsk({ begin: 0, afterMs: lookAgainMs });
        if (answer.state === "ready") setAsk({ begin: 0, afterMs: renewMs });
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        if (error.reason === "aborted") return;
        if (ask.afterMs === renewMs) setAsk({ ...ask });
        else setCopy("failed");
      }
    };
    const timer = setTimeout(() => void look(), ask.afterMs);
    return () => {
      clearTimeout(timer);
      owner.abort();
    };
  }, [token, userId, ask]);
  if (copy === "failed") return <p role="alert">{t("appeal.loadFailed")}</p>;
  if (copy?.state === "ready") {
    return (
      <a className={buttonClass({ kind: "outline", size: "small" })} href={copy.url} download={copy.name}>
        {t("appeal.dataReady")}
      </a>
    );
  }
  if (copy?.state === "preparing") {
    return <p role="status">{t("appeal.dataPreparing", { percent: formatPercent(copy.percent) })}</p>;
  }
  return (
    <Button kind="outline" size="small" loading={copy === undefined} onClick={() => setAsk({ begin: 1, afterMs: 0 })}>
      {t("appeal.dataGo")}
    </Button>
  );
}
