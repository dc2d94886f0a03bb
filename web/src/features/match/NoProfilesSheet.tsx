import { MapPinOff } from "lucide-react";
import type { ReactNode } from "react";
import { countryGlobal } from "@fava/wire/beans.ts";
import { useMatchNoticeOffer } from "#features/notifications/use-match-notice-offer.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { Button } from "#ui/Button.tsx";
import { OfferLine } from "#ui/OfferLine.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { currentMatchFilters } from "./match-filters.ts";
import { useWaitEstimate } from "./wait-estimate.ts";
import { saveAndReport } from "./report-filters.ts";

/**
 * "Currently there are no matching profiles in the selected country", with a button for all countries and the duration
 * of such a search.
 */
export function NoProfilesSheet(): ReactNode {
  const t = useT();
  const line = useWaitEstimate({ sex: currentMatchFilters().sex, country: countryGlobal });
  const tell = useMatchNoticeOffer(currentMatchFilters());
  function goGlobal(): void {
    saveAndReport({ ...currentMatchFilters(), country: countryGlobal });
    closeOverlay("no-profiles", "done");
  }
  return (
    <Sheet
      widthPx={440}
      art={<MapPinOff size={36} aria-hidden="true" />}
      title={t("notice.noProfilesTitle")}
      lead={t("notice.noProfiles")}
      onClose={() => closeOverlay("no-profiles")}
      foot={
        <Button kind="go" block aria-describedby="no-profiles-estimate" onClick={goGlobal}>
          {t("notice.noProfilesGlobal")}
        </Button>
      }
    >
      <div id="no-profiles-estimate">
        <b>{line.isKnown ? t("pref.global") : "\u00a0"}</b>
        <p {...line.props} />
      </div>
      {tell && <OfferLine {...tell} />}
    </Sheet>
  );
}
