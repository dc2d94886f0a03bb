import type { ReactNode } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { adminLive, type LiveQueue, liveWishes } from "@fava/wire/endpoints/operator.ts";
import { liveIntervalMs } from "@fava/wire/limits.ts";
import { useCountries } from "#lib/countries.ts";
import { formatAs } from "#lib/format-date.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { currentLanguage, type Key, useT } from "#lib/i18n.ts";
import { numberFormat } from "#lib/intl.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { LineChart, ShareChart } from "#ui/Chart.tsx";
import { LoadFailure } from "#ui/LoadFailure.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { TableScroll } from "#ui/Table.tsx";
import { formatAge, formatShare } from "#features/desk/desk-format.ts";
import { Figure, seconds, WaitTable, wishNames } from "./figure-parts.tsx";
import admin from "./Admin.module.css";
import styles from "./Live.module.css";

type Live = OutputOf<typeof adminLive>;

/** What happens now and in the last ten minutes. Loads every two seconds while the page is visible. */
export function LiveTab(): ReactNode {
  const t = useT();
  const { data: live, isError, refetch } = useEndpointQuery(adminLive, {}, { refetchInterval: liveIntervalMs });
  if (!live)
    return isError ? (
      <LoadFailure text={t("desk.failed")} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height="480px" />
    );
  return (
    <div className={styles.live}>
      <header className={styles.head}>
        <h2>{t("admin.tab.live")}</h2>
        <p role="status" className={styles.state}>
          {isError && t("admin.live.failed", { time: formatAs("time", live.at) })}
          {!isError && live.servers > 1 && t("admin.live.servers", { count: live.answered, of: live.servers })}
        </p>
      </header>
      <Numbers live={live} />
      <div className={styles.charts}>
        <Chart live={live} name="searching" titleKey="admin.live.searching" />
        <Chart live={live} name="calls" titleKey="admin.live.calls" />
        <Chart live={live} name="matches_per_second" titleKey="admin.live.matches" />
        <Chart live={live} name="reports_per_minute" titleKey="admin.live.reports" />
        <Quality live={live} />
        <Wishes live={live} />
      </div>
      <Waits live={live} />
      <Queues live={live} />
    </div>
  );
}

function Numbers({ live }: { live: Live }): ReactNode {
  const t = useT();
  const { never_connected: never, first_picture: first } = live;
  const searching = live.searching.reduce((sum, { people }) => sum + people, 0);
  return (
    <dl className={styles.numbers}>
      <Figure label={t("admin.live.searching")} value={formatNumber(searching)} />
      <Figure label={t("admin.live.calls")} value={formatNumber(live.calls)} />
      <Figure label={t("admin.live.matches")} value={rate(live.matches_per_second)} />
      <Figure label={t("admin.live.reports")} value={rate(live.reports_per_minute)} />
      <Figure label={t("admin.live.never")} value={never.share === null ? "–" : formatShare(never.share)}>
        {t("desk.figures.of", { count: never.of })}
      </Figure>
      <Figure label={t("admin.live.first")} value={seconds(first.half)}>
        {first.most !== null && t("admin.live.most", { time: seconds(first.most) })}
      </Figure>
      <Figure label={t("admin.live.relay")} value={formatShare(live.is_relayed ? 1 : 0)} />
    </dl>
  );
}

type Series = Exclude<keyof Live["over_time"][number], "at">;

function Chart({ live, name, titleKey }: { live: Live; name: Series; titleKey: Key }): ReactNode {
  const t = useT();
  const points = live.over_time.map((step) => ({ at: step.at, value: step[name] }));
  const text = name === "searching" || name === "calls" ? formatNumber : rate;
  return (
    <LineChart
      tableText={t("desk.figures.table")}
      emptyText={t("desk.figures.nothing")}
      title={t(titleKey)}
      lead={t("admin.live.last")}
      columns={[t("desk.figures.when"), t(titleKey)]}
      points={points}
      summary={t("admin.live.alt", {
        name: t(titleKey),
        from: text(points[0]?.value ?? 0),
        now: text(points.at(-1)?.value ?? 0),
      })}
      timeText={(at) => formatAs("time", at)}
      valueText={text}
      lastText={t("desk.figures.now")}
    />
  );
}

function Quality({ live }: { live: Live }): ReactNode {
  const t = useT();
  const total = live.rungs.reduce((sum, { people }) => sum + people, 0);
  const shareOf = (people: number) => (total === 0 ? null : people / total);
  return (
    <ShareChart
      tableText={t("desk.figures.table")}
      emptyText={t("desk.figures.nothing")}
      title={t("admin.live.quality")}
      lead={t("admin.live.qualityLead")}
      columns={[t("admin.live.quality"), t("desk.figures.share"), t("desk.figures.counted")]}
      rows={live.rungs.toReversed().map(({ rung, people }) => ({
        name: t(`admin.live.rung.${rung}`),
        share: shareOf(people),
        count: formatNumber(people),
        of: formatNumber(people),
      }))}
      shareText={(share) => (share === null ? "–" : formatShare(share))}
      end={1}
      misses={() => false}
    />
  );
}

const sexes = [1, 2] as const;

/** How many search: one column for each gender of the searching users, one row for each wish. */
function Wishes({ live }: { live: Live }): ReactNode {
  const t = useT();
  return (
    <section className={`${admin.jobs} ${styles.card}`}>
      <h2>{t("admin.live.wishes")}</h2>
      <TableScroll>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("admin.live.wish")}</th>
              {sexes.map((sex) => (
                <th key={sex} scope="col" data-number>
                  {t(sex === 1 ? "pref.men" : "pref.women")}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {liveWishes.map((wish) => (
              <tr key={wish}>
                <th scope="row">{t(wishNames[wish])}</th>
                {sexes.map((sex) => (
                  <td key={sex} data-number>
                    {formatNumber(live.searching.find((row) => row.sex === sex && row.wish === wish)?.people ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}

function Waits({ live }: { live: Live }): ReactNode {
  const t = useT();
  const countries = useCountries();
  const countryName = (id: number) => countries.find((country) => country.id === id)?.languageText ?? formatNumber(id);
  const byWish = live.waits_by_wish.map(({ wish, ...row }) => ({ name: t(wishNames[wish]), ...row }));
  const byCountry = live.waits_by_country.map(({ country_id: id, ...row }) => ({ name: countryName(id), ...row }));
  return (
    <>
      <WaitTable titleKey="admin.live.waits" head="admin.live.wish" rows={byWish} />
      {byCountry.length > 0 && (
        <WaitTable titleKey="admin.live.waitsCountry" head="admin.price.country" rows={byCountry} />
      )}
    </>
  );
}

const queueNames: Readonly<Record<LiveQueue, Key>> = {
  reports: "desk.tab.reports",
  restricted: "desk.box.restricted",
  avatars: "desk.tab.avatars",
  photos: "desk.tab.photos",
  texts: "desk.tab.texts",
  notices: "desk.tab.notices",
  appeals: "desk.tab.appeals",
  authorities: "authority.title",
  orders: "admin.review.title",
};

function Queues({ live }: { live: Live }): ReactNode {
  const t = useT();
  return (
    <section className={admin.jobs}>
      <h2>{t("admin.live.queues")}</h2>
      <TableScroll>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("desk.box")}</th>
              <th scope="col" data-number>
                {t("desk.figures.waiting")}
              </th>
              <th scope="col" data-number>
                {t("desk.order.oldest")}
              </th>
              <th scope="col" data-number>
                {t("admin.live.overdue")}
              </th>
            </tr>
          </thead>
          <tbody>
            {live.queues.map(({ queue, waiting, oldest_at: oldest, overdue }) => (
              <tr key={queue}>
                <th scope="row">{t(queueNames[queue])}</th>
                <td data-number>{formatNumber(waiting)}</td>
                <td data-number>{oldest === null ? "–" : formatAge(oldest, live.at)}</td>
                <td data-number className={overdue !== null && overdue > 0 ? styles.overdue : undefined}>
                  {overdue === null ? "–" : formatNumber(overdue)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}

/** A rate with enough digits for a small site. */
function rate(value: number): string {
  return isolate(numberFormat(currentLanguage(), { maximumFractionDigits: value < 10 ? 2 : 0 })(value));
}
