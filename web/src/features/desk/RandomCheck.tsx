import { EyeOff } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { adminFigures } from "@fava/wire/endpoints/appeals.ts";
import { adminSampleList, adminSampleLook, adminSampleOperate } from "@fava/wire/endpoints/desk.ts";
import { type AuditAnswer, auditAnswers } from "@fava/wire/moderation.ts";
import { request } from "#lib/api/request.ts";
import { formatPercent } from "#lib/format-units.ts";
import { formatNumber } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { useShortcuts } from "#lib/use-shortcuts.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { classNames } from "#ui/class-names.ts";
import { showDeskFailure } from "./desk-format.ts";
import { useDeskSwitches } from "./desk-info.ts";
import { requestOptions } from "./desk-query.ts";
import { FactList } from "./parts.tsx";
import evidence from "./Evidence.module.css";
import parts from "./Parts.module.css";
import styles from "./RandomCheck.module.css";

type AuditFigures = OutputOf<typeof adminFigures>["audit"];

/** The audit of random frames that no model flagged, and its figures; empty while none was ever drawn. */
export function RandomCheck(props: { userId: number; figures: AuditFigures; onAnswer: () => void }): ReactNode {
  const t = useT();
  const { userId, figures } = props;
  const list = useEndpointQuery(adminSampleList, { user_id: userId }, { requestOptions });
  const waiting = list.data?.rows.filter(({ claim }) => claim === null || claim.mine) ?? [];
  const [first] = waiting;
  if (!first && figures.looked === 0) return null;
  const answered = () => {
    props.onAnswer();
    void list.refetch();
  };
  return (
    <section className={styles.check} aria-label={t("desk.audit.title")}>
      <div>
        <h3>{t("desk.audit.title")}</h3>
        <p className={parts.quiet}>{t("desk.audit.lead")}</p>
        <FactList
          className={styles.facts}
          facts={[
            [t("desk.audit.waiting"), formatNumber(waiting.length)],
            [t("desk.audit.looked"), formatNumber(figures.looked)],
            [t("desk.audit.explicit"), formatNumber(figures.explicit)],
            [
              t("desk.audit.atMost"),
              figures.share_max === null ? t("desk.audit.few") : formatPercent(figures.share_max * 100, 2),
            ],
          ]}
        />
      </div>
      {first && <RandomFrame key={first.id} id={first.id} userId={userId} onAnswer={answered} />}
    </section>
  );
}

const answerTexts = {
  fine: "desk.audit.fine",
  nudity: "desk.rejectFor.1",
  minor: "reason.report.8",
  other: "desk.audit.other",
} as const satisfies Record<AuditAnswer, Key>;

type Look =
  | { readonly phase: "covered" | "asked" }
  | { readonly phase: "shown"; readonly url: string }
  | { readonly phase: "answered" };

/** One frame: covered at first and not loaded until then. It can be answered once it is shown. */
function RandomFrame(props: { id: string; userId: number; onAnswer: () => void }): ReactNode {
  const t = useT();
  const { id, userId, onAnswer } = props;
  const { grey } = useDeskSwitches();
  const [look, setLook] = useState<Look>({ phase: "covered" });
  const owner = useRef<AbortController>(null);
  useEffect(() => {
    const living = new AbortController();
    owner.current = living;
    return () => living.abort();
  }, []);

  async function show(): Promise<void> {
    setLook({ phase: "asked" });
    try {
      const { url } = await request(adminSampleLook, { user_id: userId, id });
      setLook({ phase: "shown", url });
    } catch (error) {
      setLook({ phase: "covered" });
      showDeskFailure(error);
      // Another moderator may have the frame.
      if (!owner.current?.signal.aborted) onAnswer();
    }
  }
  async function answer(said: AuditAnswer): Promise<void> {
    const before = look;
    setLook({ phase: "answered" });
    try {
      await request(adminSampleOperate, { user_id: userId, id, answer: said });
    } catch (error) {
      setLook(before);
      showDeskFailure(error);
    }
    if (!owner.current?.signal.aborted) onAnswer();
  }
  const isShown = look.phase === "shown";
  const toggle = () => {
    if (isShown) setLook({ phase: "covered" });
    else if (look.phase === "covered") void show();
  };
  useShortcuts((key) => {
    const said = auditAnswers[Number(key) - 1];
    if (key === "Space") toggle();
    else if (said && isShown) void answer(said);
    else return false;
    return true;
  });

  return (
    <div className={styles.one}>
      <div className={classNames(parts.frame, styles.frame)} data-grey={grey || undefined}>
        {isShown ? (
          <img src={look.url} alt={t("desk.audit.picture")} draggable={false} />
        ) : (
          <span className={evidence.cover} aria-hidden="true" />
        )}
        <button
          type="button"
          className={classNames(parts.pill, parts.chip)}
          data-shown={isShown || undefined}
          aria-keyshortcuts="Space"
          aria-busy={look.phase === "asked" || undefined}
          onClick={toggle}
        >
          <EyeOff size={18} aria-hidden="true" />
          {t(isShown ? "desk.hide" : "desk.show")}
          <Kbd>{t("desk.key.space")}</Kbd>
        </button>
      </div>
      <div className={styles.answers} role="group" aria-label={t("desk.audit.question")}>
        {auditAnswers.map((said, index) => (
          <button
            key={said}
            type="button"
            className={parts.choice}
            disabled={!isShown}
            aria-keyshortcuts={String(index + 1)}
            onClick={() => void answer(said)}
          >
            <Kbd>{index + 1}</Kbd>
            {t(answerTexts[said])}
          </button>
        ))}
      </div>
    </div>
  );
}
