import { type ReactNode, useCallback, useEffect, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { adminFigures } from "@fava/wire/endpoints/appeals.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { call } from "#lib/api/call.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Segmented } from "#ui/RadioCards.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { tellDeskFailure } from "./desk-failure.ts";
import { FigureNumbers } from "./FigureNumbers.tsx";
import { ReviewTimeChart } from "./ReviewTimeChart.tsx";
import { OverturnedChart, RulesChart } from "./ShareCharts.tsx";
import { WaitingChart } from "./WaitingChart.tsx";
import styles from "./Figures.module.css";

export type FiguresData = OutputOf<typeof adminFigures>;
const figureDays = [1, 14, 90] as const;
export type FigureDays = (typeof figureDays)[number];

/** How the desk does, in four numbers and four charts; no moderator is named. */
export function FiguresTab({ user }: { user: OwnUser }): ReactNode {
  const t = useT();
  const [days, setDays] = useState<FigureDays>(14);
  const { figures, failed, reload } = useFigures(user.user_id, days);
  return (
    <div className={styles.page} aria-busy={!figures && !failed}>
      <div className={styles.inner}>
        <header className={styles.head}>
          <h2>{t("desk.tab.figures")}</h2>
          <Segmented
            legend={t("desk.figures.time")}
            hideLegend
            value={String(days)}
            options={figureDays.map((one) => ({ value: String(one), label: t(`desk.figures.days.${one}`) }))}
            onChange={(value) => setDays(figureDays.find((one) => String(one) === value) ?? days)}
          />
        </header>
        {failed && (
          <div className={styles.failed}>
            <p>{t("desk.failed")}</p>
            <Button size="small" onClick={reload}>
              {t("desk.again")}
            </Button>
          </div>
        )}
        {!figures && !failed && <Skeleton height="480px" />}
        {figures && (
          <>
            <FigureNumbers figures={figures} days={days} />
            <div className={styles.charts}>
              <WaitingChart figures={figures} days={days} />
              <ReviewTimeChart figures={figures} />
              <RulesChart figures={figures} />
              <OverturnedChart figures={figures} />
            </div>
          </>
        )}
      </div>
    </div>
  );
}

function useFigures(userId: number, days: FigureDays) {
  const [loaded, setLoaded] = useState<{ days: FigureDays; figures: FiguresData | null } | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const ended = new AbortController();
    call(adminFigures, { user_id: userId, days }, { signal: ended.signal }).then(
      (figures) => setLoaded({ days, figures }),
      (error: unknown) => {
        if (ended.signal.aborted) return;
        setLoaded({ days, figures: null });
        tellDeskFailure(error);
      },
    );
    return () => ended.abort();
  }, [userId, days, tries]);
  const reload = useCallback(() => {
    setLoaded(null);
    setTries((before) => before + 1);
  }, []);
  const current = loaded?.days === days ? loaded : null;
  return { figures: current?.figures ?? null, failed: current !== null && current.figures === null, reload };
}
