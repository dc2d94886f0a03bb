import type { ReactNode } from "react";
import { countryBalanced } from "@fava/wire/beans.ts";
import { usePrices } from "#features/beans/prices.ts";
import { formatBeans } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { useMatchFilters } from "./match-filters.ts";
import { saveAndReport } from "./report-filters.ts";

/** "You do not have enough beans": the price of the filters, a free search, and the shop. */
export function NotEnoughBeansSheet(): ReactNode {
  const t = useT();
  const price = usePrices().of(useMatchFilters());
  function useFree(): void {
    saveAndReport({ sex: 0, country: countryBalanced });
    closeOverlay("low-beans", "done");
  }
  function getBeans(): void {
    void openOverlay("shop");
    closeOverlay("low-beans");
  }
  return (
    <Sheet
      widthPx={440}
      art={<Bean size={44} />}
      title={t("beans.notEnoughTitle")}
      onClose={() => closeOverlay("low-beans")}
      foot={
        <>
          <Button kind="ink" block onClick={useFree}>
            {t("beans.useFree")}
          </Button>
          <Button block onClick={getBeans}>
            {t("beans.get")}
          </Button>
        </>
      }
    >
      <p>{t("beans.notEnoughText", { count: formatBeans(price) })}</p>
    </Sheet>
  );
}
