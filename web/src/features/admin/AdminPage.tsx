import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { useDocumentTitle } from "#lib/use-document-title.ts";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useShopInfo } from "./admin-data.ts";
import { ChangeLog } from "./ChangeLog.tsx";
import { Packs } from "./Packs.tsx";
import { PriceForm } from "./PriceForm.tsx";
import { Reviews } from "./Reviews.tsx";
import styles from "./AdminPage.module.css";

/** `/admin`: filter prices, packs, orders that wait for a decision, and who changed what. */
export function AdminPage(): ReactNode {
  const t = useT();
  useDocumentTitle(t("admin.title"));
  const info = useShopInfo();
  return (
    <main className={styles.main} aria-busy={info === undefined}>
      <div className={styles.head}>
        <h1>{t("admin.title")}</h1>
        <p>{t("admin.lead")}</p>
      </div>
      {info ? (
        <>
          <Reviews reviews={info.reviews} />
          {/* Once somebody has changed the prices, the fields start anew from what holds now. */}
          <PriceForm key={Object.values(info.prices).join(" ")} prices={info.prices} />
          <Packs packs={info.packs} />
          <ChangeLog history={info.history} />
        </>
      ) : (
        <Skeleton height="320px" />
      )}
    </main>
  );
}
