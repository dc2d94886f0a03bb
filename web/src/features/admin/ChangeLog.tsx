import type { ReactNode } from "react";
import { formatMoment } from "#lib/format-date.ts";
import { type Key, useT } from "#lib/i18n.ts";
import type { ShopInfo } from "./admin-data.ts";
import styles from "./ChangeLog.module.css";

const changes: Readonly<Record<ShopInfo["history"][number]["change"], Key>> = {
  prices: "admin.log.prices",
  pack_added: "admin.log.packAdded",
  pack_removed: "admin.log.packRemoved",
};

/** Who changed what, newest first. */
export function ChangeLog({ history }: { history: ShopInfo["history"] }): ReactNode {
  const t = useT();
  return (
    <section className={styles.log}>
      <h2>{t("admin.log.title")}</h2>
      {history.length === 0 && <p>{t("admin.log.none")}</p>}
      <ol>
        {history.map(({ id, at, nickname, user_no: userNo, change, before, after }) => (
          <li key={id}>
            <time dateTime={new Date(at).toISOString()}>{formatMoment(new Date(at).toISOString())}</time>
            <span>
              {t(changes[change])} <bdi dir="ltr">{[before, after].filter((text) => text !== null).join(" → ")}</bdi>
            </span>
            <bdi>
              {nickname} · {userNo}
            </bdi>
          </li>
        ))}
      </ol>
    </section>
  );
}
