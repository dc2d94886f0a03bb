import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { formatBeans, formatMoney, formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Bean } from "#ui/Bean.tsx";
import { Portrait } from "#ui/Portrait.tsx";
import styles from "./AboutPictures.module.css";

/** Drawn from parts of the product; decoration, hidden from readers. */
export function MeetPicture(): ReactNode {
  return (
    <div className={styles.meet} aria-hidden="true">
      <span>
        <Portrait person="mira" />
      </span>
      <span>
        <Portrait person="sam" />
      </span>
    </div>
  );
}

export function SafePicture(): ReactNode {
  const t = useT();
  return (
    <div className={styles.safe} aria-hidden="true">
      <span>
        <Portrait person="theo" wide />
      </span>
      <b>
        <ShieldCheck size={20} />
        {t("shield.checking")}
      </b>
    </div>
  );
}

/** A sample call of 2 min 14 s at 1,600 beans a minute, of which the first 10 s are free: 3,307 beans, 3.30 USD. */
export function MeterPicture(): ReactNode {
  const t = useT();
  return (
    <div className={styles.meter} aria-hidden="true">
      <p>
        <span>{t("page.picture.call")}</span>
        <b>{t("page.picture.time", { minutes: formatNumber(2), seconds: formatNumber(14) })}</b>
      </p>
      <p>
        <span>
          <Bean size={18} />
          {t("page.picture.beans")}
        </span>
        <b>{formatBeans(3_307)}</b>
      </p>
      <p>
        <span>{t("page.picture.money")}</span>
        <b>{formatMoney(330, "USD")}</b>
      </p>
      <div>
        <i />
      </div>
      <small>{t("page.picture.price", { beans: formatBeans(1_600), seconds: formatNumber(10) })}</small>
    </div>
  );
}
