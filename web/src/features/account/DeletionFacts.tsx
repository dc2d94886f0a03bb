import type { ReactNode } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { accountInfo } from "@fava/wire/endpoints/account.ts";
import { formatBeans, formatMoney } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Fact, Facts } from "#ui/Facts.tsx";
import styles from "./Account.module.css";

type Deletion = OutputOf<typeof accountInfo>["deletion"];

/** The refunds and the lost beans of a deletion. */
export function DeletionFacts({ deletion, long = false }: { deletion: Deletion; long?: boolean }): ReactNode {
  const t = useT();
  return (
    <Facts className={styles.facts}>
      <Fact name={t("account.refunded")}>
        {deletion.refunds.length === 0
          ? t("account.refundNone")
          : deletion.refunds.map((refund, index) => (
              <span key={index}>
                {t("account.refund", {
                  n: refund.beans,
                  beans: formatBeans(refund.beans),
                  money: formatMoney(refund.price_minor, refund.currency_code),
                })}
              </span>
            ))}
      </Fact>
      <Fact name={t("account.lost")}>{formatBeans(deletion.beans_lost)}</Fact>
      {long && <Fact name={t("account.messages")}>{t("account.messagesGone")}</Fact>}
    </Facts>
  );
}
