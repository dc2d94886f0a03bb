import type { ReactNode } from "react";
import type { LiveWish } from "@fava/wire/endpoints/operator.ts";
import { formatDuration, formatNumber, isolate } from "#lib/format.ts";
import { currentLanguage, type Key, useT } from "#lib/i18n.ts";
import { numberFormat } from "#lib/intl.ts";
import { TableScroll } from "#ui/Table.tsx";
import admin from "./Admin.module.css";

export function Figure(props: { label: string; value: string; children?: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>
        <b>{props.value}</b>
        <span>{props.children}</span>
      </dd>
    </div>
  );
}

export const wishNames: Readonly<Record<LiveWish, Key>> = {
  any: "pref.both",
  men: "pref.men",
  women: "pref.women",
  country: "admin.live.country",
};

interface WaitTableProps {
  titleKey: Key;
  head: Key;
  /** `rate`: text of the share of searches that ended with a match; without it in all rows there is no such column. */
  rows: readonly { name: string; found: number | null; half: number | null; most: number | null; rate?: string }[];
}

export function WaitTable({ titleKey, head, rows }: WaitTableProps): ReactNode {
  const t = useT();
  const hasRate = rows.some(({ rate }) => rate !== undefined);
  return (
    <section className={admin.jobs}>
      <h2>{t(titleKey)}</h2>
      <TableScroll>
        <table>
          <thead>
            <tr>
              <th scope="col">{t(head)}</th>
              <th scope="col" data-number>
                {t("admin.live.found")}
              </th>
              {hasRate && (
                <th scope="col" data-number>
                  {t("admin.figures.rate")}
                </th>
              )}
              <th scope="col" data-number>
                {t("admin.live.half")}
              </th>
              <th scope="col" data-number>
                {t("admin.live.nearlyAll")}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, found, half, most, rate }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td data-number>{counted(found)}</td>
                {hasRate && <td data-number>{rate}</td>}
                <td data-number>{seconds(half)}</td>
                <td data-number>{seconds(most)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}

/** A count; null is one of fewer than 20. */
export function counted(value: number | null): string {
  return value === null ? isolate("<20") : formatNumber(value);
}

/** A duration, with fractions below 10 seconds. */
export function seconds(value: number | null): string {
  if (value === null) return "–";
  if (value >= 10) return formatDuration(value);
  const format = { style: "unit", unit: "second", unitDisplay: "short", maximumFractionDigits: 2 } as const;
  return isolate(numberFormat(currentLanguage(), format)(value));
}

/** A size in megabytes of 10^6 bytes. */
export function megabytes(bytes: number): string {
  const format = { style: "unit", unit: "megabyte", unitDisplay: "short", maximumFractionDigits: 1 } as const;
  return isolate(numberFormat(currentLanguage(), format)(bytes / 1_000_000));
}
