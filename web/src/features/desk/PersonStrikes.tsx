import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { strikesMax } from "@fava/wire/limits.ts";
import type { DeskPerson } from "@fava/wire/moderation.ts";
import { useT } from "#lib/i18n.ts";
import { formatMediumDay } from "./desk-format.ts";
import styles from "./PersonPanel.module.css";

/** Strikes in force, and when the first of them expires. */
export function PersonStrikes({ person }: { person: DeskPerson }): ReactNode {
  const t = useT();
  const count = person.strikes.length;
  const first = Math.min(...person.strikes.map(({ expires_at }) => expires_at));
  return (
    <section className={styles.section}>
      <h3>
        <TriangleAlert size={16} aria-hidden="true" />
        {t("desk.strikes")}
      </h3>
      <div className={styles.strikes}>
        <span className={styles.bars} aria-hidden="true">
          {Array.from({ length: strikesMax }, (_, index) => (
            <i key={index} data-on={index < count || undefined} />
          ))}
        </span>
        {count === 0
          ? t("desk.strikes.none")
          : t("desk.strikes.some", { count, max: strikesMax, day: formatMediumDay(first) })}
      </div>
    </section>
  );
}
