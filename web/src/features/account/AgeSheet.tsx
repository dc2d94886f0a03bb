import { codes } from "@fava/wire/codes.ts";
import { ageBegin, ageInfo, type AgeInfo } from "@fava/wire/endpoints/age.ts";
import { BadgeCheck, ExternalLink, IdCard, TriangleAlert } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { formatTime } from "#lib/format-date.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { type OutsideWindow, openOutsideWindow } from "#lib/outside-window.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { Button, buttonClass } from "#ui/Button.tsx";
import { IconTile } from "#ui/IconTile.tsx";
import { LoadFailure } from "#ui/LoadFailure.tsx";
import { Note } from "#ui/Note.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import styles from "./Account.module.css";

/** How often a pending check is read again. The server asks the vendor as often. */
const readEveryMs = 3_000;

/** The age check that the server asks for: what it is, the vendor's window, and its result. Ends as `done` after a pass. */
export function AgeSheet(): ReactNode {
  const t = useT();
  const user = useUser();
  const about = user && { user_id: user.user_id };
  const age = useEndpointQuery(ageInfo, about, {
    refetchInterval: ({ state }) => (state.data?.state === "pending" ? readEveryMs : false),
    refetchOnWindowFocus: true,
    refetchOnReconnect: true,
  });
  const check = useVendorWindow(user?.user_id ?? 0, () => void age.refetch());
  const { data: info } = age;
  const isPassed = info?.required === false;
  const close = () => closeOverlay("age-check", isPassed ? "done" : "closed");
  return (
    <Sheet
      widthPx={480}
      art={<IconTile round>{isPassed ? <BadgeCheck size={28} /> : <IdCard size={28} />}</IconTile>}
      title={t(info && isClosed(info) ? "ageCheck.closedTitle" : "ageCheck.title")}
      lead={info && leadOf(info, t)}
      onClose={close}
      foot={info && <Foot info={info} check={check} onClose={close} />}
    >
      {info ? (
        <Body info={info} problem={check.problem} />
      ) : age.isPending ? (
        <Skeleton height="90px" />
      ) : (
        <LoadFailure text={t("account.loadFailed")} onRetry={age.refetch} />
      )}
    </Sheet>
  );
}

/** This site has no vendor, so the country is closed. */
function isClosed({ required, vendor }: AgeInfo): boolean {
  return required && vendor === null;
}

function leadOf(info: AgeInfo, t: Translate): string {
  const vendor = info.vendor ?? "";
  if (!info.required) return t("ageCheck.passed");
  if (isClosed(info)) return t("ageCheck.closedText");
  if (info.state === "pending") return t("ageCheck.pending", { vendor });
  if (info.retry_at !== null) return t("ageCheck.wait", { time: formatTime(info.retry_at) });
  if (info.methods.length === 0) return t("ageCheck.support");
  return t(info.state === "failed" ? "ageCheck.failed" : "ageCheck.text", { vendor });
}

function Body({ info, problem }: { info: AgeInfo; problem: Problem | null }): ReactNode {
  const t = useT();
  const { required, until, vendor } = info;
  return (
    <>
      {required && until !== null && <p>{t("ageCheck.asked", { time: formatTime(until) })}</p>}
      {required && !isClosed(info) && <p className={styles.small}>{t("ageCheck.private", { vendor: vendor ?? "" })}</p>}
      {problem && (
        <Note tone="danger" role="alert" icon={<TriangleAlert size={18} />}>
          {problem.kind === "blocked" && t("ageCheck.blocked")}
          {problem.kind === "away" && t("ageCheck.away", { vendor: vendor ?? "" })}
          {problem.kind === "often" && t("ageCheck.wait", { time: formatTime(problem.untilMs) })}
        </Note>
      )}
    </>
  );
}

function Foot({ info, check, onClose }: { info: AgeInfo; check: VendorWindow; onClose: () => void }): ReactNode {
  const t = useT();
  const icon = <ExternalLink size={18} className="flip" aria-hidden="true" />;
  const { required, state, methods } = info;
  const isPending = required && state === "pending";
  if (!required)
    return (
      <Button kind="go" block onClick={onClose}>
        {t("home.start")}
      </Button>
    );
  if (check.problem?.kind === "blocked")
    return (
      <a className={buttonClass({ kind: "ink", block: true })} href={check.problem.url} target="_blank" rel="noopener">
        {t("ageCheck.open")}
        {icon}
      </a>
    );
  if (isPending || methods.includes("any"))
    return (
      <>
        <Button kind="ink" block loading={check.isOpening} onClick={() => check.open("any")}>
          {t(isPending ? "pay.showAgain" : "ageCheck.begin", { vendor: info.vendor ?? "" })}
          {icon}
        </Button>
        {!isPending && (
          <Button kind="quiet" block onClick={() => check.open("document")}>
            {t("ageCheck.document")}
          </Button>
        )}
      </>
    );
  if (methods.includes("document"))
    return (
      <Button kind="ink" block loading={check.isOpening} onClick={() => check.open("document")}>
        {t("ageCheck.document")}
        {icon}
      </Button>
    );
  return (
    <>
      <Button kind="quiet" block onClick={() => void openOverlay("contact")}>
        {t("login.contact")}
      </Button>
      <Button kind="ink" block onClick={onClose}>
        {t("common.ok")}
      </Button>
    </>
  );
}

type Problem =
  | { readonly kind: "blocked"; readonly url: string }
  | { readonly kind: "away" }
  | { readonly kind: "often"; readonly untilMs: number };

interface VendorWindow {
  readonly problem: Problem | null;
  readonly isOpening: boolean;
  open(method: "any" | "document"): void;
}

/** Opens the vendor's page in a window, in the press; a second press brings the window to the front. */
function useVendorWindow(userId: number, onBegun: () => void): VendorWindow {
  const t = useT();
  const opened = useRef<OutsideWindow | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isOpening, setOpening] = useState(false);
  async function begin(method: "any" | "document"): Promise<void> {
    if (isOpening || opened.current?.show()) return;
    const waiting = { title: t("ageCheck.title"), text: t("ageCheck.opening") };
    const outside = openOutsideWindow(waiting);
    opened.current = outside;
    setOpening(true);
    setProblem(null);
    try {
      const { url } = await request(ageBegin, { user_id: userId, method }, { quiet: true });
      if (outside) outside.goTo(url);
      else setProblem({ kind: "blocked", url });
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      outside?.close();
      opened.current = null;
      setProblem(problemOf(error));
    } finally {
      setOpening(false);
      onBegun();
    }
  }
  return { problem, isOpening, open: (method) => void begin(method) };
}

function problemOf({ code, data }: RequestFailure): Problem {
  const { until } = (data ?? {}) as { until?: unknown };
  return code === codes.slowDown && typeof until === "number" ? { kind: "often", untilMs: until } : { kind: "away" };
}
