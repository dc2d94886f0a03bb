import type { ReactNode } from "react";
import { formatBeans } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useUser } from "#lib/session.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";

/** The balance, and what beans are for. The shop takes this place when beans can be bought. */
export function BalanceSheet(): ReactNode {
  const t = useT();
  const balance = useUser()?.credit5 ?? 0;
  const close = () => closeOverlay("balance", "done");
  return (
    <Sheet
      widthPx={440}
      art={<Bean size={44} />}
      title={t("beans.balanceTitle")}
      onClose={close}
      foot={
        <Button kind="ink" block onClick={close}>
          {t("common.ok")}
        </Button>
      }
    >
      <p>{t("beans.balanceText", { count: formatBeans(balance) })}</p>
    </Sheet>
  );
}
